"""What is changed in a run, in words, and what becomes of the word that was likeliest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.analysis.aligned import aligned
from core.analysis.distributions import softmax
from core.figures.text import MINUS, Mark, Sentence, decimal, join, percent, sentence, share
from core.language import N_, _
from core.locale import listed, spelt
from core.models.places import Place
from core.models.what_if import Change, is_there, temperature
from core.runs.results import Onward
from core.text.swaps import Swap
from core.tracing.trace import Trace
from core.views.parts import attention_called, tower_called

if TYPE_CHECKING:
    from core.views.map.flowing import FlowRun

TINY = 1e-30  # of a probability, so that it has bits
N_BEST = 3  # words that are named beside the sliders
SMALL = 0.1  # bits: what nobody would notice
SEEN = 0.01  # of a probability: less is no change to speak of
NEARLY = 0.05  # of a sum: as good as the sum
_AROUND = {
    "attn": N_("the attention of {where} replaces the row"),
    "cross": N_("the cross-attention of {where} replaces the row"),
    "ffn": N_("the feed-forward network of {where} replaces the row"),
    "": N_("{where} replaces the row"),
}


@dataclass(frozen=True, slots=True)
class One:
    """One thing that is changed.

    Attributes:
        name: as the link says it.
        called: in words.
        bits: what it does by itself to the word that was likeliest.
    """

    name: str
    called: str
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
    trace = record.first.run.trace
    own = record.params.changes
    found = [one for one in own if is_there(one, trace.blueprint, trace.lengths.__getitem__)]
    return [*found, *record.params.swapped_words]


def places_in(of: Onward, other: Onward, stream: str) -> list[int]:
    """For each position of a stream in one run its place in another, of a text that differs."""
    labels = [
        [unit.label for unit in one.run.trace.streams[stream].units] for one in (of, other)
    ]  # fmt: skip
    return aligned(*labels)


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

    def bits(one: Change | Swap) -> float:
        run, heat = alone[one], temperature([one] if isinstance(one, Change) else [])
        at = 0 if whole.of_all else places_in(before, run, stream)[row]
        then = float(probs(run, at, heat)[best])
        return math.log2(max(then, TINY) / float(was[best]))

    after = float(now[best])
    together = math.log2(max(after, TINY) / float(was[best]))
    alone = dict(zip(record.params.every, record.alone, strict=False))
    ones = [
        One(one.name, called(one, before.run.trace), bits(one) if alone else together)
        for one in changes
    ]  # fmt: skip
    said = [own[n] if own else whole.run.words(n).spoken for n in (best, int(now.argmax()))]
    most = _moved(record)
    return Effect(said[0], said[1], float(was[best]), after, together, ones, most)


def _moved(record: FlowRun) -> tuple[str, float, float]:
    """The drawn word whose probability changed most, before and after."""
    found = record.beside
    assert found is not None  # something is changed
    at = 0 if record.whole.of_all else record.row - record.whole.first
    one = int(np.abs(found.now[at] - found.was[at]).argmax())
    word = found.words[at][one].removeprefix("·")
    return word, float(found.was[at][one]), float(found.now[at][one])


# --- in words --------------------------------------------------------------------------------


def where(place: Place, trace: Trace) -> str:
    """A layer inside a sentence: layer 3, layer 3 of the encoder."""
    towers, stream = trace.blueprint.towers, place.stream or trace.blueprint.stream
    tower = next((one for one in towers if one.stream == stream), None)
    if len(towers) > 1 and tower is not None:
        text = _("layer {layer} of the {tower}")
        return text.format(layer=place.layer, tower=tower_called(tower))
    return _("layer {layer}").format(layer=place.layer)


def part_called(place: Place, trace: Trace) -> str:
    """A head or a feed-forward network inside a sentence: head 3 of layer 5."""
    attention = place.attention(trace.blueprint)
    if attention is None:
        return _("the feed-forward network of {where}").format(where=where(place, trace))
    if attention.n_heads is None:
        return _("the attention")
    text = _("head {head} of layer {layer}")
    if len(trace.blueprint.attentions) > 1:
        text = _("head {head} of layer {layer} ({attention})")
    return text.format(head=place.head, layer=place.layer,
                       attention=attention_called(trace.blueprint, attention))  # fmt: skip


def called(change: Change | Swap, trace: Trace) -> str:
    """A change in words, after which a colon may stand; positions are those of the trace."""
    if isinstance(change, Swap):
        text = _("“{new}” in the place of “{old}”")
        return text.format(new=change.new, old=change.old)
    place = change.place
    if place is None:
        return _("temperature {value}").format(value=set_to(change.value))
    if change.kind == "sum":
        return _(_AROUND[change.part]).format(where=where(place, trace))
    part = part_called(place, trace)
    attention = place.attention(trace.blueprint)
    if change.kind == "off" and (attention is None or place.key is None):
        return _("{part} off").format(part=part)
    assert attention is not None
    keys = trace.streams[attention.keys].units
    if change.kind == "off":
        return _("“{token}” hidden from {head}").format(
            token=keys[place.key or 0].spoken, head=part
        )
    text, value = _("score {value} from “{query}” to “{key}” in {head}"), set_to(change.value)
    if change.kind == "weight":
        value = percent(change.value)
        text = _("weight {value} from “{query}” to “{key}” in {head}")
    queries = trace.streams[attention.queries].units
    return text.format(value=value, query=queries[change.query].spoken,
                       key=keys[change.key].spoken, head=part)  # fmt: skip


def set_to(value: float) -> str:
    """A number as somebody has set it."""
    return spelt(f"{value:g}").replace("-", MINUS)


def changed(found: Effect) -> Sentence:
    """What the changes have done: the word before and after, in bits, together and one by one."""
    what = listed([one.called for one in found.ones])
    known: dict[str, Mark | Sentence | str] = {
        "what": what[:1].upper() + what[1:],
        "word": Mark(found.word, "accent"),
        "before": Mark(share(found.before), "accent"),
        "after": Mark(share(found.after), "accent"),
        "bits": decimal(abs(found.bits), 2),
    }
    text = _("{what}: “{word}” falls from {before} to {after}, {bits} bits less.")
    if abs(found.bits) < SMALL:
        text = _("{what}: “{word}” goes from {before} to {after}, hardly a change.")
    elif found.bits > 0:
        text = _("{what}: “{word}” rises from {before} to {after}, {bits} bits more.")
    return join([sentence(text, **known), *_overtaken(found), *_most(found), *together(found)])


def in_short(found: Effect) -> Sentence:
    """The same where what is changed stands beside it."""
    text = _("“{word}” goes from {before} to {after} ({bits}).")
    said = sentence(text, word=found.word, before=share(found.before),
                    after=share(found.after), bits=in_bits(found.bits))  # fmt: skip
    return join([said, *_overtaken(found), *_most(found)])


def best(record: FlowRun) -> list[str]:
    """The likeliest words now, each with how likely it was before."""
    found, whole = record.beside, record.whole
    if found is None:
        return []
    at = 0 if whole.of_all else record.row - whole.first
    several = zip(found.words[at], found.was[at], found.now[at], strict=True)
    text = _("{word} {before} → {after}")
    return [
        text.format(
            word=word.removeprefix("·"), before=percent(float(was)), after=percent(float(now))
        )
        for word, was, now in several
    ][:N_BEST]


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


def together(found: Effect) -> list[Sentence]:
    """What several do together, beside the sum of what each does alone; nothing of one."""
    if len(found.ones) < 2:
        return []
    each = listed([decimal(one.bits, 2) for one in found.ones])
    text = _("One at a time they change it by {each} bits, which adds up to {total}. Together "
             "they change it by {bits}.")  # fmt: skip
    beside = _("So their effects do not add up.")
    if abs(found.bits - found.total) < max(SMALL, NEARLY * abs(found.total)):
        beside = _("So their effects nearly add up.")
    return [
        sentence(text, each=each, total=decimal(found.total, 2), bits=decimal(found.bits, 2)),
        sentence(beside),
    ]


def in_bits(bits: float) -> str:
    """What a change does, on its chip."""
    if abs(bits) < SMALL:
        return _("hardly a change")
    return str(sentence(_("{bits} bits"), bits=("+" if bits > 0 else "") + decimal(bits, 2)))
