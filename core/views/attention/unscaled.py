"""The same head's weights, had the scores not been divided by √d_head."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.distributions import softmax
from core.analysis.heads import entropy
from core.figures.components import BarFrame, BarRow, Bars, Follow
from core.figures.text import Mark, Sentence, number, percent, sentence
from core.figures.values import Values
from core.language import N_, _
from core.models.needs import Needs
from core.runs.requests import Request
from core.runs.results import Run
from core.tracing.trace import Array
from core.views.attention.head import AtHead, HeadRun, head_requests, head_run
from core.views.params import param
from core.views.view import View

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
    without: Array
    scaling: int


class WithoutScaling(View[AtHeadScaled, Unscaled]):
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
        at = record.run.query
        with_, without = record.run("weights")[at], record.without[at]
        return sentence(
            _("With scaling, the largest weight of “{query}” is {scaled}. Without scaling it is "
              "{raw}, and the entropy falls from {before} to {after} bits."),
            query=Mark(record.run.query_words[at], "query"),
            scaled=Mark(percent(float(with_.max())), "weight"),
            raw=Mark(percent(float(without.max())), "weight"),
            before=number(float(entropy(with_))),
            after=number(float(entropy(without))),
        )  # fmt: skip

    def draw(self, record: Unscaled) -> Bars:
        run = record.run
        n_rows = min(N_ROWS, len(run.keys))
        frames, values = [], []
        for at, label in enumerate(run.queries):
            scaled, raw = run("weights")[at], record.without[at]
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
