"""The residual stream of fresh stacks: how large its numbers are after every layer."""

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


class ShapesSignal(View[Shaping, Shaped]):
    """The forward pass: a line for each shape."""

    name, Params, needs = "shapes.signal", Shaping, NO_MODEL

    def requests(self, params: Shaping) -> tuple[Request, ...]:
        return all_requests(params)

    def compute(self, runs: Sequence[AtInit], params: Shaping) -> Shaped:
        return all_shaped(runs, params)

    def values(self, record: Shaped) -> Mapping[str, Values]:
        return values_of(record.params.shape, _sizes(record), range(record.n + 1))

    def describe(self, record: Shaped) -> Sentence:
        size = record.chosen.size
        name = Mark(_(NAMES[record.params.shape]), "strong")
        if abs(size[-1] - 1) < 0.01 and abs(size[1] - 1) < 0.01:
            first = sentence(
                _("{shape}: every layer hands on numbers of size {end}, because a norm stands "
                  "behind the last sum."),
                shape=name, end=Mark(number(float(size[-1])), "residual"),
            )  # fmt: skip
        else:
            first = sentence(
                _("{shape}: the numbers of the residual stream begin with size {start} and have "
                  "size {end} after {n} layers."),
                shape=name, start=Mark(number(float(size[0])), "residual"),
                end=Mark(number(float(size[-1])), "residual"), n=str(record.n),
            )  # fmt: skip
        least, most = (
            pick(record.stacks, key=lambda one: float(record.stacks[one].size[-1]))
            for pick in (min, max)
        )
        high, low = (float(record.stacks[one].size[-1]) for one in (most, least))
        second = sentence(
            _("After the last layer they are largest in “{most}”, {high}, and smallest in "
              "“{least}”, {low}.")
            if high > GROWN * low
            else _("After the last layer they have about the same size in every shape."),
            most=_(NAMES[most]), high=number(high), least=_(NAMES[least]), low=number(low),
        )  # fmt: skip
        return join([first, second])

    def draw(self, record: Shaped) -> Plot:
        return plot_of(
            record,
            _sizes(record),
            0,
            title=_("Size of the residual stream before training, forward"),
            y=_("root mean square"),
        )


def _sizes(record: Shaped) -> dict[str, Floats]:
    return {name: one.size for name, one in record.stacks.items()}
