"""A live figure: one HTML file with component, payload and style inside.

It opens from a disk without a network and answers to pointing, selection and steps; the same file
is the figure in a notebook. What needs other data than it holds is not in it, and it says so.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from core.figures.assets import entry, modules
from core.figures.components.base import Component
from core.figures.payload import Payload
from core.figures.program import program
from core.figures.theme import PALETTES, Palette
from core.language import _, language

_FONTS = (
    "--st-font: system-ui, sans-serif; --st-code-font: ui-monospace, Menlo, Consolas, monospace;"
)
# The figure draws its title; this one is for whoever has it read out.
_HEADING = (
    "h1 { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; margin: 0; }"
    "header p { margin: 0; opacity: 0.75; font-size: 0.85rem; }"
)


@dataclass(frozen=True, slots=True)
class Placed:
    """A component of a file.

    Attributes:
        component: that is shown.
        slot: id of the element that it stands in.
        scope: of its selection; components of one scope share it.
    """

    component: Component
    slot: str = "figures"
    scope: str = ""

    def packed(self) -> str:
        """Its payload as text."""
        payload = self.component.payload()
        header = {**payload.header, "scope": self.scope} if self.scope else payload.header
        return base64.b64encode(Payload(header, payload.arrays).pack()).decode()


def live(title: str, components: Sequence[Component], *, about: str = "", reading: str = "") -> str:
    """The file of a figure.

    Args:
        title: of the document.
        components: from top to bottom; they share one selection.
        about: what it is a figure of: the view, the model, the text.
        reading: what the numbers say while nothing else is selected.
    """
    # The reading stays as it is when something else is selected, so it says what it is of.
    words = [reading and _("When it was saved: {reading}").format(reading=reading), note()]
    below = "".join(f"<p>{escape(text)}</p>" for text in words if text)
    body = (
        f"<header><h1>{escape(title)}</h1><p>{escape(about)}</p></header>"
        f"<div id='figures'></div>{below}"
    )
    return document(title, body, [Placed(component) for component in components], _HEADING)


def note() -> str:
    """What such a file can do."""
    return _("In this file you can point, select and step. For another text, layer or head, "
             "use the app.")  # fmt: skip


def document(title: str, body: str, components: Sequence[Placed], style: str = "") -> str:
    """A file of its own with components in it.

    Args:
        title: of the document.
        body: HTML, with an element for each slot.
        components: in the order in which they stand in their slots.
        style: CSS besides what every such file has.
    """
    names = list(dict.fromkeys(place.component.folder for place in components))
    script = _script(
        names, [[place.slot, place.component.folder, place.packed()] for place in components]
    )
    return page(title, f"<main>{body}</main>", script, style)


def page(title: str, body: str, script: str, style: str = "") -> str:
    """A file that runs one script and asks nobody for anything.

    Args:
        title: of the document.
        body: HTML.
        script: a module's text; nothing in it ends the script.
        style: CSS besides what every such file has.
    """
    code = script.replace("</script", "<\\/script")
    digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    inside = f"{body}<script type='module'>{code}</script>"
    return with_scripts(title, inside, f"'sha256-{digest}'", style)


def with_scripts(title: str, body: str, scripts: str, style: str = "", sheet: str = "") -> str:
    """A file that runs some scripts and no others, and asks nobody for anything else.

    Args:
        title: of the document.
        body: HTML, the scripts in it.
        scripts: which may run, as a policy says it.
        style: CSS besides what every such file has.
        sheet: the address of a file with more of it, for who shares it; empty for none.
    """
    shared = f"<link rel='stylesheet' href='{escape(sheet)}'>" if sheet else ""
    sheets = " 'self' file:" if sheet else ""
    return (
        f"<!doctype html>\n<html lang='{escape(language())}'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        "<link rel='icon' href='data:,'>"  # else a browser asks the server for one
        "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; "
        f"script-src {scripts}; style-src 'unsafe-inline'{sheets}; img-src data: blob:\">"
        f"<title>{escape(title)}</title><style>{_page_style()}{style}</style>{shared}"
        f"</head><body>{body}</body></html>\n"
    )


def _page_style() -> str:
    """The variables that Streamlit's theme gives a component, light and dark."""
    return (
        f":root {{ {_FONTS} {_theme(PALETTES['light'])} color-scheme: light dark; }}"
        f"@media (prefers-color-scheme: dark) {{ :root {{ {_theme(PALETTES['dark'])} }} }}"
        "body { margin: 0; background: var(--st-background-color); color: var(--st-text-color);"
        " font: 15px/1.45 var(--st-font); }"
        "main { max-width: 1100px; margin: 0 auto; padding: 1rem; }"
        ".slot > div, #figures > div { margin: 0.75rem 0; }"
    )


def _theme(palette: Palette) -> str:
    return (
        f"--st-background-color: {palette.background}; --st-text-color: {palette.text};"
        f"--st-secondary-background-color: {palette.surface};"
        f"--st-border-color: {palette.border}; --st-primary-color: {palette.accent};"
        "--st-base-radius: 0.4rem;"
    )


def _script(names: Sequence[str], payloads: Sequence[Sequence[str]]) -> str:
    """The components' modules and what mounts them; nothing in it can end the script."""
    start = (
        "const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));"
        f"for (const [slot, name, packed] of {json.dumps(payloads)}) {{"
        " const root = document.createElement('div');"
        " document.getElementById(slot).append(root);"
        " MODULES[`${name}/${name}.js`].default({ parentElement: root, data: bytes(packed),"
        " setStateValue() {}, setTriggerValue() {} }); }"
    )
    return program([entry(name) for name in names], modules()) + start
