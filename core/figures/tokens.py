"""Tokens as chips and on axes, and the words that strips and matrices need."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from functools import singledispatch

from core.analysis.words import Kind, TextStretch, is_accent
from core.figures.components.strip import Chip
from core.figures.text import Mark, Sentence, join, sentence
from core.language import _
from core.locale import grouped, listed
from core.spelling import hexadecimal, visible
from core.units import Token, Unit


@singledispatch
def kind_of(unit: Unit) -> str:
    """How a chip looks: a mark of the model, something unknown, loose bytes, or a word."""
    return "special" if unit.special else "word"


@kind_of.register
def _kind_of_token(token: Token) -> str:
    if token.special:
        return "special"
    if token.unknown:
        return "unknown"
    try:
        token.data.decode()
    except UnicodeDecodeError:
        return "byte"
    return "word"


@singledispatch
def title_of(unit: Unit) -> str:
    """What is known about a unit, for those who rest on its chip."""
    return unit.spoken


@title_of.register
def _title_of_token(token: Token) -> str:
    if token.special:
        return _("id {id} · {piece}, a marker the model puts around every text").format(
            id=token.id, piece=token.piece
        )
    if token.named:
        return _("id {id} · bytes {bytes} · you typed the name of a mark: here it is text").format(
            id=token.id, bytes=hexadecimal(token.data)
        )
    if token.unknown:
        return _("id {id} · not in the vocabulary, so the model reads only “unknown”").format(
            id=token.id
        )
    return _("id {id} · bytes {bytes}").format(id=token.id, bytes=hexadecimal(token.data))


def chip(unit: Unit, *, group: int | None = 0, born: bool = False, word: int | None = None) -> Chip:
    """One chip of a strip.

    Args:
        unit: what it shows.
        group: tokens of one word share a colour when chips are coloured; None for no colour.
        born: the model made it.
        word: chips of one word stay on one line.
    """
    kind = kind_of(unit) + (" born" if born else "")
    return Chip(unit.label, kind, title_of(unit), group=group, word=word)


def prose(tokens: Sequence[Token]) -> list[str]:
    """The text that each token stands for, to be read as one; a marker of the model is nothing.

    A character whose bytes lie in several tokens comes with the last of them. What could not be
    seen in a text is spelt out.
    """
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    texts = ["" if token.special else decoder.decode(token.data) for token in tokens]
    return [_visible_but_spaces(text) for text in texts]


def _visible_but_spaces(text: str) -> str:
    """Spaces and new lines as they are, of the rest what can be seen."""
    return "".join(
        piece if piece in (" ", "\n") else visible(piece) for piece in re.split(r"([ \n])", text)
    )


def cut_text(cut: str, limit: int = 160) -> str:
    """The text that did not fit, shortened for the strip."""
    return cut if len(cut) <= limit else cut[:limit] + "…"


NAMED = 12  # of each kind of change
SHOWN = 40  # characters of what was changed in one place


def changes(parts: Sequence[TextStretch]) -> Sentence | None:
    """What a tokenizer makes of a text before it cuts it, kind by kind; None when nothing."""
    templates: dict[Kind, str] = {
        "lowered": _("Changed to lower case: {list}."),
        "stripped": _("Accents removed: {list}."),
        "rewritten": _("Rewritten: {list}."),
        "dropped": _("Left out: {list}."),
        "unknown": _("Not in the vocabulary, so read as [UNK]: {list}."),
    }
    sentences = []
    for kind, template in templates.items():
        names = list(dict.fromkeys(name for part in parts if part.kind == kind
                                   for name in _change_texts(part)))  # fmt: skip
        if names:
            more = len(names) - NAMED
            named = listed(names)
            if more > 0:
                named = ", ".join(names[:NAMED]) + _(" and {n} more").format(n=grouped(more))
            sentences.append(sentence(template, list=Mark(named, "warning")))
    return join(sentences) if sentences else None


def _change_texts(part: TextStretch) -> list[str]:
    """A stretch with what became of it; of what was dropped every character by itself."""
    if part.kind == "dropped":
        return ["◌" + char if is_accent(char) else visible(char) for char in part.typed]
    typed = cut_text(part.typed, SHOWN)
    if part.kind == "unknown":
        return [visible(typed)]
    return [f"{visible(typed)} → {visible(cut_text(part.read, SHOWN))}"]


def last_word(units: Sequence[Unit]) -> int:
    """The position of the last unit that is no closing mark of the model."""
    last = len(units) - 1
    return last - 1 if last > 0 and units[last].special else last


def labels(units: Sequence[Unit]) -> list[str]:
    """Axis labels of what stands at some positions."""
    return [unit.label for unit in units]
