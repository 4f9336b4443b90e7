"""The whole run: its text and towers, what is changed in it, and what it answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from core.analysis.distributions import largest, likeliest, softmax
from core.analysis.lens import label_logits, layer_guesses
from core.data.samples import label_called
from core.figures import tokens
from core.figures.components.map import Tower
from core.figures.payload import as_shares
from core.figures.text import MINUS, Sentence, percent, sentence
from core.figures.values import Along, Values
from core.inputs import Input, SourceTarget, Text
from core.language import N_, _, ngettext
from core.locale import spelt
from core.models import what_if
from core.models.abilities import Ability
from core.models.blueprint import Blueprint, Embedding, Head, Stack
from core.models.blueprint import Tower as Layers
from core.models.picture_parts import PatchStem
from core.models.places import Place
from core.models.what_if import Change
from core.runs.kinds.trace import Run
from core.text import swaps
from core.text.marks import MASK
from core.text.swaps import Swap
from core.tracing.trace import Array, Trace
from core.units import Unit
from core.views.given import OnGiven
from core.views.map.parts import N_CELLS, N_ROWS, first_shown, parts, wrote
from core.views.nearest import nearest
from core.views.params import param
from core.views.parts import attention_called, stream_called, tower_called

# --- what every picture of a whole run is given: a text, and what is changed in it and in its run


@dataclass(frozen=True, slots=True)
class OnSwapped(OnGiven):
    """A model, and a text or a picture that it reads.

    Attributes:
        swap: words of the text that others stand in the place of (``core.text.swaps``).
        off: what is changed in the run (``core.models.what_if``), joined by "+".
    """

    swap: str = param("", pattern=swaps.PATTERN, high=400, label=N_("Swapped words"),
                      form=N_("at most 4 swapped words, such as 1~dog~cat"))  # fmt: skip
    off: str = param("", pattern=what_if.all_read, high=650, label=N_("What if"),
                     form=N_("at most 8 changes, such as layer3.head1"))  # fmt: skip

    @property
    def swapped_words(self) -> list[swaps.Swap]:
        """Which words of its text are swapped; a picture has none."""
        return [] if self.picture else swaps.read(self.swap, self.text)

    @property
    def read_text(self) -> str:
        """The text that the model reads, its swapped words in their places."""
        return swaps.swapped(self.text, self.swapped_words)

    @property
    def changes(self) -> list[what_if.Change]:
        """What is changed inside the run."""
        return what_if.read_several(self.off)

    def reads(self, swapped: Sequence[swaps.Swap]) -> Input:
        """What the model is given where some words are swapped."""
        if self.picture:
            return self.given
        text = swaps.swapped(self.text, swapped)
        return SourceTarget(text, self.target) if self.target else Text(text)


# --- what a model is asked for, by the ability of its first head: the words that follow from it


@dataclass(frozen=True, slots=True)
class AnswerWords:
    """How the pages speak of what a model says. Translate each with ``_``.

    Attributes:
        question: above the run.
        place, meaning: the last place on the strip, and its one line for the hover.
        heading: above the words.
        at: which token they belong to.
        reading: what is expected there.
        logits: what the logits before them are, in a line.
        places: ids of the places on the strip that the logits and the words stand for.
        unhidden: the question where no word is hidden, if that is another one.
    """

    question: str
    place: str
    meaning: str
    heading: str
    at: str
    reading: str
    logits: str = N_("every entry scored")
    places: tuple[str, str] = ("logits", "prediction")
    unhidden: str = ""


_LABEL: Mapping[str, Any] = {
    "place": N_("label"),
    "meaning": N_("the probability of each label"),
    "heading": N_("Label"),
    "at": N_("of the whole text"),
    "logits": N_("every label scored"),
    "places": ("labels", "labels"),
}
_NEXT: Mapping[str, Any] = {
    "place": N_("next word"),
    "meaning": N_("the probabilities of what comes next"),
    "heading": N_("Next word"),
    "at": N_("after “{token}”"),
    "reading": N_("“{word}” follows with {share}."),
}
ANSWERS: Mapping[Ability, AnswerWords] = {
    "next_token": AnswerWords(
        question=N_("What happens between a sentence and its next word?"), **_NEXT
    ),
    "translate": AnswerWords(
        question=N_("What happens between a sentence and its translation?"), **_NEXT
    ),
    "fill_spans": AnswerWords(
        question=N_("What happens between a sentence with gaps and what belongs there?"), **_NEXT
    ),
    "denoise": AnswerWords(
        question=N_("What happens between a damaged text and the text as it was?"), **_NEXT
    ),
    "masked_words": AnswerWords(
        question=N_("What happens between a sentence and a hidden word?"),
        unhidden=N_("What happens between a sentence and the word expected at a place?"),
        place=N_("hidden word"),
        meaning=N_("the probabilities of the hidden word"),
        heading=N_("Word at this place"),
        at=N_("at “{token}”"),
        reading=N_("At “{query}” the model expects “{word}” with {share}."),
    ),
    "classify_text": AnswerWords(
        question=N_("What happens between a sentence and its label?"),
        reading=N_("The model gives the whole text the label “{word}”, with {share}."),
        **_LABEL,
    ),
    "classify_pair": AnswerWords(
        question=N_("What happens between two sentences and their label?"),
        reading=N_(
            "The model learned from pairs of texts. Of this one text alone it says “{word}”, with "
            "{share}."
        ),
        **_LABEL,
    ),
    "classify_image": AnswerWords(
        question=N_("What happens between a picture and its label?"),
        reading=N_("The model sees “{word}”, with {share}."),
        **{**_LABEL, "at": N_("of the whole picture")},
    ),
}

# Of an ability that no record here speaks of.
ANYTHING = AnswerWords(
    question=N_("What happens between what the model is given and its answer?"),
    place=N_("answer"),
    meaning=N_("the probability of each answer"),
    heading=N_("Answer"),
    at=N_("at “{token}”"),
    reading=N_("At “{query}” the model answers “{word}” with {share}."),
)


def question_of(blueprint: Blueprint, *, hidden: bool) -> str:
    """What stands above a run; translate with ``_``.

    Args:
        blueprint: of the model.
        hidden: a word of its input is.
    """
    answer = answer_of(blueprint)
    return answer.question if hidden else answer.unhidden or answer.question


def answering(blueprint: Blueprint) -> Head:
    """The head that answers: the first that predicts words, else one that chooses a label.

    Raises:
        NoPartError: there is neither.
    """
    return blueprint.head if blueprint.predicts_words else blueprint.classifier


def answer_of(blueprint: Blueprint) -> AnswerWords:
    """How the pages speak of what a model says, in words or by a label.

    Raises:
        NoPartError: it says neither.
    """
    return ANSWERS.get(answering(blueprint).ability, ANYTHING)


# --- what is changed in a run, in words: a part of the model, a word, a weight --------


Places = Sequence[Sequence[int]]
_AROUND = {
    "attn": N_("the attention of {where} replaces the row"),
    "cross": N_("the cross-attention of {where} replaces the row"),
    "ffn": N_("the feed-forward network of {where} replaces the row"),
    "": N_("{where} replaces the row"),
}


def standing_in(units: Sequence[Unit], places: Sequence[int]) -> str:
    """The word that stands in the place of a token: all of its own tokens."""
    if len(places) == 1:
        return units[places[0]].spoken
    pieces = (units[place].label.removeprefix("##") for place in places)
    return "".join(pieces).removeprefix("·").replace("·", " ")


def where(place: Place, trace: Trace) -> str:
    """A layer inside a sentence: layer 3, layer 3 of the encoder."""
    towers, stream = trace.blueprint.towers, place.stream or trace.blueprint.stream
    tower = next((tower for tower in towers if tower.stream == stream), None)
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


def called(change: Change | Swap, trace: Trace, places: Mapping[str, Places]) -> str:
    """A change in words, after which a colon may stand.

    Args:
        change: with positions of the text as it was before words were swapped.
        trace: of the text as it is read now.
        places: by stream, what stands there now for each position.
    """
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
    units = {name: stream.units for name, stream in trace.streams.items()}
    keys, those = units[attention.keys], places[attention.keys]
    if change.kind == "off":
        token = standing_in(keys, those[place.key or 0])
        return _("“{token}” hidden from {head}").format(token=token, head=part)
    text, value = _("score {value} from “{query}” to “{key}” in {head}"), set_to(change.value)
    if change.kind == "weight":
        value = percent(change.value)
        text = _("weight {value} from “{query}” to “{key}” in {head}")
    query = units[attention.queries][places[attention.queries][change.query][-1]].spoken
    positions = those[change.key]
    key = standing_in(keys, positions if change.cuts else positions[-1:])
    if change.cuts:
        text = _("line from “{key}” to “{query}” cut in {head}")
    return text.format(value=value, query=query, key=key, head=part)


def set_to(value: float) -> str:
    """A number as somebody has set it."""
    return spelt(f"{value:g}").replace("-", MINUS)


# --- the towers of a run: every part of it as a picture of its own numbers ------------


def stream_order(blueprint: Blueprint) -> list[str]:
    """The streams, the one that is answered from last."""
    return sorted(blueprint.streams, key=lambda stream: stream == blueprint.stream)


def field_of(blueprint: Blueprint, stream: str) -> str:
    """The parameter that names a position in a stream."""
    return "token" if stream == blueprint.stream else "source_token"


def drawn_tower(trace: Trace, stream: str) -> Tower:
    """All that is made of one stream of a run."""
    blueprint, shown = trace.blueprint, trace.streams[stream]
    n, first = len(shown.units), first_shown(trace, stream)
    return Tower(
        name=stream,
        title=_title(blueprint, stream),
        tokens=[tokens.chip(token, born=shown.written) for token in shown.units[first:]],
        first=first,
        field=field_of(blueprint, stream),
        parts=list(parts(trace, stream)),
        shown=_cut_note(blueprint, stream, n, first),
    )


def _title(blueprint: Blueprint, stream: str) -> str | None:
    """What a tower is and does, where there are several."""
    if len(blueprint.streams) == 1:
        return None
    named = {"stream": stream_called(blueprint, stream)}
    towers = [tower for tower in blueprint.towers if tower.stream == stream]
    if not towers:
        return _("Tokens of the {stream}").format(**named)
    part = tower_called(towers[-1])
    title = _("{part}: it reads the {stream}")
    if stream == blueprint.stream:
        title = _("{part}: it writes the {stream}")
    return title.format(part=part[:1].upper() + part[1:], **named)


def _cut_note(blueprint: Blueprint, stream: str, n: int, first: int) -> str:
    """Which of the tokens are drawn, where not all are."""
    if not first:
        return ""
    if blueprint.patches:
        return _("the last {n} of {all} patches").format(n=n - first, all=n)
    text = _("the last {n} of {all} tokens")
    if len(blueprint.streams) > 1:
        text = _("{stream}: the last {n} of {all} tokens")
    return text.format(stream=stream_called(blueprint, stream), n=N_ROWS, all=n)


def units_above(units: Sequence[Unit], first: int) -> str:
    """What stands above the first row that is drawn, in words; nothing where all is drawn."""
    if not first:
        return ""
    if not units[0].special:
        text = ngettext("{n} token above is not drawn", "{n} tokens above are not drawn", first)
        return text.format(n=first)
    if first == 1:
        return _("{mark} is not drawn").format(mark=units[0].label)
    text = ngettext("{mark} and {n} more token are not drawn",
                    "{mark} and {n} more tokens are not drawn", first - 1)  # fmt: skip
    return text.format(mark=units[0].label, n=first - 1)


def cells_drawn(width: int, *, patches: bool = False) -> str:
    """How many components of a vector so wide are drawn, of tokens or of patches."""
    n = width // N_CELLS
    if n <= 1:
        return _("every component of each token's vector")
    text = _("drawn: one component in {n} of each token's vector")
    if patches:
        text = _("drawn: one component in {n} of each patch's vector")
    return text.format(n=n)


def entries_drawn(size: int) -> str:
    """How many entries of a vocabulary of that size are drawn."""
    n = size // N_CELLS
    if n <= 1:
        return _("every entry of the vocabulary")
    return _("drawn: one entry in {n} of the vocabulary").format(n=n)


def known_elsewhere(blueprint: Blueprint, stream: str) -> Iterator[Sentence]:
    """What a machine without attention knows of another stream than its own."""
    for recurrence in blueprint.recurrences:
        if recurrence.told is not None and recurrence.stream == stream:
            yield sentence(
                _("Nothing here attends to anything: of the {stream} the {part} knows only the "
                  "last states."),
                stream=stream_called(blueprint, recurrence.told), part=tower_called(recurrence),
            )  # fmt: skip


def tower_numbers(trace: Trace, tower: Layers) -> tuple[str, Values]:
    """A number for each layer and position of a tower, and what it is called."""
    positions = Along("position", _("token"), tokens.labels(trace.streams[tower.stream].units))
    layers = [str(layer) for layer in range(tower.n_layers)]
    if isinstance(tower, Stack):
        label, lengths = _("how much the feed-forward network writes"), wrote(trace, tower)
        return "wrote", Values(label, lengths, (Along("layer", _("layer"), layers), positions))
    places = [f"{layer} {way}" for layer in layers for way in tower.directions]
    lengths = np.stack([
        np.linalg.norm(trace[f"{tower.layer(layer, way)}.hidden"], axis=-1)
        for layer in range(tower.n_layers) for way in tower.directions
    ])  # fmt: skip
    axes = (Along("layer", _("layer"), places), positions)
    return "state", Values(_("length of the state"), lengths.astype(np.float32), axes)


# --- the whole run, from what a model reads to what it answers ------------------------


N_WORDS = 8


@dataclass(frozen=True, slots=True)
class AtRow(OnSwapped):
    """What a model reads, and the row of it that is looked at.

    Attributes:
        token: the row; -1 for the last one that answers (or the first hidden word).
        source_token: the same in the encoder; -1 for the last word.
    """

    token: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Token"))
    source_token: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Source token"))


@dataclass(frozen=True)
class WholeRun:
    """One run from the text to the prediction.

    Attributes:
        run: all of it.
        params: what was asked for.
        temperature: that its logits are divided by before the softmax.
    """

    run: Run
    params: AtRow
    temperature: float = 1.0

    @property
    def trace(self) -> Trace:
        return self.run.trace

    @property
    def cut(self) -> str:
        """What of the text did not fit."""
        return self.run.cut

    @property
    def blueprint(self) -> Blueprint:
        return self.trace.blueprint

    @property
    def stream(self) -> str:
        """The stream that is answered from."""
        return self.blueprint.stream

    def row(self, stream: str) -> int:
        """The row that is looked at in a stream's pictures."""
        units = self.trace.streams[stream].units
        first, last = first_shown(self.trace, stream), len(units) - 1
        field = field_of(self.blueprint, stream)
        chosen: int = getattr(self.params, field)
        if chosen >= 0:
            return nearest(field, chosen, last, first)
        if stream != self.stream:
            return tokens.last_word(units)
        if self.of_all:
            return first
        if self.answering.ability == "both_ways":  # after the mark at the end nothing comes
            return max(first, tokens.last_word(units))
        if self.answering.ability == "masked_words":
            hidden = [i for i, token in enumerate(units) if token.label == MASK]
            return max(hidden[0], first) if hidden else min(first + 1, last)
        return last

    @property
    def answering(self) -> Head:
        """The head of the model whose answer is drawn."""
        return answering(self.blueprint)

    @property
    def answer(self) -> AnswerWords:
        """How its prediction is spoken of."""
        return answer_of(self.blueprint)

    @property
    def question(self) -> str:
        """What stands above it; translate with ``_``."""
        units = self.trace.streams[self.stream].units
        return question_of(self.blueprint, hidden=any(unit.label == MASK for unit in units))

    @property
    def of_all(self) -> bool:
        """Whether it answers its whole input, with a label."""
        return bool(self.answering.labels)

    @property
    def labels(self) -> list[str]:
        """Among which it chooses, as they are shown; none where it chooses among words."""
        return [label_called(label) for label in self.answering.labels]

    @property
    def logits(self) -> Array:
        """What it answers with, a row for each of its tokens, or one of all ``(rows, entries)``."""
        return np.atleast_2d(self.trace[self.answering.site])

    @property
    def width(self) -> int:
        """Components of a token's vector where its stream begins."""
        parts = self.blueprint
        begins: list[Embedding | PatchStem] = [*parts.embeddings, *parts.patches]
        terms = next(part.terms for part in begins if part.stream == self.stream)
        return self.trace[terms[0]].shape[-1]

    @property
    def rows(self) -> dict[str, int]:
        """The rows that are looked at, by the names of the parameters."""
        blueprint = self.blueprint
        return {field_of(blueprint, stream): self.row(stream) for stream in blueprint.streams}

    @property
    def first(self) -> int:
        """The row of ``logits`` that is drawn first."""
        return 0 if self.of_all else first_shown(self.trace, self.stream)

    @cached_property
    def shown_words(self) -> tuple[list[list[str]], Array]:
        """The likeliest words of each token that is drawn, or labels of all, and their shares."""
        return self.words(self.first)

    def likeliest(self, row: int) -> tuple[str, float]:
        """The likeliest word at a row of its stream, or label of all, and its share."""
        logits = self.logits[0 if self.of_all else row] / np.float32(self.temperature)
        best, share = likeliest(logits)
        labels = self.answering.labels
        word = labels[int(best)] if labels else self.run.words(int(best)).label
        return word, float(as_shares(share))

    def words(self, first: int = 0) -> tuple[list[list[str]], Array]:
        """The same for each token from ``first`` on."""
        probs = softmax(self.logits[first:] / self.temperature)
        best = largest(probs, min(N_WORDS, probs.shape[-1]))
        vocabulary = self.labels
        labels = [
            [vocabulary[i] if vocabulary else self.run.words(int(i)).label for i in row]
            for row in best
        ]
        return labels, as_shares(np.take_along_axis(probs, best, axis=1))


# --- what a model would say if it ended after a layer: the guesses on the way ---------


def guesses(whole: WholeRun, rows: Sequence[int] | None = None) -> list[list[tuple[str, float]]]:
    """For each row, by itself each that is drawn, the word that would follow each layer.

    Of a model that chooses among labels it is one row, of all: the label.
    """
    if whole.of_all:
        return _labels(whole)
    if not has_lens(whole):
        return []
    if rows is None:
        rows = range(whole.first, len(whole.trace.streams[whole.stream].units))
    if not rows:
        return []
    return [
        [(whole.run.words(int(n)).spoken, float(share)) for n, share in zip(*layers, strict=True)]
        for layers in zip(*layer_guesses(whole.trace, rows), strict=True)
    ]


def _labels(whole: WholeRun) -> list[list[tuple[str, float]]]:
    """The label after each layer, where that can be told."""
    blueprint = whole.blueprint
    if not blueprint.classifier.linear or not blueprint.stacks:
        return []
    best, shares = likeliest(label_logits(whole.trace)[1:])
    return [[(whole.labels[n], float(share)) for n, share in zip(best, shares, strict=True)]]


def has_lens(whole: WholeRun) -> bool:
    """Whether what each layer hands on can be read as words."""
    blueprint = whole.trace.blueprint
    if not blueprint.predicts_words or blueprint.head.table is None:
        return False
    return any(stack.stream == blueprint.stream for stack in blueprint.stacks)
