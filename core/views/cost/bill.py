"""The lines of a bill in words: what they are called, and their arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from core.analysis.costs import Amount, Term
from core.figures.components import BarFrame, BarRow, Bars
from core.figures.text import sentence
from core.figures.values import Along
from core.language import N_, _, ngettext
from core.locale import grouped, spelt
from core.models.blueprint import DECODER, ENCODER

NAMES = {
    "tokens": N_("Token table"),
    "positions": N_("Position table"),
    "types": N_("Segment table"),
    "cls": N_("[CLS]"),
    "patches": N_("Projection of the patches"),
    "embed_norm": N_("Norm of the embeddings"),
    "attention": N_("Attention: Q, K, V and output"),
    "attention_scores": N_("Attention: scores and mixing"),
    "cross": N_("Cross-attention: Q, K, V and output"),
    "cross_scores": N_("Cross-attention: scores and mixing"),
    "distances": N_("Number per head and distance"),
    "ffn": N_("Feed-forward"),
    "norms": N_("Norms"),
    "logits": N_("Logits: the token table once more"),
    "mlm": N_("Head for hidden words"),
    "pooler": N_("Matrix that prepares [CLS]"),
    "pair": N_("Head for sentence pairs"),
    "bias": N_("Bias of the logits"),
    "labels": N_("Head for labels"),
}
IN_SIDES = {ENCODER: N_("Encoder · {name}"), DECODER: N_("Decoder · {name}")}


def called(term: Term) -> str:
    """What a line is called."""
    name = _(NAMES[term.name])
    return _(IN_SIDES[term.side]).format(name=name) if term.side else name


def arithmetic(amount: Amount) -> str:
    """12 · (4 · 768 · 768 + 4 · 768), with the signs of the learner's language."""
    inside = " + ".join(" · ".join(map(grouped, factors)) for factors in amount.products)
    if amount.times == 1:
        return inside
    whole = f"({inside})" if len(amount.products) > 1 else inside
    return f"{grouped(amount.times)} · {whole}"


def large(value: float) -> str:
    """A large number in words: 117 million, 1.56 billion."""
    if value >= 1e12:
        n = value / 1e12
        said = ngettext("{n} trillion", "{n} trillion", int(n))
    elif value >= 1e9:
        n = value / 1e9
        said = ngettext("{n} billion", "{n} billion", int(n))
    elif value >= 1e6:
        n = value / 1e6
        said = ngettext("{n} million", "{n} million", int(n))
    else:
        return grouped(round(value))
    return said.format(n=_short(n))


def _short(value: float) -> str:
    """With three digits, and no zeros behind the point: 1.56, 1.5, 11, 117."""
    decimals = 0 if value >= 100 else 1 if value >= 10 else 2
    return spelt(f"{round(value, decimals):,}".removesuffix(".0"))


def lines(terms: Sequence[Term]) -> Along:
    """The axis of the lines."""
    return Along("term", _("term"), [called(term) for term in terms])


def billed(terms: Sequence[Term], of: Callable[[Term], Amount], *, title: str) -> Bars:
    """A bar for each line: its share of the whole, and its arithmetic above it.

    Args:
        terms: that are drawn.
        of: the amount of each.
        title: of the figure.
    """
    total = max(1, sum(of(term).n for term in terms))
    rows = [
        BarRow(
            f"{term.side}-{term.name}",
            _("{label}: {value}").format(
                label=called(term), value=f"{arithmetic(of(term))} = {grouped(of(term).n)}"
            ),
        )
        for term in terms
    ]
    return Bars(
        title=title,
        frames=[BarFrame(rows, title=sentence(title))],
        values=np.array([[[of(term).n / total for term in terms]]]),
        stacked=True,
    )
