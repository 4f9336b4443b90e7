"""A unigram vocabulary that is learned round by round, and how short a text becomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.codes import huffman_bits
from core.analysis.distributions import order_0_entropy
from core.figures.components import BarFrame, BarRow, Bars, Chip, Follow, Stepper, Strip
from core.figures.components.base import Selected
from core.figures.components.plot import Curve, Plot, PlotAxis, Rule
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _, ngettext
from core.locale import grouped
from core.models.needs import NO_MODEL
from core.runs.request import Request
from core.text.learning import MergeTraining
from core.text.unigram_learning import Entry, Round, UnigramTraining
from core.views.nearest import nearest
from core.views.params import param
from core.views.text.merges import N_WORDS, NEVER
from core.views.text.tokens import ByPieces, learned_from
from core.views.text.unigram import piece_label
from core.views.view import Note, View

# --- a unigram vocabulary that is learned from a text, round by round: what the views of it share


@dataclass(frozen=True)
class Rounds:
    """The rounds, and which one is shown.

    Attributes:
        learning: every round.
        params: what was asked for.
    """

    learning: UnigramTraining
    params: ByPieces

    @property
    def all(self) -> tuple[Round, ...]:
        """All rounds of the training, in order."""
        return self.learning.rounds

    @property
    def round(self) -> int:
        """The round that is shown."""
        return nearest("round", self.params.round, len(self.all) - 1)

    @property
    def states(self) -> Along:
        """The rounds, as an axis."""
        return Along("round", _("round"), [str(n) for n in range(len(self.all))])

    def done(self, n: int) -> Sentence:
        """What a round does."""
        round_ = self.all[n]
        gone = sum(not entry.kept for entry in round_.entries)
        changes: dict[str, Mark | str] = {
            "n": str(n),
            "entries": Mark(grouped(len(round_.entries)), "strong"),
            "before": number(round_.bits[0]),
            "after": Mark(number(round_.bits[-1]), "accent"),
        }
        if not gone:
            return sentence(
                _("Round {n}: {entries} entries are left. Expectation maximisation takes the text "
                  "from {before} to {after} bits. Nothing more is removed."),
                **changes,
            )  # fmt: skip
        return sentence(
            ngettext(
                "Round {n}: {entries} entries. Expectation maximisation takes the text from "
                "{before} to {after} bits. Then {gone} entry is removed.",
                "Round {n}: {entries} entries. Expectation maximisation takes the text from "
                "{before} to {after} bits. Then {gone} entries are removed.",
                gone,
            ),
            gone=Mark(grouped(gone), "warning"),
            **changes,
        )

    def selection(self) -> dict[str, int | str | None]:
        """By the names of the parameters."""
        return self.params.selection(round=self.round)


class RoundsView(View[ByPieces, Rounds]):
    """A training, round by round."""

    Params, needs = ByPieces, NO_MODEL

    def requests(self, params: ByPieces) -> tuple[Request, ...]:
        return (params.unigram(),)

    def compute(self, runs: Sequence[UnigramTraining], params: ByPieces) -> Rounds:
        return Rounds(runs[0], params)

    def selection(self, record: Rounds) -> Selected:
        return record.selection()

    def steps(self, record: Rounds) -> Stepper | None:
        if len(record.all) < 2:
            return None
        return Stepper(
            title=_("Rounds of learning"),
            selection=record.selection(),
            first=record.round,
            field="round",
            before=1,
            texts=[record.done(n) for n in range(len(record.all))],
        )


# --- the entries of a unigram vocabulary in each round: how probable, and what the text would lose


N_ENTRIES = 12  # entries of a round
NOTHING = 1e-4  # bits; what loses less is said to lose next to nothing


class TextEntriesView(RoundsView):
    """A frame of bars for each round: the most probable entries."""

    name = "text.entries"

    def values(self, record: Rounds) -> Mapping[str, Values]:
        axes, wide = _axes(record)
        entries = [round_.entries for round_ in record.all]
        return {
            "piece": Values(
                _("entry"), _table([[piece_label(e.piece) for e in es] for es in entries], wide),
                axes
            ),
            "probability": Values(
                _("probability"), _numbers([[e.probability for e in es] for es in entries], wide),
                axes, selected=(record.round, 0),
            ),
            "expected": Values(
                _("expected count"), _numbers([[e.expected for e in es] for es in entries], wide),
                axes,
            ),
            "n_entries": Values(
                _("entries"), np.array([len(es) for es in entries]), (record.states,),
                selected=(record.round,),
            ),
            "bits": Values(
                _("bits of the text"), np.array([round_.bits[-1] for round_ in record.all]),
                (record.states,), selected=(record.round,),
            ),
        }  # fmt: skip

    def describe(self, record: Rounds) -> Sentence:
        return _probable(record, record.round)

    def draw(self, record: Rounds) -> Bars:
        values = np.zeros((len(record.all), 1, N_ENTRIES), np.float32)
        for n, round_ in enumerate(record.all):
            top = [entry.probability for entry in round_.entries[:N_ENTRIES]]
            values[n, 0, : len(top)] = top
        title = _("Most probable entries")
        return Bars(
            title=title,
            frames=[
                _frame(round_.entries[:N_ENTRIES], title, _probable(record, n))
                for n, round_ in enumerate(record.all)
            ],
            values=values,
            follow=Follow("round", first=record.round),
        )

    def notes(self, record: Rounds) -> Sequence[Note]:
        return learned_from(record.params, record.learning)


class TextLossesView(RoundsView):
    """A frame of bars for each round: the entries that the text would miss least."""

    name = "text.losses"

    def values(self, record: Rounds) -> Mapping[str, Values]:
        entries = [_by_loss(round_) for round_ in record.all]
        wide = max(1, *map(len, entries))
        axes = (record.states, Along("rank", _("rank"), [str(rank) for rank in range(wide)]))
        gone = [sum(not entry.kept for entry in round_.entries) for round_ in record.all]
        return {
            "piece": Values(
                _("entry"), _table([[piece_label(e.piece) for e in es] for es in entries], wide),
                axes
            ),
            "loss": Values(
                _("bits without it"),
                _numbers([[e.loss or 0.0 for e in es] for es in entries], wide),
                axes, selected=(record.round, 0),
            ),
            "kept": Values(
                _("kept"), _table([[int(e.kept) for e in es] for es in entries], wide), axes
            ),
            "n_removed": Values(_("removed"), np.array(gone), (record.states,),
                                selected=(record.round,)),
        }  # fmt: skip

    def describe(self, record: Rounds) -> Sentence:
        return _cheapest(record, record.round)

    def draw(self, record: Rounds) -> Bars:
        title = _("Bits that the text would be longer without an entry, smallest first")
        values = np.zeros((len(record.all), 1, N_ENTRIES), np.float32)
        frames = []
        for n, round_ in enumerate(record.all):
            listed = _around(_by_loss(round_))
            values[n, 0, : len(listed)] = [entry.loss or 0.0 for entry in listed]
            frames.append(_frame(listed, title, _cheapest(record, n), removed=True))
        return Bars(
            title=title,
            frames=frames,
            values=values,
            unit="number",
            follow=Follow("round", first=record.round),
        )


def _axes(record: Rounds) -> tuple[tuple[Along, Along], int]:
    wide = max(1, *(len(round_.entries) for round_ in record.all))
    return (record.states, Along("rank", _("rank"), [str(rank) for rank in range(wide)])), wide


def _table(lines: Sequence[Sequence[object]], wide: int) -> np.ndarray:
    return np.array([[*line, *[None] * (wide - len(line))] for line in lines], object)


def _numbers(lines: Sequence[Sequence[float]], wide: int) -> np.ndarray:
    return np.array([[*line, *[np.nan] * (wide - len(line))] for line in lines], np.float64)


def _by_loss(round_: Round) -> list[Entry]:
    """The entries that may go, the one that costs least first."""
    entries = [entry for entry in round_.entries if entry.loss is not None]
    return sorted(entries, key=lambda entry: (entry.kept, entry.loss or 0.0, entry.piece))


def _around(entries: Sequence[Entry]) -> Sequence[Entry]:
    """Those on both sides of the line between what goes and what stays."""
    gone = sum(not entry.kept for entry in entries)
    start = max(0, min(gone - N_ENTRIES // 2, len(entries) - N_ENTRIES))
    return entries[start : start + N_ENTRIES]


def _frame(
    entries: Sequence[Entry], title: str, reading: Sentence, *, removed: bool = False
) -> BarFrame:
    rows = [
        BarRow(
            entry.piece,
            piece_label(entry.piece) + ("" if entry.kept or not removed else "  ✕"),
            role=None if entry.kept or not removed else "key",
        )
        for entry in entries
    ]
    return BarFrame(
        rows,
        title=sentence("{title}", title=title),
        alt=str(reading),
        note=str(reading) if removed or not rows else None,
    )


def _probable(record: Rounds, n: int) -> Sentence:
    round_ = record.all[n]
    if not round_.entries:
        return sentence(_("There is nothing to learn from."))
    best = round_.entries[0]
    return sentence(
        _("Round {n}: “{piece}” is the most probable of {entries} entries, with {share}. It is "
          "expected {expected} times in the text."),
        n=str(n),
        piece=Mark(piece_label(best.piece), "strong"),
        entries=grouped(len(round_.entries)),
        share=Mark(percent(best.probability), "accent"),
        expected=number(best.expected),
    )  # fmt: skip


def _cheapest(record: Rounds, n: int) -> Sentence:
    entries = _by_loss(record.all[n])
    if not entries:
        return sentence(_("Only letters are left. They always stay, so that any word can be cut."))
    best = entries[0]
    template = (
        _("Round {n}: {kept} entries of several letters stay. The cheapest of them is “{piece}”: "
          "without it the text would be {loss} bits longer.")
        if best.kept
        else _("Round {n}: {gone} entries go, {kept} entries of several letters stay. Without "
               "“{piece}” the text would be only {loss} bits longer.")
    )  # fmt: skip
    gone = sum(not entry.kept for entry in entries)
    summary = sentence(
        template,
        n=str(n),
        gone=Mark(grouped(gone), "warning"),
        kept=Mark(grouped(len(entries) - gone), "accent"),
        piece=Mark(piece_label(best.piece), "strong"),
        loss=Mark(number(best.loss or 0.0, 2), "accent"),
    )
    if (entries[max(0, gone - 1)].loss or 0.0) >= NOTHING:
        return summary
    unused = _(
        "Such a small loss means that expectation maximisation no longer uses the entry: other "
        "entries write the same letters."
    )
    return join([summary, sentence(unused)])


# --- the words of the training text as their most probable pieces, changing with every round


class TextSegmentedView(RoundsView):
    """Chips of every segmentation that a word ever had, each with its lifetime."""

    name = "text.segmented"

    def values(self, record: Rounds) -> Mapping[str, Values]:
        learning = record.learning
        words = (Along("word", _("word"), [piece_label(word) for word, _n in learning.words]),)
        cuts = [" | ".join(map(piece_label, cut)) for cut in record.all[record.round].cuts]
        return {
            "count": Values(_("count"), np.array([n for _word, n in learning.words], int), words),
            "cut": Values(_("most probable segmentation"), np.array(cuts, object), words),
            "n_pieces": Values(
                _("pieces of the text"),
                np.array([_pieces(record, n) for n in range(len(record.all))]),
                (record.states,), selected=(record.round,),
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
            pieces=Mark(grouped(_pieces(record, record.round)), "accent"),
            first=grouped(_pieces(record, 0)),
        )  # fmt: skip

    def draw(self, record: Rounds) -> Strip:
        title = _("The training text, every distinct word once")
        chips: list[Chip] = []
        notes: list[str] = []
        life: list[tuple[int, int]] = []
        groups = {piece: n for n, piece in enumerate(record.learning.code.scores)}
        for n, (_word, count) in enumerate(record.learning.words[:N_WORDS]):
            for cut, born, gone in _lives(record, n):
                for i, piece in enumerate(cut):
                    group = groups.get(piece, len(groups)) if len(piece) > 1 else None
                    chips.append(Chip(piece_label(piece), "word", "", group=group, word=n))
                    notes.append(f"×{count}" if i == len(cut) - 1 and count > 1 else "")
                    life.append((born, gone))
        hidden = len(record.learning.words) - N_WORDS
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
            name=title,
            heading=sentence(title),
            tokens=chips,
            notes=notes,
            coloured=True,
            compact=True,
            still=True,
            long=len(chips) + 1,
            follow=Follow("round", first=record.round),
            life=np.array(life, np.int32).reshape(-1, 2),
            lines=lines if hidden > 0 else [],
        )


def _pieces(record: Rounds, n: int) -> int:
    """Of how many pieces the text is made in a round."""
    cuts = record.all[n].cuts
    return sum(
        count * len(cut) for (_word, count), cut in zip(record.learning.words, cuts, strict=True)
    )


def _lives(record: Rounds, word: int) -> list[tuple[tuple[str, ...], int, int]]:
    """Each segmentation of a word, and from which round to which it has it."""
    lives: list[tuple[tuple[str, ...], int, int]] = []
    for n, round_ in enumerate(record.all):
        if lives and lives[-1][0] == round_.cuts[word]:
            continue
        if lives:
            lives[-1] = (lives[-1][0], lives[-1][1], n)
        lives.append((round_.cuts[word], n, NEVER))
    return lives


# --- how short the training text becomes as entries are learnt, beside a code for characters


@dataclass(frozen=True, slots=True)
class Coding(ByPieces):
    """The same, where the merge or the round that is shown moves a line of a plot."""

    merge: int = param(10, low=0, high=200, picked=True, label=N_("Merges shown"))
    round: int = param(0, low=0, high=100, picked=True, label=N_("Round shown"))


@dataclass(frozen=True)
class Costs:
    """Bits a character of the training text, in every state: after each merge, or in each round.

    Attributes:
        rounds: the states are rounds that let go of entries, not merges that add some.
        fixed: ``(states,)`` each token by a number of fixed length.
        ideal: ``(states,)`` each token by -log2 of its share of all tokens; in rounds by -log2 of
            the probability of its entry.
        characters: each character by -log2 of its share of all characters.
        huffman: each character by its word in Huffman's code.
        tokens_per_word: in the state that is shown.
        step: which one that is.
    """

    rounds: bool
    fixed: NDArray[np.float64]
    ideal: NDArray[np.float64]
    characters: float
    huffman: float
    tokens_per_word: float
    step: int


class TextCodeView(View[Coding, Costs]):
    """Two curves over the states, two lines for characters."""

    name, Params, needs = "text.code", Coding, NO_MODEL

    def requests(self, params: Coding) -> tuple[Request, ...]:
        return (params.unigram() if params.cutting == "unigram" else params.learning(),)

    def compute(
        self, runs: Sequence[MergeTraining[Any] | UnigramTraining], params: Coding
    ) -> Costs:
        (learning,) = runs
        if isinstance(learning, UnigramTraining):
            sizes, n_tokens, ideal = _rounds(learning)
            step = nearest("round", params.round, len(sizes) - 1)
        else:
            sizes, n_tokens, ideal = _merges(learning)
            step = min(params.so_far, len(sizes) - 1)
        n = max(1, len(learning.text))
        return Costs(
            rounds=isinstance(learning, UnigramTraining),
            fixed=np.log2(sizes) * n_tokens / n,
            ideal=ideal / n,
            characters=order_0_entropy(learning.text),
            huffman=huffman_bits(Counter(learning.text)),
            tokens_per_word=float(n_tokens[step]) / max(1, len(learning.text.split())),
            step=step,
        )

    def values(self, record: Costs) -> Mapping[str, Values]:
        merges = (Along("state", _states(record),
                        [str(n) for n in range(len(record.fixed))]),)  # fmt: skip
        place = (record.step,)
        return {
            "fixed": Values(_("fixed length"), record.fixed, merges, selected=place),
            "ideal": Values(_("ideal code"), record.ideal, merges, selected=place),
            "huffman": Values(_("characters, Huffman"), np.array(record.huffman)),
            "characters": Values(_("characters, entropy"), np.array(record.characters)),
            "tokens_per_word": Values(_("tokens per word"), np.array(record.tokens_per_word)),
        }

    def describe(self, record: Costs) -> Sentence:
        step = record.step
        return join(
            [
                sentence(
                    _(
                        "In round {n} a word is {tokens} tokens. Per character that is {fixed} "
                        "bits with numbers of fixed length, {ideal} bits with an ideal code."
                    )
                    if record.rounds
                    else ngettext(
                        "After {n} merge a word is {tokens} tokens. Per character that is "
                        "{fixed} bits with numbers of fixed length, {ideal} bits with an "
                        "ideal code.",
                        "After {n} merges a word is {tokens} tokens. Per character that is "
                        "{fixed} bits with numbers of fixed length, {ideal} bits with an "
                        "ideal code.",
                        step,
                    ),
                    n=str(step),
                    tokens=number(record.tokens_per_word),
                    fixed=Mark(number(float(record.fixed[step])), "key"),
                    ideal=Mark(number(float(record.ideal[step])), "accent"),
                ),
                sentence(
                    _(
                        "Huffman's code, the best with whole bits for each character, needs "
                        "{huffman}. The bound for codes that know only how often each character "
                        "stands here is {own}."
                    ),
                    huffman=Mark(number(record.huffman), "position"),
                    own=Mark(number(record.characters), "residual"),
                ),
            ]
        )

    def draw(self, record: Costs) -> Plot:
        return Plot(
            title=_("Bits per character of the training text"),
            x=PlotAxis(title=_states(record)),
            y=PlotAxis(title=_("bits per character"), from_zero=True),
            series=_curves(record),
            rules=[Rule(x=record.step)],
            height=340,
        )


Counted = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]


def _merges(learning: MergeTraining[Any]) -> Counted:
    """``(S + 1,)`` each: entries, tokens of the text, and its bits by the shares of the tokens."""
    newest = [merge.new for merge in learning.code.merges]
    start = learning.code.n_entries - len(set(newest))  # bytes or letters
    # Two pairs can spell one entry, so a merge may add none.
    sizes = np.maximum.accumulate([start, *(new + 1 for new in newest)])
    return sizes, learning.n_tokens, learning.entropy * learning.n_tokens


def _rounds(learning: UnigramTraining) -> Counted:
    """The same of every round; bits by the probabilities of the entries."""
    sizes, n_tokens, bits = [], [], []
    for round_ in learning.rounds:
        costs = {entry.piece: -log2(entry.probability) for entry in round_.entries}
        cuts = [(cut, n) for cut, (_word, n) in zip(round_.cuts, learning.words, strict=True)]
        sizes.append(len(round_.entries))
        n_tokens.append(sum(n * len(cut) for cut, n in cuts))
        bits.append(sum(n * sum(map(costs.__getitem__, cut)) for cut, n in cuts))
    return np.array(sizes), np.array(n_tokens), np.array(bits, np.float64)


def _states(record: Costs) -> str:
    """What the states are counted in."""
    return _("rounds") if record.rounds else _("merges")


def _curves(record: Costs) -> list[Curve]:
    """Tokens in every state; characters, which no state changes."""
    hover = "{name}\n" + (
        _("round {n}").format(n="{x}")
        if record.rounds
        else _("after {merges} merges").format(merges="{x}")
    )
    hover += "\n" + _("bits per character: {y:.4f}")
    steps = range(len(record.fixed))
    ends = [0, max(1, steps[-1])]
    return [
        Curve(x=steps, y=record.fixed, name=_("tokens, fixed length"), role="key", hover=hover),
        Curve(x=steps, y=record.ideal, name=_("tokens, ideal code"), role="accent", hover=hover),
        Curve(
            x=ends, y=[record.huffman] * 2, name=_("characters, Huffman"), role="position",
            dash="dash", hover=hover,
        ),
        Curve(
            x=ends, y=[record.characters] * 2, name=_("characters, entropy"), role="residual",
            dash="dot", hover=hover,
        ),
    ]  # fmt: skip
