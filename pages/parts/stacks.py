"""Which model of the shelf a page shows, by how its blocks are arranged."""

from __future__ import annotations

from typing import Literal

from core import zoo
from pages.parts.runs import by_rank


def arranged(arrangement: Literal["pre", "post"], model: str) -> str | None:
    """A model of the shelf whose norms stand so; the one that is meant, if they do."""
    for name in by_rank(model):
        blueprint = zoo.blueprint(name)
        stacks = blueprint.stacks if blueprint.reads_text else ()
        if any(stack.arrangement == arrangement for stack in stacks):
            return name
    return None
