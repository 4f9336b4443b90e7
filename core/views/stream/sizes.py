"""How long a token's vector is after every part, and how long what each part adds to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from core.analysis.aligned import same_place
from core.analysis.stream import stream_places
from core.figures import tokens
from core.figures.components.plot import BarSeries, Curve, Plot, PlotAxis
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _, name_of
from core.models.needs import Needs
from core.runs.requests import Request, TokenizeRequest, TraceRequest
from core.runs.results import Run
from core.units import Token
from core.views.nearest import nearest
from core.views.stream.places import Stream, StreamAt
from core.views.view import View

FAINT_LINES = 40  # texts up to this length show a line for every token
# What adds to the stream: its colour, how its bars are called, and its name in a sentence.
ADDERS = {
    "attention": ("weight", N_("added by attention"), N_("the attention")),
    "cross": ("key", N_("added by the cross-attention"), N_("the cross-attention")),
    "ffn": ("value", N_("added by feed-forward"), N_("the feed-forward network")),
}


class StreamSizes(View[StreamAt, Stream]):
    """The stream as a line, the updates as bars."""

    name, Params, needs = "stream.sizes", StreamAt, Needs(parts=("blocks",))

    def requests(self, params: StreamAt) -> tuple[Request, ...]:
        own = TraceRequest(params.model, params.given)
        if params.counts in ("", params.model):
            return (own,)
        return (own, TokenizeRequest(params.counts, params.text, masks=True))

    def compute(self, runs: Sequence[Any], params: StreamAt) -> Stream:
        run: Run = runs[0]
        stack = run.trace.blueprint.stack(params.stack)
        own = run.trace.streams[stack.stream].units
        counted: Sequence[Any] = runs[1].tokens if len(runs) > 1 else own
        token = tokens.last_word(counted)
        if params.token >= 0:
            token = nearest("token", params.token, len(counted) - 1)
        if counted is not own:
            there = same_place(token, counted, [one for one in own if isinstance(one, Token)])
            token = tokens.last_word(own) if there is None else there
        return Stream(run, stack, stream_places(run.trace, stack), token)

    def values(self, record: Stream) -> Mapping[str, Values]:
        labels = tokens.labels(record.tokens)
        axes = (Along("place", _("after"), record.labels), Along("token", _("token"), labels))
        positions = np.broadcast_to(np.arange(len(labels)), record.sizes.shape)
        at = (len(record.places) - 1, record.token)
        return {
            "position": Values(_("position"), positions, axes, selected=at),
            "size": Values(_("length of the residual vector"), record.sizes, axes, selected=at),
            "update": Values(_("length of the update"), record.updates, axes, selected=at),
        }

    def describe(self, record: Stream) -> Sentence:
        sizes, at = record.sizes[:, record.token], record.token
        shares = record.updates[:, at] / sizes
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

    def draw(self, record: Stream) -> Plot:
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
            series=[*_others(record), *_added(record), stream],
            legend="inside",  # below it stand the names of the parts
            bars="alone",
            height=400,
        )


def _others(record: Stream) -> Iterator[Curve]:
    """The other tokens' streams, faintly, where they are few."""
    names = tokens.labels(record.tokens)
    for at, name in enumerate(names if len(names) <= FAINT_LINES else ()):
        if at != record.token:
            yield Curve(
                y=record.sizes[:, at], role="border", name=name, width=1, legend=False,
                hover="{name}\n{y:.4g}",
            )  # fmt: skip


def _added(record: Stream) -> Iterator[BarSeries]:
    """What the parts add, a series for each kind of them."""
    for part, (role, name, _subject) in ADDERS.items():
        where = [i for i, place in enumerate(record.places) if place.part == part]
        if where:
            yield BarSeries(
                x=where, y=record.updates[where, record.token], role=role, name=_(name),
                hover="{name}\n{y:.4g}",
            )  # fmt: skip


def _top(record: Stream) -> float:
    """The end of the scale.

    The legend stands inside, on top; other tokens' lines may run behind it, its own may not.
    """
    at = record.token
    drawn = slice(None) if len(record.tokens) <= FAINT_LINES else slice(at, at + 1)
    own = max(float(np.nanmax(record.updates[:, at])), float(record.sizes[:, at].max()))
    return max(1.45 * own, 1.05 * float(record.sizes[:, drawn].max()))
