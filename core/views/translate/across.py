"""The attention of a machine that translates: from target to source, unless another is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.models.abilities import require
from core.models.needs import Needs
from core.runs.results import Run
from core.views.attention.head import AtHead, HeadRun
from core.views.attention.heads import Grid, Heads, OfAllHeads
from core.views.attention.weights import Weights
from core.views.controls import Control
from core.views.parts import names

ATTENDS = Needs("translate", ("attention",))


def _kind(runs: Sequence[Run], chosen: str) -> str:
    """The name of the kind of attention that is shown.

    Raises:
        AbilityError: the model does not translate.
    """
    trace = runs[0].trace
    require(trace.model, [head.ability for head in trace.blueprint.heads], "translate")
    across = trace.blueprint.across()
    return chosen if chosen or across is None else across.name


class WeightsAcross(Weights):
    """The weights of one head."""

    name, needs = "translate.weights", ATTENDS

    def compute(self, runs: Sequence[Run], params: AtHead) -> HeadRun:
        return super().compute(runs, replace(params, attention=_kind(runs, params.attention)))

    def controls(self, record: HeadRun) -> Sequence[Control]:
        kinds = names(record.params, record.trace.blueprint, "attention")
        kind = Control("attention", record.attention.name, options=[*kinds.items()])
        return (kind, *super().controls(record))


class HeadsAcross(Heads):
    """All heads at a glance."""

    name, needs = "translate.heads", ATTENDS

    def compute(self, runs: Sequence[Run], params: OfAllHeads) -> Grid:
        return super().compute(runs, replace(params, attention=_kind(runs, params.attention)))
