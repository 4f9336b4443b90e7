"""A mask as a grid, over the tokens, and of several sentences at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.figures import tokens
from core.figures.components import Axis, Category, Chip, How, Matrix, Scale, Sheet, Strip
from core.figures.components.arithmetic import (
    ArithmeticStep,
    AskMask,
    Of,
    Quotient,
    Softmax,
    StopsWay,
)
from core.figures.components.matrix import Paint
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.language import _
from core.locale import listed
from core.runs.kinds.trace import Run
from core.views.attention.head import key_name
from core.views.masks.run import (
    KINDS,
    PAD_LABEL,
    MaskRun,
    MaskView,
    UnderMask,
    mask_facts,
    mask_notes,
    mask_run,
    reading,
    reading_with_leak,
)
from core.views.nearest import nearest
from core.views.parts import head_at, titled
from core.views.view import Note

# --- the sheets of a mask: their cells, their colours, and the arithmetic of a cell ---


ROWS_OF_A_BATCH = 22  # up to which they are as narrow as the room under a batch asks for


def arrays(record: MaskRun) -> dict[str, NDArray[Any]]:
    """What is drawn, and the operands of the arithmetic."""
    weights, ahead = record("weights"), record.ahead
    values: dict[str, NDArray[Any]] = {
        "cells": np.where(ahead, 2, 1).astype(np.uint8),
        "may": record.mask.astype(np.uint8),
        "scores": record("scores"),
        "weights": weights,
        "open": record.open_weights.astype(np.float32),
        "kept": record.kept_share.astype(np.float32),
        "change": weights - record.own_weights,
        "either": (record.mask | (record.own_weights > 0)).astype(np.uint8),
    }
    if record.attention.square:
        needed = record.leaks.needed
        ways = np.where(needed > 1, 2, 1) + np.where(ahead, 2, 0)
        values |= {
            "ways": ways.astype(np.uint8),
            "needed": np.maximum(needed, 0).astype(np.uint8),
            "reach": (needed >= 0).astype(np.uint8),
            "stops": np.maximum(record.stops, 0).astype(np.uint16),
        }
    return values


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


def _shared_fields(record: MaskRun) -> dict[str, Any]:
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
    """The sheet of the mask itself."""
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
        **_shared_fields(record)
        | {"how": How(_("From the mask to “{col}” for “{row}”"), _steps(record))},
    )


def _through(record: MaskRun, title: str) -> Sheet:
    """Who can hear of whom when every block adds one look."""
    too_few = _(
        "There is no way: {n} layers are too few, or no chain of allowed cells leads there."
    )
    way = StopsWay(
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
        axes=_reach_of_cell(record),
        how=How(_("How “{col}” reaches “{row}”"), [way]),
        **_pair(record),
    )


def _reach_of_cell(record: MaskRun) -> Sentence:
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
        **_shared_fields(record),
    )


def _change(record: MaskRun, title: str) -> Sheet:
    """What the mask changes in them; under the model's own mask that is nothing."""
    most = float(np.abs(record("weights") - record.own_weights).max())
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
        **_shared_fields(record),
    )


# --- the arithmetic -------------------------------------------------------------------------------


def _steps(record: MaskRun) -> list[ArithmeticStep]:
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


# --- the mask as a matrix, what it lets through over all blocks, and the weights under it


T = TypeVar("T")


class MasksGridView(MaskView[MaskRun]):
    """Up to four sheets: who may look, through all blocks, the weights, what changes in them."""

    name = "masks.grid"

    def compute(self, runs: Sequence[Run], params: UnderMask) -> MaskRun:
        return mask_run(runs, params)

    def values(self, record: MaskRun) -> Mapping[str, Values]:
        values = record.values()
        if not record.attention.square:
            return values
        needed = np.where(record.leaks.needed < 0, np.nan, record.leaks.needed)
        label = _("layers until the query holds something of the key")
        may = values["may"]
        return values | {"blocks": Values(label, needed, may.axes, selected=may.selected)}

    def describe(self, record: MaskRun) -> Sentence:
        return _of_chosen_sheet(record, _sheet_sentences(record))

    def draw(self, record: MaskRun) -> Matrix:
        titles = _titles(record)
        return Matrix(
            title=_of_chosen_sheet(record, titles),
            selection=record.selection(),
            sheets=sheets(record, titles),
            sheet=record.params.sheet,
            sheet_field="sheet",
            names={"tokens": record.keys.labels, "words": record.queries.words},
            arrays=arrays(record),
        )

    def facts(self, record: MaskRun) -> Sequence[str]:
        return mask_facts(record)

    def site(self, record: MaskRun) -> str:
        return f"{record.prefix}scores_masked"

    def notes(self, record: MaskRun) -> Sequence[Note]:
        return mask_notes(record)


def _of_chosen_sheet(record: MaskRun, of_sheets: Mapping[str, T]) -> T:
    """What belongs to the chosen sheet."""
    return list(of_sheets.values())[nearest("sheet", record.params.sheet, len(of_sheets) - 1)]


def _titles(record: MaskRun) -> dict[str, str]:
    """Of the sheets; between two streams nothing is handed on from block to block."""
    n_layers = record.attention.n_layers
    through = _("Which tokens can influence which, after {n} layers").format(n=n_layers)
    return {
        "who": _("Who may attend to whom: no mask")
        if record.spec.kind == "none"
        else _("Who may attend to whom: {kind}").format(kind=_(KINDS[record.spec.kind])),
        **({"through": through} if record.attention.square else {}),
        "weights": titled(_("Attention weights"), head_at(record)),
        "change": _("Weights under this mask minus weights under the model's own"),
    }


def _sheet_sentences(record: MaskRun) -> dict[str, Sentence]:
    """What each sheet shows, in words."""
    summary = reading_with_leak(record)
    has_weights = record("weights")[record.query].any()
    return {
        "who": summary,
        **({"through": join([_reach(record), summary])} if record.attention.square else {}),
        "weights": join([_most(record), summary]) if has_weights else summary,
        "change": join([_largest_change(record), summary]),
    }


def _reach(record: MaskRun) -> Sentence:
    """Which tokens can influence the query."""
    needed = record.leaks.needed[record.query]
    return sentence(
        _("After {n} layers, {heard} of {all} tokens can influence “{query}”, {direct} of "
          "them directly."),
        n=str(record.attention.n_layers),
        query=Mark(record.queries.words[record.query], "query"),
        heard=str(int((needed >= 0).sum())),
        all=str(len(needed)),
        direct=str(int(((needed >= 0) & (needed <= 1)).sum())),
    )  # fmt: skip


def _most(record: MaskRun) -> Sentence:
    """Whom the query attends to most."""
    weights = record("weights")[record.query]
    most = int(weights.argmax())
    return sentence(
        _("Under this mask “{query}” gives {share} of its attention to {key}."),
        query=Mark(record.queries.words[record.query], "query"),
        share=Mark(percent(float(weights[most])), "weight"),
        key=key_name(record, record.query, most),
    )


def _largest_change(record: MaskRun) -> Sentence:
    """The weight that changes most."""
    weights = record("weights")
    change = np.abs(weights - record.own_weights)
    row, col = map(int, np.unravel_index(int(change.argmax()), change.shape))
    if not change[row, col]:
        return sentence(_("Every weight is the same as under the model's own mask."))
    return sentence(
        _("The weight of “{query}” for {key} changes most: from {before} under the model's "
          "own mask to {after} here."),
        query=Mark(record.queries.words[row], "query"),
        key=key_name(record, row, col),
        before=Mark(percent(float(record.own_weights[row, col])), "weight"),
        after=Mark(percent(float(weights[row, col])), "weight"),
    )  # fmt: skip


# --- the tokens: what the selected one may see, and how its attention is shared among them


class MasksStripView(MaskView[MaskRun]):
    """One row of the mask on the tokens themselves; dashed where an answer can be seen."""

    name = "masks.strip"

    def compute(self, runs: Sequence[Run], params: UnderMask) -> MaskRun:
        return mask_run(runs, params)

    def values(self, record: MaskRun) -> Mapping[str, Values]:
        return record.values()

    def describe(self, record: MaskRun) -> Sentence:
        return reading_with_leak(record)

    def draw(self, record: MaskRun) -> Strip:
        title = _("What “{query}” may attend to").format(query=record.queries.words[record.query])
        square = record.attention.square
        leaks = np.flatnonzero(record.leaks.answer).tolist() if record.asks_next else []
        chips = _chips(record)
        return Strip(
            title=title,
            selection=record.selection(),
            tokens=chips,
            cut=tokens.cut_text(record.cut),
            default=record.query,
            heading=None if square else sentence(_("Queries: tokens of the target")),
            marked=leaks,
            # Where the keys are other tokens, their weights stand in the matrix.
            heat=record("weights") if square else None,
            may=record.mask if square else None,
            heat_role="weight",
            heat_limit=1.0,
            heat_unit="share",
            readings=[reading(record, query) for query in range(len(chips))],
        )


def _chips(record: MaskRun) -> list[Chip]:
    """The queries; padding has a chip of its own."""
    stream = record.queries.stream
    chips = [tokens.chip(token) for token in stream.units]
    title = _("padding: it fills the row up to the longest sentence of the batch")
    for row in range(record.queries.n, len(chips)):
        chips[row] = replace(chips[row], label=PAD_LABEL, kind="special", title=title)
    return chips


# --- a batch of sentences of different length: the short rows are filled up with padding


# Not the key: which one gets most is a number of a run that is not shown here.
SELECTED = ("mask", "token", "sheet", "sentence")


@dataclass(frozen=True, eq=False)
class BatchMasks:
    """The batch as it lies in memory.

    Attributes:
        run: of one of its sentences.
        real: 1 for a token, 0 for padding, ``(sentences, positions)``.
        texts: of the cells.
    """

    run: MaskRun
    real: NDArray[np.uint8]
    texts: Sequence[Sequence[str]]


class MasksBatchView(MaskView[BatchMasks]):
    """One row a sentence."""

    name = "masks.batch"

    def compute(self, runs: Sequence[Run], params: UnderMask) -> BatchMasks:
        run = mask_run(runs, params)
        positions = run.first_text
        rows = run.batch or (positions.stream.units[: positions.n],)
        longest = max(map(len, rows))
        real = np.zeros((len(rows), longest), np.uint8)
        texts = []
        for i, row in enumerate(rows):
            real[i, : len(row)] = 1
            texts.append([*tokens.labels(row), *[PAD_LABEL] * (longest - len(row))])
        return BatchMasks(run, real, texts)

    def absent(self, record: BatchMasks) -> bool:
        return not record.run.batch

    def values(self, record: BatchMasks) -> Mapping[str, Values]:
        rows, columns = record.real.shape
        axes = (
            Along("sentence", _("sentence"), [str(i) for i in range(rows)]),
            Along("position", _("position"), [str(j) for j in range(columns)]),
        )
        return {
            "token": Values(_("token"), np.array(record.texts, object), axes),
            "padding": Values(_("padding"), 1 - record.real, axes),
        }

    def describe(self, record: BatchMasks) -> Sentence:
        lengths = record.real.sum(axis=1).tolist()
        return sentence(
            _("{n} sentences of {lengths} tokens share one table of {longest} columns. The "
              "rest of each row is padding."),
            n=str(len(lengths)),
            lengths=listed(map(str, lengths)),
            longest=str(max(lengths)),
        )  # fmt: skip

    def draw(self, record: BatchMasks) -> Matrix:
        title = _("The batch: one row per sentence")
        names = [str(i) for i in range(len(record.texts))]  # their tokens need the room
        columns = [str(j) for j in range(record.real.shape[1])]
        sheet = Sheet(
            title=title,
            array="real",
            texts=record.texts,
            rows=Axis(names, "sentence", "accent"),
            cols=Axis(columns, "token", "key", hide=True),
            scale=Scale("category"),
            # Padding is not masked in itself, so it is shaded and not hatched.
            categories=[
                Category(_("padding"), "residual", share=0.3),
                Category(_("token"), "surface"),
            ],
            max_cell=88,
            row_height=20,
            alt="",
        )
        return Matrix(
            selection={name: record.run.selection()[name] for name in SELECTED},
            sheets=[sheet],
            arrays={"real": record.real},
        )
