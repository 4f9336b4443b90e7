"""Modules put together into one script."""

from __future__ import annotations

import pytest

from core.figures.assets import entry, modules
from core.figures.program import linked, program


def test_a_module_stands_after_what_it_imports_and_only_once():
    texts = {
        "a/a.js": 'import { b, c as d } from "../s/b.js";\nimport e from "./e.js";\n'
        "export default b(d, e);\n",
        "s/b.js": 'import { c } from "./c.js";\nexport function b() {}\nexport const f = c;\n',
        "s/c.js": "export const c = 2;\n",
        "a/e.js": 'import { c } from "../s/c.js";\nexport default c;\n',
        "s/unused.js": "export const no = 1;\n",
    }
    code = program(["a/a.js"], texts)
    places = [
        code.index(f'MODULES["{path}"] =') for path in ("s/c.js", "s/b.js", "a/e.js", "a/a.js")
    ]
    assert places == sorted(places)
    assert code.count('MODULES["s/c.js"] =') == 1
    assert "unused" not in code
    assert 'const { b, c: d } = MODULES["s/b.js"];' in code
    assert 'const { default: e } = MODULES["a/e.js"];' in code
    assert "return { default: DEFAULT };" in code


def test_a_circle_is_refused():
    texts = {"a.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./a.js";\n'}
    with pytest.raises(ValueError, match=r"a\.js cannot be imported by a\.js > b\.js"):
        program(["a.js"], texts)


def test_a_module_that_is_not_there_is_named():
    with pytest.raises(ValueError, match=r"gone\.js cannot be imported by a\.js"):
        program(["a.js"], {"a.js": 'import { b } from "./gone.js";\n'})
    with pytest.raises(ValueError, match=r"gone\.js cannot be imported by a file"):
        program(["gone.js"], {})


@pytest.mark.parametrize(
    "text",
    [
        'import * as all from "./b.js";\n',
        'import "./b.js";\n',
        'import { b } from "elsewhere";\n',
        'export * from "./b.js";\n',
        "export let changing = 1;\n",
        "export { a };\n",
        "export const { a } = b;\n",
        "export default 1;\nexport default 2;\n",
    ],
)
def test_what_could_not_be_put_together_is_refused(text):
    with pytest.raises(ValueError, match=r"module a\.js"):
        linked("a.js", text)


def test_every_component_can_be_put_together():
    entries = [path for path in modules() if path == entry(path.split("/")[0])]
    code = program(entries, modules())
    assert len(entries) > 10
    assert all(f'MODULES["{path}"] =' in code for path in modules())
