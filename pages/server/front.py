"""The documents of the pages: Streamlit's own, our code before it, what may have to be said.

The home page's holds the first picture.
"""

from __future__ import annotations

import asyncio
from functools import cache
from pathlib import Path

import streamlit as st
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from core.answers.link import unpack
from core.figures.assets import SERVED, TOGETHER, version
from core.language import spoken, use_language
from pages.parts.prefix import prefix
from pages.parts.table import TABLE
from pages.server.first import first_picture
from pages.server.unheard import unheard
from pages.server.visitors import browsers_language

STATIC = Path(st.__file__).parent / "static"
# Of Streamlit's code what it fetches with the first component, and with the first text (1.67).
LATE = ("BidiComponent", "Html")


@cache
def document() -> str:
    """The HTML; of a Streamlit that has its code elsewhere, less is said of it."""
    text = (STATIC / "index.html").read_text(encoding="utf-8")
    head, streamlits, rest = text.partition("<script type=")
    # It hears of the history before Streamlit, and tells it where its server is.
    ours = f'<script type="module" src="{served(TOGETHER)}"></script>\n'
    files = (file for name in LATE for file in sorted(STATIC.glob(f"static/js/{name}.*.js")))
    late = (f"./{file.relative_to(STATIC).as_posix()}" for file in files)
    links = "".join(f'<link rel="modulepreload" crossorigin href="{module}">\n' for module in late)
    return f"{head}{ours}{streamlits}{rest}".replace("</head>", f"{links}</head>")


def served(path: str) -> str:
    """The address of a module."""
    return f"{prefix()}{SERVED}/{version()}/{path}"


def beginning(picture: str) -> str:
    """The home page's document with a picture."""
    return document().replace("<body>", f"<body>{picture}", 1)


async def answer(request: Request) -> HTMLResponse:
    """A document; it is asked for each time, as another version names other code."""
    browsers = browsers_language(request)
    query = dict(request.query_params)
    address = request.url.path.removeprefix(f"{prefix()}/")
    picture = "" if address else await asyncio.to_thread(first_picture, query, browsers)
    text = beginning(picture) if picture else document()
    use_language(spoken(unpack(query)[0].get("language", ""), browsers))
    text = text.replace("</body>", f"{unheard()}</body>", 1)
    return HTMLResponse(text, headers={"Cache-Control": "no-cache"})


ROUTES = [Route(f"/{row.address}", answer) for row in TABLE]
