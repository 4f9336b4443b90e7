"""The style sheets of pages."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from core.figures.theme import PALETTES

ASSETS = Path(__file__).resolve().parent.parent.parent / "assets"


@lru_cache(maxsize=8)
def looks(*files: str) -> str:
    """Style sheets of ``assets``, and the colours of what has a meaning."""
    css = "".join((ASSETS / name).read_text(encoding="utf-8") for name in files)
    # The browser chooses: a page is not run again when its colours change from light to dark.
    roles = "".join(
        f".role-{role} {{ color: light-dark({getattr(PALETTES['light'], role)}, "
        f"{getattr(PALETTES['dark'], role)}); font-weight: 600; }}\n"
        for role in ("query", "key", "value", "weight", "position", "residual", "accent")
    )
    return css + roles
