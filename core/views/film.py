"""Views of the film of learning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.data.examples import GAP
from core.figures import tokens
from core.figures.components import (
    Axis,
    BarFrame,
    BarRow,
    Bars,
    By,
    Matrix,
    Scale,
    Sheet,
    Stepper,
    Strip,
)
from core.figures.components.plot import Curve, Plot, PlotAxis, Points
from core.figures.components.plot.parts import Panel, Rule, Side, Symbol
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.film import index
from core.film.index import Film, FilmFrame
from core.film.words import GROUPS
from core.language import N_, _, ngettext
from core.locale import grouped
from core.models.needs import NO_MODEL
from core.runs.kinds.film import EmbeddingPlane, FilmReadings, FilmRequest
from core.runs.request import Request
from core.views.controls import Control
from core.views.nearest import nearest
from core.views.params import MAX_SEED, param
from core.views.parts import titled
from core.views.view import Note, View
from core.views.weak import english_only

# --- a text through the film of learning: what every view of it is computed from ------


@dataclass(frozen=True, slots=True)
class Filming:
    """A text, and one moment of the training.

    Attributes:
        text: that every frame reads.
        frame: by its place in the film; -1 for the last.
        layer, head: whose attention is shown.
        token: the query; -1 for the last token.
        key: the key; -1 for the one that gets most.
        seed: of what is drawn.
    """

    text: str = param(GAP.removesuffix(" [MASK]."), label=N_("Text"))
    frame: int = param(-1, low=-1, high=99, picked=True, label=N_("Moment of the training"))
    layer: int = param(3, low=0, high=255, picked=True, label=N_("Layer"))
    head: int = param(2, low=0, high=255, picked=True, label=N_("Head"))
    token: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Token"))
    key: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Key"))
    seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed"))


@dataclass(frozen=True, eq=False)
class FilmSeen:
    """The film, what its frames make of the text, and which of them is looked at."""

    film: Film
    run: FilmReadings
    params: Filming

    @property
    def frames(self) -> tuple[FilmFrame, ...]:
        """All, in the order of training."""
        return self.film.frames

    @property
    def index(self) -> int:
        """The frame that is looked at."""
        last = len(self.frames) - 1
        return last if self.params.frame < 0 else nearest("frame", self.params.frame, last)

    @property
    def frame(self) -> FilmFrame:
        return self.frames[self.index]

    @property
    def layer(self) -> int:
        return nearest("layer", self.params.layer, self.run.weights.shape[1] - 1)

    @property
    def head(self) -> int:
        return nearest("head", self.params.head, self.run.weights.shape[2] - 1)

    @property
    def steps(self) -> NDArray[np.float64]:
        """The step of the training at each frame, ``(F,)``."""
        return np.array([frame.step for frame in self.frames], np.float64)

    @property
    def when(self) -> str:
        """The moment of the training that is shown, in words."""
        return after(self.frame.step)

    @property
    def along(self) -> Along:
        """The frames as an axis."""
        return Along("frame", _("training step"), [grouped(frame.step) for frame in self.frames])

    def scores(self, name: str) -> NDArray[np.float64]:
        """A score of every head in every frame ``(F, L, H)``: "induction", say."""
        _frames, layers, heads = self.run.weights.shape[:3]
        return np.array([
            [[frame.heads[f"{name}/{layer}.{head}"] for head in range(heads)]
             for layer in range(layers)] for frame in self.frames
        ])  # fmt: skip

    def gains(self) -> NDArray[np.float64]:
        """``(F,)``: by how many nats a passage is easier when it is read a second time."""
        return np.array([frame.heads["repeat_gain"] for frame in self.frames])

    def selection(self) -> dict[str, int | str | None]:
        """By the names of the parameters."""
        return {"frame": self.index, "layer": self.layer, "head": self.head}


def after(step: int) -> str:
    """A moment of the training in words."""
    text = ngettext("after {n} step", "after {n} steps", step)
    return text.format(n=grouped(step)) if step else _("before training")


class FilmView(View[Filming, FilmSeen]):
    """A view of one frame among all."""

    Params, needs = Filming, NO_MODEL

    def requests(self, params: Filming) -> tuple[Request, ...]:
        return (FilmRequest(params.text, params.seed),)

    def compute(self, runs: Sequence[Any], params: Filming) -> FilmSeen:
        return FilmSeen(index.read(), runs[0], params)

    def controls(self, record: FilmSeen) -> Sequence[Control]:
        _frames, layers, heads = record.run.weights.shape[:3]
        return (
            Control.numbered("layer", record.layer, layers),
            Control.numbered("head", record.head, heads),
        )

    def notes(self, record: FilmSeen) -> Sequence[Note]:
        warning = english_only(_("The film's model"), record.params.text)
        return (Note("info", sentence("{said}", said=warning)),) if warning else ()

    def steps(self, record: FilmSeen) -> Stepper:
        """One moment after the other."""
        titles = [after(frame.step) for frame in record.frames]
        texts = [
            sentence(
                _("{tokens} tokens read, held-out loss {loss} nats per token"),
                tokens=grouped(frame.tokens), loss=number(frame.held),
            )
            for frame in record.frames
        ]  # fmt: skip
        return Stepper(
            title=_("Moments of the training"),
            selection=record.selection(),
            first=record.index,
            field="frame",
            titles=titles,
            texts=texts,
            pace=1100,
        )


# --- the loss of the film's model and the scores of its heads over the steps of training


START = 0.5  # where step 0 stands: a logarithmic axis has no 0
TICKS = (1, 10, 100, 1000, 10_000)
PIXELS = 100  # that the lower plot is high: what differs by less is one line


class FilmLossesView(FilmView):
    """Curves over all steps, and a point for the moment that is looked at."""

    name = "film.losses"

    def values(self, record: FilmSeen) -> Mapping[str, Values]:
        along = (record.along,)
        induction = record.scores("induction")
        numbers = {
            "held": (_("held-out loss in nats per token"), [frame.held for frame in record.frames]),
            "train": (
                _("training loss in nats per token"),
                [frame.train for frame in record.frames],
            ),
            "text": (_("loss on your text in nats per token"), record.run.losses),
            "induction": (_("induction score"), induction[:, record.layer, record.head]),
            "best": (_("induction score of the strongest head"), induction.max(axis=(1, 2))),
            "gain": (_("gain on a repeated passage in nats per token"), record.gains()),
        }
        return {
            name: Values(title, np.asarray(array, np.float64), along, selected=(record.index,))
            for name, (title, array) in numbers.items()
        }

    def describe(self, record: FilmSeen) -> Sentence:
        frame, base = record.frame, record.film.baselines
        sentences = [
            sentence(
                _("{when}, the held-out loss is {loss} nats per token. Counting pairs of tokens "
                  "would give {pairs}, equal chances for all tokens {chance}."),
                when=Mark(record.when.capitalize(), "strong"),
                loss=Mark(number(frame.held), "accent"),
                pairs=number(base["bigram"]), chance=number(base["uniform"]),
            ),
            sentence(
                _("Head {head} of layer {layer} has an induction score of {score}."),
                head=str(record.head), layer=str(record.layer),
                score=Mark(percent(self._score(record)), "key"),
            ),
            _repeated(frame.heads["repeat_gain"]),
        ]  # fmt: skip
        return join(sentences)

    @staticmethod
    def _score(record: FilmSeen) -> float:
        return float(record.scores("induction")[record.index, record.layer, record.head])

    def draw(self, record: FilmSeen) -> Plot:
        steps = np.maximum(record.steps, START)
        now = steps[record.index]
        ticks = [step for step in TICKS if step <= steps[-1]]
        return Plot(
            title=_("Loss and induction score"),
            x=PlotAxis(
                title=_("training step"), log=True, range=(START * 0.8, steps[-1] * 1.3),
                ticks=[START, *ticks], labels=["0", *map(grouped, ticks)],
            ),
            y=PlotAxis(title=_("loss in nats per token")),
            series=_of_losses(record, steps),
            rules=[
                Rule(x=now, role="accent", dash="dot"),
                Rule(y=record.film.baselines["bigram"], text=_("counting pairs"), dash="dash"),
                Rule(y=record.film.baselines["unigram"], text=_("counting tokens"), dash="dash"),
            ],
            below=[
                Panel(
                    y=PlotAxis(title=_("induction"), from_zero=True),
                    series=_of_heads(record, steps),
                    share=0.32,
                )
            ],
            height=440,
        )  # fmt: skip


def _repeated(gain: float) -> Sentence:
    """What reading a passage once is worth when it comes again."""
    text = _("A passage read twice is easier by {gain} nats per token the second time.")
    if gain < 0:
        text = _("A passage read twice is harder by {gain} nats per token the second time.")
    return sentence(text, gain=number(abs(gain)))


def _of_losses(record: FilmSeen, steps: np.ndarray) -> list[Curve | Points]:
    """The whole curve of training, the frames' own losses, and a point."""
    now, held = record.index, np.array([frame.held for frame in record.frames])
    says = "{name}: {y:.2f}"
    curve = np.array(record.film.curve, np.float64)
    series: list[Curve | Points] = [
        Curve(x=curve[:, 0], y=curve[:, 1], role="muted", width=1, name=_("loss in training"),
              hover=says),
        Curve(x=steps, y=held, role="accent", markers=5, name=_("loss, held out"), hover=says),
        Points(x=[steps[now]], y=[held[now]], role="accent", size=13, legend=False,
               name=record.when, hover=says),
    ]  # fmt: skip
    losses = record.run.losses
    if np.isfinite(losses).all():
        series += [
            Curve(x=steps, y=losses, role="query", dash="dash", markers=4,
                  name=_("loss on your text"),
                  hover=says),
            Points(x=[steps[now]], y=[losses[now]], role="query", size=11, legend=False,
                   name=_("loss on your text"), hover=says),
        ]  # fmt: skip
    return series


def _of_heads(record: FilmSeen, steps: np.ndarray) -> list[Curve | Points]:
    """The chosen head's score of induction beside that of the strongest."""
    scores = record.scores("induction")
    chosen = scores[:, record.layer, record.head]
    best = scores.max(axis=(1, 2))
    named = _("layer {layer}, head {head}").format(layer=record.layer, head=record.head)
    beside = []
    if (best - chosen).max() < best.max() / PIXELS:  # its line would lie beneath this one
        named = _("layer {layer}, head {head}: the strongest head").format(
            layer=record.layer, head=record.head
        )
    else:
        beside = [Curve(x=steps, y=best, role="muted", dash="dot", name=_("strongest head"),
                        hover="{name}: {y:.3f}")]  # fmt: skip
    return [
        *beside,
        Curve(x=steps, y=chosen, role="key", markers=4, name=named, hover="{name}: {y:.3f}"),
        Points(x=[steps[record.index]], y=[chosen[record.index]], role="key", size=11, legend=False,
               name=named, hover="{name}: {y:.3f}"),
    ]  # fmt: skip


# --- one head's attention weights on the text, at one moment of the training ----------


class FilmWeightsView(FilmView):
    """Rows are queries, columns keys."""

    name = "film.weights"

    def values(self, record: FilmSeen) -> Mapping[str, Values]:
        labels = tokens.labels(record.run.tokens)
        axes = Along("query", _("query"), labels), Along("key", _("key"), labels)
        query, key = _query(record), _key(record)
        return {"weights": Values(_("attention weight"), _of(record), axes, selected=(query, key))}

    def describe(self, record: FilmSeen) -> Sentence:
        weights, query = _of(record), _query(record)
        key = int(weights[query].argmax())
        return sentence(
            _("{when}, “{query}” gives more of its attention to “{key}” than to any other token: "
              "{share}. Equal weights would be {even}."),
            when=Mark(record.when.capitalize(), "strong"),
            query=Mark(record.run.tokens[query].spoken, "query"),
            share=Mark(percent(float(weights[query, key])), "weight"),
            key=Mark(record.run.tokens[key].spoken, "key"),
            even=percent(1 / (query + 1)),
        )  # fmt: skip

    def draw(self, record: FilmSeen) -> Matrix:
        labels, weights = tokens.labels(record.run.tokens), _of(record)
        where = _("layer {layer}, head {head}").format(layer=record.layer, head=record.head)
        title = titled(_("Attention weights {when}").format(when=record.when), where)
        most = By("token", weights.argmax(axis=1).tolist())
        key = most if record.params.key < 0 else _key(record)
        return Matrix(
            title=title,
            selection={**record.selection(), "token": _query(record), "key": key},
            sheets=[
                Sheet(
                    title=title,
                    array="weights",
                    rows=Axis(labels, "token", "query"),
                    cols=Axis(labels, "key", "key"),
                    scale=Scale("weight", 1.0),
                    mask="may",
                    axes=_axes(),
                )
            ],
            arrays={"weights": weights, "may": np.tri(len(labels), dtype=np.uint8)},
        )


def _of(record: FilmSeen) -> NDArray[np.float32]:
    """The weights of the head, ``(T, T)``."""
    return np.ascontiguousarray(record.run.weights[record.index, record.layer, record.head])


def _query(record: FilmSeen) -> int:
    last = len(record.run.tokens) - 1
    token = record.params.token
    return nearest("token", token, last) if token >= 0 else tokens.last_word(record.run.tokens)


def _key(record: FilmSeen) -> int:
    if record.params.key >= 0:
        return nearest("key", record.params.key, len(record.run.tokens) - 1)
    return int(_of(record)[_query(record)].argmax())


def _axes() -> Sentence:
    return Sentence((
        Mark(_("rows: queries"), "query"), Mark(" · ", "plain"), Mark(_("columns: keys"), "key"),
        Mark(" · " + _("hatched: masked"), "muted"),
    ))  # fmt: skip


# --- rows of the token table as points of a plane, at one moment of the training ------


# Of the groups: where two colours are near each other, the shapes are not.
ROLES = ("query", "key", "value", "residual", "position", "weight", "warning")
SYMBOLS: tuple[Symbol, ...] = (
    "circle", "circle", "circle", "square", "square", "circle", "square",
)  # fmt: skip
FIELDS = ((290.0, 250.0), (480.0, 300.0))  # pixels in which the points lie: of a phone, of a page
LETTER, LINE, BESIDE, DOT = 6.6, 12.0, 7.0, 4.0  # pixels of a label, to its point, and around that


class FilmWordsView(FilmView):
    """A point for each word, in the colour of its group; the axes stay as they are."""

    name = "film.words"

    def values(self, record: FilmSeen) -> Mapping[str, Values]:
        plane = record.run.pictured
        directions = Along("direction", _("direction"), ["1", "2"])
        words = Along("word", _("word"), list(plane.words))
        own_words = Along("own", _("word of your text"), list(plane.own))
        return {
            "place": Values(_("place in the plane"), plane.places[record.index],
                            (words, directions)),
            "own": Values(
                _("place of your words"), plane.own_places[record.index], (own_words, directions)
            ),
            "near": Values(
                _("share of words whose nearest word is of their group"), plane.near,
                (record.along,), selected=(record.index,),
            ),
        }  # fmt: skip

    def describe(self, record: FilmSeen) -> Sentence:
        plane = record.run.pictured
        return join([
            sentence(
                _("{when}, the nearest other word is of the same group for {near} of the {n} "
                  "words."),
                when=Mark(record.when.capitalize(), "strong"),
                near=Mark(percent(float(plane.near[record.index])), "accent"),
                n=str(len(plane.words)),
            ),
            sentence(_("The groups are nowhere in the training.")),
        ])  # fmt: skip

    def draw(self, record: FilmSeen) -> Plot:
        plane = record.run.pictured
        across, up = _words_axes(plane)
        return Plot(
            title=_("Embeddings of words {when}").format(when=record.when),
            x=PlotAxis(title=_("first direction"), range=across),
            y=PlotAxis(title=_("second direction"), range=up),
            series=_series(record),
            height=480,
        )

    def notes(self, record: FilmSeen) -> Sequence[Note]:
        share = float(record.run.pictured.left[record.index])
        text = sentence(
            _("The plane is that in which the rows differ most at the end of the training. It is "
              "the same at every moment and shows {share} of how the rows differ now. The nearest "
              "word is found by the cosine of the whole rows."),
            share=percent(share),
        )  # fmt: skip
        labels, _sides = written(record.run.pictured, record.index)
        if all(labels):
            return (Note("more", text),)
        fewer = _(
            "Labels that would lie on each other are left out: point at a dot to read its word."
        )
        return Note("more", text), Note("more", sentence(fewer))


def _range(values: NDArray[np.floating]) -> tuple[float, float]:
    """An axis on which the places of all moments have room, and their words behind them."""
    low, high = float(values.min()), float(values.max())
    room = (high - low) * 0.08 or 1.0
    return low - room, high + 1.5 * room


def _words_axes(plane: EmbeddingPlane) -> tuple[tuple[float, float], tuple[float, float]]:
    """The ranges of both axes."""
    every = np.concatenate([plane.places, plane.own_places], axis=1)
    return _range(every[..., 0]), _range(every[..., 1])


@lru_cache(maxsize=16)  # the picture and its note ask for it, and so does who steps back
def written(plane: EmbeddingPlane, frame: int) -> tuple[list[str], list[Side]]:
    """What is written beside each point, and on which side: on no other label, on no other point.

    Words of the text come first, and may lie on points; a word without room is left out.

    Args:
        plane: the words.
        frame: the frame.
    """
    places = np.concatenate([plane.own_places[frame], plane.places[frame]])
    ranges = np.array(_words_axes(plane))
    shares = (places - ranges[:, 0]) / (ranges[:, 1] - ranges[:, 0])
    points = np.stack([shares * field for field in FIELDS])  # (fields, points, 2)
    # What is taken, of each field: the lower left and the upper right end.
    boxes = np.stack([points - DOT, points + DOT], axis=2)
    sides: tuple[Side, Side] = ("right", "left")
    chosen: dict[int, Side] = {}
    for n, word in enumerate((*plane.own, *plane.words)):
        for side, ends in zip(sides, _beside(points[:, n], LETTER * len(word)), strict=True):
            inside = (ends[:, 0, 0] >= 0) & (ends[:, 1, 0] <= np.array(FIELDS)[:, 0])
            others = boxes[:, len(places) :] if n < len(plane.own) else boxes  # hers lies on points
            over = (others[:, :, 0] < ends[:, None, 1]) & (others[:, :, 1] > ends[:, None, 0])
            if inside.all() and not over.all(axis=-1).any():
                chosen[n] = side
                boxes = np.concatenate([boxes, ends[:, None]], axis=1)
                break
    n_own = len(plane.own)
    order = [*range(n_own, n_own + len(plane.words)), *range(n_own)]
    words = (*plane.own, *plane.words)
    return [words[n] if n in chosen else "" for n in order], [chosen.get(n, "right") for n in order]


def _beside(points: NDArray[np.floating], wide: float) -> Iterator[NDArray[np.floating]]:
    """The ends ``(fields, 2, 2)`` of a label to the right and to the left of a point."""
    for start in (BESIDE, -BESIDE - wide):
        low = np.add(points, (start, -LINE / 2))
        yield np.stack([low, np.add(low, (wide, LINE))], axis=1)


def _series(record: FilmSeen) -> list[Points]:
    """A series for each group, and one for the words of the text."""
    plane = record.run.pictured
    places, of = plane.places[record.index], np.array(plane.groups)
    labels, sides = written(plane, record.index)
    series = []
    for n, name in enumerate(GROUPS):
        members = np.flatnonzero(of == n)
        series.append(
            Points(
                x=places[members, 0], y=places[members, 1], role=ROLES[n], size=7,
                symbol=SYMBOLS[n],
                name=_(name),
                labels=[labels[i] for i in members], sides=[sides[i] for i in members],
                text=[plane.words[i] for i in members], hover="{text}: {name}",
            )
        )  # fmt: skip
    if plane.own:
        yours = plane.own_places[record.index]
        series.append(
            Points(
                x=yours[:, 0], y=yours[:, 1], role="text", size=9, symbol="diamond",
                name=_("your words"), labels=labels[len(plane.words) :],
                sides=sides[len(plane.words) :], text=list(plane.own), hover="{text}",
            )
        )  # fmt: skip
    return series


# --- what one moment of the training writes behind the text, and what it expects first


class FilmWrittenView(FilmView):
    """The text as chips, and what was drawn behind it."""

    name = "film.written"

    def values(self, record: FilmSeen) -> Mapping[str, Values]:
        written = record.run.written[record.index]
        places = Along("place", _("place"), [str(place) for place in range(len(written))])
        labels = np.array(tokens.labels(written), object)
        return {"written": Values(_("token"), labels, (places,))}

    def describe(self, record: FilmSeen) -> Sentence:
        text = read(record)
        if not text.strip():
            return sentence(_("{when}, it ends the text at once."), when=_opening(record))
        return sentence(
            _("{when}, it continues with “{text}”."),
            when=_opening(record), text=Mark(text.strip(), "strong"),
        )  # fmt: skip

    def draw(self, record: FilmSeen) -> Strip:
        prompt = [tokens.chip(token, group=None) for token in record.run.tokens]
        continuation = [tokens.chip(token, born=True) for token in record.run.written[record.index]]
        title = _("A text that was drawn {when}").format(when=record.when)
        return Strip(
            title=title,
            heading=sentence("{title}", title=title),
            selection=record.selection(),
            tokens=[*prompt, *continuation],
            field="film_token",
            still=True,
            compact=True,
            cut=tokens.cut_text(record.run.cut) or None,
        )


class FilmGuessesView(FilmView):
    """A bar for each of the likeliest next tokens."""

    name = "film.guesses"

    def values(self, record: FilmSeen) -> Mapping[str, Values]:
        n = record.run.probs.shape[1]
        ranks = Along("rank", _("rank"), [str(rank) for rank in range(n)])
        axes = (record.along, ranks)
        labels = np.array([tokens.labels(row) for row in record.run.guesses], object)
        return {
            "probability": Values(_("probability"), record.run.probs, axes,
                                  selected=(record.index, 0)),
            "token": Values(_("token"), labels, axes, selected=(record.index, 0)),
        }  # fmt: skip

    def describe(self, record: FilmSeen) -> Sentence:
        return sentence(
            _("{when}, the most probable next token is “{token}”, with {share}."),
            when=_opening(record),
            token=Mark(record.run.guesses[record.index][0].spoken, "accent"),
            share=Mark(percent(float(record.run.probs[record.index, 0])), "accent"),
        )

    def draw(self, record: FilmSeen) -> Bars:
        title = _("Most probable next tokens {when}").format(when=record.when)
        rows = [
            BarRow(f"{rank}", token.label)
            for rank, token in enumerate(record.run.guesses[record.index])
        ]
        return Bars(
            title=title,
            selection=record.selection(),
            frames=[BarFrame(rows, title=sentence("{title}", title=title))],
            values=record.run.probs[record.index].reshape(1, 1, -1),
        )


def read(record: FilmSeen) -> str:
    """What was written, as a text."""
    data = b"".join(token.data for token in record.run.written[record.index])
    return data.decode("utf-8", errors="replace")


def _opening(record: FilmSeen) -> Mark:
    return Mark(record.when.capitalize(), "strong")
