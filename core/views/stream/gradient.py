"""The gradient of the loss at the input of every block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.figures.components.plot import Plot, PlotAxis
from core.figures.text import Mark, Sentence, join, number, sentence
from core.figures.values import Values
from core.language import _
from core.live_training.records import GradientFlow
from core.models.needs import Needs
from core.runs.requests import Request
from core.runs.told import Told
from core.views.controls import Control
from core.views.stream.stacks import SPREADS, Depth, flow_requests, plot_of, rising, values_of
from core.views.view import Note, View


class GradientDepth(View[Depth, GradientFlow]):
    """As many times as large as at the top."""

    name, Params, needs = "stream.gradient", Depth, Needs("words", ("blocks",))

    def requests(self, params: Depth) -> tuple[Request, ...]:
        return flow_requests(params)

    def compute(self, runs: Sequence[Told], params: Depth) -> GradientFlow:
        return GradientFlow.of(runs[0].records)

    def values(self, record: GradientFlow) -> Mapping[str, Values]:
        return values_of(record.down, _relative(record))

    def controls(self, record: GradientFlow) -> Sequence[Control]:
        return [] if record.stacks.fresh else [Control.none("depth"), Control.none("spread")]

    def notes(self, record: GradientFlow) -> Sequence[Note]:
        said = _(
            "The loss is that of the first {n} tokens of this text. Its gradient goes back "
            "through each stack by the chain rule, computed in float64. Embeddings, last norm "
            "and output matrix are the model's own. Fresh layers have the model's shape, biases 0 "
            "and gains 1. The weights of their matrices are drawn about 0 with the spread that is "
            "chosen above, where n is how many inputs a matrix has. “By depth” is 1/√n, and the "
            "matrices that write to the stream, W_O and W_2, are divided by √(2 · layers) as in "
            "GPT-2. “No sums” means that the output of each part replaces its input."
        )
        return [Note("more", sentence(said, n=str(record.stacks.n_tokens)))]

    def describe(self, record: GradientFlow) -> Sentence:
        if not record.down:
            return rising(record)
        if record.down[0] > 0:
            return sentence(
                _("The gradient is on its way down: it has reached the input of layer {n}."),
                n=str(record.down[0]),
            )
        both, sums, norms, neither = (number(float(line[0]), 2) for line in _relative(record))
        compared = sentence(
            _("Compared with the top, the gradient at layer 0's input is {both} times as "
              "large with sums and norms, {sums} times with sums alone, and {neither} times "
              "with neither."),
            both=Mark(both, "accent"),
            sums=Mark(sums, "accent"),
            neither=Mark(neither, "warning"),
        )  # fmt: skip
        alone = sentence(
            _("With norms alone it is {norms} times as large."), norms=Mark(norms, "warning")
        )
        return join([compared, alone])

    def draw(self, record: GradientFlow) -> Plot:
        which = _("the model's own {n} layers")
        stacks = record.stacks
        if stacks.fresh:
            which = _("{n} fresh layers, weights of spread {spread}")
        which = which.format(n=stacks.depth, spread=_(SPREADS[stacks.spread]))
        return plot_of(
            record,
            record.down,
            _relative(record),
            title=_("The gradient on its way down, {which}").format(which=which),
            y=PlotAxis(title=_("gradient ÷ gradient at the top"), log=True),
        )


def _relative(record: GradientFlow) -> list[NDArray[np.float64]]:
    """The gradient's size over its size at the top, at the places that it has come to."""
    return [flow.gradient / flow.gradient[-1:] for flow in record.flows]
