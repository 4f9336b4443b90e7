"""The sheets of a mask: their cells, their colours, and the arithmetic of a cell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.figures.components import Axis, Category, How, Scale, Sheet
from core.figures.components.arithmetic import AskMask, Of, Quotient, Softmax, Step, Way
from core.figures.components.matrix import Paint
from core.figures.text import Mark, Sentence
from core.language import _
from core.views.masks.run import MaskRun

ROWS_OF_A_BATCH = 22  # up to which they are as narrow as the room under a batch asks for


def arrays(record: MaskRun) -> dict[str, NDArray[Any]]:
    """What is drawn, and the operands of the arithmetic."""
    weights, ahead = record("weights"), record.ahead
    found: dict[str, NDArray[Any]] = {
        "cells": np.where(ahead, 2, 1).astype(np.uint8),
        "may": record.mask.astype(np.uint8),
        "scores": record("scores"),
        "weights": weights,
        "open": record.open_weights.astype(np.float32),
        "kept": record.kept.astype(np.float32),
        "change": weights - record.own,
        "either": (record.mask | (record.own > 0)).astype(np.uint8),
    }
    if record.attention.square:
        needed = record.leaks.needed
        ways = np.where(needed > 1, 2, 1) + np.where(ahead, 2, 0)
        found |= {
            "ways": ways.astype(np.uint8),
            "needed": np.maximum(needed, 0).astype(np.uint8),
            "reach": (needed >= 0).astype(np.uint8),
            "stops": np.maximum(record.stops, 0).astype(np.uint16),
        }
    return found


def sheets(record: MaskRun, titles: Mapping[str, str]) -> list[Sheet]:
    """One for each title."""
    make = {"who": _mask, "through": _through, "weights": _weights, "change": _change}
    return [make[name](record, titles[name]) for name in titles]


def _pair(record: MaskRun) -> dict[str, Any]:
    """Rows and columns; under a batch there is less room."""
    few = len(record.queries.labels) <= ROWS_OF_A_BATCH
    return {
        "rows": Axis(record.queries.labels, "token", "query"),
        "cols": Axis(record.keys.labels, "key", "key"),
        "max_cell": 16 if record.batch else 26,
        "row_height": 16 if record.batch and few else None,
    }


def _shared(record: MaskRun) -> dict[str, Any]:
    """What sheets of one head share: axes, arithmetic and source."""
    return _pair(record) | {
        "how": How(_("How the weight of “{col}” for “{row}” is computed"), _steps(record)),
        "source": record.trace.source(record.prefix + "weights"),
    }


def _axes(record: MaskRun) -> tuple[Mark, ...]:
    """What rows and columns are."""
    square = record.attention.square
    return (
        Mark(_("rows: "), "plain"),
        Mark(_("queries") if square else _("queries, target tokens"), "query"),
        Mark(_(" · columns: "), "plain"),
        Mark(_("keys") if square else _("keys, source tokens"), "key"),
    )


def _mask(record: MaskRun, title: str) -> Sheet:
    """The mask itself."""
    painting = record.spec.kind == "painted"
    axes = (*_axes(record), Mark(_(" · hatched: masked"), "plain"))
    if (record.ahead & record.mask).any():
        axes += (Mark(_(" · !: attends ahead"), "warning"),)
    return Sheet(
        tab=_("Who may attend"),
        title=_("Click or drag to allow and forbid cells") if painting else title,
        array="cells",
        scale=Scale("category"),
        categories=[
            Category(_("masked"), "surface"),
            Category(_("allowed"), "weight", share=0.55),
            Category(_("allowed, though it comes later"), "warning", text="!"),
        ],
        mask="may",
        axes=Sentence(axes),
        paint=Paint("may", "mask") if painting else None,
        **_shared(record) | {"how": How(_("From the mask to “{col}” for “{row}”"), _steps(record))},
    )


def _through(record: MaskRun, title: str) -> Sheet:
    """Who can hear of whom when every block adds one look."""
    too_few = _(
        "There is no way: {n} layers are too few, or no chain of allowed cells leads there."
    )
    way = Way(
        title=_("A shortest way, layer by layer"),
        now=True,
        stops="stops",
        reach="reach",
        names="words",
        from_="token",
        to="key",
        step=_("“{a}” attends to “{b}”"),
        self_=_("It is the position itself: it keeps what it holds."),
        none=too_few.replace("{n}", str(record.attention.n_layers)),
    )
    return Sheet(
        tab=_("Through all layers"),
        title=title,
        array="ways",
        scale=Scale("category"),
        categories=[
            Category(_("masked"), "surface"),
            Category(_("directly"), "weight", share=0.55),
            Category(_("through other tokens"), "residual", share=0.55),
            Category(_("directly, though it comes later"), "warning"),
            Category(_("through other tokens, though it comes later"), "warning"),
        ],
        counts="needed",
        mask="reach",
        axes=_reached(record),
        how=How(_("How “{col}” reaches “{row}”"), [way]),
        **_pair(record),
    )


def _reached(record: MaskRun) -> Sentence:
    """What number and colour of a cell say."""
    ahead = record.ahead & (record.leaks.needed > 0)
    later = (Mark(_(" · through a look ahead"), "warning"),) if ahead.any() else ()
    return Sentence((
        Mark(_("number: layers until the row holds something of the column"), "plain"),
        Mark(_(" · directly"), "weight"),
        Mark(_(" · through other tokens"), "residual"),
        *later,
        Mark(_(" · hatched: never"), "plain"),
    ))  # fmt: skip


def _weights(record: MaskRun, title: str) -> Sheet:
    """The weights under the mask."""
    return Sheet(
        tab=_("Weights"),
        title=title,
        array="weights",
        scale=Scale("weight", 1.0),
        mask="may",
        axes=Sentence((*_axes(record), Mark(_(" · hatched: masked"), "plain"))),
        **_shared(record),
    )


def _change(record: MaskRun, title: str) -> Sheet:
    """What the mask changes in them; under the model's own mask that is nothing."""
    most = float(np.abs(record("weights") - record.own).max())
    key = (Mark(_(" · red: larger than under the model's own mask · blue: smaller"), "plain"),)
    nothing = _("Nothing changes: this is the model's own mask. Choose another mask to compare.")
    return Sheet(
        tab=_("Change"),
        title=title,
        array="change",
        scale=Scale("signed", max(0.05, most)),
        mask="either",
        nothing=None if most else nothing,
        axes=Sentence((*_axes(record), *(key if most else ()))),
        **_shared(record),
    )


# --- the arithmetic -------------------------------------------------------------------------------


def _steps(record: MaskRun) -> list[Step]:
    """From the mask to the weight, and the same from the weight that would be without it."""
    kept, hidden = _rule(record)
    may = Of("may", row="token", col="key")
    return [
        AskMask(title=_("Does the mask allow it?"), now=True, may=may, kept=kept, hidden=hidden),
        Softmax(
            title=_("Softmax over the allowed scores"),
            scores=Of("scores", row="token"),
            weights=Of("weights", row="token"),
            may=Of("may", row="token"),
            at="key",
            names="tokens",
        ),
        Quotient(
            title=_("Check: unmasked weight ÷ total weight of the allowed keys"),
            a=Of("open", row="token", col="key"),
            b=Of("kept", at="token"),
            may=may,
            result=Of("weights", row="token", col="key", role="weight"),
        ),
    ]


def _rule(record: MaskRun) -> tuple[str, str]:
    """Why a cell is open, and why it is closed."""
    kept, hidden = {
        "none": (_("No mask: every query may attend to every key."), ""),
        "causal": (
            _("Key {key} is not after query {query}: allowed."),
            _("Key {key} is after query {query}: masked. Its score becomes −∞ and its weight 0."),
        ),
        "padding": (
            _("Key {key} is a token of the sentence: allowed."),
            _("Key {key} is padding, or is after a query that may not look ahead: masked. Its "
              "score becomes −∞ and its weight 0."),
        ),
        "prefix": (
            _("Key {key} is in the prefix or not after query {query}: allowed."),
            _("Key {key} is after query {query} and not in the prefix: masked. Its score becomes "
              "−∞ and its weight 0."),
        ),
        "window": (
            _("Key {key} is among the last {n} up to query {query}: allowed."),
            _("Key {key} is not among the last {n} up to query {query}: masked. Its score becomes "
              "−∞ and its weight 0."),
        ),
        "painted": (
            _("The painted mask allows key {key} for query {query}."),
            _("The painted mask forbids key {key} for query {query}. Its score becomes −∞ and its "
              "weight 0."),
        ),
    }[record.spec.kind]  # fmt: skip
    size = str(record.spec.size)
    return kept.replace("{n}", size), hidden.replace("{n}", size)
