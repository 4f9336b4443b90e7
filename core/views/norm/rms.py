"""The same vector through LayerNorm and through RMSNorm, without a and b."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.analysis.norms import cosine, rms_normalized, root_mean_square
from core.figures.components import Axis, How, Matrix, Scale, Sheet
from core.figures.components.arithmetic import Mean, Minus, Normalise, Of, Quotient, Step, Value
from core.figures.text import Mark, Sentence, join, number, sentence
from core.figures.values import Values
from core.language import _
from core.runs.requests import Request
from core.runs.results import Run
from core.views.norm.typed import Array
from core.views.norm.vector import (
    NormRun,
    OneVector,
    as_float32,
    largest,
    vector_requests,
    vector_run,
)
from core.views.view import View, register

ALL_EQUAL = 1e-6  # a normalised vector no larger is that of equal components, but for rounding


@register
class RmsBeside(View[OneVector, NormRun]):
    """The vector, both results and their difference."""

    name, Params = "norm.rms", OneVector

    def requests(self, params: OneVector) -> tuple[Request, ...]:
        return vector_requests(params)

    def compute(self, runs: Sequence[Run], params: OneVector) -> NormRun:
        return vector_run(runs, params)

    def values(self, record: NormRun) -> Mapping[str, Values]:
        s, place = record.steps, (record.col,)
        rows = zip(("x", "layer", "rms", "difference"), _labels(), _rows(record), strict=True)
        found = {
            name: Values(label, row, record.along, selected=place) for name, label, row in rows
        }
        return found | {
            "mean": Values("μ", np.array(s.mean)),
            "var": Values("σ²", np.array(s.var)),
            "root_mean_square": Values(
                _("root mean square"), np.array(root_mean_square(s.x, s.eps))
            ),
        }

    def describe(self, record: NormRun) -> Sentence:
        divided = sentence(
            _("RMSNorm does not subtract the mean. It divides by {rms}, the root of the mean "
              "square plus ε."),
            rms=Mark(number(root_mean_square(record.steps.x, record.steps.eps)), "strong"),
        )  # fmt: skip
        return join([divided, _compared(record)])

    def draw(self, record: NormRun) -> Matrix:
        s, rows = record.steps, _rows(record)
        title = _("LayerNorm and RMSNorm of the same vector")
        limits = largest(rows)
        # The two results and their difference on one scale, so that they can be compared.
        limits[1:] = [max(limits[1:3])] * 3
        axes = _("rows: the vector and what each norm makes of it · columns: components")
        sheet = Sheet(
            title=title,
            array="rows",
            glyph="bars",
            numbers=True,
            rows=Axis(_labels(), "row", "accent", room=120),
            cols=record.columns,
            scale=Scale("signed", limits=limits),
            max_cell=132 if record.d <= 8 else 34,
            row_height=44,
            alt="",
            axes=sentence(axes),
            how=How(_("Component {col} at “{row}”"), per_row=_how(number(s.eps, 1))),
        )
        arrays = as_float32(
            rows=np.stack(rows), x=s.x, squared=s.x**2, mean=s.mean, var=s.var,
            normalized=s.normalized, rms=root_mean_square(s.x, s.eps), by_rms=rows[2],
            difference=rows[3],
        )  # fmt: skip
        return Matrix(selection=record.selection(), sheets=[sheet], arrays=arrays)


def _labels() -> list[str]:
    return ["x", _("LayerNorm"), _("RMSNorm"), _("difference")]


def _rows(record: NormRun) -> list[Array]:
    s = record.steps
    rms = rms_normalized(s.x, s.eps)
    return [s.x, s.normalized, rms, s.normalized - rms]


def _how(eps: str) -> list[list[Step]]:
    """The arithmetic of each row."""

    def at(name: str) -> Of:
        return Of(name, at="col")

    return [
        [Value(title=_("The component"), now=True, name="x[{col}]", result=at("x"))],
        [Normalise(title=_("Subtract the mean, divide by √(σ² + ε)"), now=True, x=at("x"),
                   mean=Of("mean"), var=Of("var"), eps=eps, result=at("normalized"))],
        [
            Mean(title=_("The root mean square"), name="rms", root=True, eps=eps,
                 of=Of("squared"), result=Of("rms")),
            Quotient(title=_("Divide by the root mean square"), now=True, a=at("x"), b=Of("rms"),
                     result=at("by_rms")),
        ],
        [Minus(title=_("LayerNorm minus RMSNorm"), now=True, a=at("normalized"), b=at("by_rms"),
               result=at("difference"))],
    ]  # fmt: skip


def _compared(record: NormRun) -> Sentence:
    """What the two results have in common, where both have a direction."""
    s = record.steps
    by_rms = rms_normalized(s.x, s.eps)
    if not np.isfinite(s.normalized).all():
        return sentence(_("All components are equal and ε is 0: LayerNorm would be 0 / 0 here."))
    if np.abs(s.normalized).max() < ALL_EQUAL:
        return sentence(
            _("All components are equal. LayerNorm turns them all into 0, a vector without a "
              "direction. RMSNorm turns them all into {value}."),
            value=Mark(number(float(by_rms[0])), "accent"),
        )  # fmt: skip
    return sentence(
        _("The mean is {share} of that here. The smaller it is, the more alike are the "
          "directions of the two results: their cosine is {alike}."),
        share=number(abs(s.mean) / root_mean_square(s.x, s.eps), 2),
        alike=Mark(number(cosine(s.normalized, by_rms), 4), "accent"),
    )  # fmt: skip
