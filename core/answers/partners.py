"""The models that a page asks side by side: for each part one of the shelf that can play it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from core import zoo
from core.data.examples import FIRST
from core.models.abilities import Ability
from core.models.needs import Needs
from core.shelf.abilities import can, model_for, one_for
from core.views.masked.gap import Hiding
from core.views.objectives import PARTNERS, Teaching
from core.views.params import OnText
from core.views.stops import Walking, in_order
from core.views.which import COLUMNS, Deciding

P = TypeVar("P", bound=OnText)


def with_partners(params: P, chosen: str) -> P:
    """The parameters with the models that they name; empty where none of the shelf can.

    Args:
        params: of any view; of those that name no partners nothing changes.
        chosen: the learner's model, which comes first where it can.
    """
    params_: Any = params
    if isinstance(params, Teaching):
        params_ = replace(params, **_partners_for(chosen, PARTNERS.items()))
    if isinstance(params, Deciding):
        params_ = replace(params, **_partners_for(chosen, COLUMNS))
        if params_.filler:  # of two that mend a text one is enough
            params_ = replace(params_, mender="")
    if isinstance(params, Hiding):
        params_ = replace(params, partner=model_for(params.partner, Needs("next_token")))
    if isinstance(params, Walking):  # one a stop, of several the one that is named
        able = {name: zoo.blueprint(name) for name in translators()}
        params_ = replace(params, stops=" ".join(in_order(able, chosen, *params.stops.split())))
    return params_


def translators() -> list[str]:
    """The machines of the shelf that translate, Transformers first, the example before others."""
    able = [name for name in zoo.shelf() if can(name, Needs("translate"))]
    return sorted(able, key=lambda name: (not zoo.blueprint(name).stacks, name not in FIRST))


def made_otherwise(model: str, others: Sequence[str]) -> str:
    """Of some models one that stands beside another: of other layers, and with attention."""
    stacked = bool(zoo.blueprint(model).stacks)

    def alike(name: str) -> tuple[bool, bool]:
        blueprint = zoo.blueprint(name)
        return bool(blueprint.stacks) == stacked, not blueprint.attentions

    return min(others, key=alike)


def _partners_for(chosen: str, parts: Iterable[tuple[Ability, str]]) -> dict[str, Any]:
    return {name: one_for(chosen, Needs(ability)) for ability, name in parts}
