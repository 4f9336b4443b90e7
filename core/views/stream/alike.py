"""How much the positions' vectors have become the same vector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.figures.components.plot import Plot, PlotAxis
from core.figures.text import Mark, Sentence, number, sentence
from core.figures.values import Values
from core.language import _
from core.live_training.records import GradientFlow
from core.models.needs import Needs
from core.runs.requests import Request
from core.runs.told import Told
from core.views.stream.stacks import Depth, flow_requests, plot_of, rising, values_of
from core.views.view import View


class Alike(View[Depth, GradientFlow]):
    """The mean cosine between tokens at the input of every block."""

    name, Params, needs = "stream.alike", Depth, Needs("words", ("blocks",))

    def requests(self, params: Depth) -> tuple[Request, ...]:
        return flow_requests(params)

    def compute(self, runs: Sequence[Told], params: Depth) -> GradientFlow:
        return GradientFlow.of(runs[0].records)

    def values(self, record: GradientFlow) -> Mapping[str, Values]:
        return values_of(record.up, [flow.alike for flow in record.flows])

    def describe(self, record: GradientFlow) -> Sentence:
        if len(record.up) <= record.stacks.depth:
            return rising(record)
        both, _sums, norms, neither = (float(flow.alike[-1]) for flow in record.flows)
        return sentence(
            _("In the last layer the mean cosine between the {n} tokens' vectors is {norms} "
              "without sums but with norms, {neither} with neither, and {both} with both. "
              "Attention averages over tokens, and without the residual sums nothing keeps "
              "what made each token different."),
            n=str(record.stacks.n_tokens),
            norms=Mark(number(norms, 4), "warning"),
            neither=Mark(number(neither, 4), "warning"),
            both=Mark(number(both), "accent"),
        )  # fmt: skip

    def draw(self, record: GradientFlow) -> Plot:
        return plot_of(
            record,
            record.up,
            [flow.alike for flow in record.flows],
            title=_("How alike the tokens' vectors are"),
            y=PlotAxis(title=_("mean cosine between tokens")),
        )
