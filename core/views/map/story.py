"""A run that flows: its words one after the other, what is told of them, and what if."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.analysis.aligned import aligned, standing
from core.analysis.distributions import largest, softmax
from core.figures import tokens
from core.figures.components.map.flow import Pass
from core.figures.components.map.told import StoryPart
from core.figures.text import Mark, Sentence, decimal, join, percent, sentence
from core.language import N_, _
from core.locale import listed
from core.models import places, what_if
from core.models.what_if import Change, is_there, moved, temperature
from core.runs.kinds.continuation import ContinuedRun, ContinuedRunRequest
from core.text import swaps
from core.text.swaps import Swap
from core.tracing.trace import Array, Trace
from core.units import Token
from core.views.attention.head import by_head
from core.views.map.parts import first_shown
from core.views.map.run import N_WORDS, AtRow, Places, WholeRun, called, guesses
from core.views.nearest import missing
from core.views.params import Problem, at_rest, param

# --- what is told of a run that flows, part after part, to somebody who is led through it

SAID = {  # what is shown in each part
    StoryPart.TEXT: N_("The text is “{text}”."),
    StoryPart.TOKENS: N_("The text is cut into {n} tokens."),
    StoryPart.EMBEDDING: N_("Each token becomes a row of numbers, its embedding."),
    StoryPart.PLACE: N_("A row of numbers for its place is added."),
    StoryPart.LAYERS: N_("The rows go through layer after layer, and stop before the last one."),
    StoryPart.HEAD: N_("In layer {layer}, head {head}, “{token}” gives {share} of its attention to "
                       "“{key}”."),
    StoryPart.FFN: N_("Then the feed-forward network works on each row alone."),
    StoryPart.GUESSES: N_("After each layer there is a best guess: {guesses}."),
    StoryPart.WORDS: N_("The most likely next word is “{word}”, with a probability of {prob}."),
    StoryPart.AGAIN: N_("“{word}” is put after the text, and all begins again. “{next}” follows."),
    StoryPart.OFF: N_("One part is switched off, and the probabilities change."),
}  # fmt: skip


def can_be_told(trace: Trace) -> bool:
    """Whether somebody can be led through it: one tower of layers that says what comes next."""
    blueprint = trace.blueprint
    if not blueprint.predicts_words:
        return False
    terms = next(
        (
            embedding.terms
            for embedding in blueprint.embeddings
            if embedding.stream == blueprint.stream
        ),
        (),
    )
    return (
        len(blueprint.towers) == len(blueprint.stacks) == 1
        and blueprint.head.ability == "next_token"
        and blueprint.head.table is not None
        and len(terms) == len(("token", "place"))
    )


def story_zoom(record: FlowRun) -> str:
    """The head that is gone into, by its place: of the last layer, the one whose line is strongest.

    Lines from marks and from the row itself do not count, as attention that finds nothing rests
    there. Empty for a model in which no head can be gone into, or a text without another token.
    """
    trace = record.whole.trace
    blueprint = trace.blueprint
    if len(blueprint.towers) > 1 or not blueprint.attentions or blueprint.patches:
        return ""
    attention = blueprint.attentions[0]
    row = record.passes[0].row + record.whole.first
    layer = attention.n_layers - 1
    lines = by_head(trace, attention, layer)[:, row].copy()
    marks = [n for n, unit in enumerate(trace.units) if unit.special]
    lines[:, [*marks, row]] = 0
    return f"layer{layer}.head{int(lines.max(axis=1).argmax())}" if lines.any() else ""


def story(record: FlowRun) -> list[str]:
    """A sentence for each part."""
    whole, row = record.whole, record.answers[0]
    trace = whole.trace
    names = [unit.spoken for unit in trace.units]
    attention = trace.blueprint.attentions[0]
    place = places.read(record.params.place)
    layer = attention.n_layers - 1 if place is None else place.layer
    head = (place.head if place is not None else None) or 0
    weights = by_head(trace, attention, min(layer, attention.n_layers - 1))
    looked = weights[min(head, len(weights) - 1), row]
    word, share = record.best(row)
    first = record.whole.first
    values = {
        "text": whole.run.text,
        "n": str(sum(not unit.special for unit in trace.units) - record.onward.n_written),
        "token": names[row], "layer": str(layer), "head": str(head),
        "share": percent(float(looked.max())), "key": names[int(looked.argmax())],
        "guesses": ", ".join(guess for guess, _share in record.guesses[row - first]),
        "word": word.removeprefix("·"), "prob": percent(share),
        "next": record.follows,
    }  # fmt: skip
    return [_(SAID[part]).format(**values) for part in StoryPart]


# --- what becomes of the word that was likeliest when something is changed in a run ---

TINY = 1e-30  # of a probability, so that it has bits
N_BEST = 3  # words that are named beside the sliders
SEEN = 0.01  # of a probability: less is no change to speak of
NEARLY = 0.05  # of a sum: as good as the sum


@dataclass(frozen=True, slots=True)
class One:
    """One thing that is changed.

    Attributes:
        name: as the link says it.
        called: in words.
        after: how likely the word that was likeliest is with it alone.
        bits: that it has won by it.
    """

    name: str
    called: str
    after: float
    bits: float


@dataclass(frozen=True, slots=True)
class Effect:
    """What all that is changed has done to one word.

    Attributes:
        word: that was likeliest.
        now: that is.
        before, after: how likely the word was, and is.
        bits: how many bits it has won; less than none where it has lost.
        ones: the same of each change by itself.
        moved: of the words that are drawn that whose probability changed most, before and after.
    """

    word: str
    now: str
    before: float
    after: float
    bits: float
    ones: Sequence[One]
    moved: tuple[str, float, float]

    @property
    def total(self) -> float:
        """What the single ones add up to."""
        return sum(change.bits for change in self.ones)


def there(record: FlowRun) -> list[Change | Swap]:
    """What is changed, of what the model and its text have; positions are of the first text."""
    places, blueprint = record.places, record.first.run.trace.blueprint
    changes = record.params.changes
    present = [
        change for change in changes if is_there(change, blueprint, lambda name: len(places[name]))
    ]
    return [*present, *record.params.swapped_words]


def lines_cut(record: FlowRun) -> list[str]:
    """The lines of attention that are taken away, by where they stand in the text that is read."""
    blueprint, places = record.first.run.trace.blueprint, record.places
    cut = [change for change in record.changes if isinstance(change, Change) and change.cuts]
    groups = [moved(line, blueprint, lambda name, n: places[name][n]) for line in cut]
    return [
        f"{line.place.name}.row{line.query}.key{line.key}"
        for group in groups
        for line in group
        if line.place
    ]


def places_in(of: ContinuedRun, other: ContinuedRun, stream: str) -> list[int]:
    """For each position of a stream in one run its place in another, of a text that differs."""
    return aligned(_labels(of, stream), _labels(other, stream))


def places_now(first: ContinuedRun, now: ContinuedRun) -> dict[str, Places]:
    """By stream, for each position of the first text what stands there now."""
    names = first.run.trace.streams
    return {name: standing(_labels(first, name), _labels(now, name)) for name in names}


def _labels(run: ContinuedRun, stream: str) -> list[str]:
    return [unit.label for unit in run.run.trace.streams[stream].units]


def effect(record: FlowRun) -> Effect | None:
    """What became of the word that was likeliest, at the row looked at; None of a plain run."""
    changes = there(record)
    if record.before is None or not changes:
        return None
    whole, before = record.whole, record.before
    stream, labels = whole.stream, whole.labels
    row = 0 if whole.of_all else places_in(record.onward, before, stream)[record.row]

    def probs(run: ContinuedRun, position: int, heat: float) -> NDArray[np.float64]:
        logits = np.atleast_2d(run.run.trace[whole.answering.site])[position].astype(np.float64)
        return softmax(logits / heat)

    was = probs(before, row, 1.0)
    now = probs(record.onward, 0 if whole.of_all else record.row, whole.temperature)
    best = int(was.argmax())

    def by_itself(change: Change | Swap) -> float:
        run, heat = runs[change], temperature([change] if isinstance(change, Change) else [])
        position = 0 if whole.of_all else places_in(before, run, stream)[row]
        return float(probs(run, position, heat)[best])

    def bits(then: float) -> float:
        return math.log2(max(then, TINY) / float(was[best]))

    after = float(now[best])
    runs = dict(zip(record.params.every, record.alone, strict=False))
    shares = [by_itself(change) if runs else after for change in changes]
    ones = [
        One(change.name, called(change, whole.trace, record.places), share, bits(share))
        for change, share in zip(changes, shares, strict=True)
    ]
    words = [labels[n] if labels else whole.run.words(n).spoken for n in (best, int(now.argmax()))]
    most = _largest_change(record)
    return Effect(words[0], words[1], float(was[best]), after, bits(after), ones, most)


def _largest_change(record: FlowRun) -> tuple[str, float, float]:
    """The drawn word whose probability changed most, before and after."""
    beside = record.beside
    assert beside is not None  # something is changed
    position = 0 if record.whole.of_all else record.row - record.whole.first
    index = int(np.abs(beside.now[position] - beside.was[position]).argmax())
    word = beside.words[position][index].removeprefix("·")
    return word, float(beside.was[position][index]), float(beside.now[position][index])


# --- in words --------------------------------------------------------------------------------


def changed(effect: Effect) -> Sentence:
    """What the changes have done: the word before and after, together and one by one."""
    what = listed([change.called for change in effect.ones])
    values: dict[str, Mark | Sentence | str] = {
        "what": what[:1].upper() + what[1:],
        "word": Mark(effect.word, "accent"),
        "before": Mark(percent(effect.before), "accent"),
        "after": Mark(percent(effect.after), "accent"),
    }
    text = _("{what}: “{word}” falls from {before} to {after}.")
    if percent(effect.before) == percent(effect.after):
        text = _("{what}: “{word}” keeps its {after}.")
    elif effect.after > effect.before:
        text = _("{what}: “{word}” rises from {before} to {after}.")
    sentences = [sentence(text, **values), *_overtaken(effect), *_most(effect)]
    if len(effect.ones) > 1:
        shares = listed([percent(change.after) for change in effect.ones])
        sentences += [
            sentence(_("One at a time, they make it {each}."), each=shares),
            *joint(effect),
        ]
    return join(sentences)


def in_short(effect: Effect) -> Sentence:
    """The same where what is changed stands beside it."""
    text = _("“{word}” goes from {before} to {after}.")
    if len(effect.ones) > 1:
        text = _("Together: “{word}” goes from {before} to {after}.")
    summary = sentence(
        text, word=effect.word, before=percent(effect.before), after=percent(effect.after)
    )  # fmt: skip
    return join([summary, *_overtaken(effect), *_most(effect)])


def alone(effect: Effect, change: One) -> str:
    """What one of several changes does by itself, on its chip; nothing of the only one."""
    if len(effect.ones) < 2:
        return ""
    text = _("alone: {before} → {after}")
    return text.format(before=percent(effect.before), after=percent(change.after))


def best(record: FlowRun) -> list[str]:
    """The likeliest other words now, each with how likely it was before."""
    beside, whole = record.beside, record.whole
    if beside is None or record.effect is None:
        return []
    position = 0 if whole.of_all else record.row - whole.first
    several = zip(beside.words[position], beside.was[position], beside.now[position], strict=True)
    text = _("{word} {before} → {after}")
    phrases = [
        text.format(
            word=word.removeprefix("·"), before=percent(float(was)), after=percent(float(now))
        )
        for word, was, now in several
        if word.removeprefix("·") != record.effect.word
    ]
    return phrases[:N_BEST]


def _overtaken(effect: Effect) -> list[Sentence]:
    """The word that is likeliest now, where it is another one."""
    if effect.now == effect.word:
        return []
    return [sentence(_("Now “{now}” is most likely."), now=Mark(effect.now, "accent"))]


def _most(effect: Effect) -> list[Sentence]:
    """The word that changed most, where it is none of those named and more than that did."""
    word, before, after = effect.moved
    most = abs(after - before)
    if word in (effect.word, effect.now) or most < max(SEEN, abs(effect.after - effect.before)):
        return []
    text = _("“{word}” changes most, from {before} to {after}.")
    return [sentence(text, word=word, before=percent(before), after=percent(after))]


def joint(effect: Effect) -> list[Sentence]:
    """Whether what several do together is the sum of what each does alone; nothing of one."""
    if len(effect.ones) < 2:
        return []
    total = sum(change.after - effect.before for change in effect.ones)
    if abs(effect.after - effect.before - total) < max(SEEN, NEARLY * abs(total)):
        return [sentence(_("Their effects nearly add up."))]
    return [sentence(_("Their effects do not add up, as each also changes what the others work "
                       "on."))]  # fmt: skip


def in_bits(effect: Effect) -> str:
    """The same in bits, for whoever reads the details."""
    bits = ("+" if effect.bits > 0 else "") + decimal(effect.bits, 2)
    if len(effect.ones) < 2:
        return str(sentence(_("“{word}”: {bits} bits"), word=effect.word, bits=bits))
    text = _("“{word}”: {bits} bits; one by one they add up to {total}")
    return str(sentence(text, word=effect.word, bits=bits, total=decimal(effect.total, 2)))


# --- what the flowing picture of a run shows: its words one after the other, and what if


@dataclass(frozen=True, slots=True)
class FlowParams(AtRow):
    """Where somebody is in the picture.

    Attributes:
        place: that is gone into (``core.models.places``); empty for the whole.
        aside: lines from the mark at the start are not drawn, and the others rescaled.
        reached: the last part that is told, and nothing of what lies ahead; -1 for all of it.
    """

    place: str = param("", pattern=places.PATTERN, high=60,
                       form=N_("a place of the model, such as layer3"),
                       lives="browser", label=N_("Place"))  # fmt: skip
    aside: bool = param(False, lives="browser", label=N_("Start put aside"))
    reached: int = param(-1, low=-1, high=max(StoryPart), label=N_("Told as far as part"))

    @property
    def layer(self) -> int:
        """That is gone into; the first one of the whole."""
        place = places.read(self.place)
        return 0 if place is None else place.layer

    @property
    def every(self) -> list[what_if.Change | swaps.Swap]:
        """Both, in the order in which each is run alone."""
        return [*self.changes, *self.swapped_words]

    @property
    def runs(self) -> tuple[ContinuedRunRequest, ...]:
        """With all that is changed; then, if anything is, with nothing, and with each alone."""
        if not self.every:
            written = self.reached in (-1, StoryPart.AGAIN)  # a word stands behind the text
            return (ContinuedRunRequest(self.model, self.given, int(written)),)
        alone = [
            *(self._run([change], []) for change in self.changes),
            *(self._run([], [swap]) for swap in self.swapped_words),
        ]
        together = self._run(self.changes, self.swapped_words)
        return (together, self._run([], []), *(alone if len(alone) > 1 else ()))

    def _run(
        self, changes: Sequence[what_if.Change], swapped: Sequence[swaps.Swap]
    ) -> ContinuedRunRequest:
        names = tuple(change.name for change in changes if change.kind != "temperature")
        first = self.given if swapped else None
        return ContinuedRunRequest(self.model, self.reads(swapped), 0, names, first)


@dataclass(frozen=True, slots=True)
class WordsBeforeAndAfter:
    """The likeliest words of each row that is drawn, and the one that was: now and before.

    Attributes:
        words: of each row.
        now, was: how likely each is, and was, ``(rows, words)``.
    """

    words: list[list[str]]
    now: Array
    was: Array


@dataclass(frozen=True)
class FlowRun:
    """A run and what it has written.

    Attributes:
        onward: the run, with all that is changed.
        params: what was asked for.
        before: the same with nothing changed; None where nothing is.
        alone: the same with one thing changed, for each of several.
    """

    onward: ContinuedRun
    params: FlowParams
    before: ContinuedRun | None = None
    alone: Sequence[ContinuedRun] = ()

    @cached_property
    def whole(self) -> WholeRun:
        """All of it, at the row that is looked at."""
        params = self.params
        last = (
            params.reached == StoryPart.AGAIN
        )  # what follows the word that it wrote is what is told
        first = self.answers[-1 if last else 0] if self.onward.continues else -1
        at_row = replace(params, token=params.token if params.token >= 0 else first)
        return WholeRun(self.onward.run, at_row, what_if.temperature(params.changes))

    @property
    def cut(self) -> str:
        """What of the text did not fit."""
        return self.whole.cut

    @cached_property
    def answers(self) -> list[int]:
        """The rows whose answers stand behind them, or will: none where nothing is written."""
        trace = self.onward.run.trace
        units = trace.streams[trace.blueprint.stream].units
        if trace.streams[trace.blueprint.stream].written:
            return list(range(max(1, len(units) - 1)))
        if not self.onward.continues:
            return []
        return list(range(len(units) - 1 - self.onward.n_written, len(units)))

    @property
    def first(self) -> ContinuedRun:
        """The run with nothing changed."""
        return self.before or self.onward

    @cached_property
    def places(self) -> dict[str, Places]:
        """By stream, for each position of the first text what stands there now."""
        return places_now(self.first, self.onward)

    @cached_property
    def changes(self) -> list[what_if.Change | swaps.Swap]:
        """What is changed, of what the model and its text have."""
        return there(self)

    def check(self) -> None:
        """See that all that a program asks for is there.

        Raises:
            ParameterError: it is not.
        """
        for problem in self.lacking():
            missing(problem.name, problem.got, problem.wanted)

    def lacking(self) -> list[Problem]:
        """What is asked for and the model, or its text, does not have; what is there is used."""
        params, problems = self.params, []
        names = [change.name for change in self.changes if not isinstance(change, swaps.Swap)]
        if len(names) < len(params.changes):
            expected = _("changes of what this model has, such as layer0.ffn")
            problems.append(Problem("off", params.off, expected, "+".join(names)))
        swapped = params.swapped_words
        if params.swap and len(swapped) < len(params.swap.split("~~")):
            expected = _("words of the text by their numbers, and what replaces each")
            problems.append(Problem("swap", params.swap, expected, swaps.written(swapped)))
        place = places.read(params.place)
        if place is not None and not place.is_in(self.whole.blueprint):
            expected = _("a place that this model has, such as layer0")
            problems.append(Problem("place", params.place, expected, ""))
        return problems

    @cached_property
    def effect(self) -> Effect | None:
        """What became of the word that was likeliest, at the row that is looked at."""
        return effect(self)

    @cached_property
    def rows_before(self) -> list[int]:
        """For each row that is drawn, where it stands in the run with nothing changed."""
        whole = self.whole
        if whole.of_all:
            return [0]
        return places_in(self.onward, self.first, whole.stream)[whole.first :]

    @cached_property
    def beside(self) -> WordsBeforeAndAfter | None:
        """The words that are drawn where something is changed; None where nothing is."""
        if self.before is None or not self.changes:
            return None
        whole = self.whole
        probs = softmax(whole.logits[whole.first :] / whole.temperature)
        before = softmax(
            np.atleast_2d(self.before.run.trace[whole.answering.site])[self.rows_before]
        )
        best = largest(probs, min(N_WORDS, probs.shape[-1]))
        was_best = before.argmax(axis=-1)
        lost = ~(best == was_best[:, None]).any(axis=1)
        best[lost, -1] = was_best[lost]
        vocabulary = whole.labels
        labels = [
            [vocabulary[n] if vocabulary else whole.run.words(int(n)).label for n in row]
            for row in best
        ]
        now, was = (
            np.take_along_axis(shares, best, axis=1).astype(np.float32)
            for shares in (probs, before)
        )
        return WordsBeforeAndAfter(labels, now, was)

    @property
    def reached(self) -> StoryPart | None:
        """The last part that is told; None where all is, or it cannot be told so."""
        index = self.params.reached
        return StoryPart(index) if index >= 0 and can_be_told(self.whole.trace) else None

    @property
    def row(self) -> int:
        """The row that is looked at."""
        return self.whole.row(self.whole.stream)

    @cached_property
    def passes(self) -> list[Pass]:
        """The times through the layers, each up to a word."""
        whole = self.whole
        rows = self.answers or [replace(self, params=at_rest(self.params)).row]
        first = first_shown(whole.trace, whole.stream)
        return [self._pass(row, row - first) for row in rows if row >= first]

    def _pass(self, row: int, position: int) -> Pass:
        born = self._born(row)
        best, share = self.best(row)
        text = _("The model says “{word}” with {share}.")
        if self.params.picture:
            text = _("The model sees “{word}”, with {share}.")
        if born is not None:
            text = _("The model says “{word}” with {share}, and it is written down.")
        return Pass(
            row=position,
            born=None if born is None else tokens.chip(born, born=True),
            said=text.format(word=best.removeprefix("·"), share=percent(share)),
        )

    def _born(self, row: int) -> Token | None:
        """The token that is put behind a row: the one that stands there, or the likeliest."""
        if not self.answers:
            return None
        whole = self.whole
        units = whole.trace.streams[whole.stream].units
        if row + 1 < len(units):
            return units[row + 1]  # type: ignore[return-value]
        return whole.run.words(int(whole.logits[row].argmax()))

    def best(self, row: int) -> tuple[str, float]:
        """What is likeliest at a row, and how likely."""
        return self.whole.likeliest(row)

    @property
    def follows(self) -> str:
        """The word that the second time through the layers writes; empty where there is none."""
        born = self.passes[1].born if self.passes[1:] else None
        return born.label.removeprefix("·") if born is not None else ""

    @cached_property
    def guesses(self) -> list[list[tuple[str, float]]]:
        """For each row that is drawn, the word that would follow each layer; none without a lens.

        A machine may have no lens: its answer is not one table of what a layer hands on.
        """
        return guesses(self.whole)

    @cached_property
    def guesses_before(self) -> list[list[tuple[str, float]]]:
        """The same with nothing changed, where another word was the guess; else an empty word."""
        if self.before is None or not self.changes or not self.guesses:
            return []
        whole = replace(self.whole, run=self.before.run)
        rows = guesses(whole, self.rows_before)
        return [
            [was if was[0] != now[0] else ("", 0.0) for was, now in zip(*both, strict=True)]
            for both in zip(rows, self.guesses, strict=True)
        ]
