"""The rows of the token table that a text reads, and the sum that enters the first block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.figures import tokens
from core.figures.components import Matrix
from core.figures.text import Sentence
from core.figures.values import Along, Values
from core.language import N_, _, name_of, ngettext
from core.models.needs import Needs
from core.runs.requests import Request
from core.runs.results import Run
from core.views.embed.looked import AtComponent, Looked, look_requests, looked, reading
from core.views.embed.sheets import entries, entry_of, sheets_of
from core.views.nearest import nearest
from core.views.view import View

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


class LookUp(View[AtComponent, Looked]):
    """One sheet for each table whose rows are read, and for what becomes of them."""

    name, Params, needs = "embed.lookup", AtComponent, Needs(parts=("rows",))

    def requests(self, params: AtComponent) -> tuple[Request, ...]:
        return look_requests(params)

    def compute(self, runs: Sequence[Run], params: AtComponent) -> Looked:
        return looked(runs, params)

    def values(self, record: Looked) -> Mapping[str, Values]:
        return {name: _named(record, name) for name in record.arrays}

    def describe(self, record: Looked) -> Sentence:
        return reading(record, record.token)

    def facts(self, record: Looked) -> Sequence[str]:
        n, width = record.total.shape
        return (
            name_of(record.params.model),
            ngettext("{n} token", "{n} tokens", n).format(n=n),
            _("{d} components each").format(d=width),
            _("ran in {ms} ms").format(ms=f"{record.trace.seconds * 1e3:.0f}"),
            _("every number is from this run"),
        )

    def draw(self, record: Looked) -> Matrix:
        sheets = sheets_of(record)
        return Matrix(
            title=sheets[nearest("table", record.params.table, len(sheets) - 1)].title,
            selection=record.selection(),
            sheets=sheets,
            sheet=record.params.table,
            sheet_field="table",
            names={
                "ids": [str(i) for i in record.stream.ids],
                "places": [str(i) for i in range(len(record.tokens))],
            },
            arrays=record.arrays,
        )


def _named(record: Looked, name: str) -> Values:
    """An array with the names of its rows and columns."""
    at, col = record.token, int(record.selection()["col"] or 0)
    of_token = (Along("token", _("token"), tokens.labels(record.tokens)), at)
    of_entry = (Along("entry", _("row"), entries(record)), entry_of(record)[at])
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


def _site(record: Looked, name: str) -> str | None:
    """The site that an array was read from."""
    own, norm = f"{record.embedding.prefix}.{name}", f"{record.embedding.prefix}.ln.{name}"
    return next((site for site in (own, norm) if site in record.trace), None)
