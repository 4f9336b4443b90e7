"""What a machine of the walk makes of a translation that somebody else wrote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.inputs import Input, SourceTarget, Text
from core.language import N_
from core.models.abilities import require
from core.models.needs import Needs
from core.runs.results import Run
from core.views.attention.head import AtHead, HeadRun
from core.views.attention.weights import Weights
from core.views.params import param
from core.views.stops.walk import new_at
from core.views.translate.forcing import taught
from core.views.translate.target import Target


@dataclass(frozen=True, slots=True)
class AtStop(AtHead):
    """A head of a machine that reads the translation.

    Attributes:
        reference: the translation; when empty, the target, or that of an example.
    """

    reference: str = param("", label=N_("Reference translation"))

    @property
    def given(self) -> Input:
        """What the machine reads; where there is no translation, it writes its own."""
        own = taught(self.text, self.target, self.reference)
        return SourceTarget(self.text, own) if own else Text(self.text)


class New(Weights):
    """The weights of the attention that a machine has and the one before it has not."""

    name, Params, needs = "stops.new", AtStop, Needs("translate", ("attention",))

    def compute(self, runs: Sequence[Run], params: AtHead) -> HeadRun:
        blueprint = runs[0].trace.blueprint
        require(runs[0].trace.model, [one.ability for one in blueprint.heads], "translate")
        new = new_at(blueprint)
        return super().compute(runs, params if new is None else replace(params, attention=new.name))


class Written(Target):
    """The translation as the decoder reads it."""

    name, Params = "stops.target", AtStop
