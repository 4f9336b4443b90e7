"""The sheets of the look-up: tables first, then what enters the first block."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.figures import tokens
from core.figures.components import Axis, How, Scale, Sheet
from core.figures.text import sentence
from core.language import _
from core.locale import grouped
from core.views.embed.arithmetic import steps_to
from core.views.embed.looked import ROWS, TABLES, Looked


def entry_of(record: Looked) -> list[int]:
    """For each position its row among those that are read."""
    return [record.used.index(i) for i in record.stream.ids]


def entries(record: Looked) -> list[str]:
    """The rows that are read: their numbers, and the tokens they belong to."""
    ids = record.stream.ids
    return [f"{i} {record.tokens[ids.index(i)].label}" for i in record.used]


def sheets_of(record: Looked) -> list[Sheet]:
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


def _table(record: Looked) -> Sheet:
    """The rows of the token table, each once."""
    title = _("The {n} rows of the {table}, of {all}, that this text reads").format(
        table=_(TABLES[record.embedding.units]), n=len(record.used), all=grouped(len(record.table))
    )
    sheet = _rows(record, "table", _(ROWS[record.embedding.units]), title)
    axes = _("rows: entries of the vocabulary, learned in training · columns: components")
    rows = Axis(entries(record), "token", "key", of=entry_of(record))
    return replace(sheet, rows=rows, axes=sentence(axes))


def _rows(record: Looked, array: str, tab: str, title: str) -> Sheet:
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
    at = round(0.995 * (len(sizes) - 1))
    return float(np.partition(sizes, at)[at]) or 1.0
