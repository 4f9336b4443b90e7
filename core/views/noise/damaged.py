"""What the encoder reads of a damaged text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.figures import tokens
from core.figures.components import Chip, Strip
from core.figures.text import Mark, Sentence, percent, sentence
from core.figures.values import Values
from core.language import _, ngettext
from core.views.noise.damage import Damage, OfDamage
from core.views.noise.source import shown_values
from core.views.noise.text import typed_marks
from core.views.view import Note


class Damaged(OfDamage):
    """Marks, gaps that are not marked, or tokens in another order."""

    name = "noise.damaged"

    def values(self, record: Damage) -> Mapping[str, Values]:
        return shown_values(record.run)

    def describe(self, record: Damage) -> Sentence:
        if record.moves:
            return _moved(record)
        n, total = record.n_hidden, len(record.run.tokens)
        marks = int((record.run.origin[:-1] < 0).sum())
        hidden: dict[str, str | Mark | Sentence] = {
            "n": Mark(str(n), "accent"), "all": str(total), "share": percent(n / total),
            "marks": Mark(str(marks), "accent"),
        }  # fmt: skip
        if record.params.noise == "delete":
            return sentence(
                _("{n} of {all} tokens are gone, {share}. Nothing shows where they stood."),
                **hidden,
            )
        return sentence(
            ngettext("{n} of {all} tokens are hidden, {share}, behind {marks} mark.",
                     "{n} of {all} tokens are hidden, {share}, behind {marks} marks.", marks),
            **hidden,
        )  # fmt: skip

    def draw(self, record: Damage) -> Strip:
        title = _("What the encoder reads")
        return Strip(
            title=title,
            selection=_selection(record),
            tokens=[_chip(record, at) for at in range(len(record.run.shown))],
            cut=tokens.cut_text(record.run.cut),
            field="moved_part" if record.moves else "piece",
            grouped=True,
            coloured=record.moves,
            notes=[str(at) if record.moves and at >= 0 else "" for at in record.run.origin],
            heading=sentence(
                _("What the encoder reads. Under each token: its position in the text")
                if record.moves else title
            ),
            name=title,
        )  # fmt: skip

    def notes(self, record: Damage) -> Sequence[Note]:
        return typed_marks(record.run.text)


def _chip(record: Damage, at: int) -> Chip:
    """A token that stayed, or that moved with its part; or a mark, which belongs to none."""
    token, origin = record.run.shown[at], int(record.run.origin[at])
    group = int(record.parts[origin]) if record.moves and origin >= 0 else origin
    made = tokens.chip(token, group=None if group < 0 else group)
    if origin >= 0 or at == len(record.run.shown) - 1:
        return made
    title = (_("stands for one hidden token") if record.params.noise == "mask"
             else _("stands for any number of hidden tokens, or for none"))  # fmt: skip
    return replace(made, title=title)


def _selection(record: Damage) -> dict[str, int | None]:
    """A part that moved, or a token that stayed."""
    if not record.moves:
        return record.selection()
    part = record.params.moved_part
    return {"moved_part": None if part < 0 else min(part, int(record.parts.max()))}


def _moved(record: Damage) -> Sentence:
    """What became of the order."""
    if not record.moved:
        return sentence(
            _("Every token stands where it stood: the text has one sentence, or the draw left "
              "the order as it was. Try another seed.")
        )  # fmt: skip
    n = int(record.parts.max()) + 1
    if record.params.noise == "rotate":
        return sentence(
            _("The text begins at position {at}. What stood before comes last. No token is "
              "hidden."),
            at=Mark(str(int(record.run.origin[0])), "accent"),
        )  # fmt: skip
    return sentence(
        _("The text is cut into {n} parts that stand in another order. No token is hidden."),
        n=Mark(str(n), "accent"),
    )
