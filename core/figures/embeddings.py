"""Views of the input: each token's row of the table, and the row of its place added to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.positions import nearest_rows
from core.figures import svg, tokens
from core.figures.params import OnText, param
from core.figures.payload import Payload
from core.figures.text import Mark, Sentence, join, number, quoted, sentence, token_label
from core.figures.theme import Mode
from core.figures.view import WHOLE_TABLE, ComponentView, Table, register
from core.language import _, ngettext
from core.requests import Request, TraceRequest
from core.runs import Run
from core.tracing.sites import source_line
from core.tracing.trace import Trace

Array = NDArray[np.float32]
TABLES = {"tokens": "key", "positions": "position", "types": "residual"}


@dataclass(frozen=True, slots=True)
class AtComponent(OnText):
    """One token and one component of its vector.

    Attributes:
        token: the position; -1 for the first that is no mark of the model.
        col: the component, counted from 0.
        table: which one is shown: the rows that are looked up, then each sum.
    """

    token: int = param(-1, low=-1, high=100_000)
    col: int = param(0, low=0, high=100_000)
    table: int = param(0, low=0, high=20)


@dataclass(frozen=True)
class Looked:
    """The record of both views: a run's embeddings."""

    run: Run
    params: AtComponent

    @property
    def trace(self) -> Trace:
        return self.run.trace

    @property
    def token(self) -> int:
        """The position that is looked at."""
        marks = [token.special for token in self.trace.tokens]
        if self.params.token >= 0:
            return min(self.params.token, len(marks) - 1)
        return marks.index(False) if False in marks else 0

    @cached_property
    def used(self) -> list[int]:
        """The ids that the text looks up, each once, in the table's order."""
        return sorted(set(self.trace.ids))

    @cached_property
    def tables(self) -> dict[str, Array]:
        """What is added up for every position, table by table: ``(T, D)`` each."""
        return {name: self.trace[f"embed.{name}"] for name in self.trace.topology.embeddings}

    @cached_property
    def total(self) -> Array:
        """The sum: ``(T, D)``."""
        return np.asarray(sum(self.tables.values()), np.float32)

    @cached_property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Every number of the look-up and of its arithmetic."""
        weights, trace = self.trace.weights, self.trace
        arrays: dict[str, NDArray[Any]] = {
            "table": np.asarray(weights["embed.tokens.weight"][self.used], np.float32),
            **self.tables,
            "total": self.total,
        }
        if trace.topology.embed_norm:
            parts = ("mean", "var", "normalized", "out")
            arrays |= {name: trace[f"embed.ln.{name}"] for name in parts}
            arrays["gain"] = np.asarray(weights["embed.ln.weight"], np.float32)
            arrays["shift"] = np.asarray(weights["embed.ln.bias"], np.float32)
        return arrays

    @cached_property
    def nearest(self) -> dict[int, list[str]]:
        """For each id of the text the entries whose rows point most nearly the same way."""
        table = self.trace.weights["embed.tokens.weight"]
        found = nearest_rows(table, self.used, min(4, len(table) - 1))
        return {
            own: [quoted(self.run.words(int(i))) for i in row]
            for own, row in zip(self.used, found, strict=True)
        }

    def selection(self) -> dict[str, int]:
        """The part of the state that components share, as they read it."""
        col = min(self.params.col, self.total.shape[1] - 1)
        return {"token": self.token, "col": col, "table": self.params.table}


class _OfEmbeddings(ComponentView[AtComponent, Looked]):
    Params = AtComponent
    sites = ("embed.*",)

    def requests(self, params: AtComponent) -> tuple[Request, ...]:
        return (TraceRequest(params.model, params.text, sites=self.sites),)

    def compute(self, runs: Sequence[Run], params: AtComponent) -> Looked:
        return Looked(runs[0], params)

    def describe(self, record: Looked) -> Sentence:
        return reading(record, record.token)


def reading(record: Looked, at: int) -> Sentence:
    """Which rows one position reads, and how long they are."""
    token = record.trace.tokens[at]
    lengths = {name: float(np.linalg.norm(rows[at])) for name, rows in record.tables.items()}
    name = Mark(quoted(token), "query")
    said = [
        sentence(
            _("“{token}” has id {id}: it reads row {id} of the token table, and position {at} adds "
              "row {at} of the position table. The first is {long} long, the second {short}."),
            token=name,
            id=Mark(str(token.id), "key"),
            at=Mark(str(at), "position"),
            long=Mark(number(lengths["tokens"]), "key"),
            short=Mark(number(lengths["positions"]), "position"),
        ),
        sentence(
            _("The rows most like it belong to {list}."),
            list=", ".join(f"“{word}”" for word in record.nearest[token.id]),
        ),
    ]  # fmt: skip
    twin = [i for i, other in enumerate(record.trace.ids) if other == token.id and i != at]
    if twin:
        said.append(
            sentence(
                ngettext(
                    "Position {list} reads the same row.", "Positions {list} read the same row.",
                    len(twin),
                ),
                list=Mark(", ".join(map(str, twin[:8])) + "…" * (len(twin) > 8), "position"),
            )
        )  # fmt: skip
    return join(said)


@register
class EmbeddedTokens(_OfEmbeddings):
    """The tokens with their ids: what each of them looks up."""

    name = "embed.tokens"
    component = "token_strip"

    def title(self, record: Looked) -> str:
        return _("Each token's id is the number of its row")

    def payload(self, record: Looked) -> Payload:
        return Payload(
            {
                "tokens": [tokens.chip(token) for token in record.trace.tokens],
                "notes": [str(token.id) for token in record.trace.tokens],
                "default": record.token,
                "cut": tokens.cut_text(record.run.cut),
                "readings": [
                    reading(record, at).as_data() for at in range(len(record.trace.tokens))
                ],
                "selection": record.selection(),
                "labels": tokens.strip_labels() | {"strip": self.title(record)},
            }
        )

    def table(self, record: Looked) -> Table:
        return Table(
            (
                _("position"),
                _("token"),
                _("id"),
                *(_("length of {table} row").format(table=name) for name in record.tables),
            ),
            [
                (
                    at,
                    token_label(token),
                    token.id,
                    *(float(np.linalg.norm(rows[at])) for rows in record.tables.values()),
                )
                for at, token in enumerate(record.trace.tokens)
            ],
        )

    def svg(self, record: Looked, mode: Mode) -> str:
        return svg.chips(
            self.title(record),
            [token_label(token) for token in record.trace.tokens],
            [str(token.id) for token in record.trace.tokens],
            [0.0] * len(record.trace.tokens),
            mode,
            alt=str(self.describe(record)),
        )


@register
class LookUp(_OfEmbeddings):
    """The rows of the token table that a text reads, and the sum that enters the first block."""

    name = "embed.lookup"
    component = "matrix"

    def title(self, record: Looked) -> str:
        return str(self._shown(record)["title"])

    @staticmethod
    def _shown(record: Looked) -> dict[str, Any]:
        """What is the chosen sheet's own."""
        sheets = _sheets(record)
        return sheets[min(record.params.table, len(sheets) - 1)]

    def payload(self, record: Looked) -> Payload:
        steps = _steps(record)
        return Payload(
            {
                "sheets": [self._sheet(record, steps, **own) for own in _sheets(record)],
                "sheet_field": "table",
                "sheet": record.params.table,
                "names": {
                    "ids": [str(i) for i in record.trace.ids],
                    "places": [str(i) for i in range(len(record.trace.ids))],
                },
                "selection": record.selection(),
                "labels": tokens.matrix_labels(),
            },
            record.arrays,
        )

    def _sheet(self, record: Looked, steps: list[dict[str, Any]], **own: Any) -> dict[str, Any]:
        """What all sheets share, around what is each one's own."""
        labels = tokens.labels(record.trace.tokens)
        return {
            "rows": {"labels": labels, "field": "token", "role": "query"},
            "axes": [[_("rows: tokens of the text · columns: components"), "plain"]],
            "cols": {
                "labels": [str(i) for i in range(record.total.shape[1])],
                "field": "col",
                "role": "accent",
            },
            "scale": {"kind": "signed", "limit": _limit(record.arrays[own["array"]])},
            "alt": str(self.describe(record)),
            "max_cell": 14,
            "how": {
                "title": _("How “{row}” gets its component {col}"),
                "steps": [step | {"now": own["array"] in step["makes"]} for step in steps],
            },
            **own,
        }

    def table(self, record: Looked) -> Table:
        shown = self._shown(record)
        rows = shown.get("rows", {})
        labels = rows.get("labels") or tokens.labels(record.trace.tokens)
        values = record.arrays[shown["array"]]
        at = [rows["of"][record.token] if "of" in rows else record.token]
        if len(labels) <= WHOLE_TABLE:
            at = list(range(len(labels)))
        return Table(
            (_("row"), *(_("component {i}").format(i=i) for i in range(values.shape[1]))),
            [(labels[i], *map(float, values[i])) for i in at],
        )

    def svg(self, record: Looked, mode: Mode) -> str:
        shown = self._sheet(record, [], **self._shown(record))
        title, alt = self.title(record), str(self.describe(record))
        return svg.sheet(shown, record.arrays, mode, title=title, alt=alt)


def _steps(record: Looked) -> list[dict[str, Any]]:
    """The arithmetic of one component, each step with the sheets it makes."""
    at = {"row": "token", "col": "col"}
    row = _("row {name}, component {col}")
    titles = {
        "tokens": _("Look up the token"),
        "positions": _("Look up the place"),
        "types": _("Look up the segment"),
    }
    names = {"tokens": "ids", "positions": "places"}
    steps: list[dict[str, Any]] = [
        {
            "title": titles[name],
            "kind": "value",
            "name": row if name in names else _("row 0, component {col}"),
            "names": names.get(name),
            "at": "token",
            "result": {"array": name, **at, "role": TABLES[name]},
            "makes": [name, *(["table"] if name == "tokens" else [])],
        }
        for name in record.tables
    ]
    steps.append(
        {
            "title": _("Add them up"),
            "kind": "sum",
            "terms": [{"array": name, **at} for name in record.tables],
            "result": {"array": "total", **at, "role": "residual"},
            "makes": ["total"],
        }
    )
    if record.trace.topology.embed_norm:
        steps += _norm_steps(record.trace.config.eps)
    return steps


def _norm_steps(eps: float) -> list[dict[str, Any]]:
    """BERT normalises the sum: two more steps."""
    at, of_row = {"row": "token", "col": "col"}, {"row": "token", "col": "none"}
    return [
        {
            "title": _("Normalise the vector"),
            "kind": "norm",
            "x": {"array": "total", **at},
            "mean": {"array": "mean", **of_row},
            "var": {"array": "var", **of_row},
            "eps": number(eps, 1),
            "result": {"array": "normalized", **at},
            "makes": [],
        },
        {
            "title": _("Scale and shift"),
            "kind": "affine",
            "x": {"array": "normalized", **at},
            "gain": {"array": "gain", "at": "col"},
            "shift": {"array": "shift", "at": "col"},
            "result": {"array": "out", **at, "role": "residual"},
            "makes": ["out"],
        },
    ]


def _sheets(record: Looked) -> list[dict[str, Any]]:
    """What is each sheet's own: tables first, then what enters the first block."""
    trace = record.trace
    entries = [token_label(trace.tokens[trace.ids.index(i)]) for i in record.used]
    found: list[dict[str, Any]] = [
        {
            "tab": _("token rows"),
            "title": _("The {n} rows of the token table, of {all}, that this text reads").format(
                n=len(record.used), all=f"{len(trace.weights['embed.tokens.weight']):,}"
            ),
            "array": "table",
            "rows": {
                "labels": [f"{i} {word}" for i, word in zip(record.used, entries, strict=True)],
                "field": "token",
                "of": [record.used.index(i) for i in trace.ids],
                "role": "key",
            },
            "axes": [
                [
                    _("rows: entries of the vocabulary, learnt in training · columns: components"),
                    "plain",
                ]
            ],
            "source": _source("embed.tokens"),
        },
        {
            "tab": _("position rows"),
            "title": _("The rows of the position table, in order"),
            "array": "positions",
            "source": _source("embed.positions"),
        },
        {
            "tab": _("their sum"),
            "title": _("The sum, before it is normalised")
            if trace.topology.embed_norm
            else _("The sum: what enters the first block"),
            "array": "total",
            "source": _source("embed.positions"),
        },
    ]
    if trace.topology.embed_norm:
        found.append(
            {
                "tab": _("normalised"),
                "title": _("The sum, normalised: what enters the first block"),
                "array": "out",
                "source": _source("embed.ln.out"),
            }
        )
    return found


def _limit(values: NDArray[Any]) -> float:
    """Where a signed colour is full: most components are small, so a few may be clipped."""
    return float(np.quantile(np.abs(values), 0.995)) or 1.0


def _source(site: str) -> dict[str, Any]:
    line = source_line(site)
    return {"code": line.code, "path": line.path, "line": line.line}
