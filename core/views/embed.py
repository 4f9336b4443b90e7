"""The input: each token's row of the table, and the row of its place added to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.positions import nearest_rows
from core.figures import tokens
from core.figures.components import Axis, How, Matrix, Scale, Sheet, Strip
from core.figures.components.arithmetic import (
    Affine,
    ArithmeticStep,
    Normalise,
    Of,
    ScaleBy,
    Sum,
    Value,
)
from core.figures.components.base import Selected
from core.figures.text import Mark, Sentence, join, number, sentence
from core.figures.values import Along, Values
from core.language import N_, _, name_of, ngettext
from core.locale import grouped, in_quotes, listed
from core.models.blueprint import Embedding
from core.models.needs import Needs
from core.runs.kinds.trace import Run, TraceRequest
from core.runs.request import Request
from core.tracing.trace import Array, Stream, Trace
from core.units import Unit
from core.views.nearest import nearest
from core.views.params import OnText, param
from core.views.view import View

# --- the rows that a text looks up, and their sum: what the views of the input are computed from


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
class StreamEmbeddings:
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
        """The stream that the embedding begins."""
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
        neighbours = nearest_rows(self.table, self.used, min(NEAREST, len(self.table) - 1))
        return {
            id_: [self.run.entry(int(i)).spoken for i in row]
            for id_, row in zip(self.used, neighbours, strict=True)
        }

    @property
    def along(self) -> Along:
        """The positions as an axis of numbers."""
        return Along(
            "position", _("position"), [str(position) for position in range(len(self.tokens))]
        )

    def selection(self) -> dict[str, int | str | None]:
        """By the names of the parameters."""
        col = nearest("col", self.params.col, self.total.shape[1] - 1)
        return {"token": self.token, "col": col, "table": self.params.table}


class LookUpView(View[AtComponent, StreamEmbeddings]):
    """The rows of a run's embeddings, which are all of it that is read."""

    Params, needs = AtComponent, Needs(parts=("rows",))

    def requests(self, params: AtComponent) -> tuple[Request, ...]:
        return (TraceRequest(params.model, params.given, sites=("@embeddings",)),)

    def compute(self, runs: Sequence[Run], params: AtComponent) -> StreamEmbeddings:
        blueprint = runs[0].trace.blueprint
        return StreamEmbeddings(
            runs[0], blueprint.embedding(params.stream or blueprint.streams[0]), params
        )

    def selection(self, record: StreamEmbeddings) -> Selected:
        return record.selection()

    def describe(self, record: StreamEmbeddings) -> Sentence:
        return look_up_reading(record, record.token)


def look_up_reading(record: StreamEmbeddings, position: int) -> Sentence:
    """Which rows one position reads, and how long they are."""
    token = record.tokens[position]
    lengths = {name: float(np.linalg.norm(rows[position])) for name, rows in record.rows.items()}
    template = _("“{token}” has id {id}, so it reads row {id} of the {table}. That row "
                 "has length {long}. It says nothing about where “{token}” stands.")  # fmt: skip
    if "positions" in lengths:
        template = _("“{token}” has id {id}, so it reads row {id} of the {table}, and "
                     "position {at} adds row {at} of the position table. Its own row has "
                     "length {long}, the position's row {short}.")  # fmt: skip
    sentences = [
        sentence(
            template,
            token=Mark(token.spoken, "query"),
            id=Mark(str(record.stream.ids[position]), "key"),
            table=_(TABLES[record.embedding.units]),
            at=Mark(str(position), "position"),
            long=Mark(number(lengths["tokens"]), "key"),
            short=Mark(number(lengths.get("positions", 0.0)), "position"),
        )
    ]
    if record.embedding.scaled:
        sentences.append(
            sentence(
                _("Before the two are added, the token's row is multiplied by √d_model = {root}."),
                root=Mark(number(record.total.shape[1] ** 0.5), "key"),
            )
        )
    sentences.append(
        sentence(
            _("Most similar rows of the table: {list}."),
            list=listed(map(in_quotes, record.nearest[record.stream.ids[position]])),
        )
    )
    sentences += _same_row(record, position)
    return join(sentences)


def _same_row(record: StreamEmbeddings, position: int) -> list[Sentence]:
    """Which other positions read the same row; nothing if none does."""
    id_ = record.stream.ids[position]
    twin = [i for i, other in enumerate(record.stream.ids) if other == id_ and i != position]
    if not twin:
        return []
    some = [str(i) for i in twin[:TWINS]]
    places = ", ".join(some) + "…" if len(twin) > TWINS else listed(some)
    words = ngettext(
        "Position {list} reads the same row.", "Positions {list} read the same row.", len(twin)
    )
    return [sentence(words, list=Mark(places, "position"))]


# --- what one component of an embedding is made of, step by step ----------------------


ROLES = {"tokens": "key", "positions": "position", "types": "residual"}
NAMES = {"tokens": "ids", "positions": "places"}  # lists of names of the rows that are read


def steps_to(record: StreamEmbeddings, array: str) -> list[ArithmeticStep]:
    """The steps of every component, the one that makes an array marked."""
    return [replace(step, now=True) if array in arrays else step for step, arrays in _steps(record)]


def _cell(array: str, role: str | None = None) -> Of:
    """The selected token's and component's number."""
    return Of(array, row="token", col="col", role=role)


def _steps(record: StreamEmbeddings) -> Iterator[tuple[ArithmeticStep, tuple[str, ...]]]:
    """Each step with the arrays that it makes."""
    title = _("Look up the token")
    if record.embedding.units == "characters":
        title = _("Look up the character")
    yield _look_up("tokens", title), ("tokens", "table")
    if record.embedding.scaled:
        scaled = ScaleBy(
            title=_("Multiply by √d_model"),
            from_=_cell("tokens"),
            by=f"· √{record.total.shape[1]}",
            result=_cell("scaled", "key"),
        )
        yield scaled, ("scaled",)
    if "positions" in record.rows:
        yield _look_up("positions", _("Look up the position")), ("positions",)
    if "types" in record.rows:
        yield _look_up("types", _("Look up the segment")), ("types",)
    terms = tuple(_cell(term.rpartition(".")[2]) for term in record.embedding.terms)
    if len(terms) > 1:
        added = Sum(title=_("Add them up"), terms=terms, result=_cell("total", "residual"))
        yield added, ("total",)
    if record.embedding.norm:
        yield from _norm_steps(record.embedding.eps)


def _look_up(table: str, title: str) -> Value:
    named = table in NAMES
    return Value(
        title=title,
        name=_("row {name}, component {col}") if named else _("row 0, component {col}"),
        names=NAMES.get(table),
        at="token",
        result=_cell(table, ROLES[table]),
    )


def _norm_steps(eps: float) -> Iterator[tuple[ArithmeticStep, tuple[str, ...]]]:
    """A norm right after the sum: two more steps."""
    normalise = Normalise(
        title=_("Normalise the vector"),
        x=_cell("total"),
        mean=Of("mean", row="token", col="none"),
        var=Of("var", row="token", col="none"),
        eps=number(eps, 1),
        result=_cell("normalized"),
    )
    yield normalise, ("normalized",)
    affine = Affine(
        title=_("Scale and shift"),
        x=_cell("normalized"),
        gain=Of("gain", at="col"),
        shift=Of("shift", at="col"),
        result=_cell("out", "residual"),
    )
    yield affine, ("out",)


# --- the sheets of the look-up: tables first, then what enters the first block --------


def entry_of(record: StreamEmbeddings) -> list[int]:
    """For each position its row among those that are read."""
    return [record.used.index(i) for i in record.stream.ids]


def entries(record: StreamEmbeddings) -> list[str]:
    """The rows that are read: their numbers, and the tokens they belong to."""
    ids = record.stream.ids
    return [f"{i} {record.tokens[ids.index(i)].label}" for i in record.used]


def sheets_of(record: StreamEmbeddings) -> list[Sheet]:
    """Each table's rows, and what becomes of them."""
    sheets, normed = [_table(record)], record.embedding.norm
    if "positions" in record.rows:
        title = _("The rows of the position table, in order")
        sheets.append(_rows(record, "positions", _("position rows"), title))
    if len(record.embedding.terms) > 1:
        title = _("The sum, before it is normalised")
        if not normed:
            title = _("The sum: what enters the first layer")
        sheets.append(_rows(record, "total", _("their sum"), title))
    if normed:
        title = _("The sum, normalised: what enters the first layer")
        sheets.append(_rows(record, "out", _("normalised"), title))
    return sheets


def _table(record: StreamEmbeddings) -> Sheet:
    """The rows of the token table, each once."""
    title = _("The {n} rows of the {table}, of {all}, that this text reads").format(
        table=_(TABLES[record.embedding.units]), n=len(record.used), all=grouped(len(record.table))
    )
    sheet = _rows(record, "table", _(ROWS[record.embedding.units]), title)
    axes = _("rows: entries of the vocabulary, learned in training · columns: components")
    rows = Axis(entries(record), "token", "key", of=entry_of(record))
    return replace(sheet, rows=rows, axes=sentence(axes))


def _rows(record: StreamEmbeddings, array: str, tab: str, title: str) -> Sheet:
    """A vector for each token of the text."""
    values, prefix = record.arrays[array], record.embedding.prefix
    made_at = {"table": "tokens", "positions": "positions", "total": "positions", "out": "ln.out"}
    return Sheet(
        tab=tab,
        title=title,
        array=array,
        rows=Axis(tokens.labels(record.tokens), "token", "query"),
        cols=Axis([str(i) for i in range(values.shape[1])], "col", "accent"),
        scale=Scale("signed", _limit(values)),
        axes=sentence(_("rows: tokens of the text · columns: components")),
        max_cell=14,
        how=How(_("How component {col} of “{row}” is computed"), steps_to(record, array)),
        source=record.trace.source(f"{prefix}.{made_at[array]}"),
    )


def _limit(values: NDArray[Any]) -> float:
    """Where a signed colour is full: most components are small, so a few may be clipped."""
    sizes = np.abs(values).ravel()
    index = round(0.995 * (len(sizes) - 1))
    return float(np.partition(sizes, index)[index]) or 1.0


# --- the rows of the token table that a text reads, and the sum that enters the first block


LABELS = {
    "table": N_("token table"),
    "tokens": N_("token row"),
    "scaled": N_("token row times √d_model"),
    "positions": N_("position row"),
    "types": N_("segment row"),
    "total": N_("sum"),
    "mean": N_("mean"),
    "var": N_("variance"),
    "normalized": N_("normalised"),
    "out": N_("scaled and shifted"),
    "gain": N_("gain"),
    "shift": N_("shift"),
}


class EmbedLookupView(LookUpView):
    """One sheet for each table whose rows are read, and for what becomes of them."""

    name = "embed.lookup"

    def values(self, record: StreamEmbeddings) -> Mapping[str, Values]:
        return {name: _values_of(record, name) for name in record.arrays}

    def facts(self, record: StreamEmbeddings) -> Sequence[str]:
        n, width = record.total.shape
        return (
            name_of(record.params.model),
            ngettext("{n} token", "{n} tokens", n).format(n=n),
            _("{d} components each").format(d=width),
            _("ran in {ms} ms").format(ms=f"{record.trace.seconds * 1e3:.0f}"),
            _("every number is from this run"),
        )

    def draw(self, record: StreamEmbeddings) -> Matrix:
        sheets = sheets_of(record)
        return Matrix(
            title=sheets[nearest("table", record.params.table, len(sheets) - 1)].title,
            sheets=sheets,
            sheet=record.params.table,
            sheet_field="table",
            names={
                "ids": [str(i) for i in record.stream.ids],
                "places": [str(i) for i in range(len(record.tokens))],
            },
            arrays=record.arrays,
        )


def _values_of(record: StreamEmbeddings, name: str) -> Values:
    """An array with the names of its rows and columns."""
    position, col = record.token, int(record.selection()["col"] or 0)
    of_token = (Along("token", _("token"), tokens.labels(record.tokens)), position)
    of_entry = (Along("entry", _("row"), entries(record)), entry_of(record)[position])
    names = [_("component {i}").format(i=i) for i in range(record.total.shape[1])]
    of_component = (Along("component", _("component"), names), col)
    over = {
        "table": (of_entry, of_component),
        "mean": (of_token,),
        "var": (of_token,),
        "gain": (of_component,),
        "shift": (of_component,),
    }.get(name, (of_token, of_component))
    axes, selected = tuple(axis for axis, _at in over), tuple(place for _axis, place in over)
    array = record.arrays[name].reshape([len(axis.labels) for axis in axes])
    return Values(_(LABELS[name]), array, axes, site=_site(record, name), selected=selected)


def _site(record: StreamEmbeddings, name: str) -> str | None:
    """The site that an array was read from."""
    plain, norm = f"{record.embedding.prefix}.{name}", f"{record.embedding.prefix}.ln.{name}"
    return next((site for site in (plain, norm) if site in record.trace), None)


# --- the tokens with their ids: what each of them looks up ----------------------------


class EmbedTokensView(LookUpView):
    """Chips, the id under each, and which rows the selected one reads."""

    name = "embed.tokens"

    def values(self, record: StreamEmbeddings) -> Mapping[str, Values]:
        axes, selected = (record.along,), (record.token,)
        words = np.array([token.label for token in record.tokens])
        lengths = {
            f"length_{name}": Values(
                _("length of {table} row").format(table=name), np.linalg.norm(rows, axis=1), axes,
                site=f"{record.embedding.prefix}.{name}", selected=selected,
            )
            for name, rows in record.rows.items()
        }  # fmt: skip
        return {
            "tokens": Values(_("token"), words, axes, selected=selected),
            "ids": Values(_("id"), np.array(record.stream.ids), axes, selected=selected),
            **lengths,
        }

    def draw(self, record: StreamEmbeddings) -> Strip:
        title = _("Token ids: each is the number of a row")
        first = record.embedding.stream == record.trace.blueprint.streams[0]
        return Strip(
            title=title,
            tokens=[tokens.chip(token) for token in record.tokens],
            notes=[str(id_) for id_ in record.stream.ids],
            default=record.token,
            cut=tokens.cut_text(record.run.cut) if first else None,
            heading=_stream_named(record),
            readings=[look_up_reading(record, position) for position in range(len(record.tokens))],
            name=title,
        )


def _stream_named(record: StreamEmbeddings) -> Sentence | None:
    """Whose tokens they are, where the model has several streams."""
    if len(record.trace.streams) == 1:
        return None
    name = _(record.embedding.stream)
    if record.stream.written:
        return sentence(_("Tokens of the {stream}, written by the model itself"), stream=name)
    return sentence(_("Tokens of the {stream}"), stream=name)
