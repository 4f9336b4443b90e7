"""The words of the training text as their most probable pieces, changing with every round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.components import Chip, Follow, Stepper, Strip
from core.figures.text import Mark, Sentence, sentence
from core.figures.values import Along, Values
from core.language import _, ngettext
from core.locale import grouped
from core.models.needs import NO_MODEL
from core.runs.requests import Request
from core.text.unigram_learning import UnigramTraining
from core.views.text.corpus import NEVER, SHOWN
from core.views.text.rounds import Rounds, round_steps, rounds, rounds_requests
from core.views.text.tokenizing import ByPieces
from core.views.text.unigram import piece_label
from core.views.view import View


class Segmented(View[ByPieces, Rounds]):
    """Chips of every segmentation that a word ever had, each with its lifetime."""

    name, Params, needs = "text.segmented", ByPieces, NO_MODEL

    def requests(self, params: ByPieces) -> tuple[Request, ...]:
        return rounds_requests(params)

    def compute(self, runs: Sequence[UnigramTraining], params: ByPieces) -> Rounds:
        return rounds(runs, params)

    def values(self, record: Rounds) -> Mapping[str, Values]:
        learning = record.learning
        words = (Along("word", _("word"), [piece_label(word) for word, _n in learning.words]),)
        cuts = [" | ".join(map(piece_label, cut)) for cut in record.all[record.at].cuts]
        return {
            "count": Values(_("count"), np.array([n for _word, n in learning.words], int), words),
            "cut": Values(_("most probable segmentation"), np.array(cuts, object), words),
            "n_pieces": Values(
                _("pieces of the text"),
                np.array([_pieces(record, n) for n in range(len(record.all))]),
                (record.states,), selected=(record.at,),
            ),
            "n_characters": Values(_("characters of the text"), np.array(len(learning.text))),
            "n_cut": Values(_("characters that were left out"), np.array(len(learning.cut))),
        }  # fmt: skip

    def describe(self, record: Rounds) -> Sentence:
        return sentence(
            _("{words} distinct words, {characters} characters; in this round {pieces} pieces, in "
              "the first {first}."),
            words=grouped(len(record.learning.words)),
            characters=grouped(len(record.learning.text)),
            pieces=Mark(grouped(_pieces(record, record.at)), "accent"),
            first=grouped(_pieces(record, 0)),
        )  # fmt: skip

    def draw(self, record: Rounds) -> Strip:
        title = _("The training text, every distinct word once")
        chips: list[Chip] = []
        notes: list[str] = []
        life: list[tuple[int, int]] = []
        groups = {piece: n for n, piece in enumerate(record.learning.code.scores)}
        for n, (_word, count) in enumerate(record.learning.words[:SHOWN]):
            for cut, born, gone in _lives(record, n):
                for at, piece in enumerate(cut):
                    group = groups.get(piece, len(groups)) if len(piece) > 1 else None
                    chips.append(Chip(piece_label(piece), "word", "", group=group, word=n))
                    notes.append(f"×{count}" if at == len(cut) - 1 and count > 1 else "")
                    life.append((born, gone))
        hidden = len(record.learning.words) - SHOWN
        lines = [
            sentence(
                ngettext(
                    "{n} rarer word is counted too, but not drawn.",
                    "{n} rarer words are counted too, but not drawn.",
                    hidden,
                ),
                n=grouped(hidden),
            )
        ]
        return Strip(
            title=title,
            selection=record.selection(),
            name=title,
            heading=sentence(title),
            tokens=chips,
            notes=notes,
            coloured=True,
            compact=True,
            still=True,
            long=len(chips) + 1,
            follow=Follow("round", first=record.at),
            life=np.array(life, np.int32).reshape(-1, 2),
            lines=lines if hidden > 0 else [],
        )

    def steps(self, record: Rounds) -> Stepper | None:
        return round_steps(record)


def _pieces(record: Rounds, n: int) -> int:
    """Of how many pieces the text is made in a round."""
    cuts = record.all[n].cuts
    return sum(
        count * len(cut) for (_word, count), cut in zip(record.learning.words, cuts, strict=True)
    )


def _lives(record: Rounds, word: int) -> list[tuple[tuple[str, ...], int, int]]:
    """Each segmentation of a word, and from which round to which it has it."""
    found: list[tuple[tuple[str, ...], int, int]] = []
    for n, one in enumerate(record.all):
        if found and found[-1][0] == one.cuts[word]:
            continue
        if found:
            found[-1] = (found[-1][0], found[-1][1], n)
        found.append((one.cuts[word], n, NEVER))
    return found
