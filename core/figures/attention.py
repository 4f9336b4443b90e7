"""Views of attention: one row in words, every step's arithmetic, all heads, lines, scaling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.analysis import scaling
from core.analysis.heads import (
    entropy,
    first_token_score,
    induction_score,
    previous_token_score,
)
from core.figures import svg, tokens
from core.figures.params import OnText, param
from core.figures.payload import Payload, as_bytes
from core.figures.text import Mark, Sentence, join, number, percent, quoted, sentence
from core.figures.theme import PALETTES, Mode, styled
from core.figures.view import ComponentView, PlotView, Table, register
from core.language import N_, _, ngettext
from core.requests import Request, TraceRequest
from core.runs import Run
from core.tracing.sites import source_line
from core.tracing.trace import Trace

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class AtHead(OnText):
    """One head, one query, one key.

    Attributes:
        layer, head: counted from 0.
        token: the query; -1 for the last token that can look around.
        key: the key; -1 for the one that gets most.
        step: of the computation.
        col: the component of a vector.
    """

    layer: int = param(2, low=0, high=255)
    head: int = param(0, low=0, high=255)
    token: int = param(-1, low=-1, high=100_000)
    key: int = param(-1, low=-1, high=100_000)
    step: int = param(6, low=0, high=8)
    col: int = param(0, low=0, high=100_000)


SCORES = ("entropy", "previous", "first", "induction")  # of a head, arrays of ``Grid``


@dataclass(frozen=True, slots=True)
class AtHeads(AtHead):
    """All heads, and how they are looked at.

    Attributes:
        score: what stands for a head in the overview, its map or one number.
        drawn: how the selected head is drawn large.
        heads: "0:1,2": while head 0 is selected, lines of heads 1 and 2 are drawn; empty for
            those of the selected head.
        every: lines of every query are drawn, not those of the selected one alone.
    """

    score: str = param("maps", choices=("maps", *SCORES))
    drawn: str = param("matrix", choices=("matrix", "lines"))
    heads: str = param(
        "", pattern=r"|\d{1,3}:\d{1,3}(,\d{1,3}){0,255}", form=N_("of the form 0:1,2")
    )
    every: bool = param(False)


@dataclass(frozen=True, slots=True)
class AtHeadScaled(AtHead):
    """One head, and whether its scores are scaled.

    Attributes:
        scaling: which weights are shown: 0 of divided scores, 1 of scores that are not.
    """

    scaling: int = param(1, low=0, high=1)


@dataclass(frozen=True)
class HeadRun:
    """What all views of one head are computed from."""

    trace: Trace
    cut: str
    layer: int
    head: int
    params: AtHead

    @cached_property
    def labels(self) -> list[str]:
        return tokens.labels(self.trace.tokens)

    @cached_property
    def words(self) -> list[str]:
        """The tokens as sentences name them."""
        return [quoted(token) for token in self.trace.tokens]

    @cached_property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Every array of the head, with its own slices of the projections."""
        weights, layer = self.trace.weights, self.layer
        n_units = self("q").shape[1]
        mine = slice(self.head * n_units, (self.head + 1) * n_units)
        inputs = (
            f"blocks.{layer}.ln_1.out"
            if self.trace.topology.arrangement == "pre"
            else f"blocks.{layer}.resid_pre"
        )
        arrays: dict[str, NDArray[Any]] = {
            name: self(name) for name in ("q", "k", "v", "dots", "scores", "weights", "z")
        }
        for name in "qkv":
            arrays[f"w_{name}"] = weights[f"blocks.{layer}.attn.w_{name}.weight"][mine]
            arrays[f"b_{name}"] = weights[f"blocks.{layer}.attn.w_{name}.bias"][mine]
        w_o = weights[f"blocks.{layer}.attn.w_o.weight"][:, mine]
        return arrays | {
            "x": self.trace[inputs],
            "w_o": w_o,
            "out": (self("z") @ w_o.T).astype(np.float32),
            "all_heads": self("out"),
            "may": self.trace.mask.astype(np.uint8),
        }

    def __call__(self, site: str) -> Array:
        """A site of this head, or of this layer when it has no heads."""
        values = self.trace[f"blocks.{self.layer}.attn.{site}"]
        return values[self.head] if values.ndim == 3 else values

    @property
    def query(self) -> int:
        n = len(self.trace.tokens)
        last = n - 1
        if self.params.token >= 0:
            return min(self.params.token, last)
        if self.trace.tokens[last].special and n > 1:
            return last - 1  # a closing mark is no word to ask about
        return last

    @property
    def key(self) -> int:
        if self.params.key >= 0:
            return min(self.params.key, len(self.trace.tokens) - 1)
        return int(self("weights")[self.query].argmax())

    def selection(self) -> dict[str, int]:
        p = self.params
        return {
            "token": self.query,
            "key": self.key,
            "layer": self.layer,
            "head": self.head,
            "step": p.step,
            "col": min(p.col, self.trace.config.d_model - 1),
        }


def head_run(runs: Sequence[Run], params: AtHead) -> HeadRun:
    """The head that was asked for, brought into the model's range."""
    trace = runs[0].trace
    topology = trace.topology
    layer = min(params.layer, topology.n_layers - 1)
    head = min(params.head, topology.n_heads - 1)
    return HeadRun(trace, runs[0].cut, layer, head, params)


def looked_at(words: Sequence[str], query: int, key: int) -> Sentence:
    """What a query looks at, in words; of a word that comes twice, which one."""
    if key == query:
        return Sentence((Mark(_("itself"), "key"),))
    word = Mark(words[key], "key")
    if words.count(words[key]) > 1:
        return sentence(_("“{key}” (position {at})"), key=word, at=str(key))
    return sentence(_("“{key}”"), key=word)


def reading(run: HeadRun, query: int) -> Sentence:
    """What one query looks at, in words."""
    weights, may = run("weights")[query], run.trace.mask[query]
    if not may.any():
        return sentence(
            _("“{query}” may look at nothing: its row is all zeros."),
            query=Mark(run.words[query], "query"),
        )
    best, *others = map(int, np.argsort(-weights, kind="stable"))
    parts = [
        sentence(
            _("“{query}” gives {share} of its attention to {key}"),
            query=Mark(run.words[query], "query"),
            share=Mark(percent(float(weights[best])), "weight"),
            key=looked_at(run.words, query, best),
        )
    ]
    if others and weights[others[0]] > 0.05:
        parts.append(
            sentence(
                _(", {share} to {key}"),
                share=Mark(percent(float(weights[others[0]])), "weight"),
                key=looked_at(run.words, query, others[0]),
            )
        )
    hidden = int((~may).sum())
    if hidden:
        text = ngettext(
            "; {n} token after it is hidden by the mask.",
            "; {n} tokens after it are hidden by the mask.",
            hidden,
        )
        parts.append(sentence(text, n=str(hidden)))
    else:
        parts.append(sentence(_("; no token is hidden.")))
    return Sentence(tuple(part for one in parts for part in one.parts))


class _HeadView(ComponentView[AtHead, HeadRun]):
    """What views of one head share."""

    Params = AtHead
    sites = ("blocks.*.attn.*", "blocks.*.ln_1.out", "blocks.*.resid_pre")

    def requests(self, params: AtHead) -> tuple[Request, ...]:
        # The whole trace: every page on a text shares this one run.
        return (TraceRequest(params.model, params.text),)

    def compute(self, runs: Sequence[Run], params: AtHead) -> HeadRun:
        return head_run(runs, params)

    def describe(self, record: HeadRun) -> Sentence:
        return reading(record, record.query)

    def table(self, record: HeadRun) -> Table:
        labels = record.labels
        weights = record("weights")
        return Table(
            (_("query \\ key"), *labels),
            [(labels[i], *map(float, row)) for i, row in enumerate(weights)],
        )

    def svg(self, record: HeadRun, mode: Mode) -> str:
        return svg.matrix(
            self.title(record),
            record.labels,
            record.labels,
            record("weights"),
            mode,
            mask=record.trace.mask,
            alt=str(self.describe(record)),
            note=_("rows: queries · columns: keys · hatched: masked"),
        )


@register
class AttentionRow(_HeadView):
    """The tokens, coloured by how much the selected one looks at each."""

    name = "attention.row"
    component = "token_strip"

    def title(self, record: HeadRun) -> str:
        return _("Who “{query}” looks at").format(query=quoted(record.trace.tokens[record.query]))

    def payload(self, record: HeadRun) -> Payload:
        n = len(record.trace.tokens)
        return Payload(
            {
                "tokens": [tokens.chip(token) for token in record.trace.tokens],
                "cut": tokens.cut_text(record.cut),
                "field": "token",
                "default": record.query,
                "heat_role": "weight",
                "heat_limit": 1.0,
                "heat_unit": "share",
                "readings": [reading(record, at).as_data() for at in range(n)],
                "selection": record.selection(),
                "labels": tokens.strip_labels(),
            },
            {"heat": record("weights"), "may": record.trace.mask.astype(np.uint8)},
        )


def _tokens_axis(run: HeadRun, field: str, role: str) -> dict[str, Any]:
    return {"labels": run.labels, "field": field, "role": role}


def _units_axis(n: int) -> dict[str, Any]:
    return {"labels": [str(i) for i in range(n)], "field": "col", "role": "residual"}


def _source(site: str) -> dict[str, Any]:
    line = source_line(site)
    return {"path": line.path, "line": line.line, "code": line.code}


@register
class AttentionSteps(_HeadView):
    """One head from the stream to its output, every cell with the arithmetic that made it."""

    name = "attention.steps"
    component = "matrix"

    def title(self, record: HeadRun) -> str:
        sheet = self._shown(record)
        return _("{what}, layer {layer}, head {head}").format(
            what=sheet["title"], layer=record.layer, head=record.head
        )

    def _shown(self, record: HeadRun) -> dict[str, Any]:
        """The sheet of the chosen step."""
        return self._sheets(record)[record.params.step]

    def describe(self, record: HeadRun) -> Sentence:
        sheet, arrays = self._shown(record), record.arrays
        if sheet["array"] == "weights":
            return reading(record, record.query)
        values, selected = arrays[sheet["array"]], record.selection()
        row, col = selected[sheet["rows"]["field"]], selected[sheet["cols"]["field"]]
        col = min(col, values.shape[1] - 1)
        name = Mark(record.words[row], "query")
        open_ = record.trace.mask if sheet.get("mask") else np.ones(values.shape, bool)
        size: dict[str, Mark | str] = {
            "value": Mark(number(float(values[row, col])), "strong"),
            "low": number(float(values[open_].min())),
            "high": number(float(values[open_].max())),
        }
        if sheet["cols"]["field"] == "col":
            return sentence(
                _("{what}: component {col} of “{token}” is {value}; all run from {low} to {high}."),
                what=sheet["title"], col=str(col), token=name, **size,
            )  # fmt: skip
        template = (
            _("{what}: “{query}” and {key} give {value}; all run from {low} to {high}.")
            if open_[row, col]
            else _("{what}: “{query}” may not look at {key}; the others run from {low} to {high}.")
        )
        key = looked_at(record.words, row, col)
        return sentence(template, what=sheet["title"], query=name, key=key, **size)

    def table(self, record: HeadRun) -> Table:
        sheet, arrays = self._shown(record), record.arrays
        values, labels = arrays[sheet["array"]], record.labels
        if sheet["array"] == "scores" and sheet.get("mask"):
            values = np.where(record.trace.mask, values, -np.inf)
        pairs = sheet["cols"]["field"] == "key"
        return Table(
            (_("query \\ key") if pairs else _("token \\ component"), *sheet["cols"]["labels"]),
            [(label, *row) for label, row in zip(labels, values.tolist(), strict=True)],
        )

    def svg(self, record: HeadRun, mode: Mode) -> str:
        sheet, arrays = self._shown(record), record.arrays
        title, alt = self.title(record), str(self.describe(record))
        return svg.sheet(sheet, arrays, mode, title=title, alt=alt)

    def titles(self) -> list[str]:
        """The steps' names, as the stepper says them."""
        return [
            _("Queries: what each token looks for"),
            _("Keys: what each token can be found by"),
            _("Values: what each token hands over"),
            _("Compare every query with every key"),
            _("Scale by √d_head"),
            _("Mask what may not be seen"),
            _("Softmax: shares that sum to 1"),
            _("Mix the values by their shares"),
            _("Mix into the stream's width"),
        ]

    def payload(self, record: HeadRun) -> Payload:
        return Payload(
            {
                "sheets": self._sheets(record),
                "sheet_field": "step",
                "sheet": record.params.step,
                "sheet_tabs": False,
                "names": {"tokens": record.labels},
                "selection": record.selection(),
                "labels": tokens.matrix_labels(),
            },
            record.arrays,
        )

    def _sheets(self, run: HeadRun) -> list[dict[str, Any]]:
        arrays = run.arrays
        prefix = f"blocks.{run.layer}.attn."
        n_units, width = run("q").shape[1], arrays["out"].shape[1]
        symbol = {"q": ("query", "token"), "k": ("key", "key"), "v": ("value", "key")}

        def projection(name: str) -> dict[str, Any]:
            role, field = symbol[name]
            return {
                "title": {
                    "q": _("Queries q = W_q x + b"),
                    "k": _("Keys k = W_k x + b"),
                    "v": _("Values v = W_v x + b"),
                }[name],
                "array": name,
                "rows": _tokens_axis(run, field, role),
                "cols": _units_axis(n_units),
                "scale": {"kind": "signed", "limit": _limit(arrays[name])},
                "axes": [[_("rows: tokens · columns: components of the vector"), "plain"]],
                "how": {
                    "title": _("How component {col} of “{row}” is made"),
                    "steps": [
                        {
                            "kind": "products",
                            "now": True,
                            "title": _("Multiply the token's vector with a row of the matrix"),
                            "name": f"{name}[{{col}}]",
                            "a": {"array": "x", "row": field, "role": "residual"},
                            "b": {"array": f"w_{name}", "row": "col", "role": role},
                            "plus": {"array": f"b_{name}", "at": "col"},
                            "result": {"array": name, "row": field, "col": "col", "role": role},
                        }
                    ],
                },
                "source": _source(prefix + name),
            }

        pair = {
            "rows": _tokens_axis(run, "token", "query"),
            "cols": _tokens_axis(run, "key", "key"),
            "axes": _axes_of_pairs(run),
        }
        pair_title = _("How “{row}” weighs “{col}”")

        def compared(now: int, **sheet: Any) -> dict[str, Any]:
            steps = _pair_steps(run)
            steps[now] = steps[now] | {"now": True}
            return {**pair, **sheet, "how": {"title": pair_title, "steps": steps}}

        weighted = {"mask": "may", "source": _source(prefix + "weights")}
        return [
            projection("q"),
            projection("k"),
            projection("v"),
            compared(
                0,
                title=_("Dot products q · k"),
                array="dots",
                scale={"kind": "signed", "limit": _limit(arrays["dots"])},
                source=_source(prefix + "dots"),
            ),
            compared(
                1,
                title=_("Scores q · k / √d_head"),
                array="scores",
                scale={"kind": "signed", "limit": _limit(arrays["scores"])},
                source=_source(prefix + "scores"),
            ),
            compared(
                2,
                title=_("Scores under the mask"),
                array="scores",
                scale={"kind": "signed", "limit": _limit(arrays["scores"])},
                mask="may",
                source=_source(prefix + "scores_masked"),
            ),
            compared(
                3,
                title=_("Attention weights"),
                array="weights",
                scale={"kind": "weight", "limit": 1.0},
                **weighted,
            ),
            {
                "title": _("Mixed values z"),
                "array": "z",
                "rows": _tokens_axis(run, "token", "query"),
                "cols": _units_axis(n_units),
                "scale": {"kind": "signed", "limit": _limit(arrays["z"])},
                "axes": [[_("rows: queries · columns: components of the mixed value"), "plain"]],
                "how": {
                    "title": _("How component {col} for “{row}” is mixed"),
                    "steps": [
                        {
                            "kind": "products",
                            "now": True,
                            "title": _("Every token's value, times its weight"),
                            "name": "z[{col}]",
                            "a": {"array": "weights", "row": "token", "role": "weight"},
                            "b": {"array": "v", "col": "col", "role": "value"},
                            "names": "tokens",
                            "result": {
                                "array": "z",
                                "row": "token",
                                "col": "col",
                                "role": "value",
                            },
                        }
                    ],
                },
                "source": _source(prefix + "z"),
            },
            {
                "title": _("What this head writes into the stream"),
                "array": "out",
                "rows": _tokens_axis(run, "token", "query"),
                "cols": _units_axis(width),
                "scale": {"kind": "signed", "limit": _limit(arrays["out"])},
                "axes": [[_("rows: queries · columns: components of the stream"), "plain"]],
                "how": {
                    "title": _("How component {col} for “{row}” is written"),
                    "steps": [
                        {
                            "kind": "products",
                            "now": True,
                            "title": _("The mixed value, times a row of this head's part of W_O"),
                            "name": "out[{col}]",
                            "a": {"array": "z", "row": "token", "role": "value"},
                            "b": {"array": "w_o", "row": "col", "role": "residual"},
                            "result": {
                                "array": "out",
                                "row": "token",
                                "col": "col",
                                "role": "residual",
                            },
                        },
                        {
                            "kind": "value",
                            "title": _("All {n} heads and the bias together").format(
                                n=run.trace.topology.n_heads
                            ),
                            "name": "attn.out",
                            "result": {
                                "array": "all_heads",
                                "row": "token",
                                "col": "col",
                                "role": "residual",
                            },
                        },
                    ],
                },
                "source": _source(prefix + "out"),
            },
        ]


def _limit(values: NDArray[Any]) -> float:
    """Where a signed colour is full: the largest size, so that nothing is clipped."""
    return float(np.abs(values).max()) or 1.0


def _axes_of_pairs(run: HeadRun) -> list[list[str]]:
    parts = [
        Mark(_("rows: queries"), "query"),
        Mark(" · ", "plain"),
        Mark(_("columns: keys"), "key"),
    ]
    if not run.trace.mask.all():
        parts.append(Mark(" · " + _("hatched: masked"), "muted"))
    return Sentence(tuple(parts)).as_data()


def _pair_steps(run: HeadRun) -> list[dict[str, Any]]:
    """The arithmetic from one query and one key to one weight."""
    d_head = run("q").shape[1]
    cell = {"row": "token", "col": "key"}
    return [
        {
            "kind": "products",
            "title": _("Compare query and key"),
            "name": "q·k",
            "a": {"array": "q", "row": "token", "role": "query"},
            "b": {"array": "k", "row": "key", "role": "key"},
            "result": {"array": "dots", **cell},
        },
        {
            "kind": "scale",
            "title": _("Scale by √d_head"),
            "from": {"array": "dots", **cell},
            "by": f"/ √{d_head}",
            "result": {"array": "scores", **cell},
        },
        {
            "kind": "mask",
            "title": _("Mask"),
            "may": {"array": "may", **cell},
            "kept": _("query {query} may look at key {key}: kept"),
            "hidden": _("query {query} may not look at key {key}: −∞"),
        },
        {
            "kind": "softmax",
            "title": _("Softmax over the row"),
            "scores": {"array": "scores", "row": "token"},
            "weights": {"array": "weights", "row": "token"},
            "may": {"array": "may", "row": "token"},
            "at": "key",
            "names": "tokens",
        },
    ]


@register
class AttentionWeights(_HeadView):
    """One head's weights as a matrix."""

    name = "attention.weights"
    component = "matrix"

    def title(self, record: HeadRun) -> str:
        return _("Attention weights of layer {layer}, head {head}").format(
            layer=record.layer, head=record.head
        )

    def payload(self, record: HeadRun) -> Payload:
        return Payload(
            {
                "sheets": [
                    {
                        "title": self.title(record),
                        "array": "weights",
                        "rows": _tokens_axis(record, "token", "query"),
                        "cols": _tokens_axis(record, "key", "key"),
                        "scale": {"kind": "weight", "limit": 1.0},
                        "mask": "may",
                        "axes": _axes_of_pairs(record),
                        "alt": str(self.describe(record)),
                    }
                ],
                "selection": record.selection(),
                "labels": tokens.matrix_labels(),
            },
            {"weights": record("weights"), "may": record.trace.mask.astype(np.uint8)},
        )


@dataclass(frozen=True)
class Grid:
    """The record of ``attention.heads``; arrays are ``(layers, heads)``."""

    run: HeadRun
    shown: str
    maps: NDArray[np.uint8]
    entropy: Array
    previous: Array
    first: Array
    induction: Array

    def names(self) -> list[list[str]]:
        """What a head does on this text, where a score says so clearly."""
        named = []
        for layer in range(len(self.entropy)):
            row = []
            for head in range(self.entropy.shape[1]):
                name = ""
                if self.induction[layer, head] >= 0.4:
                    name = _("looks at what followed last time")
                elif self.previous[layer, head] >= 0.5:
                    name = _("looks one token back")
                elif self.first[layer, head] >= 0.6:
                    name = _("rests on the first token")
                row.append(name)
            named.append(row)
        return named


THUMBNAIL = 48  # pixels a side at most: larger maps are pooled


def thumbnail(weights: Array, side: int = THUMBNAIL) -> NDArray[np.uint8]:
    """A map as bytes; its largest weights are kept when it is pooled to ``side`` cells."""
    n = weights.shape[-1]
    if n > side:
        cuts = np.linspace(0, n, side + 1).astype(int)[:-1]
        weights = np.maximum.reduceat(np.maximum.reduceat(weights, cuts, 0), cuts, 1)
    return as_bytes(weights, 0.0, 1.0)


@register
class HeadGrid(ComponentView[AtHeads, Grid]):
    """Every layer and head at a glance, by its map or by what it does as a number."""

    name = "attention.heads"
    component = "head_grid"
    Params = AtHeads
    sites = ("blocks.*.attn.weights",)

    def title(self, record: Grid) -> str:
        if record.shown == "maps":
            return _("All heads on this text")
        label = self._score(record)["label"]
        return _("All heads on this text: {score}").format(score=label)

    def _score(self, record: Grid) -> dict[str, Any]:
        """The chosen one, where no maps are shown."""
        return next(one for one in self._scores(record) if one["array"] == record.shown)

    def requests(self, params: AtHeads) -> tuple[Request, ...]:
        return (TraceRequest(params.model, params.text),)

    def compute(self, runs: Sequence[Run], params: AtHeads) -> Grid:
        run = head_run(runs, params)
        trace = run.trace
        maps, scores = [], []
        for layer in range(trace.topology.n_layers):
            weights = trace[f"blocks.{layer}.attn.weights"]
            maps.append([thumbnail(head) for head in weights])
            scores.append(
                (
                    entropy(weights).mean(axis=-1),
                    previous_token_score(weights),
                    first_token_score(weights),
                    induction_score(weights, trace.ids),
                )
            )
        stacked = [np.stack(kind).astype(np.float32) for kind in zip(*scores, strict=True)]
        return Grid(run, params.score, np.array(maps, np.uint8), *stacked)

    def describe(self, record: Grid) -> Sentence:
        def best(values: Array, template: str) -> Sentence:
            layer, head = np.unravel_index(int(values.argmax()), values.shape)
            return sentence(
                template,
                layer=Mark(str(layer), "weight"),
                head=Mark(str(head), "weight"),
                share=Mark(percent(float(values[layer, head])), "weight"),
            )

        parts = [
            best(
                record.previous,
                _("Layer {layer}, head {head} looks one token back with {share}"),
            ),
            best(
                record.first,
                _("; layer {layer}, head {head} rests on the first token with {share}"),
            ),
        ]
        if record.induction.max() > 0.05:
            text = _("; layer {layer}, head {head} looks at what followed a repeated token with "
                     "{share}")  # fmt: skip
            parts.append(best(record.induction, text))
        parts.append(sentence("."))
        said = Sentence(tuple(mark for one in parts for mark in one.parts))
        if record.shown != "entropy":
            return said
        layer, head = np.unravel_index(int(record.entropy.argmax()), record.entropy.shape)
        even = sentence(
            _("Layer {layer}, head {head} spreads its attention most evenly, with {bits} bits."),
            layer=Mark(str(layer), "weight"),
            head=Mark(str(head), "weight"),
            bits=Mark(number(float(record.entropy.max())), "weight"),
        )
        return join([said, even])

    def _scores(self, record: Grid) -> list[dict[str, Any]]:
        most = float(np.log2(max(2, len(record.run.trace.tokens))))
        return [
            {"label": _("entropy"), "array": "entropy", "limit": most,
             "note": _("Bits of entropy, mean over the queries: 0 = all on one token, "
                       "{most} = spread evenly over all.").format(most=number(most))},
            {"label": _("previous token"), "array": "previous", "limit": 1.0,
             "note": _("Mean attention to the token just before.")},
            {"label": _("first token"), "array": "first", "limit": 1.0,
             "note": _("Mean attention to the first token, where heads with nothing to "
                       "do look.")},
            {"label": _("induction"), "array": "induction", "limit": 1.0,
             "note": _("Mean attention from a repeated token to what followed it before; "
                       "0 when no token comes twice.")},
        ]  # fmt: skip

    def payload(self, record: Grid) -> Payload:
        return Payload(
            {
                "scores": self._scores(record),
                "names": record.names(),
                "alt": str(self.describe(record)),
                "selection": record.run.selection() | {"score": record.shown},
                "labels": {
                    "layer": _("layer"),
                    "head": _("head"),
                    "maps": _("maps"),
                    "maps_note": _(
                        "Each square is one head: rows queries, columns keys. Click "
                        "one to enlarge it."
                    ),
                },
            },
            {
                "maps": record.maps,
                "entropy": record.entropy,
                "previous": record.previous,
                "first": record.first,
                "induction": record.induction,
            },
        )

    def table(self, record: Grid) -> Table:
        return Table(
            (
                _("layer"),
                _("head"),
                _("entropy (bits)"),
                _("previous token"),
                _("first token"),
                _("induction"),
            ),
            [
                (
                    layer,
                    head,
                    *(
                        float(values[layer, head])
                        for values in (
                            record.entropy,
                            record.previous,
                            record.first,
                            record.induction,
                        )
                    ),
                )
                for layer in range(len(record.entropy))
                for head in range(record.entropy.shape[1])
            ],
        )

    def svg(self, record: Grid, mode: Mode) -> str:
        title, alt = self.title(record), str(self.describe(record))
        if record.shown == "maps":
            return svg.head_grid(title, record.maps / 255.0, mode, alt=alt)
        score = self._score(record)
        values = getattr(record, record.shown)
        return svg.matrix(
            title,
            [_("layer {i}").format(i=layer) for layer in range(values.shape[0])],
            [_("head {h}").format(h=head) for head in range(values.shape[1])],
            values,
            mode,
            limit=score["limit"],
            texts=[[number(float(value), 2) for value in row] for row in values],
            alt=alt,
            note=score["note"],
        )


LINES = 64  # tokens that are drawn with lines between them
LEAST_OF_ONE, LEAST_OF_ALL = 0.01, 0.08  # weights that are drawn, of one query and of all
HEAD_ROLES = ("weight", "key", "value", "query", "position", "residual")  # colours tell heads apart


@register
class AttentionLines(_HeadView):
    """The heads of one layer as lines between queries and keys."""

    name = "attention.lines"
    component = "arcs"
    Params = AtHeads

    def title(self, record: HeadRun) -> str:
        return _("Lines from queries to keys, layer {layer}").format(layer=record.layer)

    def _heads(self, record: HeadRun) -> list[int]:
        """The heads that are drawn: those chosen while this one was selected, else itself."""
        assert isinstance(record.params, AtHeads)
        by, _colon, listed = record.params.heads.partition(":")
        chosen = listed.split(",") if by == str(record.head) else []
        known = {int(head) for head in chosen} & set(range(record.trace.topology.n_heads))
        return sorted(known) or [record.head]

    def _queries(self, record: HeadRun) -> list[int]:
        """The queries whose lines are drawn."""
        assert isinstance(record.params, AtHeads)
        drawn = min(LINES, len(record.labels))
        return list(range(drawn)) if record.params.every else [self._query(record)]

    @staticmethod
    def _query(record: HeadRun) -> int:
        return min(record.query, LINES - 1)

    def _note(self, record: HeadRun) -> str:
        note = _("Thickness: weight. Of all queries together, weights under {least} are left "
                 "out.").format(least=percent(LEAST_OF_ALL))  # fmt: skip
        if len(record.labels) > LINES:
            note += " " + _("The first {n} tokens are drawn.").format(n=LINES)
        return note

    def describe(self, record: HeadRun) -> Sentence:
        assert isinstance(record.params, AtHeads)
        heads = self._heads(record)
        said = [reading(replace(record, head=head), self._query(record)) for head in heads]
        if heads != [record.head]:
            said = [
                join([sentence(_("Head {head}:"), head=str(head)), one])
                for head, one in zip(heads, said, strict=True)
            ]
        if record.params.every:
            said.insert(0, sentence(_("Lines of all queries are drawn. Of the selected one:")))
        return join(said)

    def payload(self, record: HeadRun) -> Payload:
        weights = record.trace[f"blocks.{record.layer}.attn.weights"]
        assert isinstance(record.params, AtHeads)
        return Payload(
            {
                "tokens": record.labels[:LINES],
                "least": {"one": LEAST_OF_ONE, "all": LEAST_OF_ALL},
                "alt": str(self.describe(record)),
                "note": self._note(record),
                "selection": record.selection()
                | {"heads": record.params.heads, "every": int(record.params.every)},
                "labels": {"queries": _("queries"), "keys": _("keys"), "head": _("head"),
                           "every": _("all queries")},
            },
            {"weights": as_bytes(weights[:, :LINES, :LINES], 0.0, 1.0)},
        )  # fmt: skip

    def table(self, record: HeadRun) -> Table:
        weights = record.trace[f"blocks.{record.layer}.attn.weights"]
        return Table(
            (_("head"), _("query \\ key"), *record.labels),
            [
                (head, record.labels[query], *map(float, weights[head, query]))
                for head in self._heads(record)
                for query in self._queries(record)
            ],
        )

    def svg(self, record: HeadRun, mode: Mode) -> str:
        assert isinstance(record.params, AtHeads)
        weights = record.trace[f"blocks.{record.layer}.attn.weights"][:, :LINES, :LINES]
        heads, queries = self._heads(record), self._queries(record)
        roles = {head: HEAD_ROLES[head % len(HEAD_ROLES)] for head in heads}
        if len(heads) == 1:
            roles = dict.fromkeys(heads, "weight")
        least = LEAST_OF_ALL if record.params.every else LEAST_OF_ONE
        return svg.arcs(
            self.title(record),
            record.labels[:LINES],
            [
                (query, int(key), float(weights[head, query, key]), roles[head])
                for head in heads
                for query in queries
                for key in np.flatnonzero(weights[head, query] >= least)
            ],
            mode,
            alt=str(self.describe(record)),
            names=(_("queries"), _("keys")),
            legend=[(_("head {h}").format(h=head), role) for head, role in roles.items()],
            strong=None if record.params.every else self._query(record),
            note=self._note(record),
        )


@dataclass(frozen=True)
class Unscaled:
    """The record of ``attention.unscaled``."""

    run: HeadRun
    without: Array


@register
class WithoutScaling(ComponentView[AtHeadScaled, Unscaled]):
    """The same head's weights, had the scores not been divided by √d_head."""

    name = "attention.unscaled"
    component = "bars"
    Params = AtHeadScaled
    sites = _HeadView.sites
    N_ROWS = 8

    def title(self, record: Unscaled) -> str:
        return _("The same row without scaling")

    def requests(self, params: AtHeadScaled) -> tuple[Request, ...]:
        return (TraceRequest(params.model, params.text),)

    def compute(self, runs: Sequence[Run], params: AtHeadScaled) -> Unscaled:
        run = head_run(runs, params)
        dots = np.where(run.trace.mask, run("dots"), -np.inf)
        return Unscaled(run, scaling.softmax_rows(dots))

    def describe(self, record: Unscaled) -> Sentence:
        at = record.run.query
        with_, without = record.run("weights")[at], record.without[at]
        return join(
            [
                sentence(
                    _(
                        "With scaling the largest weight of “{query}” is {scaled}, without it "
                        "{raw};"
                    ),
                    query=Mark(quoted(record.run.trace.tokens[at]), "query"),
                    scaled=Mark(percent(float(with_.max())), "weight"),
                    raw=Mark(percent(float(without.max())), "weight"),
                ),
                sentence(
                    _("the entropy falls from {before} to {after} bits."),
                    before=number(float(entropy(with_))),
                    after=number(float(entropy(without))),
                ),
            ]
        )

    def payload(self, record: Unscaled) -> Payload:
        assert isinstance(record.run.params, AtHeadScaled)
        labels = record.run.labels
        frames, probs = [], []
        n_rows = min(self.N_ROWS, len(labels))
        for at in range(len(labels)):
            scaled, raw = record.run("weights")[at], record.without[at]
            order = np.argsort(-(scaled + raw), kind="stable")[:n_rows]
            title = sentence(_("Weights of “{query}”"), query=Mark(labels[at], "query"))
            frames.append(
                {
                    "rows": [{"id": str(i), "label": labels[i], "role": "weight"} for i in order],
                    "title": title.as_data(),
                }
            )
            probs.append([scaled[order], raw[order]])
        return Payload(
            {
                "frames": frames,
                "stages": [_("divided by √d_head"), _("not divided")],
                "stage_field": "scaling",
                "follow": {"field": "token", "first": record.run.query},
                "full_scale": True,
                "selection": record.run.selection() | {"scaling": record.run.params.scaling},
                "alt": str(self.describe(record)),
                "labels": {"cut": "0 %"},
            },
            {"probs": np.array(probs, np.float32)},
        )

    def table(self, record: Unscaled) -> Table:
        at = record.run.query
        return Table(
            (_("key"), _("scaled"), _("not scaled")),
            [
                (label, float(record.run("weights")[at, i]), float(record.without[at, i]))
                for i, label in enumerate(record.run.labels)
            ],
        )

    def svg(self, record: Unscaled, mode: Mode) -> str:
        at = record.run.query
        order = np.argsort(-record.without[at])[: self.N_ROWS]
        return svg.bars(
            self.title(record),
            [record.run.labels[i] for i in order],
            [float(record.without[at, i]) for i in order],
            mode,
            alt=str(self.describe(record)),
        )


@dataclass(frozen=True, slots=True)
class ScalingParams:
    """The experiment on random queries and keys.

    Attributes:
        n_keys: keys a query is compared with.
        vector_seed: of the random vectors.
    """

    n_keys: int = param(16, low=2, high=64)
    vector_seed: int = param(0, low=0, high=2**31)


@register
class ScalingExperiment(PlotView[ScalingParams, scaling.Saturation]):
    """Why scale: random dot products grow with d, and softmax saturates."""

    name = "attention.scaling"
    Params = ScalingParams
    needs = "none"

    def title(self, record: scaling.Saturation) -> str:
        return _("Softmax as vectors get more components")

    def compute(self, runs: Sequence[Any], params: ScalingParams) -> scaling.Saturation:
        return scaling.saturation(params.n_keys, params.vector_seed)

    def describe(self, record: scaling.Saturation) -> Sentence:
        setting = sentence(
            _("Means over {n} random queries with {keys} keys each, all components from N(0, 1). "
              "The gradient's size is the Frobenius norm of softmax's Jacobian."),
            n=str(scaling.N_QUERIES), keys=str(record.n_keys),
        )  # fmt: skip
        found = sentence(
            _(
                "At d = {d} the entropy is {scaled} bits with scaling and {raw} without; the "
                "gradient that passes the softmax is {ratio} times smaller without."
            ),
            d=str(record.sizes[-1]),
            scaled=Mark(number(float(record.entropy_scaled[-1])), "weight"),
            raw=Mark(number(float(record.entropy_raw[-1])), "weight"),
            ratio=Mark(
                number(float(record.gradient_scaled[-1] / max(1e-30, record.gradient_raw[-1]))),
                "accent",
            ),
        )
        return join([setting, found])

    def table(self, record: scaling.Saturation) -> Table:
        return Table(
            (
                "d",
                _("entropy scaled"),
                _("entropy unscaled"),
                _("gradient scaled"),
                _("gradient unscaled"),
            ),
            [
                tuple(map(float, row))
                for row in zip(
                    record.sizes,
                    record.entropy_scaled,
                    record.entropy_raw,
                    record.gradient_scaled,
                    record.gradient_raw,
                    strict=True,
                )
            ],
        )

    def figure(self, record: scaling.Saturation, mode: Mode) -> go.Figure:
        palette = PALETTES[mode]
        figure = go.Figure()
        for values, name, colour, axis in (
            (record.entropy_scaled, _("entropy, scaled"), palette.weight, "y"),
            (record.entropy_raw, _("entropy, not scaled"), palette.key, "y"),
            (record.gradient_scaled, _("gradient, scaled"), palette.weight, "y2"),
            (record.gradient_raw, _("gradient, not scaled"), palette.key, "y2"),
        ):
            figure.add_scatter(
                x=record.sizes,
                y=values,
                name=name,
                yaxis=axis,
                mode="lines+markers",
                line={"color": colour, "dash": "solid" if axis == "y" else "dot"},
                hovertemplate="d = %{x}<br>%{y:.4g}<extra>" + name + "</extra>",
            )
        styled(
            figure, mode, title=self.title(record), x=_("d, components of a vector"),
            y=_("entropy in bits"),
        )  # fmt: skip
        figure.update_xaxes(type="log", tickvals=record.sizes[::2])
        figure.update_layout(
            yaxis2={
                "title": _("size of the gradient (logarithmic)"),
                "overlaying": "y",
                "side": "right",
                "showgrid": False,
                "type": "log",
                "tickvals": [0.01, 0.02, 0.05, 0.1, 0.2, 0.5],
            },
        )
        return figure
