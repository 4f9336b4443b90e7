"""The code of the components in ``assets/components``, put together for a page or for a file."""

from __future__ import annotations

import dataclasses
import json
import re
from functools import cache, lru_cache
from pathlib import Path

from core.figures.theme import PALETTES

COMPONENTS = Path(__file__).resolve().parent.parent.parent / "assets" / "components"


@cache
def shared_script() -> str:
    """What every component starts with: the palettes, then the shared code."""
    palettes = {mode: dataclasses.asdict(palette) for mode, palette in PALETTES.items()}
    shared = (COMPONENTS / "shared.js").read_text(encoding="utf-8")
    return f"const PALETTES = {json.dumps(palettes)};\n{shared}\n"


@lru_cache(64)
def own_script(name: str) -> str:
    """The JavaScript of a component, without what all share."""
    return (COMPONENTS / name / f"{name}.js").read_text(encoding="utf-8")


def script(name: str) -> str:
    """A component as one module."""
    return shared_script() + own_script(name)


@lru_cache(64)
def style(name: str) -> str:
    """The CSS of a component: what all share, then its own."""
    shared = (COMPONENTS / "shared.css").read_text(encoding="utf-8")
    return shared + (COMPONENTS / name / f"{name}.css").read_text(encoding="utf-8")


def as_constant(name: str) -> str:
    """A component's code as an entry of ``COMPONENTS``, so that several stand in one module."""
    code, n = re.subn(r"(?m)^export default ", f'COMPONENTS["{name}"] = ', own_script(name))
    if n != 1:
        raise ValueError(f"component {name!r} must have one default export, has {n}")
    return f"{{\n{code}\n}}\n"
