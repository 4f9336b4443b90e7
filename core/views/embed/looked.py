"""The rows that a text looks up, and their sum: what the views of the input are computed from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.positions import nearest_rows
from core.figures.text import Mark, Sentence, join, number, sentence
from core.figures.values import Along
from core.language import N_, _, ngettext
from core.locale import in_quotes, listed
from core.models.blueprint import Embedding
from core.runs.requests import Request, TraceRequest
from core.runs.results import Run
from core.tracing.trace import Array, Stream, Trace
from core.units import Unit
from core.views.nearest import nearest
from core.views.params import OnText, param

# What a table's rows belong to, by the blueprint's word for it.
TABLES = {"tokens": N_("token table"), "characters": N_("character table")}
ROWS = {"tokens": N_("token rows"), "characters": N_("character rows")}
NEAREST = 4  # entries whose rows are named
TWINS = 8  # positions with the same token that are named
NORM_PARTS = ("mean", "var", "normalized", "out")


@dataclass(frozen=True, slots=True)
class AtComponent(OnText):
    """One token and one component of its vector.

    Attributes:
        stream: whose tokens, in a model that has several.
        token: the position; -1 for the first that is no mark of the model.
        col: the component, counted from 0.
        table: which one is shown: the rows that are looked up, then each sum.
    """

    stream: str = param("", part="stream", label=N_("Tokens"))
    token: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Token"))
    col: int = param(0, low=0, high=100_000, lives="browser", label=N_("Column"))
    table: int = param(0, low=0, high=20, lives="browser", label=N_("Table"))


@dataclass(frozen=True)
class Looked:
    """A run's embeddings of one stream.

    Attributes:
        run: the run.
        embedding: where the stream begins.
        params: what was asked for.
    """

    run: Run
    embedding: Embedding
    params: AtComponent

    @property
    def trace(self) -> Trace:
        return self.run.trace

    @property
    def stream(self) -> Stream:
        """The positions."""
        return self.trace.streams[self.embedding.stream]

    @property
    def tokens(self) -> tuple[Unit, ...]:
        """The tokens or characters at them."""
        return self.stream.units

    @property
    def token(self) -> int:
        """The position that is looked at."""
        marks = [token.special for token in self.tokens]
        if self.params.token >= 0:
            return nearest("token", self.params.token, len(marks) - 1)
        return marks.index(False) if False in marks else 0

    @cached_property
    def used(self) -> list[int]:
        """The ids that the stream looks up, each once, in the order in which the text has them."""
        return list(dict.fromkeys(self.stream.ids))

    @cached_property
    def table(self) -> Array:
        """The rows of every entry of the vocabulary: ``(V, D)``."""
        return self.trace.weights[self.embedding.table]

    @cached_property
    def rows(self) -> dict[str, Array]:
        """What is looked up for every position, table by table: ``(T, D)`` each."""
        return {name: self.site(name) for name in self.embedding.tables}

    def site(self, name: str) -> Array:
        """A site of the embedding."""
        return self.trace[f"{self.embedding.prefix}.{name}"]

    @cached_property
    def total(self) -> Array:
        """The sum: ``(T, D)``."""
        return np.asarray(sum(self.trace[term] for term in self.embedding.terms), np.float32)

    @cached_property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Every number of the look-up and of its arithmetic."""
        arrays: dict[str, NDArray[Any]] = {
            "table": np.asarray(self.table[self.used], np.float32),
            **self.rows,
            "total": self.total,
        }
        if self.embedding.scaled:
            arrays["scaled"] = self.site("scaled")
        if self.embedding.norm:
            weights, norm = self.trace.weights, f"{self.embedding.prefix}.ln"
            arrays |= {name: self.site(f"ln.{name}") for name in NORM_PARTS}
            arrays["gain"] = np.asarray(weights[f"{norm}.weight"], np.float32)
            arrays["shift"] = np.asarray(weights[f"{norm}.bias"], np.float32)
        return arrays

    @cached_property
    def nearest(self) -> dict[int, list[str]]:
        """For each id of the stream the entries whose rows point most nearly the same way."""
        found = nearest_rows(self.table, self.used, min(NEAREST, len(self.table) - 1))
        return {
            own: [self.run.entry(int(i)).spoken for i in row]
            for own, row in zip(self.used, found, strict=True)
        }

    @property
    def along(self) -> Along:
        """The positions as an axis of numbers."""
        return Along("position", _("position"), [str(at) for at in range(len(self.tokens))])

    def selection(self) -> dict[str, int | str | None]:
        """By the names of the parameters."""
        col = nearest("col", self.params.col, self.total.shape[1] - 1)
        return {"token": self.token, "col": col, "table": self.params.table}


def look_requests(params: AtComponent) -> tuple[Request, ...]:
    """The run, of which the embeddings are all that is read."""
    return (TraceRequest(params.model, params.given, sites=("@embeddings",)),)


def looked(runs: Sequence[Run], params: AtComponent) -> Looked:
    """The stream that was asked for; without a name the first, which a text becomes."""
    blueprint = runs[0].trace.blueprint
    return Looked(runs[0], blueprint.embedding(params.stream or blueprint.streams[0]), params)


def reading(record: Looked, at: int) -> Sentence:
    """Which rows one position reads, and how long they are."""
    token = record.tokens[at]
    lengths = {name: float(np.linalg.norm(rows[at])) for name, rows in record.rows.items()}
    template = _("“{token}” has id {id}, so it reads row {id} of the {table}. That row "
                 "has length {long}. It says nothing about where “{token}” stands.")  # fmt: skip
    if "positions" in lengths:
        template = _("“{token}” has id {id}, so it reads row {id} of the {table}, and "
                     "position {at} adds row {at} of the position table. Its own row has "
                     "length {long}, the position's row {short}.")  # fmt: skip
    said = [
        sentence(
            template,
            token=Mark(token.spoken, "query"),
            id=Mark(str(record.stream.ids[at]), "key"),
            table=_(TABLES[record.embedding.units]),
            at=Mark(str(at), "position"),
            long=Mark(number(lengths["tokens"]), "key"),
            short=Mark(number(lengths.get("positions", 0.0)), "position"),
        )
    ]
    if record.embedding.scaled:
        said.append(
            sentence(
                _("Before the two are added, the token's row is multiplied by √d_model = {root}."),
                root=Mark(number(record.total.shape[1] ** 0.5), "key"),
            )
        )
    said.append(
        sentence(
            _("Most similar rows of the table: {list}."),
            list=listed(map(in_quotes, record.nearest[record.stream.ids[at]])),
        )
    )
    said += _same_row(record, at)
    return join(said)


def _same_row(record: Looked, at: int) -> list[Sentence]:
    """Which other positions read the same row; nothing if none does."""
    id_ = record.stream.ids[at]
    twin = [i for i, other in enumerate(record.stream.ids) if other == id_ and i != at]
    if not twin:
        return []
    some = [str(i) for i in twin[:TWINS]]
    places = ", ".join(some) + "…" if len(twin) > TWINS else listed(some)
    words = ngettext(
        "Position {list} reads the same row.", "Positions {list} read the same row.", len(twin)
    )
    return [sentence(words, list=Mark(places, "position"))]
