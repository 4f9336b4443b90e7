"""A word from its bytes to its tokens: again and again the pair learnt earliest is joined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from core.errors import EmptyInputError
from core.figures.components import Ladder, Stepper
from core.figures.components.ladder import Joined, Piece, Rung, WordLadder
from core.figures.text import Mark, Sentence, sentence
from core.figures.values import Along, Values
from core.language import _
from core.locale import grouped
from core.models.needs import Needs
from core.runs.requests import Request, TokenizeRequest
from core.runs.results import Tokenized
from core.spelling import bytes_label, visible
from core.text.bpe import BPE, split_words
from core.views.nearest import nearest
from core.views.text.tokenizing import Tokenizing, word_shown
from core.views.view import View

MAX_BYTES = 32  # that are drawn of a word


@dataclass(frozen=True)
class Encoding:
    """Every distinct word of a text, put together row by row.

    Attributes:
        words: of the text, in order.
        rungs: of each distinct word, from its bytes to its tokens.
        code: whose merges they are.
        params: what was asked for.
    """

    words: list[str]
    rungs: dict[str, list[Rung]]
    code: BPE
    params: Tokenizing

    @property
    def word(self) -> int:
        """The word that is looked at."""
        return self.params.word_of(len(self.words))

    @property
    def shown(self) -> list[Rung]:
        """Its rows."""
        return self.rungs[self.words[self.word]]

    @property
    def counts(self) -> list[int]:
        """Rows of each word."""
        return [len(self.rungs[word]) for word in self.words]

    @property
    def row(self) -> int:
        """The row that is looked at."""
        last, join = len(self.shown) - 1, self.params.join
        return last if join < 0 else nearest("join", join, last)

    def label(self, symbol: int) -> str:
        """A symbol as it is written."""
        return bytes_label(self.code.vocabulary[symbol])

    def selection(self) -> dict[str, int | str | None]:
        """By the names of the parameters."""
        return self.params.selection(word=self.word)


class EncodeWord(View[Tokenizing, Encoding]):
    """Rows of symbols."""

    name, Params, needs = "text.encode", Tokenizing, Needs(parts=("tokens",))

    def requests(self, params: Tokenizing) -> tuple[Request, ...]:
        # A model of another kind takes the learned merges.
        return (TokenizeRequest(params.model, params.text), params.learning())

    def compute(self, runs: Sequence[Any], params: Tokenizing) -> Encoding:
        """The words of the text.

        Raises:
            EmptyInputError: there is no word.
        """
        run: Tokenized = runs[0]
        own = run.code if params.code == "model" else None
        code = runs[1].code if own is None else own
        words = split_words(run.text)
        if not words:
            raise EmptyInputError
        return Encoding(words, {word: _rungs(code, _drawn(word)) for word in words}, code, params)

    def values(self, record: Encoding) -> Mapping[str, Values]:
        rungs = record.shown
        row = Along("row", _("row"), [str(at) for at in range(len(rungs))])
        widest = max(len(rung.symbols) for rung in rungs)
        place = Along("place", _("place"), [str(at) for at in range(widest)])
        word = Along("word", _("word"), [*map(visible, record.words)])
        merges = [None if rung.joined is None else rung.joined.rank for rung in rungs]
        symbols = [" | ".join(map(record.label, rung.symbols)) for rung in rungs]
        ranks = [[*rung.ranks, *[None] * (widest - len(rung.ranks))] for rung in rungs]
        ends = [(record.rungs[one][0], record.rungs[one][-1]) for one in record.words]
        return {
            "merge": Values(_("merge"), np.array(merges, object), (row,)),
            "symbols": Values(
                _("symbols"), np.array(symbols, object), (row,), selected=(record.row,)
            ),
            "rank": Values(
                _("where this merge stands in the list of merges"), np.array(ranks, object),
                (row, place),
            ),
            "n_bytes": Values(_("bytes"), np.array([len(a.symbols) for a, _b in ends]), (word,)),
            "n_merges": Values(_("merges"), np.array(record.counts) - 1, (word,)),
            "n_symbols": Values(
                _("entries"), np.array([len(b.symbols) for _a, b in ends]), (word,),
                selected=(record.word,),
            ),
            "vocab_size": Values(_("entries of the vocabulary"), np.array(record.code.n_entries)),
        }  # fmt: skip

    def describe(self, record: Encoding) -> Sentence:
        return _reading(record, record.words[record.word])

    def draw(self, record: Encoding) -> Ladder:
        unique = list(record.rungs)
        place = {word: at for at, word in enumerate(unique)}
        used = {i for rungs in record.rungs.values() for rung in rungs for i in rung.symbols}
        return Ladder(
            title=_title(record.words[record.word]),
            selection=record.selection(),
            pieces={
                i: Piece(record.label(i), len(record.code.vocabulary[i])) for i in sorted(used)
            },
            ladders=[_ladder(record, word) for word in unique],
            of=[place[word] for word in record.words],
            first=record.word,
        )

    def steps(self, record: Encoding) -> Stepper | None:
        """From the bytes to the tokens, if any word has merges."""
        counts = record.counts
        if max(counts) < 2:
            return None
        return Stepper(
            title=_title(record.words[record.word]),
            alt=str(self.describe(record)),
            selection=record.selection(),
            n=max(counts),
            first=max(counts),
            field="join",
            before=1,
            n_by={"field": "word", "first": record.word, "counts": counts},
        )


def _drawn(word: str) -> str:
    """As many whole characters of a word as are drawn."""
    return word.encode()[:MAX_BYTES].decode(errors="ignore")


def _rungs(code: BPE, word: str) -> list[Rung]:
    """The rows of a word. Merges are counted from 1, as where they are learned."""
    return [
        Rung(
            step.symbols,
            tuple(_place(code.rank(a, b)) for a, b in pairwise(step.symbols)),
            None if step.merge is None else Joined(step.merge + 1, step.at),
        )
        for step in code.encode_word(word)
    ]


def _place(rank: int | None) -> int | None:
    return None if rank is None else rank + 1


def _title(word: str) -> str:
    return _("How “{word}” is put together").format(word=word_shown(word))


def _reading(record: Encoding, word: str) -> Sentence:
    rungs = record.rungs[word]
    return sentence(
        _("“{word}” starts as {bytes} bytes. {merges} merges leave {n} of {total} entries: "
          "{tokens}"),
        word=Mark(word_shown(word), "query"),
        bytes=str(len(rungs[0].symbols)),
        merges=Mark(str(len(rungs) - 1), "accent"),
        n=Mark(str(len(rungs[-1].symbols)), "accent"),
        total=grouped(record.code.n_entries),
        tokens=Mark("  ".join(map(record.label, rungs[-1].symbols)), "strong"),
    )  # fmt: skip


def _ladder(record: Encoding, word: str) -> WordLadder:
    rungs, n_bytes = record.rungs[word], len(word.encode())
    drawn = len(rungs[0].symbols)
    part = _("Only the first {n} of its {all} bytes are drawn.").format(n=drawn, all=n_bytes)
    return WordLadder(
        title=_title(word),
        alt=str(_reading(record, word)),
        note=part if drawn < n_bytes else "",
        bytes=drawn,
        rows=rungs,
    )
