"""A word in several sentences, in a model: what every view of it is computed from."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.analysis.contexts import flattened, same_sense, within_and_across
from core.analysis.positions import cosines
from core.examples import READER
from core.figures.text import Sentence, sentence
from core.figures.values import Along
from core.inputs import Text
from core.language import N_, _
from core.locale import in_quotes
from core.models.needs import Needs
from core.runs.requests import Request, TraceRequest
from core.runs.results import Run
from core.senses import in_groups
from core.tracing.trace import Trace
from core.views.nearest import nearest
from core.views.params import param
from core.views.view import View

MOST = 12  # sentences: each is a run
LONGEST = 400  # characters of one
SHOWN = 20  # characters of a sentence's label
READ = 2  # so many vectors come before the first layer: no other word has been read in them
NEEDS = Needs(parts=("contextual",))
WORD, EACH = "left", 4  # what is shown first, and sentences of each sense


@dataclass(frozen=True, slots=True)
class Occurring:
    """A word, the sentences it stands in, and the layer whose vectors are compared.

    Attributes:
        sought: the word that is looked for, in whatever case.
        sentences: one a line; an empty line before those in which it has another sense.
        layer: 0 is the vector without context, 1 what the first layer is given, and so on.
        model: id on the shelf.
    """

    sought: str = param(WORD, pattern=r"\S{0,40}", form=N_("one word"), label=N_("Word"))
    sentences: str = param(in_groups(WORD, EACH), label=N_("Sentences"))
    layer: int = param(2, low=0, high=255, label=N_("Layer"))
    model: str = param(READER, label=N_("Model"))

    @property
    def found(self) -> tuple[tuple[int, str, tuple[int, int]], ...]:
        """The sentences with the word: the number of its sense, the sentence, where the word is."""
        sense = 0
        rows: list[tuple[int, str, tuple[int, int]]] = []
        wanted = re.compile(rf"(?<!\w){re.escape(self.sought)}(?!\w)", re.IGNORECASE)
        for line in self.sentences.strip().splitlines():
            line = line.strip()[:LONGEST]
            place = wanted.search(line) if self.sought else None
            if not line:
                sense += 1
            elif place is not None and len(rows) < MOST:
                rows.append((sense, line, place.span()))
        return tuple(rows)

    @property
    def n_lines(self) -> int:
        """Sentences that were written."""
        return sum(bool(line.strip()) for line in self.sentences.splitlines())


@dataclass(frozen=True)
class Occurrences:
    """The vectors of the word.

    Attributes:
        params: what was asked for.
        sentences: those with the word whose word fits the model.
        senses: of each, its number.
        vectors: of each layer ``(n, D)``, the one without context first.
        n_lines: sentences that were written.
        n_tokens: of the first of the sentences, marks included.
    """

    params: Occurring
    sentences: tuple[str, ...]
    senses: tuple[int, ...]
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
    def labels(self) -> list[str]:
        """The sentences by number, with what stands around the word."""
        return [
            f"{n} {_around(one, self.params.sought)}" for n, one in enumerate(self.sentences, 1)
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
    return [_("static"), _("input"), *(str(layer) for layer in range(n - READ))][:n]


class OfOccurrences(View[Occurring, Occurrences]):
    """A view of a word's vectors, from a run on each of the sentences."""

    Params, needs = Occurring, NEEDS

    def requests(self, params: Occurring) -> tuple[Request, ...]:
        return tuple(
            TraceRequest(params.model, Text(line), sites=("@layers", "@embeddings"))
            for _sense, line, _place in params.found
        )

    def compute(self, runs: Sequence[Run], params: Occurring) -> Occurrences:
        return _occurrences(runs, params)

    def describe(self, record: Occurrences) -> Sentence:
        few = _too_few(record)
        return sentence("{few}", few=few) if few else self.compared(record)

    @abstractmethod
    def compared(self, record: Occurrences) -> Sentence:
        """What the vectors of at least two sentences say."""


def _occurrences(runs: Sequence[Run], params: Occurring) -> Occurrences:
    """The word's vectors in the runs."""
    lines, senses, vectors = [], [], []
    for run, (sense, line, place) in zip(runs, params.found, strict=True):
        own = _vectors(run.trace, place)
        if own is not None:
            lines.append(line)
            senses.append(sense)
            vectors.append(own)
    by_layer = [np.stack(layer) for layer in zip(*vectors, strict=True)]
    empty = [np.zeros((0, 1), np.float32)]  # where no sentence has the word
    n_tokens = len(runs[0].trace.streams[runs[0].trace.blueprint.streams[0]].units) if runs else 0
    return Occurrences(
        params, tuple(lines), tuple(senses), by_layer or empty, params.n_lines, n_tokens
    )


def _too_few(record: Occurrences) -> str:
    """What to do where there is nothing to compare; empty where there is."""
    if record.n > 1:
        return ""
    return _(
        "Write at least two sentences with the word {word}, one a line. {n} of {all} has it."
    ).format(word=in_quotes(record.params.sought or "?"), n=record.n, all=record.n_lines)


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


def _around(sentence: str, word: str) -> str:
    """The word with what stands around it, short enough for an axis."""
    if len(sentence) <= SHOWN:
        return sentence
    at = max(0, sentence.lower().find(word.lower()))
    start = max(0, min(at - (SHOWN - len(word)) // 2, len(sentence) - SHOWN))
    cut = sentence[start : start + SHOWN].strip()
    return ("…" if start else "") + cut + ("…" if start + SHOWN < len(sentence) else "")
