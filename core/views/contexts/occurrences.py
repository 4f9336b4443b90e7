"""A word in several sentences, in a model: what every view of it is computed from."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.analysis.contexts import flattened, same_sense, within_and_across
from core.analysis.positions import cosines
from core.figures.text import Sentence, sentence, shortened
from core.figures.values import Along
from core.inputs import Text
from core.language import _, name_of, ngettext
from core.locale import in_quotes, listed
from core.models.needs import Needs
from core.runs.requests import Request, TraceRequest
from core.runs.results import Run
from core.tracing.trace import Trace
from core.views.contexts.occurring import MOST, Occurring
from core.views.controls import Control
from core.views.nearest import nearest
from core.views.view import Note, View

SHOWN = 24  # characters of a sentence's label, without quotes and dots
QUOTED = 40  # characters of a sentence that is left out
NEEDS = Needs(parts=("contextual",))


@dataclass(frozen=True)
class Occurrences:
    """The vectors of the word.

    Attributes:
        params: what was asked for.
        sentences: those with the word whose word fits the model.
        numbers: of each, among those that were written, from 1.
        senses: of each, its number.
        places: of the word in each.
        vectors: of each layer ``(n, D)``, the one without context first.
        n_lines: sentences that were written.
        n_tokens: of the first of the sentences, marks included.
    """

    params: Occurring
    sentences: tuple[str, ...]
    numbers: tuple[int, ...]
    senses: tuple[int, ...]
    places: tuple[tuple[int, int], ...]
    vectors: Sequence[NDArray[np.float32]]
    n_lines: int
    n_tokens: int

    @property
    def n(self) -> int:
        """Sentences that are compared."""
        return len(self.sentences)

    @property
    def layer(self) -> int:
        """The layer that is looked at."""
        return nearest("layer", self.params.layer, max(0, len(self.vectors) - 1))

    @cached_property
    def alike(self) -> NDArray[np.float64]:
        """The cosines of each pair in every layer ``(layers, n, n)``."""
        return np.stack([cosines(one) for one in self.vectors])

    @property
    def least(self) -> float:
        """A round number below the layer's cosines, where colours begin: 0 to 0.9."""
        lowest = float(self.alike[self.layer].min(initial=1.0))
        return float(np.clip(np.floor(10 * lowest) / 10, 0, 0.9))

    @cached_property
    def by_layer(self) -> NDArray[np.float64]:
        """How far the senses part in each layer ``(layers, 3)``.

        The mean cosine within a group, across groups, and the share of sentences whose nearest
        other one is of the same group.
        """
        if self.n < 2:
            return np.full((len(self.vectors), 3), np.nan)
        return np.array(
            [
                (*within_and_across(one, self.senses), same_sense(one, self.senses).mean())
                for one in self.alike
            ]
        )

    @cached_property
    def plane(self) -> tuple[NDArray[np.float64], float]:
        """The vectors of the layer in a plane, see ``flattened``."""
        return flattened(self.vectors[self.layer])

    @property
    def layer_name(self) -> str:
        """The layer that is looked at."""
        return layer_names(len(self.vectors))[self.layer]

    @property
    def several_layers(self) -> bool:
        """Whether there are vectors of more than one."""
        return len(self.vectors) > 1

    @property
    def labels(self) -> list[str]:
        """The sentences by number, with what stands around the word."""
        rows = zip(self.numbers, self.sentences, self.places, strict=True)
        return [f"{n} {_around(line, *place)}" for n, line, place in rows]

    @property
    def contexts(self) -> list[tuple[str, str, str, str]]:
        """Of each sentence its number, what stands before the word, that in quotes, the rest."""
        rows = zip(self.numbers, self.sentences, self.places, strict=True)
        return [
            (str(n), line[:start].strip(), in_quotes(line[start:end]), line[end:].strip())
            for n, line, (start, end) in rows
        ]

    @property
    def several(self) -> bool:
        """Whether there are two senses."""
        return len(set(self.senses)) > 1

    @property
    def along_layers(self) -> Along:
        """For the numbers."""
        return Along("layer", _("layer"), layer_names(len(self.vectors)))

    def along(self, name: str, header: str) -> Along:
        """The sentences, for the numbers."""
        return Along(name, header, list(self.sentences))


def layer_names(n: int) -> list[str]:
    """The layers: the vector without context, what the first is given, and each one."""
    return [_("static"), _("input"), *(str(layer) for layer in range(n - Occurring.layers_before))][
        :n
    ]


class OfOccurrences(View[Occurring, Occurrences]):
    """A view of a word's vectors, from a run on each of the sentences."""

    Params, needs = Occurring, NEEDS

    def requests(self, params: Occurring) -> tuple[Request, ...]:
        return tuple(
            TraceRequest(params.model, Text(line), sites=("@layers", "@embeddings"))
            for _at, _sense, line, _place in params.found
        )

    def compute(self, runs: Sequence[Run], params: Occurring) -> Occurrences:
        return _occurrences(runs, params)

    def notes(self, record: Occurrences) -> Sequence[Note]:
        """The sentences that are left out."""
        return [Note("info", sentence("{text}", text=text)) for text in _left_out(record)]

    def facts(self, record: Occurrences) -> Sequence[str]:
        return (
            name_of(record.params.model),
            ngettext("{n} sentence", "{n} sentences", record.n).format(n=record.n),
            _("every number is from these runs"),
        )

    def controls(self, record: Occurrences) -> Sequence[Control]:
        if not record.several_layers:
            return [Control.none("layer")]
        names = enumerate(layer_names(len(record.vectors)))
        options = [(str(layer), name) for layer, name in names]
        return [Control("layer", str(record.layer), options=options)]

    def describe(self, record: Occurrences) -> Sentence:
        few = _too_few(record)
        return sentence("{few}", few=few) if few else self.compared(record)

    @abstractmethod
    def compared(self, record: Occurrences) -> Sentence:
        """What the vectors of at least two sentences say."""


def _occurrences(runs: Sequence[Run], params: Occurring) -> Occurrences:
    """The word's vectors in the runs."""
    lines, numbers, senses, places, vectors = [], [], [], [], []
    for run, (at, sense, line, place) in zip(runs, params.found, strict=True):
        own = _vectors(run.trace, place)
        if own is not None:
            lines.append(line)
            numbers.append(at)
            senses.append(sense)
            places.append(place)
            vectors.append(own)
    by_layer = [np.stack(layer) for layer in zip(*vectors, strict=True)]
    empty = [np.zeros((0, 1), np.float32)]  # where no sentence has the word
    n_tokens = len(runs[0].trace.streams[runs[0].trace.blueprint.streams[0]].units) if runs else 0
    return Occurrences(
        params, tuple(lines), tuple(numbers), tuple(senses), tuple(places), by_layer or empty,
        params.n_lines, n_tokens,
    )  # fmt: skip


def _too_few(record: Occurrences) -> str:
    """What to do where there is nothing to compare; empty where there is."""
    if record.n > 1:
        return ""
    if not record.params.word:
        return _("Type the word that is looked for.")
    return ngettext(
        "Write at least two sentences with the word {word}, one per line. {n} of {all} has it.",
        "Write at least two sentences with the word {word}, one per line. {n} of {all} have it.",
        record.n,
    ).format(word=in_quotes(record.params.word), n=record.n, all=record.n_lines)


def _vectors(trace: Trace, place: tuple[int, int]) -> list[NDArray[np.float32]] | None:
    """Of the word in every layer ``(D,)``, its pieces averaged; None if it was cut off."""
    blueprint = trace.blueprint
    stream = blueprint.streams[0]
    start, end = place
    at = [
        n
        for n, token in enumerate(trace.streams[stream].tokens)
        if not token.special and token.start < end and token.end > start
    ]
    if not at:
        return None
    static = blueprint.embedding(stream).terms[0]
    return [trace[site][at].mean(axis=0) for site in (static, *blueprint.sites("@layers"))]


def _around(line: str, start: int, end: int) -> str:
    """The word in quotes between the words beside it, short enough for an axis."""
    left, right = line[:start].split(), line[end:].split()
    first, last, room = len(left), 0, SHOWN - (end - start)
    while True:
        before, after = left[first - 1 : first] if first else [], right[last : last + 1]
        # The word before it first: a label that is too long loses its end.
        if before and len(before[0]) < room and (len(left) - first <= last or not after):
            first, room = first - 1, room - len(before[0]) - 1
        elif after and len(after[0]) < room:
            last, room = last + 1, room - len(after[0]) - 1
        else:
            break
    words = [*left[first:], in_quotes(line[start:end]), *right[:last]]
    return ("… " if first else "") + " ".join(words) + (" …" if last < len(right) else "")


def _left_out(record: Occurrences) -> list[str]:
    """Which of the sentences are not compared, and why."""
    params, word = record.params, in_quotes(record.params.word)
    without = [one for one in params.lines if one.place is None and params.word]
    beyond = len(params.lines) - len(without) - len(params.found) if params.word else 0
    cut = [line for _at, _sense, line, _place in params.found if line not in record.sentences]
    said = []
    if without:
        named = [f"{one.at} ({in_quotes(shortened(one.text, QUOTED))})" for one in without]
        said.append(
            ngettext("Sentence {lines} does not contain {word} and is left out.",
                     "Sentences {lines} do not contain {word} and are left out.", len(named))
            .format(lines=listed(named), word=word)
        )  # fmt: skip
    if beyond:
        said.append(
            ngettext("The first {most} sentences with {word} are compared. {n} more is left out.",
                     "The first {most} sentences with {word} are compared. {n} more are left out.",
                     beyond).format(most=MOST, word=word, n=beyond)
        )  # fmt: skip
    said += [
        _("{model} cannot read as far as {word} in {line}, so this sentence is left out.").format(
            model=name_of(params.model), word=word, line=in_quotes(shortened(line, QUOTED))
        )
        for line in cut
    ]
    return said
