"""What runs in a book: two files beside its pages, and packs of what these show; and its style.

A web server may forbid scripts that stand in a page (``script-src 'self'``), and a browser that
opens a page from a disk takes a file of the folder, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.figures.assets import COMPONENTS, entry, modules
from core.figures.program import program

START = "index.html"
SCRIPT, DOOR, STYLE = "book.js", "door.js", "book.css"
COMMON = "common"  # the pack of what is no lesson's own
BESIDE = "'self' file:"  # which scripts a page runs: files of its own server, or of the disk


def said_to(book: Mapping[str, Any], folders: Sequence[str]) -> str:
    """What a page says to the script, with the components that it has."""
    data = {"book": book, "components": {folder: entry(folder) for folder in folders}}
    text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    return f"<script type='application/json' id='said'>{text}</script>"


def script(folders: Iterable[str]) -> str:
    """The components of the app, and the book that they speak to: one file for all pages."""
    code = program([*map(entry, sorted(folders)), entry("book")], modules())
    return (
        f'"use strict";\n{code}'
        'const SAID = JSON.parse(document.getElementById("said").textContent);\n'
        f'MODULES["{entry("book")}"].open(SAID.book, Object.fromEntries(Object.entries('
        "SAID.components).map(([name, path]) => [name, MODULES[path].default])));\n"
    )


def opens(languages: Iterable[str]) -> str:
    """The script of the first page of all."""
    return (
        f'"use strict";\nconst own = {json.dumps(list(languages))};\n'
        "const said = navigator.languages.map((one) => one.split('-')[0]);\n"
        "location.replace(`${said.find((one) => own.includes(one)) ?? own[0]}/" + START + "`);\n"
    )


def style() -> str:
    """The style sheet of all pages: the app's own around its components, and what is the book's."""
    assets = COMPONENTS.parent
    files = (
        assets / "page.css",
        COMPONENTS / "lesson" / "lesson.css",
        assets / "book" / "book.css",
    )
    return "".join(file.read_text(encoding="utf-8") for file in files)
