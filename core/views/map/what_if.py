"""What becomes of the word that was likeliest when something is changed in a run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.analysis.aligned import aligned, standing
from core.analysis.distributions import softmax
from core.figures.text import Mark, Sentence, decimal, join, percent, sentence
from core.language import _
from core.locale import listed
from core.models.what_if import Change, is_there, moved, temperature
from core.runs.results import Onward
from core.text.swaps import Swap
from core.views.map.called import Places, called

if TYPE_CHECKING:
    from core.views.map.flowing import FlowRun

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
        return sum(one.bits for one in self.ones)


def there(record: FlowRun) -> list[Change | Swap]:
    """What is changed, of what the model and its text have; positions are of the first text."""
    places, blueprint = record.places, record.first.run.trace.blueprint
    own = record.params.changes
    found = [one for one in own if is_there(one, blueprint, lambda name: len(places[name]))]
    return [*found, *record.params.swapped_words]


def lines_cut(record: FlowRun) -> list[str]:
    """The lines of attention that are taken away, by where they stand in the text that is read."""
    blueprint, places = record.first.run.trace.blueprint, record.places
    cut = [one for one in record.changes if isinstance(one, Change) and one.cuts]
    found = [moved(one, blueprint, lambda name, n: places[name][n]) for one in cut]
    return [
        f"{one.place.name}.row{one.query}.key{one.key}"
        for each in found
        for one in each
        if one.place
    ]


def places_in(of: Onward, other: Onward, stream: str) -> list[int]:
    """For each position of a stream in one run its place in another, of a text that differs."""
    return aligned(_labels(of, stream), _labels(other, stream))


def places_now(first: Onward, now: Onward) -> dict[str, Places]:
    """By stream, for each position of the first text what stands there now."""
    names = first.run.trace.streams
    return {name: standing(_labels(first, name), _labels(now, name)) for name in names}


def _labels(run: Onward, stream: str) -> list[str]:
    return [unit.label for unit in run.run.trace.streams[stream].units]


def effect(record: FlowRun) -> Effect | None:
    """What became of the word that was likeliest, at the row looked at; None of a plain run."""
    changes = there(record)
    if record.before is None or not changes:
        return None
    whole, before = record.whole, record.before
    stream, own = whole.stream, whole.labels
    row = 0 if whole.of_all else places_in(record.onward, before, stream)[record.row]

    def probs(run: Onward, at: int, heat: float) -> NDArray[np.float64]:
        logits = np.atleast_2d(run.run.trace[whole.answering.site])[at].astype(np.float64)
        return softmax(logits / heat)

    was = probs(before, row, 1.0)
    now = probs(record.onward, 0 if whole.of_all else record.row, whole.temperature)
    best = int(was.argmax())

    def by_itself(one: Change | Swap) -> float:
        run, heat = runs[one], temperature([one] if isinstance(one, Change) else [])
        at = 0 if whole.of_all else places_in(before, run, stream)[row]
        return float(probs(run, at, heat)[best])

    def bits(then: float) -> float:
        return math.log2(max(then, TINY) / float(was[best]))

    after = float(now[best])
    runs = dict(zip(record.params.every, record.alone, strict=False))
    shares = [by_itself(one) if runs else after for one in changes]
    ones = [
        One(one.name, called(one, whole.trace, record.places), share, bits(share))
        for one, share in zip(changes, shares, strict=True)
    ]
    said = [own[n] if own else whole.run.words(n).spoken for n in (best, int(now.argmax()))]
    most = _moved(record)
    return Effect(said[0], said[1], float(was[best]), after, bits(after), ones, most)


def _moved(record: FlowRun) -> tuple[str, float, float]:
    """The drawn word whose probability changed most, before and after."""
    found = record.beside
    assert found is not None  # something is changed
    at = 0 if record.whole.of_all else record.row - record.whole.first
    one = int(np.abs(found.now[at] - found.was[at]).argmax())
    word = found.words[at][one].removeprefix("·")
    return word, float(found.was[at][one]), float(found.now[at][one])


# --- in words --------------------------------------------------------------------------------


def changed(found: Effect) -> Sentence:
    """What the changes have done: the word before and after, together and one by one."""
    what = listed([one.called for one in found.ones])
    known: dict[str, Mark | Sentence | str] = {
        "what": what[:1].upper() + what[1:],
        "word": Mark(found.word, "accent"),
        "before": Mark(percent(found.before), "accent"),
        "after": Mark(percent(found.after), "accent"),
    }
    text = _("{what}: “{word}” falls from {before} to {after}.")
    if percent(found.before) == percent(found.after):
        text = _("{what}: “{word}” keeps its {after}.")
    elif found.after > found.before:
        text = _("{what}: “{word}” rises from {before} to {after}.")
    said = [sentence(text, **known), *_overtaken(found), *_most(found)]
    if len(found.ones) > 1:
        each = listed([percent(one.after) for one in found.ones])
        said += [sentence(_("One at a time, they make it {each}."), each=each), *joint(found)]
    return join(said)


def in_short(found: Effect) -> Sentence:
    """The same where what is changed stands beside it."""
    text = _("“{word}” goes from {before} to {after}.")
    if len(found.ones) > 1:
        text = _("Together: “{word}” goes from {before} to {after}.")
    said = sentence(
        text, word=found.word, before=percent(found.before), after=percent(found.after)
    )  # fmt: skip
    return join([said, *_overtaken(found), *_most(found)])


def alone(found: Effect, one: One) -> str:
    """What one of several changes does by itself, on its chip; nothing of the only one."""
    if len(found.ones) < 2:
        return ""
    text = _("alone: {before} → {after}")
    return text.format(before=percent(found.before), after=percent(one.after))


def best(record: FlowRun) -> list[str]:
    """The likeliest other words now, each with how likely it was before."""
    found, whole = record.beside, record.whole
    if found is None or record.effect is None:
        return []
    at = 0 if whole.of_all else record.row - whole.first
    several = zip(found.words[at], found.was[at], found.now[at], strict=True)
    text = _("{word} {before} → {after}")
    said = [
        text.format(
            word=word.removeprefix("·"), before=percent(float(was)), after=percent(float(now))
        )
        for word, was, now in several
        if word.removeprefix("·") != record.effect.word
    ]
    return said[:N_BEST]


def _overtaken(found: Effect) -> list[Sentence]:
    """The word that is likeliest now, where it is another one."""
    if found.now == found.word:
        return []
    return [sentence(_("Now “{now}” is most likely."), now=Mark(found.now, "accent"))]


def _most(found: Effect) -> list[Sentence]:
    """The word that changed most, where it is none of those named and more than that did."""
    word, before, after = found.moved
    most = abs(after - before)
    if word in (found.word, found.now) or most < max(SEEN, abs(found.after - found.before)):
        return []
    text = _("“{word}” changes most, from {before} to {after}.")
    return [sentence(text, word=word, before=percent(before), after=percent(after))]


def joint(found: Effect) -> list[Sentence]:
    """Whether what several do together is the sum of what each does alone; nothing of one."""
    if len(found.ones) < 2:
        return []
    total = sum(one.after - found.before for one in found.ones)
    if abs(found.after - found.before - total) < max(SEEN, NEARLY * abs(total)):
        return [sentence(_("Their effects nearly add up."))]
    return [sentence(_("Their effects do not add up, as each also changes what the others work "
                       "on."))]  # fmt: skip


def in_bits(found: Effect) -> str:
    """The same in bits, for whoever reads the details."""
    bits = ("+" if found.bits > 0 else "") + decimal(found.bits, 2)
    if len(found.ones) < 2:
        return str(sentence(_("“{word}”: {bits} bits"), word=found.word, bits=bits))
    text = _("“{word}”: {bits} bits; one by one they add up to {total}")
    return str(sentence(text, word=found.word, bits=bits, total=decimal(found.total, 2)))
