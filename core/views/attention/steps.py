"""One head from the stream to its output, every cell with the arithmetic that made it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.figures.components import Axis, How, Matrix, Scale, Sheet, Stepper
from core.figures.components.arithmetic import (
    ArithmeticStep,
    AskMask,
    Of,
    Products,
    ScaleBy,
    Softmax,
    Sum,
    Value,
)
from core.figures.components.base import resolved
from core.figures.components.matrix import signed_limit
from core.figures.text import Mark, Sentence, number, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.models.needs import Needs
from core.views.attention.head import HeadRun, HeadView, key_name, reading
from core.views.parts import head_at, titled

# --- from one query and one key to one weight: the arithmetic, as this attention has it


# How scores are made, by whether they are scaled and whether a bias is added.
SCALING = {
    (True, False): N_("Scale by 1/√d_head"),
    (True, True): N_("Scale by 1/√d_head, add the bias"),
    (False, True): N_("Add the bias of the distance"),
    (False, False): N_("Nothing is scaled or added"),
}
SCORES = {
    (True, False): N_("Scores q · k / √d_head"),
    (True, True): N_("Scores q · k / √d_head + bias"),
    (False, True): N_("Scores q · k + bias"),
    (False, False): N_("Scores q · k"),
}


def _of_pair(array: str) -> Of:
    return Of(array, row="token", col="key")


def pair_steps(record: HeadRun) -> list[list[ArithmeticStep]]:
    """The arithmetic from one query and one key to one weight, sheet by sheet."""
    compare = Products(
        title=_("Compare query and key"),
        name="q·k",
        a=Of("q", row="token", role="query"),
        b=Of("k", row="key", role="key"),
        result=_of_pair("dots"),
    )
    ask = AskMask(
        title=_("Mask"),
        may=_of_pair("may"),
        kept=_("“{row}” may attend to “{col}”."),
        hidden=_("“{row}” may not attend to “{col}”: its score becomes −∞."),
    )
    softmax = Softmax(
        title=_("Softmax over the row"),
        scores=Of("scores", row="token"),
        weights=Of("weights", row="token"),
        may=Of("may", row="token"),
        at="key",
        names="tokens",
    )
    return [[compare], _scoring(record), [ask], [softmax]]


def scores_said(record: HeadRun, templates: Mapping[tuple[bool, bool], str]) -> str:
    """What is said of scores, by whether they are scaled and whether a bias is added."""
    attention = record.attention
    return _(templates[attention.scale is not None, attention.bias is not None])


def _scoring(record: HeadRun) -> list[ArithmeticStep]:
    """From a dot product to a score."""
    scaled = _of_pair("scores" if record.bias is None else "scaled")
    steps: list[ArithmeticStep] = []
    if record.attention.scale is not None:
        by = f"/ √{record('q').shape[1]}"
        steps.append(ScaleBy(title=_(SCALING[True, False]), from_=_of_pair("dots"), by=by,
                             result=scaled))  # fmt: skip
    if record.bias is not None:
        terms = (scaled if steps else _of_pair("dots"), _of_pair("bias"))
        title = _(SCALING[False, True])
        steps.append(Sum(title=title, terms=terms, result=_of_pair("scores")))
    return steps or [Value(title=_(SCALING[False, False]), name="s", result=scaled)]


# --- one head from the stream to its output, every cell with the arithmetic that made it


NAMES = ("q", "k", "v", "dots", "scores", "scores_masked", "weights", "z", "out")  # one a step

OPERANDS = ("w_q", "b_q", "w_k", "b_k", "w_v", "b_v", "w_o", "x", "source", "all_heads")


class AttentionStepsView(HeadView):
    """Nine sheets, one for each step of the computation."""

    name, kept = "attention.steps", True
    needs = Needs(parts=("attention", "dot_product"))

    def values(self, record: HeadRun) -> Mapping[str, Values]:
        """The sheet of the chosen step."""
        name, sheet = NAMES[record.params.step], self._sheets(record)[record.params.step]
        array = record.arrays[sheet.array]
        if name == "scores_masked":
            array = np.where(record.mask, array, -np.inf)
        pairs = sheet.cols.field == "key"
        rows = Along("query", _("query"), sheet.rows.labels)
        if not pairs:
            rows = Along("token", _("token"), sheet.rows.labels)
        columns = Along("key", _("key"), sheet.cols.labels)
        if not pairs:
            columns = Along("component", _("component"), sheet.cols.labels)
        place = _cell(record, sheet)
        site = record.prefix + name
        return {name: Values(sheet.title, array, (rows, columns), site=site, selected=place)}

    def describe(self, record: HeadRun) -> Sentence:
        if NAMES[record.params.step] == "weights":
            return reading(record, record.query)
        sheet = self._sheets(record)[record.params.step]
        values, (row, col) = record.arrays[sheet.array], _cell(record, sheet)
        of_keys = sheet.rows.field == "key"
        name = Mark((record.key_words if of_keys else record.query_words)[row], "query")
        open_ = record.mask if sheet.mask else np.ones(values.shape, bool)
        size: dict[str, Mark | str] = {
            "value": Mark(number(float(values[row, col])), "strong"),
            "low": number(float(values[open_].min())),
            "high": number(float(values[open_].max())),
        }
        if sheet.cols.field == "col":
            return sentence(
                _("{what}: component {col} of “{token}” is {value}. All values lie between "
                  "{low} and {high}."),
                what=sheet.title, col=str(col), token=name, **size,
            )  # fmt: skip
        template = (
            _("{what}: “{query}” and {key} give {value}. All values lie between {low} and {high}.")
            if open_[row, col]
            else _(
                "{what}: “{query}” may not attend to {key}. The other values lie between "
                "{low} and {high}."
            )
        )
        key = key_name(record, row, col)
        return sentence(template, what=sheet.title, query=name, key=key, **size)

    def draw(self, record: HeadRun) -> Matrix:
        sheets = self._sheets(record)
        return Matrix(
            title=titled(sheets[record.params.step].title, head_at(record)),
            selection=record.selection(),
            sheets=sheets,
            sheet=record.params.step,
            sheet_field="step",
            sheet_tabs=False,
            names={"tokens": record.keys},
            arrays=record.arrays,
            later=[name for name in record.arrays if name in OPERANDS],
        )

    def steps(self, record: HeadRun) -> Stepper:
        titles = [
            _("Queries: what each token looks for"),
            _("Keys: what each token can be found by"),
            _("Values: what each token passes on"),
            _("Compare every query with every key"),
            scores_said(record, SCALING),
            _("Apply the mask"),
            _("Softmax: weights that add up to 1"),
            _("Add up the values by their weights"),
            _("Project back to d_model with W_O"),
        ]
        return Stepper(
            title=_("The steps of attention"),
            selection=record.selection(),
            first=record.params.step,
            titles=titles,
            pace=2200,
        )

    def _sheets(self, record: HeadRun) -> list[Sheet]:
        return [
            *(_projection(record, name) for name in "qkv"),
            *_score_sheets(record),
            _mix_sheet(record),
            _output_sheet(record),
        ]


def _cell(record: HeadRun, sheet: Sheet) -> tuple[int, int]:
    """The selected cell of a sheet."""
    chosen = resolved(record.selection())
    shape = record.arrays[sheet.array].shape
    row, col = int(chosen[sheet.rows.field] or 0), int(chosen[sheet.cols.field] or 0)
    return min(row, shape[0] - 1), min(col, shape[1] - 1)


def _signed_scale(values: NDArray[Any]) -> Scale:
    return Scale("signed", signed_limit(values))


def _vectors(
    record: HeadRun,
    name: str,
    title: str,
    rows: Axis,
    axes: str,
    how: str,
    steps: Sequence[ArithmeticStep],
) -> Sheet:
    """A vector for each token.

    Args:
        record: the head.
        name: of the array, and of the site that made it.
        title, axes, how: in words.
        rows: whose vectors they are.
        steps: of one component.
    """
    return Sheet(
        title=title,
        array=name,
        rows=rows,
        cols=Axis([str(i) for i in range(record.arrays[name].shape[1])], "col", "residual"),
        scale=_signed_scale(record.arrays[name]),
        axes=sentence(axes),
        how=How(how, steps),
        source=record.trace.source(record.prefix + name),
    )


def _projection(record: HeadRun, name: str) -> Sheet:
    """Queries, keys or values: the stream, multiplied with a matrix."""
    role, field = {"q": ("query", "token"), "k": ("key", "key"), "v": ("value", "key")}[name]
    operand = "x" if name == "q" or record.source is None else "source"
    template = {"q": _("Queries {sum}"), "k": _("Keys {sum}"), "v": _("Values {sum}")}[name]
    title = template.format(sum=f"{name} = W_{name.upper()} x" + (" + b" if record.biased else ""))
    step = Products(
        title=_("Multiply the token's vector by a row of the matrix"),
        now=True,
        name=f"{name}[{{col}}]",
        a=Of(operand, row=field, role="residual"),
        b=Of(f"w_{name}", row="col", role=role),
        plus=Of(f"b_{name}", at="col") if record.biased else None,
        result=Of(name, row=field, col="col", role=role),
    )
    rows = Axis(record.queries if name == "q" else record.keys, field, role)
    axes = _("rows: tokens · columns: components of the vector")
    how = _("How component {col} of “{row}” is computed")
    return _vectors(record, name, title, rows, axes, how, [step])


def _score_sheets(record: HeadRun) -> list[Sheet]:
    """The four sheets of queries against keys."""
    arrays, steps = record.arrays, pair_steps(record)

    def sheet(index: int, title: str, array: str, site: str, scale: Scale, mask: bool) -> Sheet:
        now = [
            replace(step, now=True) if n == index and step is group[-1] else step
            for n, group in enumerate(steps)
            for step in group
        ]
        return Sheet(
            title=title,
            array=array,
            rows=record.rows,
            cols=record.columns,
            scale=scale,
            mask="may" if mask else None,
            axes=record.of_pairs(hatched=mask),
            how=How(_("How the weight of “{col}” for “{row}” is computed"), now),
            source=record.trace.source(record.prefix + site),
        )

    dots, scores = _signed_scale(arrays["dots"]), _signed_scale(arrays["scores"])
    return [
        sheet(0, _("Dot products q · k"), "dots", "dots", dots, mask=False),
        sheet(1, scores_said(record, SCORES), "scores", "scores", scores, mask=False),
        sheet(2, _("Scores under the mask"), "scores", "scores_masked", scores, mask=True),
        sheet(3, _("Attention weights"), "weights", "weights", Scale("weight", 1.0), mask=True),
    ]


def _mix_sheet(record: HeadRun) -> Sheet:
    """The values, mixed by the weights."""
    step = Products(
        title=_("Each token's value times its weight"),
        now=True,
        name="z[{col}]",
        a=Of("weights", row="token", role="weight"),
        b=Of("v", col="col", role="value"),
        may=Of("may", row="token"),
        names="tokens",
        result=Of("z", row="token", col="col", role="value"),
    )
    title, axes = _("Weighted sum of values z"), _("rows: queries · columns: components of z")
    how = _("How component {col} for “{row}” is computed")
    return _vectors(record, "z", title, record.rows, axes, how, [step])


def _output_sheet(record: HeadRun) -> Sheet:
    """What the head adds to the stream, and what all heads do together."""
    together = _("All {n} heads together")
    if record.biased:
        together = _("All {n} heads and the bias together")
    steps = [
        Products(
            title=_("z times a row of this head's part of W_O"),
            now=True,
            name="out[{col}]",
            a=Of("z", row="token", role="value"),
            b=Of("w_o", row="col", role="residual"),
            result=Of("out", row="token", col="col", role="residual"),
        ),
        Value(
            title=together.format(n=record.n_heads),
            name="attn.out",
            result=Of("all_heads", row="token", col="col", role="residual"),
        ),
    ]
    title = _("What this head adds to the residual stream")
    axes = _("rows: queries · columns: components of the residual stream")
    how = _("How component {col} for “{row}” is computed")
    return _vectors(record, "out", title, record.rows, axes, how, steps)
