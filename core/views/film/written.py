"""What one moment of the training writes behind the text, and what it expects first."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.figures import tokens
from core.figures.components import BarFrame, BarRow, Bars, Strip
from core.figures.text import Mark, Sentence, percent, sentence
from core.figures.values import Along, Values
from core.language import _
from core.views.film.frames import OfFilm, Shown


class Written(OfFilm):
    """The text as chips, and what was drawn behind it."""

    name = "film.written"

    def values(self, record: Shown) -> Mapping[str, Values]:
        written = record.run.written[record.at]
        places = Along("place", _("place"), [str(at) for at in range(len(written))])
        labels = np.array(tokens.labels(written), object)
        return {"written": Values(_("token"), labels, (places,))}

    def describe(self, record: Shown) -> Sentence:
        text = read(record)
        if not text.strip():
            return sentence(_("{when}, it ends the text at once."), when=_opening(record))
        return sentence(
            _("{when}, it continues with “{text}”."),
            when=_opening(record), text=Mark(text.strip(), "strong"),
        )  # fmt: skip

    def draw(self, record: Shown) -> Strip:
        given = [tokens.chip(token, group=None) for token in record.run.tokens]
        made = [tokens.chip(token, born=True) for token in record.run.written[record.at]]
        title = _("A text that was drawn {when}").format(when=record.when)
        return Strip(
            title=title,
            heading=sentence("{title}", title=title),
            selection=record.selection(),
            tokens=[*given, *made],
            field="film_token",
            still=True,
            compact=True,
            cut=tokens.cut_text(record.run.cut) or None,
        )


class Guesses(OfFilm):
    """A bar for each of the likeliest next tokens."""

    name = "film.guesses"

    def values(self, record: Shown) -> Mapping[str, Values]:
        n = record.run.probs.shape[1]
        ranks = Along("rank", _("rank"), [str(rank) for rank in range(n)])
        axes = (record.along, ranks)
        labels = np.array([tokens.labels(row) for row in record.run.guesses], object)
        return {
            "probability": Values(_("probability"), record.run.probs, axes,
                                  selected=(record.at, 0)),
            "token": Values(_("token"), labels, axes, selected=(record.at, 0)),
        }  # fmt: skip

    def describe(self, record: Shown) -> Sentence:
        return sentence(
            _("{when}, the most probable next token is “{token}”, with {share}."),
            when=_opening(record),
            token=Mark(record.run.guesses[record.at][0].spoken, "accent"),
            share=Mark(percent(float(record.run.probs[record.at, 0])), "accent"),
        )

    def draw(self, record: Shown) -> Bars:
        title = _("Most probable next tokens {when}").format(when=record.when)
        rows = [
            BarRow(f"{rank}", token.label)
            for rank, token in enumerate(record.run.guesses[record.at])
        ]
        return Bars(
            title=title,
            selection=record.selection(),
            frames=[BarFrame(rows, title=sentence("{title}", title=title))],
            values=record.run.probs[record.at].reshape(1, 1, -1),
        )


def read(record: Shown) -> str:
    """What was written, as a text."""
    data = b"".join(token.data for token in record.run.written[record.at])
    return data.decode("utf-8", errors="replace")


def _opening(record: Shown) -> Mark:
    return Mark(record.when.capitalize(), "strong")
