"""The model as a drawing whose parts are places of the app: the live map, and folded flat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import softmax
from core.figures import svg, tokens
from core.figures.params import OnText, param
from core.figures.payload import Payload, as_bytes
from core.figures.text import Mark, Sentence, join, percent, quoted, sentence, token_label
from core.figures.theme import Mode
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
        query = quoted(record.trace.tokens[record.token])
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
                      "to “{key}”."),
                    layer=str(record.layer),
                    head=str(record.head),
                    query=Mark(query, "query"),
                    weight=Mark(percent(float(weights[key])), "weight"),
                    key=Mark(quoted(record.trace.tokens[key]), "key"),
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
        topology = record.trace.topology
        maps = np.stack(
            [record.trace[f"blocks.{i}.attn.weights"] for i in range(topology.n_layers)]
        )
        return svg.head_grid(
            self.title(record),
            maps[:, :, record.first :, record.first :],
            mode,
            alt=str(self.describe(record)),
        )
