"""Which shape is counted: a published one, or one's own."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.costs import Machine
from core.analysis.published import PUBLISHED, both, decoder, encoder, picture
from core.figures.text import sentence
from core.figures.values import Values
from core.language import N_, _
from core.models.needs import NO_MODEL
from core.views.controls import Control
from core.views.params import param
from core.views.view import Note, View

OWN = "own"
SIZES = ("cost_layers", "cost_width", "cost_heads", "cost_ff", "cost_vocab", "cost_context")
PLANS = {OWN: N_("my own"), **{name: one.name for name, one in PUBLISHED.items()}}
KINDS = {
    "writer": N_("decoder, as GPT-2"),
    "reader": N_("encoder, as BERT"),
    "both": N_("encoder and decoder, as T5"),
    "picture": N_("pictures, as ViT"),
}
PATCH = 16  # rows of pixels of a patch in a machine of one's own
SIDES: Mapping[str, Callable[..., Machine]] = {"writer": decoder, "reader": encoder, "both": both}


@dataclass(frozen=True, slots=True)
class Planned:
    """A shape; the sizes are those of one's own and begin as those of our GPT.

    Attributes:
        cost_plan: a published machine, or "own".
        cost_kind: of machine.
        cost_layers, cost_width, cost_heads, cost_ff: its sizes; of a machine with two sides each
            has so many layers.
        cost_vocab: entries of its vocabulary, or labels of pictures.
        cost_context: positions of one pass.
    """

    cost_plan: str = param("gpt2", choices=PLANS, label=N_("Machine"))
    cost_kind: str = param("writer", choices=KINDS, label=N_("Kind"))
    cost_layers: int = param(6, low=1, high=200, label=N_("Layers"))
    cost_width: int = param(256, low=8, high=32_768, label=N_("Width d_model"))
    cost_heads: int = param(4, low=1, high=256, label=N_("Heads"))
    cost_ff: int = param(1024, low=8, high=262_144, label=N_("Feed-forward units"))
    cost_vocab: int = param(8192, low=2, high=1_000_000, label=N_("Vocabulary (labels of ViT)"))
    cost_context: int = param(512, low=2, high=131_072, label=N_("Context (positions)"))

    @property
    def machine(self) -> Machine:
        """The shape in whole."""
        if self.cost_plan != OWN:
            return PUBLISHED[self.cost_plan].machine
        heads = min(self.cost_heads, self.cost_width)
        sizes = (self.cost_layers, self.cost_width, heads, self.cost_ff)
        if self.cost_kind == "picture":
            return picture(*sizes, self.cost_context, PATCH, self.cost_vocab)
        return SIDES[self.cost_kind](*sizes, self.cost_vocab, self.cost_context)


@dataclass(frozen=True, eq=False)
class Plan:
    """A shape with its bill.

    Attributes:
        params: what was asked for.
        machine: the shape.
    """

    params: Planned
    machine: Machine

    @property
    def name(self) -> str:
        """What it is called."""
        plan = self.params.cost_plan
        return _("your machine") if plan == OWN else PLANS[plan]

    @property
    def said(self) -> float | None:
        """Parameters as its authors round them."""
        plan = self.params.cost_plan
        return None if plan == OWN else PUBLISHED[plan].said


class OfPlan(View[Planned, Plan]):
    """What the views of one shape share."""

    Params, needs = Planned, NO_MODEL

    def compute(self, runs: Sequence[object], params: Planned) -> Plan:
        return Plan(params, params.machine)

    def values(self, record: Plan) -> Mapping[str, Values]:
        return self.counts(record) | sizes(record.machine)

    @abstractmethod
    def counts(self, record: Plan) -> dict[str, Values]:
        """The numbers that are drawn."""

    def notes(self, record: Plan) -> Sequence[Note]:
        params = record.params
        if params.cost_plan != OWN or not params.cost_width % params.cost_heads:
            return ()
        said = sentence(
            _("{width} is no multiple of {heads} heads, so each head gets {each} components and "
              "the rest is left out."),
            width=str(params.cost_width), heads=str(params.cost_heads),
            each=str(record.machine.d_head),
        )  # fmt: skip
        return (Note("warning", said),)

    def controls(self, record: Plan) -> Sequence[Control]:
        if record.params.cost_plan == OWN:
            return ()
        return [Control.none(name) for name in ("cost_kind", *SIZES)]


def sizes(machine: Machine) -> dict[str, Values]:
    """The shape as numbers, for texts and questions."""
    found = {
        "n_layers": (_("layers"), sum(stack.n for stack in machine.layers)),
        "d_model": (_("d_model"), machine.d_model),
        "inner": (_("components of all heads"), machine.inner),
        "d_ff": (_("feed-forward units"), machine.d_ff),
        "vocabulary": (_("vocabulary"), machine.vocabulary),
        "n_ctx": (_("context"), machine.n_ctx),
    }
    return {name: Values(label, np.array(value)) for name, (label, value) in found.items()}
