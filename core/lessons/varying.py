"""What a step's variation offers: the values of a parameter that can be counted."""

from __future__ import annotations

import math
from typing import Any

from core.figures.text import number
from core.language import _
from core.lessons.world import Shown
from core.locale import grouped
from core.tracing.trace import Trace
from core.views import parts
from core.views.masks.run import KINDS, SIZES, MaskRun, spec_for
from core.views.params import declared

Values = list[tuple[Any, str]]  # each with what it is called
WIDE, STEEP = 1_000, 50  # a range of which neighbours are shown; one whose values grow by a factor


def values_of(name: str, one: Shown) -> Values | None:
    """The values that a parameter may have, each with its name; None for a number or a text.

    Args:
        name: of the parameter.
        one: the figure that has it.
    """
    params = one.params
    said, value = declared(params, name), getattr(params, name)
    if name in ("layer", "head") and one.trace is not None:
        return [(n, str(n)) for n in range(how_many(name, params, one.trace))]
    if name == "mask" and isinstance(one.record, MaskRun):
        return [(mask, mask_called(mask)) for mask in masks(one.record)]
    if said.part is not None and one.trace is not None:
        return list(parts.names(params, one.trace.blueprint, name).items())
    if isinstance(value, bool):
        return [(False, _("no")), (True, _("yes"))]
    if said.choices is not None:
        return [(choice, _(words)) for choice, words in said.choices.items()]
    return None


def offered(one: Shown) -> list[str]:
    """What a lesson offers of a figure, and is not picked in it."""
    return [name for name in one.figure.offers if declared(one.params, name).lives == "server"]


def a_few(name: str, one: Shown, n: int) -> Values:
    """A few values of a number in its range, its own among them.

    Args:
        name: of the parameter.
        one: the figure that has it.
        n: how many.
    """
    said, own = declared(one.params, name), getattr(one.params, name)
    low, high = said.low, said.high
    if low is None or high is None:
        return [(own, _written(own))]
    whole = isinstance(own, int)
    if whole and low <= 0 and high > WIDE:  # of a die: one throw is as good as another
        found = {min(high, own + by) for by in range(n)}
    else:
        found = {min(max(_plain(one, whole=whole), low), high) for one in _between(low, high, n)}
        found.discard(min(found, key=lambda one: abs(one - own)))
        found.add(own)
    return [(one, _written(one)) for one in sorted(found)]


def _between(low: float, high: float, n: int) -> list[float]:
    """Numbers from the least to the greatest, at equal distances or by equal factors."""
    shares = [at / (n - 1) for at in range(n)]
    if low > 0 and high / low > STEEP:
        return [low * (high / low) ** share for share in shares]
    return [low + (high - low) * share for share in shares]


def _plain(value: float, *, whole: bool) -> float:
    """A number with two digits, so that it can be read."""
    rounded = round(value, 1 - math.floor(math.log10(abs(value)))) if value else 0.0
    return round(rounded) if whole else rounded


def _written(value: float) -> str:
    return grouped(value) if isinstance(value, int) else number(value)


def masks(record: MaskRun) -> list[str]:
    """The masks to choose from, as their parameter says them: the one that is shown among them."""
    every = [spec_for(kind, record) for kind in record.kinds if kind not in ("painted", "padding")]
    own = record.params.mask
    return every if own in every else [own, *every]


def mask_called(said: str) -> str:
    """What a choice of a mask is called."""
    kind, _colon, size = said.partition(":")
    words = _(KINDS[kind]) if kind in KINDS else _("the model's own")
    return f"{words} {size}".strip() if kind in SIZES else words


def how_many(name: str, params: Any, trace: Trace) -> int:
    """The layers of the deepest tower, or the heads of a layer of the attention that is shown."""
    if name == "head":
        return trace.blueprint.attention(getattr(params, "attention", "")).n_heads or 1
    return max((tower.n_layers for tower in trace.blueprint.towers), default=1)
