"""The code of the components: complete, addressed by what it says, and small in a message."""

from __future__ import annotations

import dataclasses
import json
import re

from core.figures import assets
from core.figures.assets import COMPONENTS, ELSEWHERE, entry, modules, stub, together, version
from core.figures.theme import PALETTES


def test_every_file_is_a_module():
    files = {file.relative_to(COMPONENTS).as_posix() for file in COMPONENTS.glob("*/*.*")}
    wanted = {path if path.endswith(".js") else f"{path}.js" for path in files}
    assert set(modules()) == wanted | {"shared/palettes.js"}
    assert {path.split("/")[0] for path in wanted} - {"shared"} == {
        path.split("/")[0] for path in modules() if path == entry(path.split("/")[0])
    }


def test_a_style_sheet_is_a_module_that_gives_its_text():
    text = (COMPONENTS / "matrix" / "matrix.css").read_text(encoding="utf-8")
    said = modules()["matrix/matrix.css.js"]
    assert json.loads(said.removeprefix("export default ").removesuffix(";\n")) == text


def test_the_palettes_are_those_of_the_theme():
    said = modules()["shared/palettes.js"]
    found = json.loads(said.removeprefix("export const PALETTES = ").removesuffix(";\n"))
    wanted = {mode: dataclasses.asdict(palette) for mode, palette in PALETTES.items()}
    assert found == json.loads(json.dumps(wanted))


def test_other_code_has_another_address(monkeypatch, tmp_path):
    before = stub("matrix")
    (tmp_path / "matrix").mkdir()
    (tmp_path / "matrix" / "matrix.js").write_text("export default 1;\n")
    monkeypatch.setattr(assets, "COMPONENTS", tmp_path)
    for function in (modules, version):
        function.cache_clear()
    try:
        assert stub("matrix") != before
    finally:
        monkeypatch.undo()
        for function in (modules, version):
            function.cache_clear()
    assert stub("matrix") == before


def test_a_message_holds_an_address_and_no_code():
    for path in modules():
        name = path.split("/")[0]
        if path == entry(name):
            assert len(stub(name)) < 200
            assert f"/components/{version()}/all.js" in stub(name)
            assert (f'"{name}": MODULES["{path}"].default' in together()) == (name not in ELSEWHERE)
    assert re.fullmatch(r"[0-9a-f]{16}", version())
