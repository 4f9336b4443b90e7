"""One word in several sentences: what its vectors know of what stands around it."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.analysis.contexts import flattened, same_sense, within_and_across
from core.analysis.positions import cosines
from core.data.examples import READER
from core.data.senses import in_groups
from core.figures.components import Axis, Matrix, Scale, Sheet
from core.figures.components.plot import Curve, Plot, PlotAxis, Points
from core.figures.components.plot.parts import Dash, Side
from core.figures.text import Mark, Sentence, decimal, join, number, percent, sentence, shortened
from core.figures.values import Along, Values
from core.inputs import Text
from core.language import N_, _, name_of, ngettext
from core.locale import in_quotes, listed
from core.models.needs import Needs
from core.runs.kinds.trace import Run, TraceRequest
from core.runs.request import Request
from core.tracing.trace import Trace
from core.views.controls import Control
from core.views.nearest import nearest
from core.views.params import model_param, param
from core.views.view import Note, View

# --- a word and the sentences it stands in, as they are asked for ---------------------


MOST = 12  # sentences: each is a run
LONGEST = 400  # characters of one
WORD, EACH = "left", 4  # what is shown first, and sentences of each sense


@dataclass(frozen=True, slots=True)
class ContextLine:
    """A sentence as it was written.

    Attributes:
        number: its number among those that were written, from 1.
        sense: the number of the word's sense in it.
        text: of it, as much as is read.
        place: of the word in it; None where the word is not in it.
    """

    number: int
    sense: int
    text: str
    place: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Occurring:
    """A word, the sentences it stands in, and the layer whose vectors are compared.

    Attributes:
        sought: the word that is looked for, in whatever case.
        sentences: one a line; an empty line before those in which it has another sense.
        layer: 0 is the vector without context, 1 what the first layer is given, and so on.
        model: id on the shelf.
    """

    layers_before: ClassVar[int] = 2  # no other word has been read in them

    sought: str = param(WORD, high=40, label=N_("Word"))
    sentences: str = param(in_groups(WORD, EACH), label=N_("Sentences"))
    layer: int = param(2, low=0, high=255, label=N_("Layer"))
    model: str = model_param(READER)

    @property
    def word(self) -> str:
        """What is looked for, without what stands around it in the field."""
        return self.sought.strip()

    @property
    def lines(self) -> tuple[ContextLine, ...]:
        """The sentences that were written."""
        sense, rows = 0, list[ContextLine]()
        pattern = re.compile(rf"(?<!\w){re.escape(self.word)}(?!\w)", re.IGNORECASE)
        for line in self.sentences.splitlines():
            line = line.strip()[:LONGEST]
            place = pattern.search(line) if self.word else None
            if line:
                rows.append(ContextLine(len(rows) + 1, sense, line, place and place.span()))
            elif rows:
                sense += 1
        return tuple(rows)

    @property
    def occurrences(self) -> tuple[tuple[int, int, str, tuple[int, int]], ...]:
        """The sentences with the word: number, sense, text, where the word is."""
        rows = [
            (line.number, line.sense, line.text, line.place)
            for line in self.lines
            if line.place is not None
        ]
        return tuple(rows[:MOST])

    @property
    def n_lines(self) -> int:
        """How many sentences were written."""
        return len(self.lines)


# --- a word in several sentences, in a model: what every view of it is computed from --


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
        """How many sentences are compared."""
        return len(self.sentences)

    @property
    def layer(self) -> int:
        """The layer that is looked at."""
        return nearest("layer", self.params.layer, max(0, len(self.vectors) - 1))

    @cached_property
    def alike(self) -> NDArray[np.float64]:
        """The cosines of each pair in every layer ``(layers, n, n)``."""
        return np.stack([cosines(vectors) for vectors in self.vectors])

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
                (
                    *within_and_across(similarity, self.senses),
                    same_sense(similarity, self.senses).mean(),
                )
                for similarity in self.alike
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
        """The axis of the layers, as the tables of numbers name it."""
        return Along("layer", _("layer"), layer_names(len(self.vectors)))

    def along(self, name: str, header: str) -> Along:
        """The sentences, for the numbers."""
        return Along(name, header, list(self.sentences))


def layer_names(n: int) -> list[str]:
    """The layers: the vector without context, what the first is given, and each one."""
    return [_("static"), _("input"), *(str(layer) for layer in range(n - Occurring.layers_before))][
        :n
    ]


class OccurrencesView(View[Occurring, Occurrences]):
    """A view of a word's vectors, from a run on each of the sentences."""

    Params, needs = Occurring, NEEDS

    def requests(self, params: Occurring) -> tuple[Request, ...]:
        return tuple(
            TraceRequest(params.model, Text(line), sites=("@layers", "@embeddings"))
            for _at, _sense, line, _place in params.occurrences
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
    for run, (index, sense, line, place) in zip(runs, params.occurrences, strict=True):
        in_layers = _vectors(run.trace, place)
        if in_layers is not None:
            lines.append(line)
            numbers.append(index)
            senses.append(sense)
            places.append(place)
            vectors.append(in_layers)
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
    positions = [
        n
        for n, token in enumerate(trace.streams[stream].tokens)
        if not token.special and token.start < end and token.end > start
    ]
    if not positions:
        return None
    static = blueprint.embedding(stream).terms[0]
    return [trace[site][positions].mean(axis=0) for site in (static, *blueprint.sites("@layers"))]


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
    without = [line for line in params.lines if line.place is None and params.word]
    beyond = len(params.lines) - len(without) - len(params.occurrences) if params.word else 0
    cut = [line for _at, _sense, line, _place in params.occurrences if line not in record.sentences]
    lines = []
    if without:
        named = [f"{line.number} ({in_quotes(shortened(line.text, QUOTED))})" for line in without]
        lines.append(
            ngettext("Sentence {lines} does not contain {word} and is left out.",
                     "Sentences {lines} do not contain {word} and are left out.", len(named))
            .format(lines=listed(named), word=word)
        )  # fmt: skip
    if beyond:
        lines.append(
            ngettext("The first {most} sentences with {word} are compared. {n} more is left out.",
                     "The first {most} sentences with {word} are compared. {n} more are left out.",
                     beyond).format(most=MOST, word=word, n=beyond)
        )  # fmt: skip
    lines += [
        _("{model} cannot read as far as {word} in {line}, so this sentence is left out.").format(
            model=name_of(params.model), word=word, line=in_quotes(shortened(line, QUOTED))
        )
        for line in cut
    ]
    return lines


# --- how alike a word's vectors are in each layer, within a sense and across ----------


class ContextsCosinesView(OccurrencesView):
    """Two lines: mean cosines within a group, and across."""

    name = "contexts.cosines"

    def values(self, record: Occurrences) -> Mapping[str, Values]:
        by_layer, axes = record.by_layer, (record.along_layers,)
        return {
            "within": Values(_("mean cosine within a group"), by_layer[:, 0], axes),
            "across": Values(_("mean cosine across groups"), by_layer[:, 1], axes),
        }

    def compared(self, record: Occurrences) -> Sentence:
        apart = record.by_layer[:, 0] - record.by_layer[:, 1]
        if np.isnan(apart).all():
            return sentence(
                _("To compare cosines within a group and across, write two groups of sentences "
                  "with {word}, at least two of them in one group."),
                word=in_quotes(record.params.sought),
            )  # fmt: skip
        best = int(np.nanargmax(apart))
        within, across = (float(cosine) for cosine in record.by_layer[best, :2])
        return sentence(
            _("The two are furthest apart in layer {layer}: {within} within a group, {across} "
              "across groups."),
            layer=Mark(layer_names(len(record.vectors))[best], "accent"),
            within=Mark(number(within), "accent"), across=number(across),
        )  # fmt: skip

    def draw(self, record: Occurrences) -> Plot:
        lines: tuple[tuple[int, str, str, Dash], ...] = (
            (0, "accent", _("cosine within a group"), "solid"),
            (1, "muted", _("cosine across groups"), "dash"),
        )
        return Plot(
            title=_("{model}: mean cosines").format(model=name_of(record.params.model)),
            x=PlotAxis(title=_("layer"), categories=layer_names(len(record.vectors))),
            y=PlotAxis(title=_("cosine"), from_zero=True),
            series=[
                Curve(y=record.by_layer[:, n], role=role, name=name, dash=dash, markers=6,
                      hover="{name}: {y:.3f}")
                for n, role, name, dash in lines
            ],
            unified=True,
            height=360,
        )  # fmt: skip


# --- how alike a word's vectors are in each pair of sentences, in one layer -----------


class ContextsDistancesView(OccurrencesView):
    """A cell for each pair."""

    name = "contexts.distances"

    def values(self, record: Occurrences) -> Mapping[str, Values]:
        axes = (record.along("sentence", _("sentence")), record.along("other", _("other sentence")))
        return {"cosine": Values(_("cosine"), record.alike[record.layer], axes)}

    def notes(self, record: Occurrences) -> Sequence[Note]:
        """The sentences that are left out, and what the numbers and the layers mean."""
        if not record.several_layers:
            return super().notes(record)
        text = sentence(
            _("A cosine of 1 means the same direction, 0 a right angle. Static: the word's row "
              "of the embedding table, the same in every sentence. Input: the vector that the "
              "first layer is given.")
        )  # fmt: skip
        return [*super().notes(record), Note("more", text)]

    def compared(self, record: Occurrences) -> Sentence:
        alike = record.alike[record.layer]
        if np.ptp(alike) < 1e-4:
            return sentence(
                _("Layer {layer}: the vector of {word} is the same in all sentences. It does not "
                  "know its context."),
                layer=Mark(record.layer_name, "accent"),
                word=in_quotes(record.params.sought),
            )  # fmt: skip
        within, across = within_and_across(alike, record.senses)
        if not record.several or np.isnan(within):
            return sentence(
                _("Layer {layer}: two vectors of {word} have a cosine of {mean} on average."),
                layer=Mark(record.layer_name, "accent"),
                word=in_quotes(record.params.sought),
                mean=number(float(np.nanmean([within, across])), 2),
            )
        return sentence(
            _("Layer {layer}: in sentences of one group the vectors of {word} have a cosine of "
              "{within} on average, in sentences of two groups {across}."),
            layer=Mark(record.layer_name, "accent"),
            word=in_quotes(record.params.sought),
            within=Mark(number(within, 2), "accent"), across=Mark(number(across, 2), "accent"),
        )  # fmt: skip

    def draw(self, record: Occurrences) -> Matrix:
        alike = record.alike[record.layer].astype(np.float32)
        title = _("Cosine of the vectors of {word} in each pair of sentences").format(
            word=in_quotes(record.params.sought)
        )
        sheet = Sheet(
            title=title,
            array="cosine",
            texts=[[decimal(float(cosine), 2) for cosine in row] for row in alike],
            rows=Axis(record.labels, "sentence", "query", room=250, around=record.contexts),
            cols=Axis([str(n) for n in record.numbers], "other", "key"),
            # In one layer all may lie above 0.75: a scale from 0 would be nearly one colour.
            scale=Scale("accent", limit=1.0, zero=record.least),
            least_cell=23,  # each has room for its number, and a phone for eight
            max_cell=56,
            row_height=30,
            axes=sentence(
                _(
                    "rows and columns: sentences · full colour: a cosine of 1 · no colour: {least} "
                    "or less"
                ),
                least=decimal(record.least, 1),
            ),
            alt="",
        )
        return Matrix(
            selection=_layer_number(record), sheets=[sheet],
            arrays={"cosine": alike},
        )  # fmt: skip


def _layer_number(record: Occurrences) -> dict[str, int]:
    """The layer for the strip above the page: of what stands before the first, none."""
    layer = record.layer_name
    return {"layer": int(layer)} if layer.isdigit() else {}


# --- in which layer the senses of a word part -----------------------------------------


class ContextsLayersView(OccurrencesView):
    """The share of sentences whose nearest other one is of the same group."""

    name = "contexts.layers"

    def values(self, record: Occurrences) -> Mapping[str, Values]:
        same = record.by_layer[:, 2]
        return {"same": Values(_("nearest is of the same group"), same, (record.along_layers,))}

    def compared(self, record: Occurrences) -> Sentence:
        if not record.several:
            return sentence(
                _("Leave an empty line between sentences in which {word} has different senses: "
                  "then the layers can be asked whether they tell them apart."),
                word=in_quotes(record.params.sought),
            )  # fmt: skip
        by_layer, names = record.by_layer, layer_names(len(record.vectors))
        # Before the first layer nothing has been read: what parts there are the positions.
        before = record.params.layers_before
        best = before + int(by_layer[before:, 2].argmax())
        peak = sentence(
            _("Without context, {static} of the nearest neighbours of {word} in {model} are of the "
              "same group: that is chance. After layer {layer} it is {best}."),
            static=percent(float(by_layer[0, 2])), word=in_quotes(record.params.sought),
            model=name_of(record.params.model), layer=Mark(names[best], "accent"),
            best=Mark(percent(float(by_layer[best, 2])), "accent"),
        )  # fmt: skip
        at_input = by_layer[before - 1, 2]
        if not at_input > by_layer[0, 2]:
            return peak
        return join([peak, sentence(
            _("At the input it is {share} already, but no other word has been read there: the "
              "positions of the word differ between the groups."),
            share=percent(float(at_input)),
        )])  # fmt: skip

    def draw(self, record: Occurrences) -> Plot:
        by_layer, names = record.by_layer, layer_names(len(record.vectors))
        return Plot(
            title=_("{model}: the nearest sentence is of the same group").format(
                model=name_of(record.params.model)
            ),
            x=PlotAxis(title=_("layer"), categories=names),
            y=PlotAxis(title=_("share of the sentences"), range=(0, 1.05)),
            series=[
                Curve(y=by_layer[:, 2], role="position", markers=6, hover="{name}: {y:.3f}",
                      name=_("share whose nearest is of the same group"))
            ],
            height=360,
        )  # fmt: skip


# --- a word's vectors in several sentences as points of a plane, in one layer ---------


ROLES = ("query", "key", "value", "accent", "position", "weight")  # of the senses


class ContextsPlaneView(OccurrencesView):
    """A point for each sentence, in the colour of its group."""

    name = "contexts.plane"

    def values(self, record: Occurrences) -> Mapping[str, Values]:
        places, _left = record.plane
        axes = (
            record.along("sentence", _("sentence")),
            Along("direction", _("direction"), ["1", "2"]),
        )
        return {"place": Values(_("place in the plane"), places, axes)}

    def compared(self, record: Occurrences) -> Sentence:
        _places, share = record.plane
        text = sentence(
            _("{share} of how the {n} vectors differ is in this plane."),
            share=percent(share), n=str(record.n),
        )  # fmt: skip
        if not record.several:
            return text
        near = float(record.by_layer[record.layer, 2])
        nearest = sentence(
            _("The nearest other sentence is of the same group in {share} of them."),
            share=Mark(percent(near), "accent"),
        )
        return join([nearest, text])

    def draw(self, record: Occurrences) -> Plot:
        places, _left = record.plane
        sides, series = away(places), []
        for n, sense in enumerate(dict.fromkeys(record.senses)):
            members = [i for i, other in enumerate(record.senses) if other == sense]
            series.append(
                Points(
                    x=places[members, 0], y=places[members, 1], role=ROLES[n % len(ROLES)], size=11,
                    name=_("group {n}").format(n=n + 1),
                    labels=[str(record.numbers[i]) for i in members],
                    sides=[sides[i] for i in members],
                    text=[record.sentences[i] for i in members],
                    hover="{text}",
                )
            )  # fmt: skip
        wide = float(np.abs(places).max(initial=0.0)) * 1.25 or 1.0
        return Plot(
            title=_("{model}, layer {layer}: the vectors of the word in a plane").format(
                model=name_of(record.params.model), layer=record.layer_name
            ),
            x=PlotAxis(title=_("first direction"), range=(-wide, wide)),
            y=PlotAxis(title=_("second direction"), range=(-wide, wide)),
            series=series,
            height=380,
        )


def away(places: NDArray[np.float64]) -> list[Side]:
    """For each of some points ``(N, 2)``, the side on which its nearest neighbour is not."""
    if len(places) < 2:
        return ["right"] * len(places)
    apart = np.linalg.norm(places[:, None] - places[None], axis=-1)
    np.fill_diagonal(apart, np.inf)
    nearest = apart.argmin(axis=1)
    x, first = places[:, 0], np.arange(len(places)) < nearest  # first: of two in one place
    right = (x[nearest] > x) | ((x[nearest] == x) & first)
    return ["left" if flag else "right" for flag in right]
