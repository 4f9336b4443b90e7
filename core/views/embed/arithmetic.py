"""What one component of an embedding is made of, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from core.figures.components.arithmetic import Affine, Normalise, Of, ScaleBy, Step, Sum, Value
from core.figures.text import number
from core.language import _
from core.views.embed.looked import Looked

ROLES = {"tokens": "key", "positions": "position", "types": "residual"}
NAMES = {"tokens": "ids", "positions": "places"}  # lists of names of the rows that are read


def steps_to(record: Looked, array: str) -> list[Step]:
    """The steps of every component, the one that makes an array marked."""
    return [replace(step, now=True) if array in made else step for step, made in _steps(record)]


def _cell(array: str, role: str | None = None) -> Of:
    """The selected token's and component's number."""
    return Of(array, row="token", col="col", role=role)


def _steps(record: Looked) -> Iterator[tuple[Step, tuple[str, ...]]]:
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


def _norm_steps(eps: float) -> Iterator[tuple[Step, tuple[str, ...]]]:
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
