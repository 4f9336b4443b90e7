"""Which stack of blocks a page shows, for models that have several."""

from __future__ import annotations

import dataclasses
from typing import Literal

from core import zoo
from core.models.blueprint import Blueprint
from core.views.params import OnStack
from pages.parts import controls
from pages.parts.runs import by_rank


def which_stack(params: OnStack, blueprint: Blueprint) -> None:
    """A choice between the stacks of a model; nothing where there is one."""
    if len(blueprint.stacks) > 1:
        chosen = dataclasses.replace(params, stack=blueprint.stack(params.stack).name)
        controls.part("stack", chosen, blueprint)


def arranged(arrangement: Literal["pre", "post"], model: str) -> str | None:
    """A model of the shelf whose norms stand so; the one that is meant, if they do."""
    for name in by_rank(model):
        blueprint = zoo.blueprint(name)
        stacks = blueprint.stacks if blueprint.reads_text else ()
        if any(stack.arrangement == arrangement for stack in stacks):
            return name
    return None
