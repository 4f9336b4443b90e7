"""Views of the residual stream: its size through the layers, and the gradient that comes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.analysis.stream import Place, stream_places
from core.figures import tokens
from core.figures.params import OnText, param
from core.figures.text import Mark, Sentence, join, number, percent, quoted, sentence
from core.figures.theme import INSIDE, PALETTES, Mode, styled
from core.figures.view import PlotView, Table, register
from core.language import N_, _
from core.requests import GradientRequest, Request, TraceRequest
from core.runs import Run
from core.text.tokenizer import Token
from core.training.gradients import STACKS, Flow, GradientFlow, Stack

FAINT_LINES = 40  # texts up to this length show a line for every token
PART_NAMES = {
    "embeddings": N_("embeddings"),
    "attention": N_("+ attention"),
    "ffn": N_("+ feed-forward"),
    "norm": N_("norm"),
}


@dataclass(frozen=True, slots=True)
class StreamAt(OnText):
    """One token's way through the model.

    Attributes:
        token: counted from 0; -1 for the last word.
    """

    token: int = param(-1, low=-1, high=100_000)


@dataclass(frozen=True, eq=False)
class Stream:
    """The record of ``stream.sizes``.

    Attributes:
        model: id.
        post: the norms stand after the sums.
        tokens: of the run.
        places: the size of every token's stream.
        token: the position that is looked at.
        cut: what did not fit the context.
    """

    model: str
    post: bool
    tokens: tuple[Token, ...]
    places: list[Place]
    token: int
    cut: str


@register
class StreamSizes(PlotView[StreamAt, Stream]):
    """How long a token's vector is after every part, and how long what each part adds to it."""

    name = "stream.sizes"
    Params = StreamAt

    def title(self, record: Stream) -> str:
        kind = _("norm after each sum") if record.post else _("norm before each part")
        return _("{model}, {kind}: the stream of “{token}”").format(
            model=record.model.upper(), kind=kind,
            token=quoted(record.tokens[record.token]),
        )  # fmt: skip

    def requests(self, params: StreamAt) -> tuple[Request, ...]:
        return (TraceRequest(params.model, params.text),)

    def compute(self, runs: Sequence[Run], params: StreamAt) -> Stream:
        trace = runs[0].trace
        token = min(params.token, len(trace.tokens) - 1)
        token = tokens.last_word(trace.tokens) if token < 0 else token
        return Stream(
            model=trace.model,
            post=trace.topology.arrangement == "post",
            tokens=trace.tokens,
            places=stream_places(trace),
            token=token,
            cut=runs[0].cut,
        )

    def describe(self, record: Stream) -> Sentence:
        first, last = record.places[0], record.places[-1]
        at = record.token
        updates = [place for place in record.places if place.update is not None]
        shares = [float(p.update[at] / p.size[at]) for p in updates if p.update is not None]
        largest = updates[int(np.argmax(shares))]
        part = _("the attention") if largest.part == "attention" else _("the feed-forward network")
        grows = (
            _("The stream of “{token}” starts with length {start} and ends with {end}: every norm "
              "brings it back to one size.")
            if record.post
            else _("The stream of “{token}” starts with length {start} and ends with {end}: the "
                   "norms stand beside it, so nothing brings it back.")
        )  # fmt: skip
        return join(
            [
                sentence(
                    grows,
                    token=Mark(quoted(record.tokens[at]), "query"),
                    start=Mark(number(float(first.size[at])), "residual"),
                    end=Mark(number(float(last.size[at])), "residual"),
                ),
                sentence(
                    _("The largest update, next to the sum it goes into, is that of {part} in "
                      "block {layer}: {share} of its length."),
                    part=part,
                    layer=str(largest.layer),
                    share=Mark(percent(max(shares)), "accent"),
                ),
            ]
        )  # fmt: skip

    def labels(self, record: Stream) -> list[str]:
        """The places' names, each one once: equal names would be one place to Plotly."""
        names = [
            _(PART_NAMES[p.part]) if p.layer < 0 else f"{p.layer} {_(PART_NAMES[p.part])}"
            for p in record.places
        ]
        return [
            f"{name} {names[: i + 1].count(name)}" if names.count(name) > 1 else name
            for i, name in enumerate(names)
        ]

    def figure(self, record: Stream, mode: Mode) -> go.Figure:
        palette, at = PALETTES[mode], record.token
        labels = self.labels(record)
        figure = go.Figure()
        names = tokens.labels(record.tokens)
        if len(names) <= FAINT_LINES:
            for other, name in enumerate(names):
                if other != at:
                    figure.add_scatter(
                        x=labels, y=[p.size[other] for p in record.places], name=name,
                        mode="lines", line={"color": palette.border, "width": 1},
                        hovertemplate="%{y:.4g}", showlegend=False,
                    )  # fmt: skip
        for part, role, name in (
            ("attention", "weight", _("added by attention")),
            ("ffn", "value", _("added by feed-forward")),
        ):
            shown = [(label, p.update[at]) for label, p in zip(labels, record.places, strict=True)
                     if p.part == part and p.update is not None]  # fmt: skip
            figure.add_bar(
                x=[label for label, _size in shown], y=[size for _label, size in shown],
                name=name, marker={"color": getattr(palette, role)}, hovertemplate="%{y:.4g}",
            )  # fmt: skip
        figure.add_scatter(
            x=labels, y=[p.size[at] for p in record.places],
            name=_("stream of “{token}”").format(token=quoted(record.tokens[at])),
            mode="lines+markers", line={"color": palette.residual, "width": 3},
            hovertemplate="%{y:.4g}",
        )  # fmt: skip
        figure.update_layout(height=400)
        figure.update_xaxes(
            categoryorder="array",
            categoryarray=labels,
            tickangle=-60,
            tickfont={"size": 11},
            dtick=1,  # on a phone every second name would be left out
        )
        figure = styled(
            figure, mode, title=self.title(record), x=_("after which part"),
            y=_("length of the vector"),
        )  # fmt: skip
        drawn = slice(None) if len(names) <= FAINT_LINES else slice(at, at + 1)
        top = max(float(p.size[drawn].max()) for p in record.places)
        added = max((float(p.update[at]) for p in record.places if p.update is not None), default=0)
        # The legend stands inside, on top; other tokens' lines may run behind it, its own may not.
        own = max(added, *(float(p.size[at]) for p in record.places))
        figure.update_yaxes(range=[0, max(1.45 * own, 1.05 * top)])
        return figure.update_layout(legend=INSIDE)  # below it stand the names of the parts

    def table(self, record: Stream) -> Table:
        names = tokens.labels(record.tokens)
        return Table(
            (
                _("after"),
                _("position"),
                _("token"),
                _("length of the stream"),
                _("length of the update"),
            ),
            [
                (label, t, name, float(p.size[t]), "" if p.update is None else float(p.update[t]))
                for label, p in zip(self.labels(record), record.places, strict=True)
                for t, name in enumerate(names)
            ],
        )


# --- the gradient ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Depth(OnText):
    """Which blocks the gradient goes through.

    Attributes:
        blocks: "fresh", newly initialised ones of the model's shape, or "own", the trained ones.
        depth: how many fresh ones.
    """

    blocks: str = param("fresh", choices=("fresh", "own"))
    depth: int = param(12, low=2, high=24)


def stack_name(stack: Stack) -> str:
    """What a stack keeps."""
    if stack.residual:
        return _("sums and norms") if stack.norms else _("sums, no norms")
    return _("norms, no sums") if stack.norms else _("neither")


class _GradientView(PlotView[Depth, GradientFlow]):
    """Four stacks of blocks, with and without sums and norms."""

    Params = Depth

    def requests(self, params: Depth) -> tuple[Request, ...]:
        depth = params.depth if params.blocks == "fresh" else 0
        return (GradientRequest(params.model, params.text, depth),)

    def compute(self, runs: Sequence[GradientFlow], params: Depth) -> GradientFlow:
        return runs[0]

    def flow(self, record: GradientFlow, stack: Stack) -> Flow:
        """One of the four."""
        return record.flows[STACKS.index(stack)]

    def values(self, flow: Flow) -> NDArray[np.float64]:
        """What is drawn of a stack, ``(N + 1,)``."""
        raise NotImplementedError

    def axis(self) -> str:
        """What the values are."""
        raise NotImplementedError

    def figure(self, record: GradientFlow, mode: Mode) -> go.Figure:
        palette = PALETTES[mode]
        figure = go.Figure()
        for stack, flow in zip(STACKS, record.flows, strict=True):
            figure.add_scatter(
                x=list(range(record.depth + 1)),
                y=self.values(flow),
                name=stack_name(stack),
                mode="lines",
                line={
                    "color": palette.accent if stack.residual else palette.warning,
                    "dash": "solid" if stack.norms else "dash",
                    "width": 2.5,
                },
                hovertemplate="%{y:.4g}",
            )
        figure.update_layout(height=360, hovermode="x unified")
        return styled(
            figure, mode, title=self.title(record), x=_("input of block (the last: the output)"),
            y=self.axis(),
        )  # fmt: skip

    def table(self, record: GradientFlow) -> Table:
        return Table(
            (_("place"), *(stack_name(stack) for stack in STACKS)),
            [
                (i, *(float(self.values(flow)[i]) for flow in record.flows))
                for i in range(record.depth + 1)
            ],
        )


def _arrives(flow: Flow) -> float:
    """The gradient's size at the bottom over its size at the top."""
    return float(flow.gradient[0] / flow.gradient[-1])


@register
class GradientDepth(_GradientView):
    """The gradient of the loss at the input of every block."""

    name = "stream.gradient"

    def title(self, record: GradientFlow) -> str:
        which = (
            _("{n} fresh blocks") if record.fresh else _("the model's own {n} blocks")
        ).format(n=record.depth)  # fmt: skip
        return _("The gradient on its way down, {which}").format(which=which)

    def axis(self) -> str:
        return _("gradient, times that at the top")

    def values(self, flow: Flow) -> NDArray[np.float64]:
        return np.asarray(flow.gradient / flow.gradient[-1])

    def figure(self, record: GradientFlow, mode: Mode) -> go.Figure:
        figure = super().figure(record, mode)
        figure.update_yaxes(type="log", exponentformat="power")
        return figure

    def describe(self, record: GradientFlow) -> Sentence:
        both, sums, norms, neither = (_arrives(flow) for flow in record.flows)
        return join(
            [
                sentence(
                    _("Compared with the top, the gradient at block 0's input is {both} times as "
                      "large with sums and norms, {sums} times with sums alone, and {neither} "
                      "times with neither."),
                    both=Mark(number(both, 2), "accent"),
                    sums=Mark(number(sums, 2), "accent"),
                    neither=Mark(number(neither, 2), "warning"),
                ),
                sentence(
                    _("Norms alone give {norms} times."), norms=Mark(number(norms, 2), "warning")
                ),
            ]
        )  # fmt: skip


@register
class Alike(_GradientView):
    """How much the positions' vectors have become the same vector."""

    name = "stream.alike"

    def title(self, record: GradientFlow) -> str:
        return _("How alike the tokens' vectors are")

    def axis(self) -> str:
        return _("mean cosine between tokens")

    def values(self, flow: Flow) -> NDArray[np.float64]:
        return flow.alike

    def describe(self, record: GradientFlow) -> Sentence:
        both, _sums, norms, neither = (float(flow.alike[-1]) for flow in record.flows)
        return sentence(
            _("At the top the {n} tokens' vectors have a mean cosine of {norms} without sums "
              "though with norms, of {neither} with neither, and of {both} with both: attention "
              "averages over tokens, and without the sum nothing keeps what made each its own."),
            n=str(record.n_tokens),
            norms=Mark(number(norms, 4), "warning"),
            neither=Mark(number(neither, 4), "warning"),
            both=Mark(number(both), "accent"),
        )  # fmt: skip
