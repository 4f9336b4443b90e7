"""The code of the components in ``assets/components``: ES modules, as a browser gets them.

The palettes and the style sheets are modules too, made here. All of it is served under an address
that holds a hash of all of it, so a browser may keep it for ever: in one file, as a browser takes
longer to find a hundred and fifty in its cache than to read them. ``stub`` is the little that
Streamlit sends with a component.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

import plotly

from core.figures.program import program
from core.figures.theme import PALETTES

COMPONENTS = Path(__file__).resolve().parent.parent.parent / "assets" / "components"
SERVED = "/components"  # where the app answers with them
TOGETHER = "all.js"  # the file of all of them
ELSEWHERE = ("book", "check")  # what no page of the app runs
BROUGHT = "shared/brought.js"  # knows components by their folders


@cache
def modules() -> Mapping[str, str]:
    """Every module by its path: the files, ``x.css`` as ``x.css.js``, and the palettes."""
    modules = {}
    for file in sorted(COMPONENTS.rglob("*")):
        path = file.relative_to(COMPONENTS).as_posix()
        if file.suffix == ".js":
            modules[path] = file.read_text(encoding="utf-8")
        elif file.suffix == ".css":
            text = file.read_text(encoding="utf-8")
            modules[f"{path}.js"] = f"export default {json.dumps(text)};\n"
    palettes = {mode: dataclasses.asdict(palette) for mode, palette in PALETTES.items()}
    modules["shared/palettes.js"] = f"export const PALETTES = {json.dumps(palettes)};\n"
    return MappingProxyType(modules)


@cache
def version() -> str:
    """A hash of all modules and of what they load, part of their address."""
    digest = hashlib.sha256(plotly.__version__.encode())
    for path, text in modules().items():
        digest.update(f"{path}\0{text}\0".encode())
    return digest.hexdigest()[:16]


def entry(name: str) -> str:
    """The path of a component's own module."""
    return f"{name}/{name}.js"


@cache
def together() -> str:
    """One module with all that the pages run; it gives the components by their folders."""
    folders = dict.fromkeys(path.split("/")[0] for path in modules())
    run = [folder for folder in folders if entry(folder) in modules() and folder not in ELSEWHERE]
    code = program([*map(entry, run), BROUGHT], modules())
    table = ", ".join(
        f"{json.dumps(folder)}: MODULES[{json.dumps(entry(folder))}].default" for folder in run
    )
    return (
        f"{code}const COMPONENTS = {{ {table} }};\n"
        f"MODULES[{json.dumps(BROUGHT)}].bring(COMPONENTS);\nexport default COMPONENTS;\n"
    )


def stub(name: str) -> str:
    """A module that gives a component.

    Streamlit gives it to the browser as a ``blob:``, in which a relative address means nothing. All
    pages stand beside each other, so theirs says where the app is.
    """
    address = json.dumps(f".{SERVED}/{version()}/{TOGETHER}")
    return (
        f"const all = await import(new URL({address}, document.baseURI).href);\n"
        f"export default all.default[{json.dumps(name)}];\n"
    )
