"""The residual stream: its size through the layers, and the gradient that comes back down it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.aligned import same_place
from core.analysis.stream import StreamPlace, stream_places
from core.figures import tokens
from core.figures.components.plot import BarSeries, Curve, Plot, PlotAxis
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _, name_of
from core.live_training.records import KEPT, GradientFlow, KeptParts
from core.models.blueprint import Stack
from core.models.needs import Needs
from core.runs.kinds.tokens import TokenizeRequest
from core.runs.kinds.trace import Run, TraceRequest
from core.runs.kinds.training import GradientRequest
from core.runs.progress import JobProgress
from core.runs.request import Request
from core.units import Token, Unit
from core.views.controls import Control
from core.views.nearest import nearest
from core.views.params import OnStack, OnText, model_param, param
from core.views.view import Note, View

# --- four stacks of blocks, with and without sums and norms: what both views of them share


PerStack = Sequence[NDArray[np.float64]]  # of each member of KEPT what is drawn, one a place
NAMES = ("both", "sums", "norms", "neither")  # of the members of KEPT
SPREADS = {
    "fixed": N_("0.02"),
    "fan_in": N_("1/√n"),
    "larger": N_("1.5/√n"),
    "by_depth": N_("by depth (GPT-2)"),
}


@dataclass(frozen=True, slots=True)
class Depth(OnText):
    """Which blocks the gradient goes through.

    Attributes:
        blocks: "fresh", newly initialised ones of the model's shape, or "own", the trained ones.
        depth: how many fresh ones.
        spread: standard deviation of the fresh ones' weights; n is how many inputs a matrix has.
    """

    blocks: str = param(
        "fresh",
        choices={"fresh": N_("fresh layers"), "own": N_("the model's own")},
        label=N_("Layers"),
    )
    depth: int = param(12, low=2, high=24, label=N_("How many"))
    spread: str = param("fixed", choices=SPREADS, label=N_("Spread of the fresh weights"))


def stack_name(stack: KeptParts) -> str:
    """What a stack keeps."""
    if stack.residual:
        return _("sums and norms") if stack.norms else _("sums, no norms")
    return _("norms, no sums") if stack.norms else _("neither")


class GradientFlowView(View[Depth, GradientFlow]):
    """How gradients flow through a model before it is trained."""

    Params, needs = Depth, Needs("words", ("blocks",))

    def requests(self, params: Depth) -> tuple[Request, ...]:
        if params.blocks == "own":
            return (GradientRequest(params.model, params.text),)
        request = GradientRequest(params.model, params.text, params.depth, spread=params.spread)
        return (request,)

    def compute(self, runs: Sequence[JobProgress], params: Depth) -> GradientFlow:
        return GradientFlow.of(runs[0].records)


def rising(record: GradientFlow) -> Sentence:
    """How far up the run has come, while it has not come to the top."""
    return sentence(
        _("The text is on its way up through the stacks: it has reached layer {n} of {depth}."),
        n=str(max(0, len(record.up) - 1)),
        depth=str(record.stacks.depth),
    )


def values_of(span: range, drawn: PerStack) -> Mapping[str, Values]:
    """What is drawn at some places, by the stack's name."""
    places = Along("place", _("place"), [str(place) for place in span])
    return {
        name: Values(stack_name(stack), line, (places,))
        for name, stack, line in zip(NAMES, KEPT, drawn, strict=True)
    }


def plot_of(record: GradientFlow, span: range, drawn: PerStack, *, title: str, y: PlotAxis) -> Plot:
    """A line for each stack over some places."""
    return Plot(
        title=title,
        x=PlotAxis(
            title=_("input of layer (the last: the output)"), range=(0, record.stacks.depth)
        ),
        y=y,
        series=[
            Curve(
                x=span,
                y=line,
                name=stack_name(stack),
                role="accent" if stack.residual else "warning",
                dash="solid" if stack.norms else "dash",
                width=2.5,
                hover="{name}: {y:.4g}",
            )
            for stack, line in zip(KEPT, drawn, strict=True)
        ],
        unified=True,
        height=360,
    )


# --- how much the positions' vectors have become the same vector ----------------------


class StreamAlikeView(GradientFlowView):
    """The mean cosine between tokens at the input of every block."""

    name = "stream.alike"

    def values(self, record: GradientFlow) -> Mapping[str, Values]:
        return values_of(record.up, [flow.alike for flow in record.flows])

    def describe(self, record: GradientFlow) -> Sentence:
        if len(record.up) <= record.stacks.depth:
            return rising(record)
        both, _sums, norms, neither = (float(flow.alike[-1]) for flow in record.flows)
        return sentence(
            _("In the last layer the mean cosine between the {n} tokens' vectors is {norms} "
              "without sums but with norms, {neither} with neither, and {both} with both. "
              "Attention averages over tokens, and without the residual sums nothing keeps "
              "what made each token different."),
            n=str(record.stacks.n_tokens),
            norms=Mark(number(norms, 4), "warning"),
            neither=Mark(number(neither, 4), "warning"),
            both=Mark(number(both), "accent"),
        )  # fmt: skip

    def draw(self, record: GradientFlow) -> Plot:
        return plot_of(
            record,
            record.up,
            [flow.alike for flow in record.flows],
            title=_("How alike the tokens' vectors are"),
            y=PlotAxis(title=_("mean cosine between tokens")),
        )


# --- the gradient of the loss at the input of every block -----------------------------


class StreamGradientView(GradientFlowView):
    """As many times as large as at the top."""

    name = "stream.gradient"

    def values(self, record: GradientFlow) -> Mapping[str, Values]:
        return values_of(record.down, _relative(record))

    def controls(self, record: GradientFlow) -> Sequence[Control]:
        return [] if record.stacks.fresh else [Control.none("depth"), Control.none("spread")]

    def notes(self, record: GradientFlow) -> Sequence[Note]:
        template = _(
            "The loss is that of the first {n} tokens of this text. Its gradient goes back "
            "through each stack by the chain rule, computed in float64. Embeddings, last norm "
            "and output matrix are the model's own. Fresh layers have the model's shape, biases 0 "
            "and gains 1. The weights of their matrices are drawn about 0 with the spread that is "
            "chosen above, where n is how many inputs a matrix has. “By depth” is 1/√n, and the "
            "matrices that write to the stream, W_O and W_2, are divided by √(2 · layers) as in "
            "GPT-2. “No sums” means that the output of each part replaces its input."
        )
        return [Note("more", sentence(template, n=str(record.stacks.n_tokens)))]

    def describe(self, record: GradientFlow) -> Sentence:
        if not record.down:
            return rising(record)
        if record.down[0] > 0:
            return sentence(
                _("The gradient is on its way down: it has reached the input of layer {n}."),
                n=str(record.down[0]),
            )
        both, sums, norms, neither = (number(float(line[0]), 2) for line in _relative(record))
        compared = sentence(
            _("Compared with the top, the gradient at layer 0's input is {both} times as "
              "large with sums and norms, {sums} times with sums alone, and {neither} times "
              "with neither."),
            both=Mark(both, "accent"),
            sums=Mark(sums, "accent"),
            neither=Mark(neither, "warning"),
        )  # fmt: skip
        alone = sentence(
            _("With norms alone it is {norms} times as large."), norms=Mark(norms, "warning")
        )
        return join([compared, alone])

    def draw(self, record: GradientFlow) -> Plot:
        which = _("the model's own {n} layers")
        stacks = record.stacks
        if stacks.fresh:
            which = _("{n} fresh layers, weights of spread {spread}")
        which = which.format(n=stacks.depth, spread=_(SPREADS[stacks.spread]))
        return plot_of(
            record,
            record.down,
            _relative(record),
            title=_("The gradient on its way down, {which}").format(which=which),
            y=PlotAxis(title=_("gradient ÷ gradient at the top"), log=True),
        )


def _relative(record: GradientFlow) -> list[NDArray[np.float64]]:
    """The gradient's size over its size at the top, at the places that it has come to."""
    return [flow.gradient / flow.gradient[-1:] for flow in record.flows]


# --- the stream of a stack, wherever it changes: one token's way through the model ----


PART_NAMES = {
    "embeddings": N_("embeddings"),
    "attention": N_("+ attention"),
    "cross": N_("+ cross-attention"),
    "ffn": N_("+ feed-forward"),
    "norm": N_("norm"),
}


@dataclass(frozen=True, slots=True)
class StreamAt(OnStack):
    """One token's way through a stack.

    Attributes:
        token: counted from 0; -1 for the last word.
        counts: the model whose tokens are counted, where two are compared on one word; empty for
            this one. Each cuts the text in its own way.
    """

    token: int = param(-1, low=-1, high=100_000, picked=True, label=N_("Token"))
    counts: str = model_param("", N_("Tokens of"))


@dataclass(frozen=True, eq=False)
class StreamChanges:
    """The stream of a stack, wherever it changes.

    Attributes:
        run: of the model.
        stack: of it.
        places: in the order of computation.
        token: the one that is looked at.
    """

    run: Run
    stack: Stack
    places: list[StreamPlace]
    token: int

    @property
    def cut(self) -> str:
        """What of the text did not fit."""
        return self.run.cut

    @property
    def post(self) -> bool:
        """Each sum goes through a norm."""
        return self.stack.arrangement == "post"

    @property
    def tokens(self) -> tuple[Unit, ...]:
        return self.run.trace.streams[self.stack.stream].units

    @property
    def name(self) -> str:
        """The token inside a sentence."""
        return self.tokens[self.token].spoken

    @property
    def labels(self) -> list[str]:
        """The places' names, each one once: equal names would be one place on an axis."""
        names = [
            _(PART_NAMES[p.part]) if p.layer < 0 else f"{p.layer} {_(PART_NAMES[p.part])}"
            for p in self.places
        ]
        return [
            f"{name} {names[: i + 1].count(name)}" if names.count(name) > 1 else name
            for i, name in enumerate(names)
        ]

    @property
    def sizes(self) -> NDArray[np.float32]:
        """Of every token at every place, ``(places, T)``."""
        return np.stack([place.size for place in self.places])

    @property
    def updates(self) -> NDArray[np.float32]:
        """What was added there, ``(places, T)``; NaN where nothing was."""
        none = np.full(len(self.tokens), np.nan, np.float32)
        return np.stack([none if p.update is None else p.update for p in self.places])


# --- how long a token's vector is after every part, and how long what each part adds to it


FAINT_LINES = 40  # texts up to this length show a line for every token
# What adds to the stream: its colour, how its bars are called, and its name in a sentence.
ADDERS = {
    "attention": ("weight", N_("added by attention"), N_("the attention")),
    "cross": ("key", N_("added by the cross-attention"), N_("the cross-attention")),
    "ffn": ("value", N_("added by feed-forward"), N_("the feed-forward network")),
}


class StreamSizesView(View[StreamAt, StreamChanges]):
    """The stream as a line, the updates as bars."""

    name, Params, needs = "stream.sizes", StreamAt, Needs(parts=("blocks",))

    def requests(self, params: StreamAt) -> tuple[Request, ...]:
        request = TraceRequest(params.model, params.given)
        if params.counts in ("", params.model):
            return (request,)
        return (request, TokenizeRequest(params.counts, params.text, masks=True))

    def compute(self, runs: Sequence[Any], params: StreamAt) -> StreamChanges:
        run: Run = runs[0]
        stack = run.trace.blueprint.stack(params.stack)
        units = run.trace.streams[stack.stream].units
        counted: Sequence[Any] = runs[1].tokens if len(runs) > 1 else units
        token = tokens.last_word(counted)
        if params.token >= 0:
            token = nearest("token", params.token, len(counted) - 1)
        if counted is not units:
            there = same_place(token, counted, [unit for unit in units if isinstance(unit, Token)])
            token = tokens.last_word(units) if there is None else there
        return StreamChanges(run, stack, stream_places(run.trace, stack), token)

    def values(self, record: StreamChanges) -> Mapping[str, Values]:
        labels = tokens.labels(record.tokens)
        axes = (Along("place", _("after"), record.labels), Along("token", _("token"), labels))
        positions = np.broadcast_to(np.arange(len(labels)), record.sizes.shape)
        selected = (len(record.places) - 1, record.token)
        return {
            "position": Values(_("position"), positions, axes, selected=selected),
            "size": Values(
                _("length of the residual vector"), record.sizes, axes, selected=selected
            ),
            "update": Values(_("length of the update"), record.updates, axes, selected=selected),
        }

    def describe(self, record: StreamChanges) -> Sentence:
        sizes, token = record.sizes[:, record.token], record.token
        shares = record.updates[:, token] / sizes
        largest = record.places[int(np.nanargmax(shares))]
        grows = (
            _("The residual vector of “{token}” has length {start} at first and {end} at the "
              "end: every norm brings it back to one size.")
            if record.post
            else _("The residual vector of “{token}” has length {start} at first and {end} at "
                   "the end: the norms stand in the branches, so nothing brings it back to "
                   "one size.")
        )  # fmt: skip
        first = sentence(
            grows,
            token=Mark(record.name, "query"),
            start=Mark(number(float(sizes[0])), "residual"),
            end=Mark(number(float(sizes[-1])), "residual"),
        )
        second = sentence(
            _("The largest update, compared with the sum it enters, is that of {part} in "
              "layer {layer}: {share} of its length."),
            part=_(ADDERS[largest.part][2]),
            layer=str(largest.layer),
            share=Mark(percent(float(np.nanmax(shares))), "accent"),
        )  # fmt: skip
        return join([first, second])

    def draw(self, record: StreamChanges) -> Plot:
        kind = _("norm after each sum") if record.post else _("norm before each part")
        title = _("{model}, {kind}: the residual vector of “{token}”").format(
            model=name_of(record.run.trace.model), kind=kind, token=record.name
        )
        stream = Curve(
            y=record.sizes[:, record.token],
            role="residual",
            name=_("residual vector of “{token}”").format(token=record.name),
            width=3,
            markers=6,
            hover="{name}\n{y:.4g}",
        )
        return Plot(
            title=title,
            x=PlotAxis(
                title=_("after which part"), categories=record.labels, angle=-60, font_size=11
            ),
            y=PlotAxis(title=_("length of the vector"), range=(0.0, _top(record))),
            series=[*_others(record), *_update_series(record), stream],
            legend="inside",  # below it stand the names of the parts
            bars="alone",
            height=400,
        )


def _others(record: StreamChanges) -> Iterator[Curve]:
    """The other tokens' streams, faintly, where they are few."""
    names = tokens.labels(record.tokens)
    for token, name in enumerate(names if len(names) <= FAINT_LINES else ()):
        if token != record.token:
            yield Curve(
                y=record.sizes[:, token], role="border", name=name, width=1, legend=False,
                hover="{name}\n{y:.4g}",
            )  # fmt: skip


def _update_series(record: StreamChanges) -> Iterator[BarSeries]:
    """What the parts add, a series for each kind of them."""
    for part, (role, name, _subject) in ADDERS.items():
        where = [i for i, place in enumerate(record.places) if place.part == part]
        if where:
            yield BarSeries(
                x=where, y=record.updates[where, record.token], role=role, name=_(name),
                hover="{name}\n{y:.4g}",
            )  # fmt: skip


def _top(record: StreamChanges) -> float:
    """The end of the scale.

    The legend stands inside, on top; other tokens' lines may run behind it, its own may not.
    """
    token = record.token
    drawn = slice(None) if len(record.tokens) <= FAINT_LINES else slice(token, token + 1)
    top = max(float(np.nanmax(record.updates[:, token])), float(record.sizes[:, token].max()))
    return max(1.45 * top, 1.05 * float(record.sizes[:, drawn].max()))
