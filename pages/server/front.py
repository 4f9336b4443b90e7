"""The documents of the pages: Streamlit's own, what will be needed, what may have to be said.

Streamlit asks for the code of a component when the component has come, and a module for those that
it imports when it has come itself: one round trip after the other, in which a lesson has its text
but no question yet. The documents of the home page and of the lessons name them at once; the home
page's holds the first picture.
"""

from __future__ import annotations

import asyncio
from functools import lru_cache
from pathlib import Path

import streamlit as st
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from core.figures.assets import SERVED, entry, modules, version
from core.figures.program import needed
from core.language import spoken, use_language
from core.link import unpack
from core.names import LESSONS
from pages.parts.prefix import prefix
from pages.parts.table import TABLE
from pages.server.first import first_picture
from pages.server.unheard import unheard
from pages.server.visitors import browsers_language

STATIC = Path(st.__file__).parent / "static"
# Of Streamlit's code what it fetches with the first component, and with the first text (1.67).
LATE = ("BidiComponent", "Html")
# The components that a page begins with, in their order there, by its address.
FIRST = {
    "": ("first", "link", "runbar", "flow", "save", "inside", "whatif", "search"),
    LESSONS: ("link", "runbar", "lesson", "stepper", "question", "save", "search"),
}


@lru_cache(3)
def document(begins: tuple[str, ...] = FIRST[""]) -> str:
    """The HTML; of a Streamlit that has its code elsewhere, less is said of it.

    Args:
        begins: the components that the page begins with; none of a page that names no code.
    """
    text = (STATIC / "index.html").read_text(encoding="utf-8")
    links = _needed(begins) if begins else ""
    head, streamlits, rest = text.partition("<script type=")
    text = f"{head}{_script('history')}{streamlits}{rest}"  # it hears of steps before Streamlit
    # Which waits for no other code: it is there for when that does not come.
    return text.replace("</head>", f"{links}{_script('unheard', ' async')}</head>")


def _needed(begins: tuple[str, ...]) -> str:
    ours = [served(path) for path in needed([*map(entry, begins)], modules())]
    files = (file for name in LATE for file in sorted(STATIC.glob(f"static/js/{name}.*.js")))
    theirs = [f"./{file.relative_to(STATIC).as_posix()}" for file in files]
    links = "".join(f'<link rel="modulepreload" crossorigin href="{one}">\n' for one in theirs)
    return links + "".join(f'<link rel="modulepreload" href="{one}">\n' for one in ours)


def served(path: str) -> str:
    """The address of a module."""
    return f"{prefix()}{SERVED}/{version()}/{path}"


def _script(name: str, when: str = "") -> str:
    return f'<script type="module"{when} src="{served(entry(name))}"></script>\n'


def beginning(picture: str) -> str:
    """The home page's document with a picture, whose code runs before Streamlit's."""
    head, begins, rest = document().partition("<script type=")
    return head + _script("first") + begins + rest.replace("<body>", f"<body>{picture}", 1)


async def answer(request: Request) -> HTMLResponse:
    """A document; it is asked for each time, as another version names other code."""
    browsers = browsers_language(request)
    query = dict(request.query_params)
    address = request.url.path.removeprefix(f"{prefix()}/")
    picture = "" if address else await asyncio.to_thread(first_picture, query, browsers)
    text = beginning(picture) if picture else document(FIRST.get(address, ()))
    use_language(spoken(unpack(query)[0].get("language", ""), browsers))
    text = text.replace("</body>", f"{unheard()}</body>", 1)
    return HTMLResponse(text, headers={"Cache-Control": "no-cache"})


ROUTES = [Route(f"/{row.address}", answer) for row in TABLE]
