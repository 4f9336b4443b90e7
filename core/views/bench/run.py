"""A text through a whole and a broken machine: what the views of both are computed from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.faults.table import BY_ID, FAULTS, Fault, hidden, possible
from core.figures import tokens
from core.figures.components.base import By
from core.figures.text import Mark, Role, sentence
from core.language import N_, _
from core.models.blueprint import Blueprint, Stack
from core.models.needs import Needs
from core.runs.faulty import Faulty
from core.runs.requests import FaultRequest, Request
from core.runs.results import Run
from core.text.marks import MASK
from core.units import Token
from core.views.attention.head import AtHead, HeadRun, head_controls, head_run
from core.views.controls import Control
from core.views.params import param
from core.views.view import Note, View

Floats = NDArray[np.float64]
SIDES = {"broken": N_("broken"), "healthy": N_("healthy"), "again": N_("broken, run again")}
ROLES: dict[str, Role] = {"broken": "key", "healthy": "accent", "again": "weight"}


@dataclass(frozen=True, slots=True)
class Breaking(AtHead):
    """A head of a machine, and the fault that is put into it.

    Attributes:
        fault: by its id.
    """

    fault: str = param(
        FAULTS[0].id, choices={one.id: one.name for one in FAULTS}, label=N_("Fault")
    )


def faults_of(blueprint: Blueprint, *, hunted: bool = False) -> dict[str, str]:
    """The faults that a model can have, by id, and what each is called (translate with ``_``).

    Args:
        blueprint: of the model.
        hunted: those alone that a hunt may hide.
    """
    return {one.id: one.name for one in (hidden if hunted else possible)(blueprint)}


def sites_of_a_layer(blueprint: Blueprint) -> list[str]:
    """What most faults change, in the first layer, and what is predicted."""
    block = blueprint.main.block(0)
    parts = ("attn.scores", "attn.weights", "attn.z", "resid_post")
    return [*(f"{block}.{part}" for part in parts), blueprint.head.site]


def known_as(fault: str) -> Fault | None:
    """The fault of an id, if there is one."""
    return BY_ID.get(fault)


@dataclass(frozen=True, eq=False)
class Broken:
    """The runs, as far as they may be seen, and the head that is looked at in each.

    Attributes:
        found: the runs.
        params: what was asked for.
        sides: the runs that are shown, of ``SIDES``, the broken one first.
    """

    found: Faulty
    params: AtHead
    sides: tuple[str, ...]

    def run(self, side: str) -> Run:
        """One of the runs."""
        run: Run = getattr(self.found, side)
        return run

    def head(self, side: str) -> HeadRun:
        """The head in one of them."""
        return head_run([self.run(side)], self.params)

    @cached_property
    def broken(self) -> HeadRun:
        """The head in the broken machine."""
        return self.head("broken")

    @property
    def fault(self) -> Fault:
        """What is broken; a hunt says it only at its end."""
        return BY_ID[self.found.fault]

    @property
    def stack(self) -> Stack:
        """The one that predicts."""
        return self.broken.trace.blueprint.main

    def sizes(self, side: str) -> Floats:
        """The mean length of the residual vectors, at first and after each layer."""
        trace, stack = self.run(side).trace, self.stack
        sites = [f"{stack.block(0)}.resid_pre", *map(stack.output_of, range(stack.n_layers))]
        return np.array([float(np.linalg.norm(trace[one], axis=-1).mean()) for one in sites])

    @cached_property
    def at(self) -> int:
        """The position whose prediction is shown."""
        trace = self.broken.trace
        units = trace.streams[trace.blueprint.stream].units
        hidden = [n for n, unit in enumerate(units) if unit.label == MASK]
        if hidden:
            return hidden[0]
        if trace.blueprint.head.ability == "next_token":
            return len(units) - 1
        return tokens.last_word(units) if len(trace.blueprint.streams) == 1 else 0

    def probs(self, side: str) -> Floats:
        """``(V,)``: what is predicted there."""
        trace = self.run(side).trace
        logits = trace[trace.blueprint.site("@logits")][self.at].astype(np.float64)
        shares: Floats = np.exp(logits - logits.max())
        return shares / shares.sum()

    def word(self, token_id: int) -> Token:
        """An entry of the vocabulary."""
        return self.found.broken.words(token_id)

    def moved(self) -> float:
        """How much of the probability is elsewhere than in the healthy run."""
        return float(np.abs(self.probs("healthy") - self.probs("broken")).sum() / 2)

    def selection(self) -> dict[str, int | str | By | None]:
        """By the names of the parameters; while no key is chosen, the one that gets most."""
        run = self.broken
        most = By("token", run("weights").argmax(axis=1).tolist())
        return {
            "token": run.query,
            "key": most if run.params.key < 0 else run.key,
            "layer": run.layer,
            "head": run.head,
        }

    def called(self, side: str) -> str:
        """A side in words."""
        return _(SIDES[side])

    @property
    def in_code(self) -> tuple[Note, ...]:
        """The line as it should be and as it is, and what gives it away."""
        fault = self.fault
        lines = {_("As it should be"): fault.right, _("As it is now"): fault.wrong}
        said = [sentence("{above}\n{line}", above=Mark(f"# {above}", "muted"), line=line)
                for above, line in lines.items()]  # fmt: skip
        shows = sentence(_("What gives it away: {shows}"), shows=_(fault.shows))
        return (*(Note("code", one) for one in said), Note("more", shows))


class OfSides(View[Any, Broken]):
    """A view of the runs that may be seen."""

    needs = Needs("words", ("attention", "blocks"))

    def controls(self, record: Broken) -> Sequence[Control]:
        return head_controls(record.broken)


class OfBench(OfSides):
    """A view of the broken machine and the healthy one."""

    Params = Breaking

    def requests(self, params: Any) -> tuple[Request, ...]:
        return (FaultRequest(params.model, params.given, params.fault),)

    def compute(self, runs: Sequence[Any], params: Any) -> Broken:
        return Broken(runs[0], params, ("broken", "healthy"))

    def controls(self, record: Broken) -> Sequence[Control]:
        known = faults_of(record.broken.trace.blueprint)
        faults = [(one, _(called)) for one, called in known.items()]
        return (Control("fault", record.fault.id, options=faults), *super().controls(record))

    def notes(self, record: Broken) -> Sequence[Note]:
        """That another fault is shown than the one that was asked for, and which line it is."""
        asked = known_as(record.params.fault) if isinstance(record.params, Breaking) else None
        if asked is None or asked is record.fault:
            return record.in_code
        said = sentence(
            _("This model has no part in which this could be wrong: {asked}. Shown is: {fault}."),
            asked=_(asked.name), fault=_(record.fault.name),
        )  # fmt: skip
        return (Note("info", said), *record.in_code)
