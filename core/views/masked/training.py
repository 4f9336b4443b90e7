"""What BERT is trained on: words that are hidden by dice, and pairs of sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core import inputs
from core.analysis.distributions import softmax
from core.data.examples import GUESSER
from core.figures import tokens
from core.figures.components import BarFrame, BarRow, Bars, Strip
from core.figures.components.plot import Plot, PlotAxis, Points, Rule, Zone
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _, name_of, ngettext
from core.locale import spelt
from core.models.needs import Needs
from core.runs.kinds.gaps import MaskedText, MaskingRequest
from core.runs.kinds.trace import Run, TraceRequest
from core.runs.request import Request
from core.spelling import visible
from core.text.marks import MASK
from core.views.nearest import nearest
from core.views.params import MAX_SEED, OnText, model_param, param
from core.views.view import Note, View

# --- a text as a training example of masked words: what was drawn, and what became of it


FATES = {  # of a piece, in a training example
    "kept in sight": N_("visible"),
    "masked": N_("masked"),
    "random": N_("random"),
    "unchanged": N_("unchanged"),
}


@dataclass(frozen=True, slots=True)
class Rolling(OnText):
    """A text and a throw of the dice.

    Attributes:
        model: the one whose training example is made.
        dice_seed: of the dice.
        example_token: a position of the example that is looked at; -1 for none.
    """

    model: str = model_param(GUESSER)
    dice_seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed"))
    example_token: int = param(
        -1, low=-1, high=100_000, lives="browser", label=N_("Token of the training example")
    )


@dataclass(frozen=True)
class Rolled:
    """A training example.

    Attributes:
        run: what was drawn and thrown.
        params: what was asked for.
    """

    run: MaskedText
    params: Rolling

    @property
    def chosen(self) -> list[tuple[int, ...]]:
        """The chosen words' positions, in the order they were drawn."""
        words = [word for word in self.run.words if self.run.order[word[0]] >= 0]
        return sorted(words, key=lambda word: int(self.run.order[word[0]]))

    def thrown(self, positions: Sequence[int]) -> float:
        """What a chosen word threw."""
        return float(self.run.dice[positions[0]])

    def word(self, positions: Sequence[int], *, shown: bool = False) -> str:
        """A word as it reads, the original or what the model reads in its place."""
        source = self.run.shown if shown else self.run.tokens
        if shown and source[positions[0]].piece == MASK:
            return " ".join([MASK] * len(positions))
        return visible(
            "".join(source[position].data.decode(errors="replace") for position in positions)
        )

    def outcome(self, positions: Sequence[int]) -> str:
        """What became of a chosen word, in words."""
        fate = self.run.fates[positions[0]]
        if fate == "masked":
            return _("becomes {mask}").format(mask=MASK)
        if fate == "random":
            return _("becomes “{word}”").format(word=self.word(positions, shown=True))
        return _("stays")


class DiceView(View[Rolling, Rolled]):
    """A text whose words are hidden by dice."""

    Params, needs = Rolling, Needs("masked_words")

    def requests(self, params: Rolling) -> tuple[Request, ...]:
        return (MaskingRequest(params.model, params.text, params.dice_seed),)

    def compute(self, runs: Sequence[MaskedText], params: Rolling) -> Rolled:
        return Rolled(runs[0], params)


def two_decimals(value: float) -> str:
    """A number of the dice, never rounded across a border."""
    return spelt(f"{math.floor(value * 100) / 100:.2f}")


# --- what was thrown for each chosen word, on the line from 0 to 1 that decides its fate


# From, to, and the colour of each fate.
ZONES = ((0.0, 0.8, "warning"), (0.8, 0.9, "residual"), (0.9, 1.0, "background"))


class MaskedDiceView(DiceView):
    """A sign for each word."""

    name = "masked.dice"

    def values(self, record: Rolled) -> Mapping[str, Values]:
        words = record.chosen
        axes = (Along("draw", _("chosen as"), [str(n) for n in range(len(words))]),)
        names = [record.word(word) for word in words]
        fates = [_(FATES[record.run.fates[word[0]]]) for word in words]
        thrown = np.array([record.thrown(word) for word in words])
        return {
            "word": Values(_("word"), np.array(names, object), axes),
            "dice": Values(_("dice"), thrown, axes),
            "fate": Values(_("fate"), np.array(fates, object), axes),
        }

    def describe(self, record: Rolled) -> Sentence:
        return sentence(
            "{list}.",
            list="; ".join(
                _("the random number of “{word}” is {dice}, so it {outcome}").format(
                    word=record.word(word),
                    dice=two_decimals(record.thrown(word)),
                    outcome=record.outcome(word),
                )
                for word in record.chosen
            ),
        )

    def draw(self, record: Rolled) -> Plot:
        words = record.chosen
        fates = (
            _("below 0.8: {mask}").format(mask=MASK),
            _("below 0.9: a random word"),
            _("from 0.9 on: stays"),
        )
        return Plot(
            title=_("The random number of each chosen word"),
            x=PlotAxis(title=_("the random number, from 0 to 1"), range=(0, 1), every=0.1),
            y=PlotAxis(
                title=_("chosen words, in order"),
                categories=[f"{n} {record.word(word)}" for n, word in enumerate(words)],
                reversed=True,
            ),
            series=[_signs(record)],
            zones=[
                Zone(low=low, high=high, role=role, label=label)
                for (low, high, role), label in zip(ZONES, fates, strict=True)
            ],
            rules=[Rule(x=high, role="border") for _low, high, _role in ZONES],
            height=200 + 28 * len(words),
            fixed=True,
        )


def _signs(record: Rolled) -> Points:
    """Where each word's number lies."""
    words = record.chosen
    thrown = [record.thrown(word) for word in words]
    texts = [
        _("{label}: {value}").format(
            label=record.word(word), value=f"{number(value, 6)}, {record.outcome(word)}"
        )
        for word, value in zip(words, thrown, strict=True)
    ]
    return Points(
        x=thrown,
        y=range(len(words)),
        role="accent",
        symbol="diamond",
        size=13,
        labels=[*map(two_decimals, thrown)],
        sides=["left" if value > 0.5 else "right" for value in thrown],
        text=texts,
        hover="{text}",
    )


# --- the text as the model would have read it in training -----------------------------


N_SAID = 3  # drawn words that the reading names


class MaskedExampleView(DiceView):
    """Chips with the dice of what was drawn, and a reading for each of them."""

    name = "masked.example"

    def values(self, record: Rolled) -> Mapping[str, Values]:
        run, chosen = record.run, record.params.example_token
        n = len(run.tokens)
        axes = (Along("position", _("position"), [str(position) for position in range(n)]),)
        place = (nearest("example_token", chosen, n - 1),) if chosen >= 0 else None
        order = np.where(run.order >= 0, run.order.astype(np.float64), np.nan)
        fates = [_(FATES[fate]) for fate in run.fates]
        guesses = ["" if guess is None else guess.label for guess in run.guesses]
        columns = {
            "token": (_("token"), np.array(tokens.labels(run.tokens), object)),
            "draw": (_("chosen as"), order),
            "dice": (_("dice"), run.dice),
            "fate": (_("fate"), np.array(fates, object)),
            "shown": (_("the model reads"), np.array(tokens.labels(run.shown), object)),
            "probability": (_("probability of the original"), run.probs),
            "guess": (_("most likely there"), np.array(guesses, object)),
        }
        return {
            name: Values(label, column, axes, selected=None if column.dtype == object else place)
            for name, (label, column) in columns.items()
        }

    def describe(self, record: Rolled) -> Sentence:
        pieces = sum(map(len, record.run.words))
        n = int((record.run.order >= 0).sum())
        parts = [
            sentence(
                ngettext("{n} of {all} pieces is chosen, {share}.",
                         "{n} of {all} pieces are chosen, {share}.", n),
                n=Mark(str(n), "accent"), all=str(pieces), share=percent(n / pieces),
            )
        ]  # fmt: skip
        parts += [
            sentence(
                _("The random number of “{word}” is {dice}, so it {outcome}."),
                word=Mark(record.word(word), "query"),
                dice=Mark(two_decimals(record.thrown(word)), "accent"),
                outcome=record.outcome(word),
            )
            for word in record.chosen[:N_SAID]
        ]
        return join(parts)

    def draw(self, record: Rolled) -> Strip:
        run, chosen = record.run, record.params.example_token
        title, n = _("Your sentence as a training example"), len(run.tokens)
        under = _("Under a chosen piece: the random number drawn for it, and what became of it.")
        whole = self.describe(record)
        return Strip(
            title=title,
            alt=str(whole),
            selection={"example_token": None if chosen < 0 else chosen},
            tokens=[tokens.chip(token) for token in run.shown],
            given=[tokens.chip(token) for token in run.tokens],
            cut=tokens.cut_text(run.cut),
            field="example_token",
            heading=join([sentence(title + "."), sentence(under)]),
            notes=_notes(record),
            marked=[position for position in range(n) if run.order[position] >= 0],
            readings=[_reading(record, position) or whole for position in range(n)],
            name=title,
        )


def _reading(record: Rolled, position: int) -> Sentence | None:
    """What the model makes of a drawn piece."""
    run = record.run
    guess = run.guesses[position]
    if guess is None:
        return None
    return sentence(
        _(
            "The model must predict “{word}” here and gives it {share}. Its best guess is "
            "“{guess}”."
        ),
        word=Mark(run.tokens[position].spoken, "query"),
        share=Mark(percent(float(run.probs[position])), "accent"),
        guess=Mark(guess.spoken, "strong"),
    )


def _notes(record: Rolled) -> list[str]:
    """What a drawn piece rolled and what it was, under every token."""
    run = record.run
    notes = [""] * len(run.tokens)
    for word in record.chosen:
        for position in word:
            notes[position] = (
                f"{two_decimals(float(run.dice[position]))} · {run.tokens[position].label}"
            )
    return notes


# --- the probability that the second of two sentences follows the first ---------------


SITE = "nsp.logits"
SHOWN = 120  # characters of a sentence
OWN = "-1"  # the learner's pair: examples are counted from 0


@dataclass(frozen=True, slots=True)
class SentencePair:
    """Two sentences for a model that judges whether the second follows the first."""

    model: str = model_param(GUESSER)
    first: str = param("The dog heard a knock at the door.", label=N_("First sentence"))
    second: str = param("It ran to the hall and began to bark.", label=N_("Second sentence"))

    @property
    def whole(self) -> bool:
        """Whether there are two sentences to judge."""
        return bool(self.first.strip() and self.second.strip())


@dataclass(frozen=True, slots=True)
class PairExample:
    """Two sentences of an author; ``follows`` says whether the second was written to follow."""

    first: str
    second: str
    follows: bool


PAIR_EXAMPLES = (
    PairExample("The boy was very hungry.", "His mother gave him some bread and soup.", True),
    PairExample("Lily lost her red ball in the park.", "She looked for it under every tree.", True),
    PairExample("The boy was very hungry.", "The river is 90 km long and flows to the sea.", False),
    PairExample("Lily lost her red ball in the park.", "He was elected to the council in 1998.",
                False),
)  # fmt: skip
Judgement = tuple[str, str, bool | None]  # the sentences; written to follow, None: nobody knows


@dataclass(frozen=True)
class JudgedPairs:
    """Pairs and what the model says of them.

    Attributes:
        pairs: the learner's first, if it is whole, then the examples.
        probs: that the second follows, one a pair.
        cut: what of the first pair did not fit.
        params: what was asked for.
    """

    pairs: list[Judgement]
    probs: list[float]
    cut: str
    params: SentencePair


class MaskedFollowsView(View[SentencePair, JudgedPairs]):
    """A bar for each pair; an example is loaded by a click."""

    name, Params, needs = "masked.follows", SentencePair, Needs("sentence_pairs")

    def requests(self, params: SentencePair) -> tuple[Request, ...]:
        return tuple(
            TraceRequest(params.model, inputs.Pair(first, second), sites=(SITE,))
            for first, second, _follows in _pairs(params)
        )

    def compute(self, runs: Sequence[Run], params: SentencePair) -> JudgedPairs:
        return JudgedPairs(
            pairs=_pairs(params),
            probs=[float(softmax(run.trace[SITE])[0]) for run in runs],
            cut=runs[0].cut,
            params=params,
        )

    def values(self, record: JudgedPairs) -> Mapping[str, Values]:
        pairs = record.pairs
        written = [None if follows is None else str(follows) for _one, _two, follows in pairs]
        axes = (Along("pair", _("pair"), [str(n) for n in range(len(pairs))]),)
        return {
            "first": Values(_("first"), np.array([p[0] for p in pairs], object), axes),
            "second": Values(_("second"), np.array([p[1] for p in pairs], object), axes),
            "written": Values(_("written to follow"), np.array(written, object), axes),
            "follows": Values(
                _("probability that it follows"), np.array(record.probs), axes, site=SITE,
                selected=(0,),
            ),
        }  # fmt: skip

    def texts(self, params: SentencePair) -> Sequence[str]:
        return [params.first, params.second]

    def notes(self, record: JudgedPairs) -> Sequence[Note]:
        return () if record.params.whole else [Note("info", self.describe(record))]

    def acts(self, record: JudgedPairs) -> Mapping[str, Mapping[str, Mapping[str, str | None]]]:
        loads: dict[str, Mapping[str, str | None]] = {
            str(n): {"first": pair.first, "second": pair.second}
            for n, pair in enumerate(PAIR_EXAMPLES)
        }
        return {"pick": {OWN: {}, **loads}}

    def describe(self, record: JudgedPairs) -> Sentence:
        if not record.params.whole:
            return sentence(_("Type two sentences, and the model judges them too."))
        share = record.probs[0]
        return sentence(
            _("{model} gives {share} to “the second follows the first” and {other} to “it does "
              "not”."),
            model=Mark(name_of(record.params.model), "strong"),
            share=Mark(percent(share), "accent"),
            other=percent(1 - share),
        )  # fmt: skip

    def draw(self, record: JudgedPairs) -> Bars:
        title = _("Probability that the second sentence follows the first")
        start = int(OWN) if record.params.whole else 0
        rows = [
            BarRow(str(i), _label(pair), chosen=pair[2] is None)
            for i, pair in enumerate(record.pairs, start=start)
        ]
        return Bars(
            title=title,
            frames=[BarFrame(rows, title=sentence(title))],
            values=np.array([[record.probs]]),
            stacked=True,
            pick=True,
        )


def _pairs(params: SentencePair) -> list[Judgement]:
    typed: list[Judgement] = [(params.first, params.second, None)] if params.whole else []
    return [*typed, *((e.first, e.second, e.follows) for e in PAIR_EXAMPLES)]


def _label(pair: Judgement) -> str:
    first, second, follows = pair
    kind = {None: _("yours"), True: _("follows"), False: _("does not follow")}[follows]
    shown = [visible(text)[:SHOWN].replace("·", " ") for text in (first, second)]
    return _("{kind}: {first} → {second}").format(kind=kind, first=shown[0], second=shown[1])
