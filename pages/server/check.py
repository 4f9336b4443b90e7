"""Whether the app will run on a network: ``/check``, which needs no WebSocket to be read."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from core.answers.app import FIGURE_FILES, LESSON_FILES
from core.figures.assets import entry
from core.language import _, available_languages, language, spoken, use_language
from core.lessons import entry as titled
from core.lessons import lesson_ids
from core.locale import own_name
from core.yaml_files import read_rows
from pages.parts.looks import ASSETS
from pages.parts.prefix import prefix
from pages.server.front import STATIC, document, served
from pages.server.unheard import BOOK, CHECK, book, colours
from pages.server.visitors import browsers_language

WRITE = ".venv/bin/python -m core.lessons book OUT --languages en,fr"
FIGURE = "attention.row.csv"  # of the example that every server has ready
State = str
STATES: tuple[State, ...] = ("good", "fair", "bad")


@dataclass(frozen=True)
class SystemCheck:
    """What is looked at.

    Attributes:
        name: of the function that does it (assets/components/check).
        title: what it is called (translate with ``_``, as what follows).
        good, fair, bad: what is said of it; ``{ms}`` and the like are what was measured.
    """

    name: str
    title: str
    good: str
    fair: str = ""
    bad: str = ""

    @property
    def says(self) -> dict[State, str]:
        """By what may be found, what is said of it."""
        return {state: _(text) for state in STATES if (text := getattr(self, state))}


CHECKS = read_rows("checks.yaml", SystemCheck)


def verdicts() -> dict[str, str]:
    """What follows from all of them."""
    return {
        "wait": _("Testing this network …"),
        "good": _("Glassformer will run on this network."),
        "fair": _("Glassformer will run on this network. Read what is marked “!” below."),
        "bad": _("Glassformer will not run on this network yet. Read what is marked “✗” below."),
    }


async def answer(request: Request) -> HTMLResponse:
    """The page, in the language of its address, or else of the browser."""
    use_language(spoken(request.query_params.get("language", ""), browsers_language(request)))
    return HTMLResponse(cached_page(language(), book()), headers={"Cache-Control": "no-cache"})


@lru_cache(8)
def cached_page(_language: str, _book: str) -> str:
    """The page, by what decides it: whoever asks for it again and again holds up nobody."""
    return page()


def page() -> str:
    """All of it as HTML."""
    css = (ASSETS / "check.css").read_text(encoding="utf-8")
    title = _("Will Glassformer run on this network?")
    return (
        f"<!DOCTYPE html><html lang='{language()}'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{_text(title)}</title><link rel='icon' href='{prefix()}/favicon.png'>"
        f"<style>{_font()}:root {{ {colours()} }}\n{css}</style>"
        f"<script type='module' src='{served(entry('check'))}'></script></head><body>"
        f"<header><a href='{prefix()}/'>Glassformer</a>{_languages()}</header>"
        f"<main data-asks='{html.escape(json.dumps(_asks()))}'><h1>{_unbroken(title)}</h1>"
        f"{_looked_at()}{_for_it()}{_without()}</main></body></html>"
    )


def _font() -> str:
    """The app's own type, which Streamlit has among its files."""
    fonts = sorted(STATIC.glob("static/media/SourceSansVF-Upright.*.woff2"))
    return "".join(
        "@font-face { font-family: 'Source Sans'; font-weight: 200 900; "
        f"src: url({prefix()}/{font.relative_to(STATIC).as_posix()}); }}\n"
        for font in fonts
    )


def _text(words: str) -> str:
    return html.escape(words, quote=False)


def _unbroken(title: str) -> str:
    """A title whose hyphens end no line: "fonctionnera-" says nothing."""
    return _text(title).replace("-", "\u2011")


def _languages() -> str:
    return "<nav>" + " ".join(
        f"<a lang='{code}' hreflang='{code}' href='?language={code}'>{_text(own_name(code))}</a>"
        for code in available_languages() if code != language()
    ) + "</nav>"  # fmt: skip


def _asks() -> Mapping[str, object]:
    """What the browser asks for: addresses of this server."""
    code = re.findall(r'(?:src|href)="\.?(/[^"]+\.(?:js|css|woff2))"', document())
    return {
        "socket": f"{prefix()}/_stcore/stream",
        "trip": f"{prefix()}/_stcore/health",
        "figure": f"{prefix()}{FIGURE_FILES}/{FIGURE}?_language={language()}",
        "load": [path if path.startswith(f"{prefix()}/components/") else prefix() + path
                 for path in code],
    }  # fmt: skip


def _looked_at() -> str:
    """The ticks."""
    claim = _("Open this page on a computer of your classroom. It takes about ten seconds. It asks "
              "this server alone, and nothing is kept.")  # fmt: skip
    waits = _text(_("being tested"))
    rows = "".join(
        f"<li data-check='{check.name}' data-state='wait'>"
        "<span class='mark' aria-hidden='true'></span>"
        f"<div><h2>{_text(_(check.title))}</h2><p data-when='wait'>{waits}</p>"
        + "".join(
            f"<p data-when='{state}' hidden>{_text(text)}</p>" for state, text in check.says.items()
        )
        + "</div></li>"
        for check in CHECKS
    )
    verdict = "".join(
        f"<span data-when='{state}'{'' if state == 'wait' else ' hidden'}>{_text(text)}</span>"
        for state, text in verdicts().items()
    )
    script = _text(_("This page needs JavaScript, as the app does."))
    return (
        f"<p class='claim'>{_text(claim)}</p><noscript><p>{script}</p></noscript>"
        f"<p id='verdict' role='status' data-state='wait'>{verdict}</p><ul id='checks'>{rows}</ul>"
    )


def _for_it() -> str:
    """What has to be let through, in the words of those who do it."""
    fill = "<code data-fill='{}'></code>"
    rows = {
        _("Server and port"): fill.format("host"),
        _("WebSocket address"): fill.format("socket"),
        _("Headers that must reach the server"): "<code>Upgrade: websocket</code>, "
        "<code>Connection: Upgrade</code> (HTTP/1.1)",
        _("Paths"): f"<code>{prefix()}/*</code>",
        _("Also"): _text(
            _("Answers must not be buffered, and a connection on which nothing is said must stay "
              "open for at least a minute. Nothing is fetched from any other server.")
        ),
    }  # fmt: skip
    listed = "".join(f"<dt>{_text(name)}</dt><dd>{text}</dd>" for name, text in rows.items())
    title = _("For your IT")
    return f"<h2>{_text(title)}</h2><dl>{listed}</dl>"


def _without() -> str:
    """How to learn without a connection."""
    address, title = book(), _("Without a connection")
    if f"{CHECK}?" in address:
        text = _text(
            _(
                "All lessons also exist as a book: plain files that open from a disk, a USB stick "
                "or any web server. Whoever runs this server writes it with {command}."
            )
        )
        text = text.format(command=f"<code>{WRITE}</code>")
    else:
        text = _text(_("All lessons also exist as a book of plain files: {book}."))
        text = text.format(book=f"<a href='{html.escape(address)}'>{html.escape(address)}</a>")
    more = _text(_("Each lesson can be read and printed here without a WebSocket:"))
    ways = "".join(
        f"<li><a href='{html.escape(_handout(ident))}'>{_text(texts[0])}</a></li>"
        for ident in lesson_ids() if (texts := titled(ident, language())) is not None
    )  # fmt: skip
    return (
        f"<h2 id='{BOOK}'>{_text(title)}</h2><p>{text}</p><p>{more}</p>"
        f"<ul class='lessons'>{ways}</ul>"
    )


def _handout(ident: str) -> str:
    query = urlencode({"_language": language()})
    return f"{prefix()}{LESSON_FILES}/{ident}.html?{query}"


ROUTES = [Route(CHECK, answer)]
