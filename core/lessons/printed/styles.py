"""The style sheets of printed lessons: ``assets/printed``."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

FILES = Path(__file__).resolve().parent.parent.parent.parent / "assets" / "printed"


@lru_cache(4)
def style(name: str) -> str:
    """A style sheet by its name; nothing in it can end the element that it stands in."""
    return (FILES / f"{name}.css").read_text(encoding="utf-8").replace("</", "<\\/")
