"""Parameters of a shape, term by term."""

from __future__ import annotations

import numpy as np

from core.analysis.costs import PARTS, Term
from core.figures.components import Bars
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.locale import grouped
from core.views.cost.bill import billed, called, large, lines
from core.views.cost.planned import OfPlan, Plan

PART_NAMES = {
    "embeddings": N_("embeddings"),
    "attention": N_("attention"),
    "feed_forward": N_("feed-forward"),
    "norms": N_("norms"),
    "head": N_("output head"),
}


class Sizes(OfPlan):
    """A bar for each term, with its arithmetic."""

    name = "cost.sizes"

    def counts(self, record: Plan) -> dict[str, Values]:
        machine, terms = record.machine, _terms(record)
        numbers = np.array([term.parameters.n for term in terms])
        parts = (Along("part", _("part"), [_(PART_NAMES[part]) for part in PARTS]),)
        of_parts = np.array([machine.of_part(part) for part in PARTS])
        found = {
            "parameters": Values(_("parameters"), numbers, (lines(terms),)),
            "share": Values(_("share of all"), numbers / machine.parameters, (lines(terms),)),
            "parts": Values(_("parameters of the part"), of_parts, parts),
            "part_share": Values(_("share of the part"), of_parts / machine.parameters, parts),
            "total": Values(_("all parameters"), np.array(machine.parameters)),
        }
        if record.said is not None:
            off = machine.parameters / record.said - 1
            found["published"] = Values(_("published"), np.array(record.said))
            found["difference"] = Values(_("share above what is published"), np.array(off))
        return found

    def describe(self, record: Plan) -> Sentence:
        total = record.machine.parameters
        most = max(_terms(record), key=lambda term: term.parameters.n)
        said = [
            sentence(
                _("By the formula {machine} has {total} parameters: {short}."),
                machine=Mark(record.name, "strong"), total=grouped(total),
                short=Mark(large(total), "accent"),
            ),
            sentence(
                _("The largest term is “{term}”, with {share} of them."),
                term=called(most), share=percent(most.parameters.n / total),
            ),
        ]  # fmt: skip
        if record.said is not None:
            said.insert(1, sentence(_("Its authors say {said}."), said=large(record.said)))
        return join(said)

    def draw(self, record: Plan) -> Bars:
        return billed(
            _terms(record), lambda term: term.parameters,
            title=_("Parameters of {machine}, term by term").format(machine=record.name),
        )  # fmt: skip


def _terms(record: Plan) -> list[Term]:
    """Those that have parameters."""
    return [term for term in record.machine.terms if term.parameters.n]
