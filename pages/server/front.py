"""The document of the home page: Streamlit's own, with the first picture, and what will be needed.

Streamlit asks for the code of a component when the component has come, and a module for those that
it imports when it has come itself: one round trip after the other. The document names them at once.
"""

from __future__ import annotations

import asyncio
from functools import cache
from pathlib import Path

import streamlit as st
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from core.figures.assets import SERVED, entry, modules, version
from core.figures.program import needed
from pages.server.first import first_picture

STATIC = Path(st.__file__).parent / "static"
# Of Streamlit's code what it fetches with the first component, and with the first text (1.67).
LATE = ("BidiComponent", "Html")
# The components that the home page begins with, in their order there.
FIRST = ("first", "link", "runbar", "flow", "save", "inside", "whatif", "search")


@cache
def document() -> str:
    """The HTML; of a Streamlit that has its code elsewhere, less is said of it."""
    ours = [f"{SERVED}/{version()}/{path}" for path in needed([*map(entry, FIRST)], modules())]
    files = (file for name in LATE for file in sorted(STATIC.glob(f"static/js/{name}.*.js")))
    theirs = [f"./{file.relative_to(STATIC).as_posix()}" for file in files]
    links = "".join(f'<link rel="modulepreload" crossorigin href="{one}">\n' for one in theirs)
    links += "".join(f'<link rel="modulepreload" href="{one}">\n' for one in ours)
    return (STATIC / "index.html").read_text(encoding="utf-8").replace("</head>", f"{links}</head>")


def beginning(picture: str) -> str:
    """The document with a picture, whose code runs before Streamlit's."""
    script = f'<script type="module" src="{SERVED}/{version()}/{entry("first")}"></script>\n'
    head, begins, rest = document().partition("<script type=")
    return head + script + begins + rest.replace("<body>", f"<body>{picture}", 1)


async def answer(request: Request) -> HTMLResponse:
    """The document; it is asked for each time, as another version names other code."""
    browsers = request.headers.get("accept-language", "")[:2].lower()
    picture = await asyncio.to_thread(first_picture, dict(request.query_params), browsers)
    text = beginning(picture) if picture else document()
    return HTMLResponse(text, headers={"Cache-Control": "no-cache"})


ROUTES = [Route("/", answer)]
