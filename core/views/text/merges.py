"""A code learnt from a text, merge by merge, and a word that it joins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import EmptyInputError
from core.figures.components import BarFrame, BarRow, Bars, Chip, Follow, Ladder, Stepper, Strip
from core.figures.components.base import Selected
from core.figures.components.ladder import LadderSymbol, MergeOfRow, Rung, WordLadder
from core.figures.components.strip import Reveal
from core.figures.text import Mark, Sentence, join, number, sentence
from core.figures.values import Along, Values
from core.language import _, ngettext
from core.locale import grouped
from core.models.needs import NO_MODEL, Needs
from core.runs.kinds.tokens import Tokenized, TokenizeRequest
from core.runs.request import Request
from core.spelling import bytes_label, visible
from core.text.bpe import BPE, split_words
from core.text.learning import MergeTraining, PairCount, Symbol
from core.views.nearest import nearest
from core.views.text.tokens import ByMerges, Tokenizing, learned_from, word_shown, word_steps
from core.views.view import Note, View

# --- a code learnt from a text, merge by merge: what the views of it share ------------


@dataclass(frozen=True)
class Trained:
    """The learnt code after some of its merges.

    Attributes:
        learning: every state of it.
        params: what was asked for.
    """

    learning: MergeTraining[Any]
    params: ByMerges

    @property
    def n_merges(self) -> int:
        """How many merges were learnt."""
        return len(self.learning.code.merges)

    @property
    def step(self) -> int:
        """How many merges are shown."""
        return min(self.params.so_far, self.n_merges)

    @property
    def scored(self) -> bool:
        """Whether pairs go by a score, not by their count."""
        return bool(self.learning.rivals)

    @property
    def states(self) -> Along:
        """The states of the text: before the first merge, and after each."""
        return Along("state", _("state"), [str(step) for step in range(self.n_merges + 1)])

    def label(self, symbol: int) -> str:
        """A symbol as it is written."""
        return bytes_label(self.learning.code.vocabulary[symbol])

    def done(self, step: int) -> Sentence:
        """What the merge before a state did."""
        if not step:
            if self.scored:
                return sentence(_("Nothing is merged yet: every symbol is one letter."))
            return sentence(_("Nothing is merged yet: every symbol is one byte."))
        merge = self.learning.code.merges[step - 1]
        return sentence(
            ngettext(
                "Merge {n}: “{a}” and “{b}” become “{new}”, {count} time.",
                "Merge {n}: “{a}” and “{b}” become “{new}”, {count} times.",
                merge.count,
            ),
            n=str(step),
            a=Mark(self.label(merge.left), "strong"),
            b=Mark(self.label(merge.right), "strong"),
            new=Mark(self.label(merge.new), "accent"),
            count=Mark(str(merge.count), "accent"),
        )

    def selection(self) -> dict[str, int | str | None]:
        """By the names of the parameters."""
        return self.params.selection(merge=self.step)


class MergesView(View[ByMerges, Trained]):
    """A training, merge by merge."""

    Params, needs = ByMerges, NO_MODEL

    def requests(self, params: ByMerges) -> tuple[Request, ...]:
        return (params.learning(),)

    def compute(self, runs: Sequence[MergeTraining[Any]], params: ByMerges) -> Trained:
        return Trained(runs[0], params)

    def selection(self, record: Trained) -> Selected:
        return record.selection()

    def steps(self, record: Trained) -> Stepper | None:
        if not record.n_merges:
            return None
        return Stepper(
            title=_("Entries learned so far, and how often each pair occurred"),
            selection=record.selection(),
            first=record.step,
            field="merge",
            before=1,
            texts=[record.done(step) for step in range(record.n_merges + 1)],
        )


# --- the distinct words of the training text as symbols, changing with every merge ----


N_WORDS = 48  # words
NEVER = 2**16 - 1  # a step that no lifetime reaches


class TextCorpusView(MergesView):
    """Chips of all symbols that there ever are, each with its lifetime."""

    name = "text.corpus"

    def values(self, record: Trained) -> Mapping[str, Values]:
        learning = record.learning
        words = (Along("word", _("word"), [visible(word.text) for word in learning.words]),)
        counts = np.array([word.count for word in learning.words])
        symbols = [
            " | ".join(record.label(symbol.id) for symbol in _alive(word.symbols, record.step))
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
        for n, word in enumerate(record.learning.words[:N_WORDS]):
            size = sum(not symbol.born for symbol in word.symbols)
            for symbol, end in _placed(word.symbols):
                chips.append(_chip(record, symbol, n))
                notes.append(f"×{word.count}" if end == size and word.count > 1 else "")
                life.append((symbol.born, NEVER if symbol.gone is None else symbol.gone))
        return Strip(
            title=title,
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
    hidden, cut = len(record.learning.words) - N_WORDS, len(record.learning.cut)
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


# --- how often each pair of neighbours stands in the training text, before every merge


class TextPairsView(MergesView):
    """A frame of bars for each state."""

    name = "text.pairs"

    def values(self, record: Trained) -> Mapping[str, Values]:
        states, wide = record.learning.pairs, _width(record)
        axes = (record.states, Along("rank", _("rank"), [str(i) for i in range(wide)]))
        columns = {"left": _("left"), "right": _("right"), "count": _("count")}
        arrays = {name: np.full((len(states), wide), None, object) for name in columns}
        for step, pairs in enumerate(states):
            for rank, pair in enumerate(pairs):
                arrays["left"][step, rank] = record.label(pair.left)
                arrays["right"][step, rank] = record.label(pair.right)
                arrays["count"][step, rank] = pair.count
        place = (record.step, 0)
        values = {
            name: Values(label, arrays[name], axes, selected=place)
            for name, label in columns.items()
        }
        if record.scored:
            values["score"] = Values(_("score"), _scores(record), axes, selected=place)
        return values

    def describe(self, record: Trained) -> Sentence:
        return _reading(record, record.step)

    def draw(self, record: Trained) -> Bars:
        states = record.learning.pairs
        return Bars(
            title=_("Pairs of neighbours, highest score first")
            if record.scored
            else _("Pairs of neighbours, most frequent first"),
            frames=[_frame(record, step) for step in range(len(states))],
            values=np.nan_to_num(_scores(record))[:, None].astype(np.float32),
            unit="number" if record.scored else "count",
            follow=Follow("merge", first=record.step),
        )


def _width(record: Trained) -> int:
    """The most pairs that a state has; one at least."""
    return max(1, *(len(pairs) for pairs in record.learning.pairs))


def _scores(record: Trained) -> NDArray[np.float64]:
    """``(states, ranks)`` what the pairs go by; NaN where a state has fewer."""
    scores = np.full((len(record.learning.pairs), _width(record)), np.nan)
    for step, pairs in enumerate(record.learning.pairs):
        scores[step, : len(pairs)] = [pair.score for pair in pairs]
    return scores


def _frame(record: Trained, step: int) -> BarFrame:
    """The pairs of a state; the first one is merged next."""
    pairs, reading = record.learning.pairs[step], str(_reading(record, step))
    rows = [
        BarRow(
            f"{pair.left} {pair.right}",
            f"{record.label(pair.left)} + {record.label(pair.right)}",
            chosen=not rank and step < record.n_merges,
        )
        for rank, pair in enumerate(pairs)
    ]
    title = sentence(
        _("Score of each pair: its count, divided by the counts of both parts")
        if record.scored
        else _("How often pairs of neighbours occur")
    )
    return BarFrame(rows, title=title, alt=reading, note="" if pairs else reading)


def _reading(record: Trained, step: int) -> Sentence:
    pairs = record.learning.pairs[step]
    if not pairs:
        return sentence(_("No pair is left to merge: every word is one symbol."))
    best = pairs[0]
    if record.scored:
        return _score_sentence(record, step)
    return sentence(
        ngettext(
            "“{a}” and “{b}” are neighbours {count} time. No other pair is more frequent, so "
            "they are merged next.",
            "“{a}” and “{b}” are neighbours {count} times. No other pair is more frequent, so "
            "they are merged next.",
            best.count,
        )
        if step < record.n_merges
        else _("“{a}” and “{b}”, {count} times, would be merged next."),
        a=Mark(record.label(best.left), "strong"),
        b=Mark(record.label(best.right), "strong"),
        count=Mark(str(best.count), "accent"),
    )


def _score_sentence(record: Trained, step: int) -> Sentence:
    """What WordPiece joins next, and what byte-pair encoding would."""
    best, rival = record.learning.pairs[step][0], record.learning.rivals[step]
    sentences = [
        sentence(
            _("Counts: “{a}” {left}, “{b}” {right}, both side by side {count}. The score is "
              "{count}/({left} × {right}) = {score}, the highest."),
            **_names(record, best), **_counts(best),
        )
    ]  # fmt: skip
    if rival is not None and (rival.left, rival.right) != (best.left, best.right):
        sentences.append(
            sentence(
                _("Byte-pair encoding would merge the most frequent pair, “{a}” and “{b}”: count "
                  "{count}, score {score}."),
                **_names(record, rival), **_counts(rival),
            )
        )  # fmt: skip
    return join(sentences)


def _names(record: Trained, pair: PairCount) -> dict[str, Mark]:
    return {
        "a": Mark(record.label(pair.left), "strong"), "b": Mark(record.label(pair.right), "strong")
    }  # fmt: skip


def _counts(pair: PairCount) -> dict[str, Mark]:
    left, right = pair.alone or (0, 0)
    return {
        "left": Mark(str(left), "plain"), "right": Mark(str(right), "plain"),
        "count": Mark(str(pair.count), "accent"), "score": Mark(number(pair.score), "accent"),
    }  # fmt: skip


# --- the new entries of the vocabulary, in the order they were learnt -----------------


class TextLearntView(MergesView):
    """A chip for each entry, which comes with its merge."""

    name = "text.learnt"

    def values(self, record: Trained) -> Mapping[str, Values]:
        merges = record.learning.code.merges
        axes = (Along("merge", _("merge"), [str(n) for n in range(1, len(merges) + 1)]),)
        columns = {
            "left": (_("left"), [record.label(merge.left) for merge in merges]),
            "right": (_("right"), [record.label(merge.right) for merge in merges]),
            "new": (_("new"), [record.label(merge.new) for merge in merges]),
            "id": (_("id"), [merge.new for merge in merges]),
            "count": (_("count"), [merge.count for merge in merges]),
        }
        place = (record.step - 1,) if record.step else None
        return {
            name: Values(label, np.array(column, object), axes, selected=place)
            for name, (label, column) in columns.items()
        }

    def describe(self, record: Trained) -> Sentence:
        return record.done(record.step)

    def draw(self, record: Trained) -> Strip:
        title = _("Entries learned so far, and how often each pair occurred")
        merges = record.learning.code.merges
        return Strip(
            title=title,
            name=title,
            heading=sentence(title),
            tokens=[
                Chip(record.label(merge.new), "word", str(record.done(step)), group=merge.new)
                for step, merge in enumerate(merges, start=1)
            ],
            notes=[str(merge.count) for merge in merges],
            coloured=True,
            still=True,
            long=len(merges) + 1,
            reveal=Reveal("merge", 0, record.step),
        )

    def notes(self, record: Trained) -> Sequence[Note]:
        return learned_from(record.params, record.learning)


# --- a word from its bytes to its tokens: again and again the pair learnt earliest is joined


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
        """The rows of the word that is selected."""
        return self.rungs[self.words[self.word]]

    @property
    def counts(self) -> list[int]:
        """How many rows each word of the text has."""
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


class TextEncodeView(View[Tokenizing, Encoding]):
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
        model_code = run.code if params.code == "model" else None
        code = runs[1].code if model_code is None else model_code
        words = split_words(run.text)
        if not words:
            raise EmptyInputError
        return Encoding(
            words, {word: _rungs(code, _drawn_letters(word)) for word in words}, code, params
        )

    def values(self, record: Encoding) -> Mapping[str, Values]:
        rungs = record.shown
        row = Along("row", _("row"), [str(i) for i in range(len(rungs))])
        widest = max(len(rung.symbols) for rung in rungs)
        place = Along("place", _("place"), [str(i) for i in range(widest)])
        word = Along("word", _("word"), [*map(visible, record.words)])
        merges = [None if rung.joined is None else rung.joined.rank for rung in rungs]
        symbols = [" | ".join(map(record.label, rung.symbols)) for rung in rungs]
        ranks = [[*rung.ranks, *[None] * (widest - len(rung.ranks))] for rung in rungs]
        ends = [(record.rungs[word][0], record.rungs[word][-1]) for word in record.words]
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
        return _encode_reading(record, record.words[record.word])

    def draw(self, record: Encoding) -> Ladder:
        unique = list(record.rungs)
        place = {word: i for i, word in enumerate(unique)}
        used = {i for rungs in record.rungs.values() for rung in rungs for i in rung.symbols}
        return Ladder(
            title=_title(record.words[record.word]),
            selection=record.selection(),
            pieces={
                i: LadderSymbol(record.label(i), len(record.code.vocabulary[i]))
                for i in sorted(used)
            },
            ladders=[_ladder(record, word) for word in unique],
            of=[place[word] for word in record.words],
            first=record.word,
        )

    def steps(self, record: Encoding) -> Stepper | None:
        """From the bytes to the tokens, if any word has merges."""
        counts = record.counts
        title, chosen = _title(record.words[record.word]), record.selection()
        return word_steps(title, str(self.describe(record)), chosen, counts, record.word)


def _drawn_letters(word: str) -> str:
    """As many whole characters of a word as are drawn."""
    return word.encode()[:MAX_BYTES].decode(errors="ignore")


def _rungs(code: BPE, word: str) -> list[Rung]:
    """The rows of a word. Merges are counted from 1, as where they are learned."""
    return [
        Rung(
            step.symbols,
            tuple(_place(code.rank(a, b)) for a, b in pairwise(step.symbols)),
            None if step.merge is None else MergeOfRow(step.merge + 1, step.at),
        )
        for step in code.encode_word(word)
    ]


def _place(rank: int | None) -> int | None:
    return None if rank is None else rank + 1


def _title(word: str) -> str:
    return _("How “{word}” is put together").format(word=word_shown(word))


def _encode_reading(record: Encoding, word: str) -> Sentence:
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
        alt=str(_encode_reading(record, word)),
        note=part if drawn < n_bytes else "",
        bytes=drawn,
        rows=rungs,
    )
