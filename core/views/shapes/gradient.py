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
from core.views.shapes.lines import plot_of
from core.views.shapes.shaping import (
    GROWN,
    NAMES,
    Floats,
    Shaped,
    Shaping,
    all_requests,
    all_shaped,
    values_of,
)
from core.views.view import View


class ShapesGradient(View[Shaping, Shaped]):
    """The backward pass: a line for each shape."""

    name, Params, needs = "shapes.gradient", Shaping, NO_MODEL

    def requests(self, params: Shaping) -> tuple[Request, ...]:
        return all_requests(params)

    def compute(self, runs: Sequence[AtInit], params: Shaping) -> Shaped:
        return all_shaped(runs, params)

    def values(self, record: Shaped) -> Mapping[str, Values]:
        return values_of(record.params.shape, _gradients(record), range(1, record.n + 1))

    def describe(self, record: Shaped) -> Sentence:
        return join([_along_the_layers(record), _at_the_top(record)])

    def draw(self, record: Shaped) -> Plot:
        return plot_of(
            record,
            _gradients(record),
            1,
            title=_("Gradient of the loss before training, backward"),
            y=_("root mean square of the gradient"),
        )


def _along_the_layers(record: Shaped) -> Sentence:
    """How the gradient after the first layer compares with that after the last."""
    line = record.chosen.gradient
    ratio = float(line[1] / line[-1])
    return sentence(
        _("{shape}: the gradient at the first layer's output is {times} times that at the last "
          "layer's."),
        shape=Mark(_(NAMES[record.params.shape]), "strong"),
        times=Mark(number(ratio), "accent"),
    )  # fmt: skip


def _at_the_top(record: Shaped) -> Sentence:
    """What the place of the norm does to the gradient that enters the last layer's output."""
    post, pre = (record.stacks[name] for name in ("post", "a"))
    grown = float(pre.size[-1] / pre.size[0]) > GROWN
    return sentence(
        _("At the last layer post-norm's gradient is {times} times that of A: the final norm of A "
          "divides by {size}, the size to which its stream has grown.")
        if grown
        else _("At the last layer post-norm's gradient is {times} times that of A: the stream of A "
               "has hardly grown, to size {size}, so there is little to divide by."),
        times=Mark(number(float(post.gradient[-1] / pre.gradient[-1])), "accent"),
        size=Mark(number(float(pre.size[-1])), "residual"),
    )  # fmt: skip


def _gradients(record: Shaped) -> dict[str, Floats]:
    """At the output of each layer."""
    return {name: one.gradient[1:] for name, one in record.stacks.items()}
