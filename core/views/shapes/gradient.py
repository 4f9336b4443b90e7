"""The gradient of the loss at what each layer of fresh stacks hands on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.figures.components.plot import Plot
from core.figures.text import Mark, Sentence, join, number, sentence
from core.figures.values import Values
from core.language import _
from core.live_training.records import AtInit
from core.models.needs import NO_MODEL
from core.runs.requests import Request
from core.views.shapes.shaping import (
    NAMES,
    Floats,
    Shaped,
    Shaping,
    all_requests,
    all_shaped,
    plot_of,
    values_of,
)
from core.views.view import View, register


@register
class ShapesGradient(View[Shaping, Shaped]):
    """The backward pass: a line for each shape."""

    name, Params, needs = "shapes.gradient", Shaping, NO_MODEL

    def requests(self, params: Shaping) -> tuple[Request, ...]:
        return all_requests(params)

    def compute(self, runs: Sequence[AtInit], params: Shaping) -> Shaped:
        return all_shaped(runs, params)

    def values(self, record: Shaped) -> Mapping[str, Values]:
        return values_of(_relative(record), range(1, record.n + 1))

    def describe(self, record: Shaped) -> Sentence:
        return join(
            [_said(record, one) for one in dict.fromkeys((record.params.shape, _other(record)))]
        )

    def show(self, record: Shaped) -> Plot:
        return plot_of(
            record,
            _relative(record),
            1,
            title=_("Gradient of the loss before training, backward"),
            alt=str(self.describe(record)),
            y=_("root mean square ÷ that at the last layer"),
        )


def _other(record: Shaped) -> str:
    """What the chosen shape is compared with: the same block with the norm elsewhere."""
    return "a" if record.params.shape == "post" else "post"


def _said(record: Shaped, shape: str) -> Sentence:
    """How the gradient after the first layer compares with that after the last."""
    ratio = float(_relative(record)[shape][0])
    smaller = ratio < 1
    return sentence(
        _("{shape}: the gradient at the first layer's output is {times} times smaller than at the "
          "last layer's.")
        if smaller
        else _("{shape}: the gradient at the first layer's output is {times} times larger than at "
               "the last layer's."),
        shape=Mark(_(NAMES[shape]), "strong"),
        times=Mark(number(1 / ratio if smaller else ratio), "accent"),
    )  # fmt: skip


def _relative(record: Shaped) -> dict[str, Floats]:
    """At the output of each layer, over that at the last one's."""
    return {name: one.gradient[1:] / one.gradient[-1] for name, one in record.stacks.items()}
