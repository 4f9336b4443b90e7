"""Why dot products are scaled: they grow with d, softmax saturates, and a head without it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import softmax
from core.analysis.heads import entropy
from core.analysis.scaling import N_QUERIES, SIZES, Array, Saturation, saturation
from core.figures.components import BarFrame, BarRow, Bars, Follow
from core.figures.components.plot import Curve, Panel, Plot, PlotAxis
from core.figures.components.plot.parts import Dash
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.models.needs import NO_MODEL, Needs
from core.runs.kinds.trace import Run
from core.runs.request import Request
from core.views.attention.head import AtHead, HeadRun, head_requests, head_run
from core.views.params import param
from core.views.view import View

# --- why dot products are scaled: they grow with d, and softmax saturates -------------


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


class AttentionScalingView(View[ScalingParams, Saturation]):
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
        result = sentence(
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
        return join([setting, result])

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


# --- the same head's weights, had the scores not been divided by √d_head --------------


N_ROWS = 8


@dataclass(frozen=True, slots=True)
class AtHeadScaled(AtHead):
    """One head, and whether its scores are scaled.

    Attributes:
        scaling: which weights are shown: 0 of divided scores, 1 of scores that are not.
    """

    scaling: int = param(1, low=0, high=1, lives="browser", label=N_("Scores"))


@dataclass(frozen=True)
class Unscaled:
    """A head, and its weights without scaling.

    Attributes:
        run: the head.
        without: ``(Tq, Tk)``.
        scaling: which weights are shown.
    """

    run: HeadRun
    without: NDArray[np.float32]
    scaling: int


class AttentionUnscaledView(View[AtHeadScaled, Unscaled]):
    """The selected row's weights, divided and not divided."""

    name, Params = "attention.unscaled", AtHeadScaled
    needs = Needs(parts=("attention", "dot_product", "scaling"))

    def requests(self, params: AtHeadScaled) -> tuple[Request, ...]:
        return head_requests(params)

    def compute(self, runs: Sequence[Run], params: AtHeadScaled) -> Unscaled:
        run = head_run(runs, params)
        dots = run("dots") if run.bias is None else run("dots") + run.bias
        without = softmax(dots, run.mask).astype(np.float32)
        return Unscaled(run, without, params.scaling)

    def values(self, record: Unscaled) -> Mapping[str, Values]:
        run = record.run
        place = (run.query, run.key)
        return {
            "scaled": Values(_("scaled"), run("weights"), run.along, selected=place,
                             site=run.prefix + "weights"),
            "unscaled": Values(_("not scaled"), record.without, run.along, selected=place),
        }  # fmt: skip

    def describe(self, record: Unscaled) -> Sentence:
        query = record.run.query
        with_, without = record.run("weights")[query], record.without[query]
        return sentence(
            _("With scaling, the largest weight of “{query}” is {scaled}. Without scaling it is "
              "{raw}, and the entropy falls from {before} to {after} bits."),
            query=Mark(record.run.query_words[query], "query"),
            scaled=Mark(percent(float(with_.max())), "weight"),
            raw=Mark(percent(float(without.max())), "weight"),
            before=number(float(entropy(with_))),
            after=number(float(entropy(without))),
        )  # fmt: skip

    def draw(self, record: Unscaled) -> Bars:
        run = record.run
        n_rows = min(N_ROWS, len(run.keys))
        frames, values = [], []
        for key, label in enumerate(run.queries):
            scaled, raw = run("weights")[key], record.without[key]
            order = np.argsort(-(scaled + raw), kind="stable")[:n_rows]
            rows = [BarRow(str(i), run.keys[i], role="weight") for i in order]
            title = sentence(_("Weights of “{query}”"), query=Mark(label, "query"))
            frames.append(BarFrame(rows, title=title))
            values.append([scaled[order], raw[order]])
        return Bars(
            title=_("The same row without scaling"),
            selection=run.selection() | {"scaling": record.scaling},
            frames=frames,
            values=np.array(values),
            stages=[_("divided by √d_head"), _("not divided")],
            stage_field="scaling",
            follow=Follow("token", first=run.query),
            cut_word=percent(0.0),
        )
