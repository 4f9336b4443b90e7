"""The model as a drawing whose parts are places of the app: the live map, and folded flat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import softmax
from core.figures import svg, tokens
from core.figures.attention import looked_at
from core.figures.params import OnText, param
from core.figures.payload import Payload, as_bytes
from core.figures.text import Mark, Sentence, join, percent, quoted, sentence, token_label
from core.figures.theme import PALETTES, Mode, Palette
from core.figures.view import ComponentView, Table, register
from core.language import N_, _
from core.models.topology import Topology
from core.requests import Request, TraceRequest
from core.runs import Run
from core.text.tokenizer import MASK
from core.tracing.trace import Trace


@dataclass(frozen=True, slots=True)
class Part:
    """A place on the way from text to prediction.

    Attributes:
        id: stable; pages say which parts they show.
        label: on the strip (translate with ``_``).
        meaning: one line for the hover (translate with ``_``).
        in_block: it belongs to a block.
    """

    id: str
    label: str
    meaning: str
    in_block: bool = False


_TEXT = Part("text", N_("text"), N_("what you typed"))
_TOKENS = Part("tokens", N_("tokens"), N_("the text cut into pieces of a fixed vocabulary"))
_EMBEDDINGS = Part("embeddings", N_("embeddings"), N_("each token and each place as a vector"))
_EMBED_NORM = Part("embed_norm", N_("norm"), N_("the sum of embeddings, normalised"))
_NORM_1 = Part("norm_1", N_("norm"), N_("LayerNorm at the attention"), in_block=True)
_QKV = Part("qkv", N_("q k v"), N_("queries, keys and values"), in_block=True)
_SCORES = Part("scores", N_("scores"), N_("queries against keys, scaled"), in_block=True)
_MASK = Part("mask", N_("mask"), N_("who may look at whom"), in_block=True)
_WEIGHTS = Part("weights", N_("weights"), N_("softmax: who looks at whom"), in_block=True)
_MIX = Part("mix", N_("mix"), N_("values mixed by the weights, heads mixed"), in_block=True)
_ADD_1 = Part("add_1", "+", N_("the attention's update is added to the stream"), in_block=True)
_NORM_2 = Part("norm_2", N_("norm"), N_("LayerNorm at the feed-forward network"), in_block=True)
_FFN = Part("ffn", N_("feed-forward"), N_("each position by itself"), in_block=True)
_ADD_2 = Part("add_2", "+", N_("the feed-forward update is added to the stream"), in_block=True)
_FINAL_NORM = Part("final_norm", N_("norm"), N_("the last normalisation"))
_LOGITS = Part("logits", N_("logits"), N_("one number for each vocabulary entry"))
_NEXT = Part("prediction", N_("next word"), N_("the probabilities of what comes next"))
_MASKED = Part("prediction", N_("hidden word"), N_("the probabilities of the hidden word"))

_ATTENTION = (_QKV, _SCORES, _MASK, _WEIGHTS, _MIX, _ADD_1)


def parts(topology: Topology) -> tuple[Part, ...]:
    """The places of a model, in the order of computation."""
    block = (
        (_NORM_1, *_ATTENTION, _NORM_2, _FFN, _ADD_2)
        if topology.arrangement == "pre"
        else (*_ATTENTION, _NORM_1, _FFN, _ADD_2, _NORM_2)
    )
    return (
        _TEXT,
        _TOKENS,
        _EMBEDDINGS,
        *((_EMBED_NORM,) if topology.embed_norm else ()),
        *block,
        *((_FINAL_NORM,) if topology.final_norm else ()),
        _LOGITS,
        _NEXT if topology.head == "next_token" else _MASKED,
    )


def strip_payload(
    topology: Topology, here: Sequence[str], places: Mapping[str, str], *, layer: int
) -> Payload:
    """The you-are-here strip.

    Args:
        topology: of the chosen model.
        here: ids of the parts that are lit.
        places: part id -> address of the page that shows it.
        layer: the block that is drawn.
    """
    items: list[dict[str, Any]] = [
        {
            "id": part.id,
            "label": _(part.label) if part.label != "+" else "+",
            "title": _(part.meaning),
            "page": places.get(part.id),
            "lit": part.id in here,
            "in_block": part.in_block,
        }
        for part in parts(topology)
    ]
    return Payload(
        {
            "mode": "strip",
            "parts": items,
            "layer": layer,
            "n_layers": topology.n_layers,
            "labels": {
                "strip": _("Where you are in the model"),
                "block": _("block {i} of {n}"),
                "earlier": _("One block earlier"),
                "later": _("One block later"),
            },
        }
    )


N_ROWS = 24  # tokens the map shows
N_CELLS = 24  # components of a vector that a thumbnail shows
N_WORDS = 8


@dataclass(frozen=True, slots=True)
class MapParams(OnText):
    """What is open on the map.

    Attributes:
        layer: the block that is opened.
        head: the head that is outlined in it.
        token: the row that is looked at; -1 for the last one (or the first hidden word).
    """

    layer: int = param(2, low=0, high=255)
    head: int = param(0, low=0, high=255)
    token: int = param(-1, low=-1, high=100_000)


@dataclass(frozen=True)
class WholeRun:
    """The record of ``map.run``."""

    trace: Trace
    cut: str
    first: int  # the first token that is shown
    every: int  # a thumbnail shows every so many components
    words: list[list[tuple[str, float]]]  # for each shown token
    params: MapParams

    @property
    def layer(self) -> int:
        return min(self.params.layer, self.trace.topology.n_layers - 1)

    @property
    def head(self) -> int:
        return min(self.params.head, self.trace.topology.n_heads - 1)

    @property
    def token(self) -> int:
        last = len(self.trace.tokens) - 1
        if self.params.token >= 0:
            return min(max(self.params.token, self.first), last)
        if self.trace.topology.head == "masked_token":
            hidden = [i for i, t in enumerate(self.trace.tokens) if t.piece == MASK]
            return max(hidden[0], self.first) if hidden else min(self.first + 1, last)
        return last


def _logits(topology: Topology) -> str:
    """The site of one number for each vocabulary entry, ``(T, V)``."""
    return "logits" if topology.head == "next_token" else "mlm.logits"


@register
class ModelMap(ComponentView[MapParams, WholeRun]):
    """The whole run on one screen, each part a thumbnail of its own tensor."""

    name = "map.run"
    component = "map"
    Params = MapParams

    def title(self, record: WholeRun) -> str:
        return _("The whole run, from text to prediction")

    def requests(self, params: MapParams) -> tuple[Request, ...]:
        return (TraceRequest(params.model, params.text),)

    def compute(self, runs: Sequence[Run], params: MapParams) -> WholeRun:
        trace = runs[0].trace
        first = max(0, len(trace.tokens) - N_ROWS)
        probs = softmax(trace[_logits(trace.topology)][first:])
        best = np.argsort(-probs, axis=1)[:, :N_WORDS]
        words = [
            [(token_label(runs[0].words(int(i))), float(probs[row, i])) for i in of_row]
            for row, of_row in enumerate(best)
        ]
        return WholeRun(
            trace, runs[0].cut, first, max(1, trace.config.d_model // N_CELLS), words, params
        )

    def describe(self, record: WholeRun) -> Sentence:
        (best, share), *_rest = record.words[record.token - record.first]
        weights = record.trace[f"blocks.{record.layer}.attn.weights"][record.head, record.token]
        key = int(weights.argmax())
        template = (
            _("“{word}” follows with {share}.")
            if record.trace.topology.head == "next_token"
            else _("At “{query}” the model expects “{word}” with {share}.")
        )
        words = [quoted(token) for token in record.trace.tokens]
        query = words[record.token]
        return join(
            [
                sentence(
                    template,
                    word=Mark(best.removeprefix("·"), "accent"),
                    share=Mark(percent(share), "accent"),
                    query=Mark(query, "query"),
                ),
                sentence(
                    _("In block {layer}, head {head}, “{query}” gives {weight} of its attention "
                      "to {key}."),
                    layer=str(record.layer),
                    head=str(record.head),
                    query=Mark(query, "query"),
                    weight=Mark(percent(float(weights[key])), "weight"),
                    key=looked_at(words, record.token, key),
                ),
            ]
        )  # fmt: skip

    def payload(self, record: WholeRun) -> Payload:
        trace, topology = record.trace, record.trace.topology
        shown = slice(record.first, None)

        def thumb(site: str) -> NDArray[np.float32]:
            values = trace[site][shown]
            return np.ascontiguousarray(
                values[:, :: max(1, values.shape[1] // N_CELLS)][:, :N_CELLS]
            )

        arrays: dict[str, NDArray[Any]] = {
            "embed": thumb("blocks.0.resid_pre"),
            "final": thumb(
                "final_norm.out" if topology.final_norm
                else f"blocks.{topology.n_layers - 1}.ln_2.out"
            ),
            "logits": thumb(_logits(topology)),
            "probs": np.array([[p for _w, p in row] for row in record.words], np.float32),
        }  # fmt: skip
        for i in range(topology.n_layers):
            block = f"blocks.{i}."
            weights = trace[block + "attn.weights"][:, shown, shown]
            arrays[f"maps.{i}"] = as_bytes(weights, 0.0, 1.0)
            arrays[f"norm_1.{i}"] = thumb(block + "ln_1.out")
            arrays[f"norm_2.{i}"] = thumb(block + "ln_2.out")
            arrays[f"add_1.{i}"] = thumb(block + "resid_mid")
            arrays[f"add_2.{i}"] = thumb(block + "resid_post")
            arrays[f"ffn.{i}"] = thumb(block + "ffn.post")
            arrays[f"wrote.{i}"] = np.linalg.norm(trace[block + "ffn.out"][shown], axis=-1)
        n = len(trace.tokens)
        last_label = _("Next word") if topology.head == "next_token" else _("Word at this place")
        return Payload(
            {
                "mode": "map",
                "tokens": [tokens.chip(token) for token in trace.tokens[shown]],
                "first": record.first,
                "n_layers": topology.n_layers,
                "n_heads": topology.n_heads,
                "order": ["norm_1", "heads", "add_1", "norm_2", "ffn", "add_2"]
                if topology.arrangement == "pre"
                else ["heads", "add_1", "norm_1", "ffn", "add_2", "norm_2"],
                "words": [[word for word, _p in row] for row in record.words],
                "selection": {
                    "layer": record.layer, "head": record.head, "token": record.token
                },
                "alt": str(self.describe(record)),
                "labels": {
                    "tokens": _("Tokens"),
                    "embeddings": _("Embeddings"),
                    "blocks": _("Blocks"),
                    "block": _("block {i}"),
                    "open": _("Open block {i}"),
                    "head": _("head {h}"),
                    "heads": _("heads: who looks at whom"),
                    "norm": _("norm"),
                    "ffn": _("feed-forward"),
                    "add": _("sum: the residual stream"),
                    "logits": _("Logits"),
                    "entries": _("one in {n} entries of the vocabulary").format(
                        n=max(1, trace.config.vocab_size // N_CELLS)
                    ),
                    "final": _("Norm") if topology.final_norm else _("Output"),
                    "next": last_label,
                    "after": _("after “{token}”") if topology.head == "next_token"
                    else _("at “{token}”"),
                    "cells": _("one in {n} components of each token's vector").format(
                        n=record.every
                    ),
                    "ffn_note": _("bars: how much the feed-forward network writes for each token"),
                    "shown": _("the last {n} of {all} tokens").format(n=N_ROWS, all=n)
                    if n > N_ROWS else "",
                },
            },
            arrays,
        )  # fmt: skip

    def table(self, record: WholeRun) -> Table:
        return Table(
            (_("token"), _("rank"), _("word"), _("probability")),
            [
                (token_label(record.trace.tokens[record.first + row]), rank, word, p)
                for row, of_row in enumerate(record.words)
                for rank, (word, p) in enumerate(of_row)
            ],
        )

    def svg(self, record: WholeRun, mode: Mode) -> str:
        shown = self.payload(record)
        drawing = _Drawing(shown.header, shown.arrays, PALETTES[mode])
        return drawing.svg(self.title(record), str(self.describe(record)))


class _Drawing:
    """The map as the component shows it, part after part from left to right.

    Args:
        header, arrays: what the component is given.
        palette: of the page.
    """

    TOP, GAP, SMALL, LARGE = 84.0, 14.0, 38.0, 64.0

    def __init__(
        self, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], palette: Palette
    ) -> None:
        self.header, self.arrays, self.palette = header, arrays, palette
        self.labels: Mapping[str, str] = header["labels"]
        self.rows = len(header["tokens"])
        self.row = max(16.0, min(26.0, 380 / self.rows))
        self.token = header["selection"]["token"] - header["first"]
        self.x, self.bottom = 8.0, self.TOP + self.rows * self.row
        self.body: list[str] = []

    def svg(self, title: str, alt: str) -> str:
        self._tokens()
        self._heading(self.labels["embeddings"])
        self._strip("embed", "", 76)
        self._heading(self.labels["blocks"])
        for layer in range(self.header["n_layers"]):
            (self._open if layer == self.header["selection"]["layer"] else self._closed)(layer)
        for name in ("final", "logits"):
            self._heading(self.labels[name])
            self._strip(name, "", 52)
        self._words()
        foot = [self.labels[name] for name in ("shown", "cells", "entries", "ffn_note")]
        for line in filter(None, foot):
            self.bottom += 20
            self.body.append(svg.text(8, self.bottom, line, self.palette.muted))
        return svg.frame(self.x, self.bottom + 14, title, alt, self.body, self.palette)

    def _heading(self, words: str) -> None:
        self.body.append(svg.text(self.x, 46, words, self.palette.text, extra="font-weight='700'"))

    def _advance(self, width: float, *words: str) -> None:
        """Go on to the right of what was drawn and of what is written over it."""
        self.x += max([width, *(svg.CHAR * len(one) for one in words)]) + self.GAP

    def _tokens(self) -> None:
        self._heading(self.labels["tokens"])
        names = [chip["label"] for chip in self.header["tokens"]]
        for i, name in enumerate(names):
            y, chosen = self.TOP + i * self.row + self.row / 2 + 4, i == self.token
            colour = self.palette.accent if chosen else self.palette.text
            bold = "font-weight='700'" if chosen else ""
            self.body.append(svg.text(self.x, y, name, colour, extra=bold))
        self._advance(0, self.labels["tokens"], *names)

    def _strip(self, name: str, label: str, width: float) -> None:
        """A vector a token; the row of the selected one is outlined."""
        values, height = self.arrays[name], self.rows * self.row
        # Few components are far larger than the rest; they are drawn full.
        limit = float(np.quantile(np.abs(values), 0.97))
        self.body += [
            svg.text(self.x, 72, label, self.palette.muted),
            svg.thumbnail(values, self.x, self.TOP, width, height, self.palette, role="signed",
                          limit=limit),
            f"<rect x='{self.x:.1f}' y='{self.TOP + self.token * self.row:.1f}' width='{width}' "
            f"height='{self.row:.1f}' fill='none' stroke='{self.palette.accent}'/>",
        ]  # fmt: skip
        heading = {"embed": "embeddings"}.get(name, name)
        self._advance(width, label, self.labels.get(heading, ""))

    def _head(self, layer: int, head: int, x: float, y: float, side: float) -> None:
        values = self.arrays[f"maps.{layer}"][head]
        self.body.append(svg.thumbnail(values, x, y, side, side, self.palette, limit=255))

    def _closed(self, layer: int) -> None:
        """A block with its heads above each other and what its feed-forward network writes."""
        label = self.labels["block"].replace("{i}", str(layer))
        self.body.append(svg.text(self.x, 72, label, self.palette.muted))
        y = self.TOP
        for head in range(self.header["n_heads"]):
            self._head(layer, head, self.x, y, self.SMALL)
            y += self.SMALL + 4
        wrote = self.arrays[f"wrote.{layer}"]
        tall = 44 / len(wrote)
        for i, value in enumerate(wrote / (wrote.max() or 1.0)):
            colour = self.palette.accent if i == self.token else self.palette.residual
            self.body.append(
                f"<rect x='{self.x:.1f}' y='{y + i * tall:.1f}' "
                f"width='{max(1.0, self.SMALL * value):.1f}' height='{max(0.5, tall - 0.5):.1f}' "
                f"fill='{colour}'/>"
            )
        self.bottom = max(self.bottom, y + 44)
        self._advance(self.SMALL, label)

    def _open(self, layer: int) -> None:
        """A block with all its parts, in the order of computation."""
        start, at = self.x, len(self.body)
        self.x += self.GAP
        label = self.labels["block"].replace("{i}", str(layer))
        for part in self.header["order"]:
            if part == "heads":
                self._heads(layer)
            elif part.startswith("add"):
                self._strip(f"{part}.{layer}", "+", 26)
            else:
                self._strip(f"{part}.{layer}", self.labels[part.removesuffix("_1")
                                                           .removesuffix("_2")], 46)  # fmt: skip
        self.bottom += 6
        border = (
            f"<rect x='{start:.1f}' y='52' width='{self.x - start:.1f}' "
            f"height='{self.bottom - 52:.1f}' rx='6' fill='none' stroke='{self.palette.accent}'/>"
        )
        name = svg.text((start + self.x) / 2, 48, label, self.palette.accent, "middle")
        self.body[at:at] = [border, name]
        self.x += self.GAP

    def _heads(self, layer: int) -> None:
        """The heads of the open block, the chosen one outlined."""
        n, label = self.header["n_heads"], self.labels["heads"]
        across = 2 if n <= 6 else 3
        self.body.append(svg.text(self.x, 72, label, self.palette.muted))
        for head in range(n):
            x = self.x + head % across * (self.LARGE + 10)
            y = self.TOP + head // across * (self.LARGE + 24)
            self._head(layer, head, x, y, self.LARGE)
            name = self.labels["head"].replace("{h}", str(head))
            self.body.append(svg.text(x, y + self.LARGE + 13, name, self.palette.muted))
            if head == self.header["selection"]["head"]:
                self.body.append(
                    f"<rect x='{x - 3:.1f}' y='{y - 3:.1f}' width='{self.LARGE + 6}' "
                    f"height='{self.LARGE + 6}' fill='none' stroke='{self.palette.weight}' "
                    "stroke-width='2'/>"
                )
            self.bottom = max(self.bottom, y + self.LARGE + 16)
        self._advance(across * (self.LARGE + 10), label)

    def _words(self) -> None:
        """What the model expects at the selected token."""
        self._heading(self.labels["next"])
        token = self.header["tokens"][self.token]["label"]
        after = self.labels["after"].replace("{token}", token)
        self.body.append(svg.text(self.x, 72, after, self.palette.muted))
        words, shares = self.header["words"][self.token], self.arrays["probs"][self.token]
        bars = self.x + svg.CHAR * max(map(len, words)) + 8
        for i, (word, share) in enumerate(zip(words, shares, strict=True)):
            y = self.TOP + 22 * i
            colour = self.palette.accent if i == 0 else self.palette.text
            self.body += [
                svg.text(bars - 8, y + 12, word, colour, "end"),
                f"<rect x='{bars:.1f}' y='{y:.1f}' "
                f"width='{max(2.0, 56 * share / max(shares[0], 1e-9)):.1f}' height='14' "
                f"fill='{self.palette.accent}'/>",
                svg.text(bars + 64, y + 12, percent(float(share)), self.palette.text),
            ]
        self.bottom = max(self.bottom, self.TOP + 22 * len(words))
        self.x = max(bars + 64 + svg.CHAR * 9, self.x + svg.CHAR * len(after)) + 8
