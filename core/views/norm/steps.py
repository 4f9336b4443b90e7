"""A LayerNorm step by step: a row for each step, all components side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.components import Axis, How, Matrix, Scale, Sheet, Stepper
from core.figures.components.arithmetic import (
    Affine,
    Mean,
    Minus,
    Normalise,
    Of,
    Square,
    Step,
    Times,
    Value,
)
from core.figures.text import MINUS, Mark, Sentence, join, number, sentence
from core.figures.values import Values
from core.language import _, name_of
from core.locale import in_quotes
from core.runs.requests import Request
from core.runs.results import Run
from core.tracing.source import SourceLine, line_with
from core.views.controls import Control
from core.views.norm.sentences import as_read, errata, texts, titles
from core.views.norm.typed import Array
from core.views.norm.vector import (
    N_STEPS,
    NormRun,
    OneVector,
    as_float32,
    largest,
    vector_requests,
    vector_run,
)
from core.views.parts import names
from core.views.view import Note, View, register

# Of each row: its name among the values and in the formula, and the site that made it.
ROWS = (
    ("x", "x", ""),
    ("mean", "μ", "mean"),
    ("centred", f"x {MINUS} μ", "normalized"),
    ("squares", f"(x {MINUS} μ)²", "var"),
    ("var", "σ²", "var"),
    ("normalized", "x̂", "normalized"),
    ("scaled", "a · x̂", "out"),
    ("out", "y = a · x̂ + b", "out"),
)


@register
class StepByStep(View[OneVector, NormRun]):
    """Mean, centre, squares, variance, normalise, scale, shift."""

    name, Params = "norm.steps", OneVector

    def requests(self, params: OneVector) -> tuple[Request, ...]:
        return vector_requests(params)

    def compute(self, runs: Sequence[Run], params: OneVector) -> NormRun:
        return vector_run(runs, params)

    def values(self, record: NormRun) -> Mapping[str, Values]:
        s, place = record.steps, (record.col,)
        sites = {name: None if record.run is None else f"{record.at.site}.{name}"
                 for name in ("mean", "var", "normalized", "out")}  # fmt: skip
        found = {
            name: Values(label, row, record.along, site=sites.get(name), selected=place)
            for (name, label, _site), row in zip(ROWS, rows(record), strict=True)
        }
        return found | {
            "gain": Values("a", s.gain, record.along, selected=place),
            "shift": Values("b", s.shift, record.along, selected=place),
            "eps": Values(_("ε"), np.array(s.eps)),
        }

    def describe(self, record: NormRun) -> Sentence:
        return join(texts(record)[1:6])

    def draw(self, record: NormRun) -> Matrix:
        s, drawn = record.steps, rows(record)
        title = _("LayerNorm of {d} numbers").format(d=record.d)
        if record.run is not None:
            title = _("LayerNorm of “{token}”").format(token=record.name)
        sheet = Sheet(
            title=title,
            array="rows",
            glyph="bars",
            grows=True,
            numbers=True,
            rows=Axis([label for _name, label, _site in ROWS], "norm_step", "accent", room=120),
            cols=record.columns,
            scale=Scale("signed", limits=limits(drawn)),
            max_cell=132 if record.d <= 8 else 34,
            row_height=44,
            alt="",
            axes=sentence(_("rows: steps · columns: components of the vector")),
            how=How(_("Component {col} at “{row}”"), per_row=_how(record), sources=_lines(record)),
        )
        arrays = as_float32(
            rows=np.stack(drawn), x=s.x, mean=s.mean, centred=s.centred, squares=s.squares,
            var=s.var, normalized=s.normalized, scaled=s.scaled, out=s.out, gain=s.gain,
            shift=s.shift,
        )  # fmt: skip
        return Matrix(selection=record.selection(), sheets=[sheet], arrays=arrays)

    def steps(self, record: NormRun) -> Stepper:
        return Stepper(
            title=_("The steps of LayerNorm"),
            alt=titles()[record.step],
            selection=record.selection(),
            n=N_STEPS,
            first=record.step,
            field="norm_step",
            titles=titles(),
            texts=texts(record),
            pace=2200,
        )

    def notes(self, record: NormRun) -> list[Note]:
        found = [Note("erratum", Sentence((Mark(line, "plain"),))) for line in errata(record)]
        if record.run is None and record.params.vector != OneVector().vector:
            said = _("Read: x = {numbers}").format(numbers=as_read(record))
            found.append(Note("more", Sentence((Mark(said, "plain"),))))
        return found

    def controls(self, record: NormRun) -> Sequence[Control]:
        """The numbers of the example, or the norm at which a token is looked at."""
        if record.run is None:
            return [Control.none("norm"), Control.none("stack")]
        called = names(record.params, record.trace.blueprint, "norm")
        typed = [Control.none(name) for name in ("vector", "gain", "shift", "eps")]
        return [*typed, Control("norm", record.norm, options=[*called.items()])]

    def facts(self, record: NormRun) -> Sequence[str]:
        if record.run is None:
            return (_("An example small enough to follow; you can change any of its numbers"),)
        return (
            name_of(record.params.model),
            record.place,
            in_quotes(record.name),
            _("ran in {ms} ms").format(ms=f"{record.trace.seconds * 1e3:.0f}"),
        )


def rows(record: NormRun) -> list[Array]:
    """The numbers of each step."""
    s = record.steps
    mean, var = np.full(record.d, s.mean), np.full(record.d, s.var)
    return [s.x, mean, s.centred, s.squares, var, s.normalized, s.scaled, s.out]


def limits(drawn: Sequence[Array]) -> list[float]:
    """The size that fills a row: one for the vector, one for its squares, one for the rest."""
    sizes = largest(drawn)
    return [max(sizes[:3])] * 3 + [max(sizes[3:5])] * 2 + [max(sizes[5:])] * 3


def _lines(record: NormRun) -> list[SourceLine | None]:
    """The line that made each row."""
    if record.run is None:
        made = (line_with("core/analysis/norms.py", f"{name} = ") for name in
                ("mean", "centred", "squares", "var", "normalized", "scaled", "out"))  # fmt: skip
        return [None, *made]
    at = record.at
    sites = [at.reads[0], *(f"{at.site}.{site}" for _name, _label, site in ROWS[1:])]
    return [record.trace.source(site) for site in sites]


def _how(record: NormRun) -> list[list[Step]]:
    """The arithmetic of each row."""

    def at(name: str) -> Of:
        return Of(name, at="col")

    mean, var = Of("mean"), Of("var")
    typed = record.run is None
    start = _("As you typed it") if typed else _("Read it from the residual stream")
    return [
        [Value(title=start, now=True, name="x[{col}]", result=at("x"))],
        [Mean(title=_("Add all components, divide by how many there are"), now=True, of=Of("x"),
              name="μ", result=at("mean"))],
        [Minus(title=_("Subtract the mean"), now=True, a=at("x"), b=mean, result=at("centred"))],
        [Square(title=_("Square the deviation"), now=True, x=at("centred"), result=at("squares"))],
        [Mean(title=_("The variance is the mean of all squares"), now=True, of=Of("squares"),
              name="σ²", result=at("var"))],
        [Normalise(title=_("Divide by √(σ² + ε)"), now=True, x=at("x"), mean=mean, var=var,
                   eps=number(record.steps.eps, 1), result=at("normalized"))],
        [Times(title=_("Multiply by this component's a"), now=True, a=at("gain"),
               b=at("normalized"), result=at("scaled"))],
        [Affine(title=_("Multiply by a, add b"), now=True, x=at("normalized"), gain=at("gain"),
                shift=at("shift"), result=at("out"))],
    ]  # fmt: skip
