"""The distinct words of the training text as symbols, changing with every merge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from core.figures.components import Chip, Follow, Stepper, Strip
from core.figures.text import Mark, Sentence, sentence
from core.figures.values import Along, Values
from core.language import _, ngettext
from core.locale import grouped
from core.models.needs import NO_MODEL
from core.runs.requests import Request
from core.spelling import visible
from core.text.learning import MergeTraining, Symbol
from core.views.text.tokenizing import ByMerges
from core.views.text.trained import Trained, merge_steps, trained, training_requests
from core.views.view import View

SHOWN = 48  # words
NEVER = 2**16 - 1  # a step that no lifetime reaches


class Corpus(View[ByMerges, Trained]):
    """Chips of all symbols that there ever are, each with its lifetime."""

    name, Params, needs = "text.corpus", ByMerges, NO_MODEL

    def requests(self, params: ByMerges) -> tuple[Request, ...]:
        return training_requests(params)

    def compute(self, runs: Sequence[MergeTraining[Any]], params: ByMerges) -> Trained:
        return trained(runs, params)

    def values(self, record: Trained) -> Mapping[str, Values]:
        learning = record.learning
        words = (Along("word", _("word"), [visible(word.text) for word in learning.words]),)
        counts = np.array([word.count for word in learning.words])
        symbols = [
            " | ".join(record.label(one.id) for one in _alive(word.symbols, record.step))
            for word in learning.words
        ]
        return {
            "count": Values(_("count"), counts, words),
            "symbols": Values(_("symbols"), np.array(symbols, object), words),
            "n_symbols": Values(
                _("symbols of the text"), learning.n_tokens, (record.states,),
                selected=(record.step,),
            ),
            "n_words": Values(_("distinct words"), np.array(len(learning.words))),
            "n_characters": Values(_("characters of the text"), np.array(len(learning.text))),
            "n_cut": Values(_("characters that were left out"), np.array(len(learning.cut))),
        }  # fmt: skip

    def describe(self, record: Trained) -> Sentence:
        learning = record.learning
        return sentence(
            _("{words} distinct words, {characters} characters; now {tokens} symbols, at first "
              "{bytes}."),
            words=grouped(len(learning.words)),
            characters=grouped(len(learning.text)),
            tokens=Mark(grouped(learning.n_tokens[record.step]), "accent"),
            bytes=grouped(learning.n_tokens[0]),
        )  # fmt: skip

    def draw(self, record: Trained) -> Strip:
        title = _("The training text, every distinct word once")
        chips: list[Chip] = []
        notes: list[str] = []
        life: list[tuple[int, int]] = []
        for n, word in enumerate(record.learning.words[:SHOWN]):
            size = sum(not symbol.born for symbol in word.symbols)
            for symbol, end in _placed(word.symbols):
                chips.append(_chip(record, symbol, n))
                notes.append(f"×{word.count}" if end == size and word.count > 1 else "")
                life.append((symbol.born, NEVER if symbol.gone is None else symbol.gone))
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
            follow=Follow("merge", first=record.step),
            life=np.array(life, np.int32).reshape(-1, 2),
            lines=_lines(record),
        )

    def steps(self, record: Trained) -> Stepper | None:
        return merge_steps(record)


def _chip(record: Trained, symbol: Symbol, word: int) -> Chip:
    """A symbol of a word; those that merges made have a colour."""
    return Chip(
        record.label(symbol.id),
        "word",
        _("id {id}").format(id=symbol.id),
        group=symbol.id if symbol.born else None,
        word=word,
    )


def _lines(record: Trained) -> list[Sentence]:
    """What is not drawn, and what was not learnt from."""
    hidden, cut = len(record.learning.words) - SHOWN, len(record.learning.cut)
    lines = []
    if hidden > 0:
        lines.append(
            sentence(
                ngettext(
                    "{n} rarer word is counted too, but not drawn.",
                    "{n} rarer words are counted too, but not drawn.",
                    hidden,
                ),
                n=grouped(hidden),
            )
        )
    if cut:
        lines.append(
            sentence(
                _(
                    "The merges are learned from the first {n} characters only; {cut} were left "
                    "out."
                ),
                n=Mark(grouped(len(record.learning.text)), "warning"),
                cut=Mark(grouped(cut), "warning"),
            )
        )
    return lines


def _placed(symbols: Sequence[Symbol]) -> Iterator[tuple[Symbol, int]]:
    """Every symbol a word was ever made of, and where in the word it ends, in first symbols."""
    end = 0
    for symbol in symbols:
        # A merged symbol stands right behind its parts, so it ends where they end.
        end += not symbol.born
        yield symbol, end


def _alive(symbols: Sequence[Symbol], step: int) -> list[Symbol]:
    """What a word is made of after some merges."""
    return [s for s in symbols if s.born <= step and (s.gone is None or step < s.gone)]
