"""What a step's variation offers: the values of a parameter that can be counted."""

from __future__ import annotations

import math
from typing import Any

from core.figures.text import number
from core.language import _
from core.lessons.world import ShownFigure
from core.locale import grouped
from core.tracing.trace import Trace
from core.views import parts
from core.views.masks.run import KINDS, SIZES, MaskRun, spec_for
from core.views.params import declared

Values = list[tuple[Any, str]]  # each with what it is called
WIDE, STEEP = 1_000, 50  # a range of which neighbours are shown; one whose values grow by a factor


def values_of(name: str, shown: ShownFigure) -> Values | None:
    """The values that a parameter may have, each with its name; None for a number or a text.

    Args:
        name: of the parameter.
        shown: the figure that has it.
    """
    params = shown.params
    declaration, value = declared(params, name), getattr(params, name)
    if name in ("layer", "head") and shown.trace is not None:
        return [(n, str(n)) for n in range(how_many(name, params, shown.trace))]
    if name == "mask" and isinstance(shown.record, MaskRun):
        return [(mask, mask_called(mask)) for mask in masks(shown.record)]
    if declaration.part is not None and shown.trace is not None:
        return list(parts.names(params, shown.trace.blueprint, name).items())
    if isinstance(value, bool):
        return [(False, _("no")), (True, _("yes"))]
    if declaration.choices is not None:
        return [(choice, _(words)) for choice, words in declaration.choices.items()]
    return None


def offered(shown: ShownFigure) -> list[str]:
    """What a lesson offers of a figure, and is not picked in it."""
    return [name for name in shown.figure.offers if declared(shown.params, name).lives == "server"]


def a_few(name: str, shown: ShownFigure, n: int) -> Values:
    """A few values of a number in its range, its own among them.

    Args:
        name: of the parameter.
        shown: the figure that has it.
        n: how many.
    """
    declaration, value = declared(shown.params, name), getattr(shown.params, name)
    low, high = declaration.low, declaration.high
    if low is None or high is None:
        return [(value, _written(value))]
    is_whole = isinstance(value, int)
    if is_whole and low <= 0 and high > WIDE:  # of a die: one throw is as good as another
        values = {min(high, value + by) for by in range(n)}
    else:
        values = {
            min(max(_plain(value_, is_whole=is_whole), low), high)
            for value_ in _between(low, high, n)
        }
        values.discard(min(values, key=lambda value_: abs(value_ - value)))
        values.add(value)
    return [(value_, _written(value_)) for value_ in sorted(values)]


def _between(low: float, high: float, n: int) -> list[float]:
    """Numbers from the least to the greatest, at equal distances or by equal factors."""
    shares = [index / (n - 1) for index in range(n)]
    if low > 0 and high / low > STEEP:
        return [low * (high / low) ** share for share in shares]
    return [low + (high - low) * share for share in shares]


def _plain(value: float, *, is_whole: bool) -> float:
    """A number with two digits, so that it can be read."""
    rounded = round(value, 1 - math.floor(math.log10(abs(value)))) if value else 0.0
    return round(rounded) if is_whole else rounded


def _written(value: float) -> str:
    return grouped(value) if isinstance(value, int) else number(value)


def masks(record: MaskRun) -> list[str]:
    """The masks to choose from, as their parameter says them: the one that is shown among them."""
    every = [spec_for(kind, record) for kind in record.kinds if kind not in ("painted", "padding")]
    mask = record.params.mask
    return every if mask in every else [mask, *every]


def mask_called(mask: str) -> str:
    """What a choice of a mask is called."""
    kind, _colon, size = mask.partition(":")
    words = _(KINDS[kind]) if kind in KINDS else _("the model's own")
    return f"{words} {size}".strip() if kind in SIZES else words


def how_many(name: str, params: Any, trace: Trace) -> int:
    """The layers of the deepest tower, or the heads of a layer of the attention that is shown."""
    if name == "head":
        return trace.blueprint.attention(getattr(params, "attention", "")).n_heads or 1
    return max((tower.n_layers for tower in trace.blueprint.towers), default=1)
