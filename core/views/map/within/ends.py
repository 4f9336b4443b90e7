"""Where a stream begins: rows of tables, and their sum. Where it ends: logits, softmax, words."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import largest, softmax
from core.figures.components.map.inside import Column, Mark
from core.figures.text import Mark as Said
from core.figures.text import Sentence, number, percent, sentence
from core.language import _
from core.models.blueprint import Embedding
from core.models.picture_parts import Patches
from core.tracing.trace import Array
from core.views.embed import AtComponent, Looked, reading
from core.views.map.within.made import About, Ladder, Sheet, Spot, begun, named, numbers, strips

N_WORDS = 8
MOST_LETTERS = 12  # characters of a word that are drawn


def start(spot: Spot, embedding: Embedding) -> Sheet:
    """The rows that the token reads, and what they add up to."""
    asked = spot.whole.params
    params = AtComponent(text=asked.text, model=asked.model, target=asked.target,
                         stream=spot.stream, token=spot.row)  # fmt: skip
    record = Looked(spot.whole.run, embedding, params)
    if embedding.d_model is not None:
        return _spelt(spot, record)
    at, ladder = spot.row, Ladder()
    of: list[int] = []
    named = {"tokens": _("row {id} of the token table: “{token}”").format(
                 id=record.stream.ids[at], token=spot.token),
             "positions": _("row {at} of the position table").format(at=at),
             "types": _("row of the segment table")}  # fmt: skip
    for table in embedding.tables:
        own = ladder.strip(named[table], record.site(table)[at], like=of[0] if of else None)
        if table == "tokens" and embedding.scaled:
            root = f"√{record.total.shape[1]}"
            own = ladder.strip(_("multiplied by {root}").format(root=root),
                               record.site("scaled")[at], "·", [own], times=root)  # fmt: skip
        of.append(own)
    if len(of) > 1:
        ladder.strip(_("added up"), record.total[at], "+", of, like=of[0])
    if embedding.norm:
        ladder.strip(_("after the norm"), record.site("ln.out")[at])
    title = _("How “{token}” becomes a vector").format(token=spot.token)
    about: About = "embed.lookup", {"stream": spot.stream, "token": at}
    return Sheet(title=title, reading=reading(record, at), rows=ladder.rows,
                 columns=ladder.columns(), about=about)  # fmt: skip


def _spelt(spot: Spot, record: Looked) -> Sheet:
    """A word that is made from its characters: their rows, and every vector up to the word's."""
    ladder, at, prefix = Ladder(), spot.row, f"{record.embedding.prefix}."
    trace = spot.whole.trace
    for name in (one for one in trace.catalogue if one.startswith(prefix)):
        values = trace[name][at]
        if values.ndim == 1:
            says = trace.site(name).sentence()
            ladder.strip(begun(says), values, says=says)
            continue
        used = [row for row in values if np.any(row)][:MOST_LETTERS]
        word = trace.streams[spot.stream].units[at].label
        letters = ["", *word, ""] if len(word) + 2 == len(used) else [""] * len(used)
        for n, (row, letter) in enumerate(zip(used, letters, strict=True)):
            label = _("character {n}: {letter}") if letter else _("character {n}")
            ladder.strip(label.format(n=n, letter=letter), row)
    said = sentence(_("The vector of “{token}” is made from its characters and from nothing else."),
                    token=Said(spot.token, "query"))  # fmt: skip
    title = _("How “{token}” becomes a vector").format(token=spot.token)
    return Sheet(title=title, reading=said, rows=ladder.rows, columns=ladder.columns())


def patch(spot: Spot, part: Patches) -> Sheet:
    """The pixels of a square, what one matrix makes of them, and the row of its place."""
    trace, at, ladder = spot.whole.trace, spot.row, Ladder()
    is_patch, pixels = at >= part.first, f"{part.prefix}.pixels"
    if is_patch and pixels in trace.catalogue:
        own = trace[pixels][at - part.first]
        ladder.strip(_("the {n} numbers of its pixels").format(n=len(own)), own)
    projected = _("multiplied by the projection matrix, plus its bias")
    if not is_patch:
        projected = _("the learned vector of {mark}").format(mark=part.mark)
    of = [ladder.strip(projected, trace[part.terms[0]][at])]
    for site in part.terms[1:]:
        text = _("row {at} of the position table").format(at=at)
        of.append(ladder.strip(text, trace[site][at], like=of[0]))
    if len(of) > 1:
        total = np.asarray(sum(trace[site][at] for site in part.terms), np.float32)
        ladder.strip(_("added up"), total, "+", of, like=of[0])
    text = _("Before the patches stands {token}: a vector that was learned, and no part of the "
             "picture.")  # fmt: skip
    if is_patch:
        text = _("The {n} numbers of {token} become a vector of {width}.")
    said = sentence(text, token=Said(spot.token, "query"), n=str(part.n_numbers),
                    width=str(trace[part.terms[0]].shape[-1]))  # fmt: skip
    title = _("How “{token}” becomes a vector").format(token=spot.token)
    return Sheet(title=title, reading=said, rows=ladder.rows, columns=ladder.columns())


def end(spot: Spot) -> Sheet:
    """The last vector, the likeliest words, their logits and what softmax makes of them."""
    whole = spot.whole
    logits, probs, vector = _said(spot)
    best = [int(one) for one in largest(probs, min(N_WORDS, len(probs)))]
    names = [_word(spot, one) for one in best]
    goes = [spot.deeper(f"word{one}") for one in best]
    columns = _multiplied(spot, best, names, vector)
    scores = numbers("logits", _("logit"), _("the score of a word: any number"),
                     [float(logits[one]) for one in best], names, goes=goes)  # fmt: skip
    made = _made(logits / whole.temperature, best)
    bars = [
        Mark(row=row, text=percent(float(probs[one])), share=float(probs[one] / probs[best[0]]),
             says=named(names[row], made[row]), goes=goes[row], strong=row == 0,
             value=float(probs[one]))
        for row, one in enumerate(best)
    ]  # fmt: skip
    shares = Column(
        name="shares", title=_("probability"), kind="bar", role="accent", marks=bars,
        says=_softmax(whole.temperature),
    )  # fmt: skip
    columns += [scores, shares]
    title = _("From the last vector to labels")
    if not whole.of_all:
        title = _("From the last vector to words, after “{token}”").format(token=spot.token)
    return Sheet(title=title, reading=_likeliest(names[0], logits, probs), rows=names,
                 columns=columns)  # fmt: skip


def _made(logits: NDArray[np.float64], best: Sequence[int]) -> list[str]:
    """How each probability is made, as operands: e^(5.62 − 8.26) / 2.19 = 3.3 %."""
    most = float(logits.max())
    powers = np.exp(logits - most)
    total = float(powers.sum())
    return [
        f"e^({number(float(logits[one]))} − {number(most)}) / {number(total)} = "
        f"{percent(float(powers[one]) / total)}"
        for one in best
    ]


def _multiplied(
    spot: Spot, best: Sequence[int], names: Sequence[str], vector: Array
) -> list[Column]:
    """The last vector and the row of each word or label; nothing where more is done with it."""
    table = _table(spot)
    if table is None:
        return []
    title = _("row of the word")
    says = _("the last vector times a word's row is the word's logit")
    if spot.whole.of_all:
        title = _("row of the label")
        says = _("the last vector times a label's row, plus its bias, is the label's logit")
    labels = [_("row of “{word}”").format(word=one) for one in names]
    return [
        strips("vector", _("last vector"), _("what the layers have made of the token"), [0],
               vector[None], [_("last vector")]),
        strips("rows", title, says, range(len(best)), np.stack([table[one] for one in best]),
               labels),
    ]  # fmt: skip


def _softmax(temperature: float) -> str:
    """How logits become probabilities."""
    if temperature == 1.0:
        return _("softmax makes probabilities of the logits, which add up to 1")
    text = _("softmax makes probabilities of the logits divided by the temperature, {value}")
    return text.format(value=number(temperature, 2))


def word(spot: Spot) -> Sheet:
    """Every operand of one word's logit and probability."""
    logits, probs, vector = _said(spot)
    own = min(spot.place.word or 0, len(probs) - 1)
    name, table, ladder = _word(spot, own), _table(spot), Ladder()
    logit = float(logits[own])
    if table is not None:
        of = [ladder.strip(_("last vector"), vector),
              ladder.strip(_("row of “{word}”").format(word=name), table[own])]  # fmt: skip
        ladder.strip(_("the two multiplied"), vector * table[own], "·", of)
    if table is not None and (linear := spot.whole.answering.linear):
        bias = float(spot.whole.trace.weights[f"{linear}.bias"][own])
        ladder.number(_("added up"), logit - bias)
        ladder.number(_("plus the bias of the label, {bias}: the logit").format(bias=number(bias)),
                      logit)  # fmt: skip
    else:
        ladder.number(_("the logit") if table is None else _("added up: the logit"), logit)
    said = sentence(_("“{word}” has logit {logit} and probability {share}."),
                    word=Said(name.removeprefix("·"), "accent"), logit=number(logit),
                    share=Said(percent(float(probs[own])), "accent"))  # fmt: skip
    _shares(ladder, logits / spot.whole.temperature, spot.whole.temperature, own)
    return Sheet(title=_("The probability of “{word}”").format(word=name), reading=said,
                 rows=ladder.rows, columns=ladder.columns("accent"))  # fmt: skip


def _shares(ladder: Ladder, logits: NDArray[np.float64], temperature: float, own: int) -> None:
    """How the logit of one entry becomes its probability; they are divided by the temperature."""
    logit, most = float(logits[own]), float(logits.max())
    if temperature != 1.0:
        text = _("divided by the temperature, {value}").format(value=number(temperature, 2))
        ladder.number(text, logit)
    ladder.number(_("minus the largest logit, {most}").format(most=number(most)), logit - most)
    power, total = float(np.exp(logit - most)), float(np.exp(logits - most).sum())
    ladder.number(_("e = {e} to the power of that").format(e=number(math.e)), power)
    ladder.number(_("the sum over all entries"), total)
    share = power / total
    ladder.number(_("divided by that: the probability"), share, text=percent(share),
                  says=f"{number(power)} / {number(total)} = {percent(share)}", share=share,
                  strong=True)  # fmt: skip


def _said(spot: Spot) -> tuple[NDArray[np.float64], NDArray[np.float64], Array]:
    """Logits and probabilities of the row that is looked at, and the vector they are made from."""
    whole = spot.whole
    at = 0 if whole.of_all else whole.row(whole.stream)
    logits = whole.logits[at].astype(np.float64)
    return (
        logits,
        softmax(logits / whole.temperature),
        np.atleast_2d(whole.trace[whole.answering.reads])[at],
    )


def _table(spot: Spot) -> Array | None:
    """The rows that the last vector is multiplied with; None where more is done."""
    head = spot.whole.answering
    table = f"{head.linear}.weight" if head.linear else head.table
    return None if table is None else spot.whole.trace.weights[table]


def _word(spot: Spot, entry: int) -> str:
    labels = spot.whole.labels
    return labels[entry] if labels else spot.whole.run.words(entry).label


def _likeliest(name: str, logits: NDArray[np.float64], probs: NDArray[np.float64]) -> Sentence:
    """What the highest logit is, and what becomes of it."""
    return sentence(
        _("“{word}” has the highest logit, {logit}, and so the highest probability, {share}."),
        word=Said(name.removeprefix("·"), "accent"), logit=number(float(logits.max())),
        share=Said(percent(float(probs.max())), "accent"),
    )  # fmt: skip
