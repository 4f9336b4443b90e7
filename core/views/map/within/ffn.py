"""In a feed-forward network: its strongest units; in a unit: what it reads and promotes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.figures.components.map.inside import Column, Mark
from core.figures.text import Mark as Said
from core.figures.text import number, sentence
from core.language import _
from core.locale import in_quotes, listed
from core.models.blueprint import Stack
from core.views.ffn import SHORT, AtUnit, Units, entering, measure, reading
from core.views.map.within.made import Ladder, Sheet, Spot, named, numbers

N_WORDS, N_TOKENS = 5, 4  # that a unit promotes, and on which it is most active


def units_of(spot: Spot, stack: Stack, unit: int = -1) -> Units:
    """The network of a place, at the row that is looked at."""
    asked = spot.whole.params
    params = AtUnit(
        text=asked.text, model=asked.model, target=asked.target, stack=stack.name,
        layer=spot.place.layer, token=spot.row, unit=unit,
    )  # fmt: skip
    return Units(spot.whole.run, params)


def network(spot: Spot, stack: Stack) -> Sheet:
    """The strongest units at the row that is looked at."""
    record = units_of(spot, stack)
    at, listed = record.token, record.listed
    names = [_("unit {i}").format(i=unit) for unit in listed]
    goes = [spot.deeper(f"unit{unit}") for unit in listed]
    pre = record.site("pre")[at, listed].tolist()
    before = numbers("before", entering(record), _("the unit's row of W₁ times the token's vector"),
                     pre, names, goes=goes, spare=True)  # fmt: skip
    post = record.site("post")[at, listed]
    most = float(np.abs(post).max()) or 1.0
    after = Column(
        name="after", title=_("activation"), kind="bar", role="accent",
        says=_("what the unit passes on, after the activation function"),
        marks=[
            Mark(row=row, text=number(float(one)), share=float(one) / most, goes=goes[row],
                 says=_("activation of {unit}: {value}").format(
                     unit=names[row], value=number(float(one))), value=float(one))
            for row, one in enumerate(post)
        ],
    )  # fmt: skip
    words = _promoting(record, names, goes) if _speaks(record) else _where(record, names, goes)
    title = _("Strongest units of the feed-forward network, layer {layer}, on “{token}”")
    return Sheet(
        title=title.format(layer=record.place, token=record.name(at)), reading=reading(record, at),
        rows=names, columns=[before, after, words],
        about=("ffn.units", {"stack": stack.name, "layer": record.layer, "token": at}),
    )  # fmt: skip


def _speaks(record: Units) -> bool:
    """Whether what a unit writes can be read as words."""
    return record.trace.blueprint.predicts_words


def _promoting(record: Units, names: Sequence[str], goes: Sequence[str]) -> Column:
    """The words that each unit promotes."""
    return Column(
        name="words", title=_("promotes"), kind="words", role="text", says=_promoted(record),
        marks=[Mark(row=row, text=", ".join(_named(record, row, 3)), goes=goes[row],
                    says=named(name, _promotes(record, row, N_WORDS)))
               for row, name in enumerate(names)],
    )  # fmt: skip


def _where(record: Units, names: Sequence[str], goes: Sequence[str]) -> Column:
    """Where each unit is most active."""
    most = np.abs(record.site("post")[:, record.listed]).argmax(axis=0)
    return Column(
        name="where", title=_("most active on"), kind="words", role="text",
        says=_("where this unit passes on most"),
        marks=[Mark(row=row, text=record.tokens[int(at)].label, goes=goes[row],
                    says=named(names[row], record.name(int(at)))) for row, at in enumerate(most)],
    )  # fmt: skip


def unit(spot: Spot, stack: Stack) -> Sheet:
    """What a unit reads, what it writes, the words it promotes, and where it is most active."""
    record = units_of(spot, stack, spot.place.unit or 0)
    own, at, weights = record.unit, record.token, record.trace.weights
    ladder = Ladder()
    given = record.trace[record.reads][at]
    row = weights[f"{record.prefix}w_1.weight"][own]
    of = [ladder.strip(_("what “{token}” brings").format(token=record.name(at)), given),
          ladder.strip(_("the unit's row of W₁"), row)]  # fmt: skip
    ladder.strip(_("the two multiplied"), given * row, "·", of)
    pre, post = (float(record.site(name)[at, own]) for name in ("pre", "post"))
    text = _("added up, with its bias") if stack.biases else _("added up")
    ladder.number(text, pre)
    if stack.gated:
        ladder.number(_("the gate"), float(record.site("gate")[at, own]))
    ladder.number(_("after {function}").format(function=SHORT[record.activation]), post,
                  strong=True)  # fmt: skip
    column = weights[f"{record.prefix}w_2.weight"][:, own]
    of = [ladder.strip(_("the unit's column of W₂"), column)]
    ladder.strip(_("activation · column: added to the stream"), post * column, "·", of,
                 times=number(post))  # fmt: skip
    _words(ladder, record)
    known: dict[str, Said | str] = {"token": Said(record.name(at), "query"), "unit": str(own),
             "value": Said(number(post), "accent")}  # fmt: skip
    said = sentence(_("On “{token}”, unit {unit} has activation {value}."), **known)
    if _speaks(record):
        text = _("On “{token}”, unit {unit} has activation {value}. It promotes {words}.")
        said = sentence(text, **known, words=_promotes(record, record.row, 3))
    title = _("Unit {unit} of layer {layer}, on “{token}”")
    return Sheet(
        title=title.format(unit=own, layer=record.place, token=record.name(at)), reading=said,
        rows=ladder.rows, columns=ladder.columns("accent"),
        about=("ffn.units", {"stack": stack.name, "layer": record.layer, "token": at, "unit": own}),
    )  # fmt: skip


def _words(ladder: Ladder, record: Units) -> None:
    """The words it promotes, and the tokens of the text on which it is most active."""
    ranked = record.words(record.row, N_WORDS)[:N_WORDS] if _speaks(record) else []
    most = max((abs(value) for _word, value in ranked), default=0.0) or 1.0
    for word, value in ranked:
        label = _("promotes “{word}”").format(word=word)
        ladder.number(label, value, share=value / most,
                      says=named(label, f"{measure(record)} {number(value)}"))  # fmt: skip
    # Numbers without bars: theirs would have another scale than those of the words.
    everywhere = record.site("post")[:, record.unit]
    for place in map(int, np.argsort(-everywhere, kind="stable")[:N_TOKENS]):
        label = _("activation on “{token}”, position {at}")
        ladder.number(label.format(token=record.name(place), at=place), float(everywhere[place]))


def _named(record: Units, row: int, n: int) -> list[str]:
    """The words that a unit promotes most."""
    return [word for word, _value in record.words(row, n)[:n]]


def _promotes(record: Units, row: int, n: int) -> str:
    """The same, in a sentence."""
    return listed(in_quotes(word) for word in _named(record, row, n))


def _promoted(record: Units) -> str:
    if record.to_logits:
        return _("words whose logits one unit of this activation raises most")
    return _("words whose vectors are most like what the unit writes")
