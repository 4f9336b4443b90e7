"""Why dot products are scaled: they grow with d, and softmax saturates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.analysis.scaling import N_QUERIES, SIZES, Array, Saturation, saturation
from core.figures.components.plot import Curve, Panel, Plot, PlotAxis
from core.figures.components.plot.parts import Dash
from core.figures.text import Mark, Sentence, join, number, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.models.needs import NO_MODEL
from core.views.params import param
from core.views.view import View

FEWEST_KEYS, MOST_KEYS = 2, 64


@dataclass(frozen=True, slots=True)
class ScalingParams:
    """The experiment on random queries and keys.

    Attributes:
        n_keys: keys a query is compared with.
        vector_seed: of the random vectors.
    """

    n_keys: int = param(16, low=FEWEST_KEYS, high=MOST_KEYS, label=N_("Keys"))
    vector_seed: int = param(0, low=0, high=2**31, label=N_("Seed of the random vectors"))


class Scaling(View[ScalingParams, Saturation]):
    """Entropy and gradient of softmax as vectors get more components, scaled and not scaled."""

    name, Params, needs = "attention.scaling", ScalingParams, NO_MODEL

    def compute(self, runs: Sequence[Any], params: ScalingParams) -> Saturation:
        return saturation(params.n_keys, params.vector_seed)

    def values(self, record: Saturation) -> Mapping[str, Values]:
        sizes = Along("d", _("d, components of a vector"), list(map(str, record.sizes)))
        return {
            "entropy_scaled": Values(
                _("entropy, scaled"), record.entropy_scaled, (sizes,), unit=_("bits")
            ),
            "entropy_raw": Values(
                _("entropy, not scaled"), record.entropy_raw, (sizes,), unit=_("bits")
            ),
            "gradient_scaled": Values(_("gradient, scaled"), record.gradient_scaled, (sizes,)),
            "gradient_raw": Values(_("gradient, not scaled"), record.gradient_raw, (sizes,)),
        }

    def describe(self, record: Saturation) -> Sentence:
        setting = sentence(
            _("Means over {n} random queries with {keys} keys each; all components are drawn "
              "from N(0, 1). The size of the gradient is the Frobenius norm of the softmax's "
              "Jacobian."),
            n=str(N_QUERIES), keys=str(record.n_keys),
        )  # fmt: skip
        found = sentence(
            _(
                "At d = {d} the entropy is {scaled} bits with scaling and {raw} bits without. "
                "Without scaling, the gradient through the softmax is {ratio} times smaller."
            ),
            d=str(record.sizes[-1]),
            scaled=Mark(number(float(record.entropy_scaled[-1])), "weight"),
            raw=Mark(number(float(record.entropy_raw[-1])), "weight"),
            ratio=Mark(
                number(float(record.gradient_scaled[-1] / max(1e-30, record.gradient_raw[-1]))),
                "accent",
            ),
        )
        return join([setting, found])

    def draw(self, record: Saturation) -> Plot:
        return Plot(
            title=_("Softmax as the vectors get more components"),
            x=PlotAxis(title=_("d, components of a vector"), log=True, ticks=record.sizes[::2]),
            y=PlotAxis(title=_("entropy in bits")),
            series=[
                _curve(record.entropy_scaled, _("entropy, scaled"), "weight"),
                _curve(record.entropy_raw, _("entropy, not scaled"), "key"),
            ],
            below=[_gradients(record)],
            height=480,
        )


def _gradients(record: Saturation) -> Panel:
    """The gradients under the entropies, over the same d."""
    return Panel(
        y=PlotAxis(
            title=_("size of the gradient (logarithmic)"),
            log=True,
            ticks=[0.01, 0.02, 0.05, 0.1, 0.2, 0.5],
        ),
        series=[
            _curve(record.gradient_scaled, _("gradient, scaled"), "weight", "dot"),
            _curve(record.gradient_raw, _("gradient, not scaled"), "key", "dot"),
        ],
        share=0.5,
    )


def _curve(values: Array, name: str, role: str, dash: Dash = "solid") -> Curve:
    """One number of the experiment for every d."""
    hover = "{name}\nd = {x}\n{y:.4g}"
    return Curve(x=SIZES, y=values, name=name, role=role, dash=dash, markers=6, hover=hover)
