"""Multiplications of one pass of a shape, term by term."""

from __future__ import annotations

import numpy as np

from core.analysis.costs import Term
from core.figures.components import Bars
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Values
from core.language import _
from core.locale import grouped
from core.views.cost.bill import billed, large, lines
from core.views.cost.planned import OfPlan, Plan


class Work(OfPlan):
    """A bar for each term, with its arithmetic."""

    name = "cost.work"

    def counts(self, record: Plan) -> dict[str, Values]:
        machine, terms = record.machine, _terms(record)
        numbers = np.array([term.work.n for term in terms])
        return {
            "multiplications": Values(_("multiplications"), numbers, (lines(terms),)),
            "share": Values(_("share of all"), numbers / machine.work, (lines(terms),)),
            "total": Values(_("all multiplications"), np.array(machine.work)),
            "flops": Values(_("floating-point operations"), np.array(2 * machine.work)),
            "per_token": Values(
                _("multiplications per position"), np.array(machine.work / machine.n_ctx)
            ),
            "squared": Values(
                _("share of scores and mixing"), np.array(_squared(record) / machine.work)
            ),
            "parameters": Values(_("all parameters"), np.array(machine.parameters)),
        }

    def describe(self, record: Plan) -> Sentence:
        machine = record.machine
        return join([
            sentence(
                _("One pass of {machine} over {n} positions takes {work} multiplications of "
                  "numbers, each with an addition: {flops} FLOPs."),
                machine=Mark(record.name, "strong"), n=grouped(machine.n_ctx),
                work=Mark(large(machine.work), "accent"), flops=large(2 * machine.work),
            ),
            sentence(
                _("Scores and mixing, which grow with the square of the length, are {share} of "
                  "them."),
                share=Mark(percent(_squared(record) / machine.work), "accent"),
            ),
        ])  # fmt: skip

    def draw(self, record: Plan) -> Bars:
        return billed(
            _terms(record), lambda term: term.work,
            title=_("Multiplications of {machine}, over its whole context").format(
                machine=record.name
            ),
        )  # fmt: skip


def _terms(record: Plan) -> list[Term]:
    """Those that multiply."""
    return [term for term in record.machine.terms if term.work.n]


def _squared(record: Plan) -> int:
    """Multiplications that grow with the square of the length."""
    return sum(term.work.n for term in record.machine.terms if term.name.endswith("_scores"))
