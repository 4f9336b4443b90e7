"""The key: the answers to all handouts, at an address that nobody guesses.

The server makes it up and prints it when it starts, or takes it from ``GLASSFORMER_KEY``. So
whoever starts the server has it, and gives it to other teachers.
"""

from __future__ import annotations

import html
import os
import secrets
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from core.language import _, language
from core.lessons import Lesson, lesson, lesson_ids
from pages.parts.prefix import prefix

KEYS = "/lesson/answers"  # the address, without the key
NAME = "GLASSFORMER_KEY"  # of the environment
_BYTES = 12


def settle() -> None:
    """Make a key up where none is set, and print where it leads; other processes inherit it."""
    if not os.environ.get(NAME):
        os.environ[NAME] = secrets.token_urlsafe(_BYTES)
        print(
            f"Answers to the handouts, for teachers: {prefix()}{KEYS}/{os.environ[NAME]}",
            flush=True,
        )


def fits(text: str) -> bool:
    """Whether this is the key."""
    secret = os.environ.get(NAME, "")
    return bool(secret) and secrets.compare_digest(text.encode(), secret.encode())


def refused() -> Response:
    """What whoever has no key, or another one, reads."""
    text = _("The answers have an address of their own. The server prints it when it starts; ask "
             "whoever started it.")  # fmt: skip
    return PlainTextResponse(text, status_code=404)


def every_sheet(key: str, request: Request) -> Response:
    """The answers to each lesson's handouts, as links.

    Args:
        key: the key.
        request: whose further wishes the links keep: the course, the seed, a text.
    """
    params = {name: value for name, value in request.query_params.items() if name != "_seed"}
    rows = []
    for ident in lesson_ids():
        lesson_ = lesson(ident, language())
        if isinstance(lesson_, Lesson):
            sheets = (_sheet(key, ident, params, version) for version in range(2))
            rows.append(f"<li>{html.escape(lesson_.title)}: {' · '.join(sheets)}</li>")
    title = html.escape(_("The answers to the handouts"))
    body = f"<h1>{title}</h1><ul>{''.join(rows)}</ul>"
    return HTMLResponse(
        f"<!doctype html><html lang='{language()}'><head><meta charset='utf-8'><title>{title}"
        "</title><meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<style>:root {{ color-scheme: light dark; font: 1rem/1.6 system-ui }}</style></head>"
        f"<body>{body}</body></html>",
        headers={"Cache-Control": "no-store"},
    )


def _sheet(key: str, ident: str, params: dict[str, str], version: int) -> str:
    query = urlencode({**params, "_language": language(), "_seed": str(version)})
    words = html.escape(_("answers {version}").format(version="AB"[version]))
    where = html.escape(f"{prefix()}{KEYS}/{key}/{ident}.html?{query}")
    return f"<a href='{where}'>{words}</a>"
