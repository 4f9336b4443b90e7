"""A word as WordPiece looks it up: the longest prefix first, then one letter less each time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.errors import EmptyInputError
from core.figures.components import Ladder, Stepper
from core.figures.components.ladder import LadderSymbol, Look, Rung, WordLadder
from core.figures.text import Mark, Sentence, sentence
from core.figures.values import Along, Values
from core.language import _, ngettext
from core.locale import grouped
from core.models.needs import Needs
from core.runs.kinds.tokens import Tokenized, TokenizeRequest
from core.runs.request import Request
from core.spelling import visible
from core.text.bpe import split_words
from core.text.learning import MergeTraining
from core.text.wordpiece import Try, WordPiece
from core.text.wordpiece_learning import PieceMerges, words_of
from core.views.text.tokens import ByMerges, WordLookup, looked_up, word_shown, word_steps
from core.views.view import View

MAX_TRIES = 80  # that are drawn of a word


@dataclass(frozen=True)
class WordLookups:
    """Every distinct word of a text, looked up.

    Attributes:
        words: of the text, in order.
        looked: for each of them what is looked up.
        tries: of each distinct one, word by word.
        code: the vocabulary.
        by_model: it is the model's.
        params: what was asked for.
    """

    words: list[str]
    looked: list[WordLookup]
    tries: dict[WordLookup, list[list[Try]]]
    code: WordPiece
    by_model: bool
    params: ByMerges

    @property
    def word(self) -> int:
        """The word that is looked at."""
        return self.params.word_of(len(self.words))

    @property
    def shown(self) -> list[Try]:
        """Its tries, one after the other."""
        return [try_ for tries in self.tries[self.looked[self.word]] for try_ in tries]

    def pieces(self, word: int) -> list[str]:
        """The tokens of a word."""
        return [
            piece for letters in self.looked[word].drawn for piece in self.code.encode_word(letters)
        ]


class TextTriesView(View[ByMerges, WordLookups]):
    """Rows of letters: what is kept, what is tried, what is left."""

    name, Params, needs = "text.tries", ByMerges, Needs(parts=("tokens",))

    def requests(self, params: ByMerges) -> tuple[Request, ...]:
        # A model of another kind takes the learned pieces.
        learned = ByMerges(corpus=params.corpus, merges=params.merges, cutting="wordpiece")
        return (TokenizeRequest(params.model, params.text), learned.learning())

    def compute(self, runs: Sequence[Any], params: ByMerges) -> WordLookups:
        """The words of the text.

        Raises:
            EmptyInputError: there is no word.
        """
        run: Tokenized = runs[0]
        learned: MergeTraining[PieceMerges] = runs[1]
        words = split_words(run.text)
        if not words:
            raise EmptyInputError
        by_model = params.code == "model" and isinstance(run.pieces, WordPiece)
        if by_model and isinstance(run.pieces, WordPiece):
            code, looked = run.pieces, looked_up(run, run.pieces)
        else:
            code = learned.code.pieces
            looked = [WordLookup(tuple(words_of(word))) for word in words]
        tries = {entry: [list(code.tries(word)) for word in entry.drawn] for entry in set(looked)}
        return WordLookups(words, looked, tries, code, by_model, params)

    def values(self, record: WordLookups) -> Mapping[str, Values]:
        shown = record.shown
        row = Along("try", _("try"), [str(i) for i in range(len(shown))])
        word = Along("word", _("word"), [*map(visible, record.words)])
        tried = [visible(try_.piece) for try_ in shown]
        ids = [None if try_.id is None else try_.id for try_ in shown]
        counts = [sum(map(len, record.tries[entry])) for entry in record.looked]
        pieces = [len(record.pieces(n)) for n in range(len(record.words))]
        place = (record.word,)
        return {
            "piece": Values(_("looked up"), np.array(tried, object), (row,)),
            "id": Values(_("id"), np.array(ids, object), (row,)),
            "n_tries": Values(_("tries"), np.array(counts), (word,), selected=place),
            "n_pieces": Values(_("entries"), np.array(pieces), (word,), selected=place),
            "vocab_size": Values(_("entries of the vocabulary"), np.array(record.code.n_entries)),
        }

    def describe(self, record: WordLookups) -> Sentence:
        return _reading(record, record.word)

    def draw(self, record: WordLookups) -> Ladder:
        ids: dict[LadderSymbol, int] = {}
        unique = list(dict.fromkeys(record.looked))
        place = {entry: i for i, entry in enumerate(unique)}
        first = {entry: record.looked.index(entry) for entry in unique}
        ladders = [_ladder(record, first[entry], ids) for entry in unique]
        return Ladder(
            title=ladders[place[record.looked[record.word]]].title,
            selection=record.params.selection(word=record.word),
            pieces={n: piece for piece, n in ids.items()},
            ladders=ladders,
            of=[place[entry] for entry in record.looked],
            first=record.word,
        )

    def steps(self, record: WordLookups) -> Stepper | None:
        """One try after the other, if any word has one."""
        rows = {entry: len(_rungs(record, entry, {})) for entry in record.tries}
        counts = [rows[entry] for entry in record.looked]
        title, chosen = _title(record.words[record.word]), record.params.selection(word=record.word)
        return word_steps(title, str(self.describe(record)), chosen, counts, record.word)


def _title(word: str) -> str:
    return _("How “{word}” is looked up").format(word=word_shown(word))


def _reading(record: WordLookups, word: int) -> Sentence:
    looked, name = record.looked[word], Mark(word_shown(record.words[word]), "query")
    if not looked.words:
        return sentence(_("“{word}” is not read: no token comes from it."), word=name)
    n = sum(map(len, record.tries[looked]))
    return sentence(
        ngettext(
            "For “{word}”, {n} prefix is looked up among {total} entries. Tokens: {tokens}",
            "For “{word}”, {n} prefixes are looked up among {total} entries. Tokens: {tokens}",
            n,
        ),
        word=name,
        n=Mark(str(n), "accent"),
        total=grouped(record.code.n_entries),
        tokens=Mark("  ".join(map(visible, record.pieces(word))), "strong"),
    )


def _ladder(record: WordLookups, word: int, ids: dict[LadderSymbol, int]) -> WordLadder:
    looked = record.looked[word]
    n = sum(map(len, looked.drawn))
    rows = _rungs(record, looked, ids)
    tries = sum(map(len, record.tries[looked]))
    note = ""
    if n < looked.n_letters:
        note = _("Only the first {n} of its {all} letters are looked up here.").format(
            n=n, all=looked.n_letters
        )
    elif tries > MAX_TRIES:
        note = _("Only the first {n} of its {all} tries are drawn.").format(n=MAX_TRIES, all=tries)
    title, alt = _title(record.words[word]), str(_reading(record, word))
    return WordLadder(title=title, alt=alt, note=note, bytes=n, rows=rows)


def _rungs(record: WordLookups, looked: WordLookup, ids: dict[LadderSymbol, int]) -> list[Rung]:
    """The letters, then a row for each try; a word that cannot be written ends as unknown."""

    def symbol(label: str, letters: int) -> int:
        return ids.setdefault(LadderSymbol(label, letters), len(ids))

    letters = [letter for word in looked.drawn for letter in word]
    spelt = [symbol(visible(letter), 1) for letter in letters]
    start = _("its letters") if letters else _("nothing is read")
    rungs = [Rung(spelt, (None,) * max(0, len(spelt) - 1), None, ["rest"] * len(spelt), start)]
    done: list[int] = []  # symbols of the words before
    offset = 0  # letters that they have

    def add(matched: list[int], more: int, look: Look, end: int, note: str) -> None:
        rest = spelt[end:]
        before: list[Look] = ["kept"] * len(matched)
        behind: list[Look] = ["rest"] * len(rest)
        looks = [*before, look, *behind]
        symbols = [*matched, more, *rest]
        rungs.append(Rung(symbols, (None,) * (len(symbols) - 1), None, looks, note))

    for word, tries in zip(looked.drawn, record.tries[looked], strict=True):
        matched: list[int] = []
        for try_ in tries:
            tried = symbol(visible(try_.piece), try_.end - try_.start)
            note = _("no entry") if try_.id is None else _("entry {id}").format(id=grouped(try_.id))
            look: Look = "miss" if try_.id is None else "hit"
            add([*done, *matched], tried, look, offset + try_.end, note)
            matched += [] if try_.id is None else [tried]
        if record.code.encode_word(word) == [record.code.unknown]:
            matched = [symbol(record.code.unknown, len(word))]
            too_long = len(word) > record.code.longest_word
            note = _("too long") if too_long else _("the whole word is unknown")
            add(done, matched[0], "hit", offset + len(word), note)
        done += matched
        offset += len(word)
    return rungs[: MAX_TRIES + 1]
