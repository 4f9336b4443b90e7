"""The machines that translate: the page's own, the one beside it, and what each is asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

from core import zoo
from core.examples import FIRST
from core.figures.text import harmless
from core.language import N_
from core.views.attention.head import AtHead
from core.views.params import OnText, model_param
from core.views.parts import fitting
from core.views.translate.forcing import Forcing
from pages.parts import controls, state
from pages.parts.page import needs_here, params_of
from pages.parts.runs import can

P = TypeVar("P", bound=OnText)
A = TypeVar("A", bound=AtHead)
BESIDE = "b"  # the scope of the second machine's figures
NONE = "none"  # in place of a second machine


@dataclass(frozen=True, slots=True)
class Second:
    """The machine beside the page's own.

    Attributes:
        model: id on the shelf, or "none".
    """

    model: str = model_param("", N_("Beside it"))


def translators() -> list[str]:
    """The machines of the shelf that translate, Transformers first, the example before others."""
    able = [name for name in zoo.shelf() if can(name, needs_here())]
    return sorted(able, key=lambda name: (not zoo.blueprint(name).stacks, name not in FIRST))


def second_beside(model: str) -> str:
    """The machine in the second column; empty for none.

    Until one is chosen, one that is made otherwise: of other layers, and with attention.
    """
    asked = state.read(Second, BESIDE).model
    if not state.chosen(f"{BESIDE}.model"):
        asked = ""  # it was the page's own
    others = [name for name in translators() if name != model]
    if asked == NONE or not others:
        return ""
    own = bool(zoo.blueprint(model).stacks)

    def alike(name: str) -> tuple[bool, bool]:
        found = zoo.blueprint(name)
        return bool(found.stacks) == own, not found.attentions

    return asked if asked in others else min(others, key=alike)


def column_of(like: type[P], *, second: bool, scope: str) -> P | None:
    """What a column is asked for: the page's text and target, through its own machine.

    Args:
        like: the parameters.
        second: of the machine beside the page's own; None while there is none.
        scope: of the figures.
    """
    page = params_of(OnText)
    model = second_beside(page.model) if second else page.model
    if not model:
        return None
    own = state.read(like, scope)
    own = replace(own, text=page.text, target=page.target, model=model)
    return fitting(own, zoo.blueprint(model))


def reference(params: Forcing) -> None:
    """The field for a translation that somebody else wrote; empty, it says which one is taken."""
    controls.line("reference", params, placeholder=harmless(params.taught))


def across(params: A) -> A:
    """The attention from target to source, unless another one was chosen."""
    found = zoo.blueprint(params.model).across()
    return params if params.attention or found is None else replace(params, attention=found.name)


def sides(like: type[P], own: str = "") -> list[tuple[P, str]]:
    """Both machines with the scope of their figures.

    Args:
        like: what is asked of them.
        own: what the names of their scopes end with.
    """
    scopes = ((False, own), (True, BESIDE + own))
    found = ((column_of(like, second=second, scope=scope), scope) for second, scope in scopes)
    return [(params, scope) for params, scope in found if params is not None]
