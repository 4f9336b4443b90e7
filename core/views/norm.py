"""LayerNorm: one vector step by step, typed in or from the model's stream; RMSNorm beside it.

All of them work on one vector of ``d`` components, and on any norm that a stack of a model has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.norms import (
    NormSteps,
    cosine,
    layer_norm_steps,
    rms_normalized,
    root_mean_square,
)
from core.analysis.stream import NormAt, norm_input, norms_of
from core.errors import NoPartError, ParameterError
from core.figures import tokens
from core.figures.components import Axis, How, Matrix, Scale, Sheet, Stepper, Strip
from core.figures.components.arithmetic import (
    Affine,
    ArithmeticStep,
    Mean,
    Minus,
    Normalise,
    Of,
    Quotient,
    Square,
    Times,
    Value,
)
from core.figures.text import MINUS, Mark, Sentence, join, number, sentence
from core.figures.values import Along, Values
from core.language import N_, Phrase, _, name_of, ngettext
from core.locale import Choice, in_quotes, row, spelt
from core.models.blueprint import Stack
from core.models.needs import Needs
from core.runs.kinds.trace import Run, TraceRequest
from core.runs.request import Request
from core.tracing.source import SourceLine, line_with
from core.tracing.trace import Trace
from core.units import Unit
from core.views.controls import Control
from core.views.nearest import nearest
from core.views.params import OnStack, param
from core.views.parts import names, norm_called
from core.views.view import Note, View

# --- vectors as they are typed in -----------------------------------------------------


Array = NDArray[np.float64]
MAX_COMPONENTS = 64  # of a vector
MAX_TYPED = 1600  # characters of one: 25 for each component
LARGEST = 1e9  # size of a number
# What is asked for where what was typed is no number.
WANTED = {
    "vector": N_("numbers separated by commas, such as 100, 200, 100, 0"),
    "parameter": N_("one number for all components, or numbers separated by commas, such as "
                    "1, 2, 1, 0"),
    "eps": N_("one number, 0 or more"),
}  # fmt: skip


_DECIMAL = re.compile(r"(?<=\d),(?=\d)")


def _numbers(name: str, text: str, of: str) -> Array:
    """The numbers of a text, brackets and separators left out.

    A comma between two digits is a decimal sign if something else parts the numbers: a blank, a
    semicolon, or a comma with a blank. So "1,5; 2,5" has two numbers and "100,200" has two. A link
    says the same in every language.

    Args:
        name: what they are called.
        text: as it was typed.
        of: what they are, by its name in ``WANTED``.

    Raises:
        ParameterError: something in it is no number, or too large for the picture.
    """
    inner = text.strip().strip("[]()").strip().replace(MINUS, "-")
    if re.search(r"[;\s]", inner):
        inner = _DECIMAL.sub(".", inner)
    words = re.split(r"[,;\s]+", inner)
    numbers = []
    for word in words:
        if not re.fullmatch(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d{1,3})?", word):
            raise ParameterError(name, text[:40], WANTED[of])
        value = float(word)
        if abs(value) > LARGEST:
            raise ParameterError(
                name, text[:40], Phrase(N_("numbers of at most {n}"), n=number(LARGEST, 1))
            )
        numbers.append(value)
    return np.array(numbers)


def read_vector(text: str, name: str = "x", most: int = MAX_COMPONENTS) -> Array:
    """The vector, ``(d,)``.

    Args:
        text: as it was typed.
        name: what it is called.
        most: components that it may have.

    Raises:
        ParameterError: no numbers, fewer than two, or too many.
    """
    values = _numbers(name, text, "vector")
    if not 2 <= len(values) <= most:
        raise ParameterError(name, text[:40], Phrase(N_("between 2 and {n} numbers"), n=most))
    return values


def read_parameter(name: str, text: str, d: int) -> Array:
    """The gain a or the shift b, ``(d,)``: a number for each component, or one that counts for all.

    Raises:
        ParameterError: no numbers, or another count.
    """
    values = _numbers(name, text, "parameter")
    if len(values) == 2 != d:  # 1,5 is one number
        values = _numbers(name, _DECIMAL.sub(".", text), "parameter")
    if len(values) == 1:
        return np.full(d, values[0])
    if len(values) != d:
        raise ParameterError(
            name,
            text[:40],
            Phrase(N_("{d} numbers, one for each component of x, or one number for all"), d=d),
        )
    return values


def read_eps(text: str) -> float:
    """What is added to the variance.

    Raises:
        ParameterError: not one number, or a negative one.
    """
    values = _numbers("ε", _DECIMAL.sub(".", text), "eps")
    if len(values) != 1 or values[0] < 0:
        raise ParameterError("ε", text[:40], WANTED["eps"])
    return float(values[0])


# --- one vector that goes through a LayerNorm: what every view of norms is computed from


N_STEPS = 8


@dataclass(frozen=True, slots=True)
class OneVector(OnStack):
    """A vector that goes through a LayerNorm.

    Attributes:
        source: "worked", the numbers below, or "text", a token of the text.
        vector: the components, with commas between them.
        gain, shift: a and b; one number counts for every component.
        eps: added to the variance.
        layer, norm, token: which vector of the run; token -1 for the last word.
        norm_step: of the computation.
        col: the component.
        row: LayerNorm or RMSNorm, where they are compared.
    """

    source: str = param(
        "worked",
        choices={"worked": N_("a worked vector"), "text": N_("a token of your text")},
        label=N_("Normalise"),
    )
    vector: str = param("100, 200, 100, 0", high=MAX_TYPED, label=N_("Vector x"))
    gain: str = param("1", high=MAX_TYPED, label=N_("Gain a"))
    shift: str = param("0", high=MAX_TYPED, label=N_("Shift b"))
    eps: str = param("0.00001", high=40, label=N_("ε"))
    layer: int = param(5, low=0, high=255, picked=True, label=N_("Layer"))
    norm: str = param("", part="norm", label=N_("Which norm"))
    token: int = param(-1, low=-1, high=100_000, picked=True, label=N_("Token"))
    norm_step: int = param(N_STEPS - 1, low=0, high=200, lives="browser", label=N_("Step"))
    col: int = param(1, low=0, high=100_000, lives="browser", label=N_("Column"))
    row: int = param(2, low=0, high=100_000, lives="browser", label=N_("Row"))


@dataclass(frozen=True, eq=False)
class NormRun:
    """One vector on its way through a LayerNorm.

    Attributes:
        params: what was asked for.
        steps: every number of it.
        run: the run it is from; None for a vector that was typed in.
        norm: which norm of the run.
        token: its position.
    """

    params: OneVector
    steps: NormSteps
    run: Run | None = None
    norm: str = "ln_1"
    token: int = 0

    @property
    def d(self) -> int:
        """How many components the vector has."""
        return len(self.steps.x)

    # --- where in the model, for a vector of the stream ----------------------------------

    @property
    def trace(self) -> Trace:
        assert self.run is not None
        return self.run.trace

    @property
    def stack(self) -> Stack:
        return self.trace.blueprint.stack(self.params.stack)

    @property
    def layer(self) -> int:
        return nearest("layer", self.params.layer, self.stack.n_layers - 1)

    @property
    def norm_at(self) -> NormAt:
        """The norm's place in the model."""
        return norms_of(self.trace.blueprint, self.stack, self.layer)[self.norm]

    @property
    def tokens(self) -> tuple[Unit, ...]:
        """Of the stream that the norm stands on."""
        return self.trace.streams[self.stack.stream].units

    @property
    def name(self) -> str:
        """The token inside a sentence."""
        return self.tokens[self.token].spoken

    @property
    def place(self) -> str:
        """The norm in words, with its block where it has one."""
        name = norm_called(self.norm_at)
        if self.norm not in self.stack.norms:
            return name
        return _("{norm} of layer {layer}").format(norm=name, layer=self.layer)

    # --- what is selected ----------------------------------------------------------------

    @property
    def step(self) -> int:
        return nearest("norm_step", self.params.norm_step, N_STEPS - 1)

    @property
    def col(self) -> int:
        return nearest("col", self.params.col, self.d - 1)

    def selection(self) -> dict[str, int | str | None]:
        """By the names of the parameters."""
        place = {} if self.run is None else {"token": self.token, "layer": self.layer}
        row = nearest("row", self.params.row, 3)
        return {"norm_step": self.step, "col": self.col, "row": row, **place}

    # --- axes ----------------------------------------------------------------------------

    @property
    def components(self) -> list[str]:
        """Labels of the components: their numbers."""
        return [str(i) for i in range(self.d)]

    @property
    def columns(self) -> Axis:
        """Components along the foot: wide cells for a few, a window for many."""
        return Axis(self.components, "col", "residual", window=96, hide=self.d > 24)

    @property
    def along(self) -> tuple[Along]:
        """The same for the numbers."""
        return (Along("component", _("component"), self.components),)


def steps_at(trace: Trace, norm: NormAt, token: int) -> NormSteps:
    """The model's own norm of one token, with the numbers that it computed."""
    site, weights = norm.site, trace.weights
    x = norm_input(trace, norm)[token].astype(np.float64)
    mean, var = float(trace[f"{site}.mean"][token, 0]), float(trace[f"{site}.var"][token, 0])
    gain = weights[f"{site}.weight"].astype(np.float64)
    shift = weights[f"{site}.bias"].astype(np.float64)
    normalized = trace[f"{site}.normalized"][token].astype(np.float64)
    return NormSteps(
        x=x,
        mean=mean,
        centred=x - mean,
        squares=(x - mean) ** 2,
        var=var,
        normalized=normalized,
        scaled=gain * normalized,
        out=trace[f"{site}.out"][token].astype(np.float64),
        gain=gain,
        shift=shift,
        eps=norm.eps,
    )


class NormView(View[OneVector, NormRun]):
    """What all views have: a vector that was typed in, or one of a trace."""

    Params = OneVector

    def requests(self, params: OneVector) -> tuple[Request, ...]:
        return (TraceRequest(params.model, params.given),) if params.source == "text" else ()

    def compute(self, runs: Sequence[Run], params: OneVector) -> NormRun:
        """The vector that was asked for, brought into the model's range.

        Raises:
            ParameterError: what was typed in is no vector, or the stack has no norm of that name.
            NoPartError: the model has no stack, or one without LayerNorm.
        """
        if params.source == "worked":
            x = read_vector(params.vector)
            gain = read_parameter("a", params.gain, len(x))
            shift = read_parameter("b", params.shift, len(x))
            return NormRun(params, layer_norm_steps(x, gain, shift, read_eps(params.eps)))
        (run,) = runs
        trace = run.trace
        stack = trace.blueprint.stack(params.stack)
        units = trace.streams[stack.stream].units
        last, layer = len(units) - 1, nearest("layer", params.layer, stack.n_layers - 1)
        token = (
            tokens.last_word(units) if params.token < 0 else nearest("token", params.token, last)
        )
        norms = {
            name: norm
            for name, norm in norms_of(trace.blueprint, stack, layer).items()
            if norm.kind == "layer"  # whose steps these are
        }
        if not norms:
            raise NoPartError(N_("LayerNorm"))
        norm = params.norm or next(name for name in (*stack.norms, *norms) if name in norms)
        if norm not in norms:
            choices = Choice(list(norms))
            raise ParameterError("norm", norm, Phrase(N_("one of {choices}"), choices=choices))
        return NormRun(params, steps_at(trace, norms[norm], token), run, norm, token)

    def selection(self, record: NormRun) -> dict[str, int | str | None]:
        return record.selection()


def bars_of(record: NormRun, axis: Axis, **fields: Any) -> Sheet:
    """A row of bars for each vector.

    Args:
        record: of the vector.
        axis: of the rows.
        fields: of the sheet, which differ.
    """
    return Sheet(
        array="rows",
        glyph="bars",
        numbers=True,
        rows=axis,
        cols=record.columns,
        max_cell=132 if record.d <= 8 else 34,
        row_height=44,
        alt="",
        **fields,
    )


def largest(rows: Sequence[Array]) -> list[float]:
    """The size that fills each row's height."""
    sizes = [np.abs(row[np.isfinite(row)]).max(initial=0.0) for row in rows]
    return [float(size) or 1.0 for size in sizes]


def as_float32(**arrays: Any) -> dict[str, NDArray[np.float32]]:
    """Numbers and vectors as a payload holds them."""
    return {name: np.atleast_1d(np.asarray(a, np.float32)) for name, a in arrays.items()}


# --- the same vector through LayerNorm and through RMSNorm, without a and b -----------


ALL_EQUAL = 1e-6  # a normalised vector no larger is that of equal components, but for rounding


class NormRmsView(NormView):
    """The vector, both results and their difference."""

    name = "norm.rms"

    def values(self, record: NormRun) -> Mapping[str, Values]:
        s, place = record.steps, (record.col,)
        rows = zip(
            ("x", "layer", "rms", "difference"), _rms_labels(), _rms_rows(record), strict=True
        )
        values = {
            name: Values(label, row, record.along, selected=place) for name, label, row in rows
        }
        return values | {
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
        return join([divided, _comparison(record)])

    def draw(self, record: NormRun) -> Matrix:
        s, rows = record.steps, _rms_rows(record)
        limits = largest(rows)
        # The two results and their difference on one scale, so that they can be compared.
        limits[1:] = [max(limits[1:3])] * 3
        axes = _("rows: the vector and what each norm makes of it · columns: components")
        sheet = bars_of(
            record,
            Axis(_rms_labels(), "row", "accent", room=120),
            title=_("LayerNorm and RMSNorm of the same vector"),
            scale=Scale("signed", limits=limits),
            axes=sentence(axes),
            how=How(_("Component {col} at “{row}”"), per_row=_rms_how(number(s.eps, 1))),
        )
        arrays = as_float32(
            rows=np.stack(rows), x=s.x, squared=s.x**2, mean=s.mean, var=s.var,
            normalized=s.normalized, rms=root_mean_square(s.x, s.eps), by_rms=rows[2],
            difference=rows[3],
        )  # fmt: skip
        return Matrix(sheets=[sheet], arrays=arrays)


def _rms_labels() -> list[str]:
    return ["x", _("LayerNorm"), _("RMSNorm"), _("difference")]


def _rms_rows(record: NormRun) -> list[Array]:
    s = record.steps
    rms = rms_normalized(s.x, s.eps)
    return [s.x, s.normalized, rms, s.normalized - rms]


def _rms_how(eps: str) -> list[list[ArithmeticStep]]:
    """The arithmetic of each row."""

    def operand(name: str) -> Of:
        return Of(name, at="col")

    return [
        [Value(title=_("The component"), now=True, name="x[{col}]", result=operand("x"))],
        [Normalise(title=_("Subtract the mean, divide by √(σ² + ε)"), now=True, x=operand("x"),
                   mean=Of("mean"), var=Of("var"), eps=eps, result=operand("normalized"))],
        [
            Mean(title=_("The root mean square"), name="rms", root=True, eps=eps,
                 of=Of("squared"), result=Of("rms")),
            Quotient(title=_("Divide by the root mean square"), now=True, a=operand("x"),
                     b=Of("rms"),
                     result=operand("by_rms")),
        ],
        [Minus(title=_("LayerNorm minus RMSNorm"), now=True, a=operand("normalized"),
               b=operand("by_rms"),
               result=operand("difference"))],
    ]  # fmt: skip


def _comparison(record: NormRun) -> Sentence:
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


# --- what is said of the steps of a LayerNorm, with the vector's numbers --------------


def titles() -> list[str]:
    """The steps' names, as the stepper says them."""
    return [
        _("The vector"),
        _("Its mean"),
        _("Subtract the mean"),
        _("Square the deviations"),
        _("Its variance"),
        _("Normalise"),
        _("Multiply by a"),
        _("Add b"),
    ]


def texts(record: NormRun) -> list[Sentence]:
    """What each step does."""
    s, d = record.steps, str(record.d)
    return [
        _input_sentence(record),
        sentence(_("μ is the sum of the {d} components divided by {d}: {mu}."),
                 d=d, mu=Mark(number(s.mean), "strong")),
        sentence(_("The mean is subtracted from every component. The results add up to 0.")),
        sentence(_("Square every deviation. A component below the mean then counts as much as "
                   "one above it.")),
        sentence(_("σ² is the mean squared deviation: {var}. Divide the sum by {d}, not by "
                   "{less}."),
                 d=d, less=str(record.d - 1), var=Mark(number(s.var), "strong")),
        _division_sentence(record),
        sentence(_("Multiply by a: one learned number per component. The same a is used for "
                   "every token.")),
        _shift_sentence(record),
    ]  # fmt: skip


def as_read(record: NormRun) -> str:
    """The components as they were read from what was typed: 1.5, 2.5, 4, 0."""
    return row(
        spelt(f"{component:,.10g}").replace("-", MINUS) for component in record.steps.x.tolist()
    )


def _input_sentence(record: NormRun) -> Sentence:
    if record.run is None:
        return sentence(_("x has {d} components."), d=str(record.d))
    return sentence(
        _(
            "x is the residual vector of “{token}” as it enters this LayerNorm. It has {d} "
            "components."
        ),
        token=Mark(record.name, "query"),
        d=str(record.d),
    )


def _division_sentence(record: NormRun) -> Sentence:
    s = record.steps
    if s.var + s.eps == 0:
        return sentence(
            _("All components are equal, so the variance is 0. Without ε this would be 0 / 0. "
              "That is what ε is for.")
        )  # fmt: skip
    return sentence(
        _("Divided by √(σ² + ε) = {spread}. Now the mean is {mean} and the variance {var}."),
        spread=Mark(number(float(np.sqrt(s.var + s.eps))), "strong"),
        mean=number(clean(float(s.normalized.mean()))),
        var=number(float(s.normalized.var())),
    )


def _shift_sentence(record: NormRun) -> Sentence:
    out = record.steps.out
    if not np.isfinite(out).all():
        return sentence(
            _("Add b. A result of 0 / 0 is no number, and adding b does not change that.")
        )
    return sentence(
        _("Add b, one learned number per component. Then y has mean {mean} and variance {var}."),
        mean=number(clean(float(out.mean()))), var=number(float(out.var())),
    )  # fmt: skip


def clean(value: float) -> float:
    """A mean that is 0 but for rounding, as 0."""
    return 0.0 if abs(value) < 1e-6 else value


def errata(record: NormRun) -> list[str]:
    """What lecture notes say otherwise."""
    s, d = record.steps, record.d
    scalars = ngettext(
        "The slides call a and b scalars. They are vectors of size d: here {n} number each.",
        "The slides call a and b scalars. They are vectors of size d: here {n} numbers each.",
        d,
    ).format(n=d)
    divisor = _("The variance divides by d = {d}. Statistics often divides by d − 1, and so does "
                "torch.var by default.").format(d=d)  # fmt: skip
    if s.var == 0:
        other = _("When all components are equal, both are 0.")
    else:
        less = float(s.squares.sum() / (d - 1))
        other = _("That would be {less} instead of {var}, and the largest component would become "
                  "{largest} instead of {own}.").format(
            less=number(less), var=number(s.var),
            largest=number(float(np.abs(s.centred / np.sqrt(less + s.eps)).max())),
            own=number(float(np.abs(s.normalized).max())),
        )  # fmt: skip
    return [scalars, f"{divisor} {other}"]


# --- a LayerNorm step by step: a row for each step, all components side by side -------


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


class NormStepsView(NormView):
    """Mean, centre, squares, variance, normalise, scale, shift."""

    name = "norm.steps"

    def values(self, record: NormRun) -> Mapping[str, Values]:
        s, place = record.steps, (record.col,)
        sites = {name: None if record.run is None else f"{record.norm_at.site}.{name}"
                 for name in ("mean", "var", "normalized", "out")}  # fmt: skip
        values = {
            name: Values(label, row, record.along, site=sites.get(name), selected=place)
            for (name, label, _site), row in zip(ROWS, step_rows(record), strict=True)
        }
        return values | {
            "gain": Values("a", s.gain, record.along, selected=place),
            "shift": Values("b", s.shift, record.along, selected=place),
            "eps": Values(_("ε"), np.array(s.eps)),
        }

    def describe(self, record: NormRun) -> Sentence:
        return join(texts(record)[1:6])

    def draw(self, record: NormRun) -> Matrix:
        s, drawn = record.steps, step_rows(record)
        title = _("LayerNorm of {d} numbers").format(d=record.d)
        if record.run is not None:
            title = _("LayerNorm of “{token}”").format(token=record.name)
        sheet = bars_of(
            record,
            Axis([label for _name, label, _site in ROWS], "norm_step", "accent", room=120),
            title=title,
            grows=True,
            scale=Scale("signed", limits=row_limits(drawn)),
            axes=sentence(_("rows: steps · columns: components of the vector")),
            how=How(
                _("Component {col} at “{row}”"), per_row=_step_how(record), sources=_lines(record)
            ),
        )
        arrays = as_float32(
            rows=np.stack(drawn), x=s.x, mean=s.mean, centred=s.centred, squares=s.squares,
            var=s.var, normalized=s.normalized, scaled=s.scaled, out=s.out, gain=s.gain,
            shift=s.shift,
        )  # fmt: skip
        return Matrix(sheets=[sheet], arrays=arrays)

    def steps(self, record: NormRun) -> Stepper:
        return Stepper(
            title=_("The steps of LayerNorm"),
            selection=record.selection(),
            first=record.step,
            field="norm_step",
            titles=titles(),
            texts=texts(record),
            pace=2200,
        )

    def notes(self, record: NormRun) -> list[Note]:
        notes = [Note("erratum", Sentence((Mark(line, "plain"),))) for line in errata(record)]
        if record.run is None and record.params.vector != OneVector().vector:
            text = _("Read: x = {numbers}").format(numbers=as_read(record))
            notes.append(Note("more", Sentence((Mark(text, "plain"),))))
        return notes

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


def step_rows(record: NormRun) -> list[Array]:
    """The numbers of each step."""
    s = record.steps
    mean, var = np.full(record.d, s.mean), np.full(record.d, s.var)
    return [s.x, mean, s.centred, s.squares, var, s.normalized, s.scaled, s.out]


def row_limits(drawn: Sequence[Array]) -> list[float]:
    """The size that fills a row: one for the vector, one for its squares, one for the rest."""
    sizes = largest(drawn)
    return [max(sizes[:3])] * 3 + [max(sizes[3:5])] * 2 + [max(sizes[5:])] * 3


def _lines(record: NormRun) -> list[SourceLine | None]:
    """The line that made each row."""
    if record.run is None:
        lines = (line_with("core/analysis/norms.py", f"{name} = ") for name in
                ("mean", "centred", "squares", "var", "normalized", "scaled", "out"))  # fmt: skip
        return [None, *lines]
    norm = record.norm_at
    sites = [norm.reads[0], *(f"{norm.site}.{site}" for _name, _label, site in ROWS[1:])]
    return [record.trace.source(site) for site in sites]


def _step_how(record: NormRun) -> list[list[ArithmeticStep]]:
    """The arithmetic of each row."""

    def operand(name: str) -> Of:
        return Of(name, at="col")

    mean, var = Of("mean"), Of("var")
    typed = record.run is None
    start = _("As you typed it") if typed else _("Read it from the residual stream")
    return [
        [Value(title=start, now=True, name="x[{col}]", result=operand("x"))],
        [Mean(title=_("Add all components, divide by how many there are"), now=True, of=Of("x"),
              name="μ", result=operand("mean"))],
        [Minus(title=_("Subtract the mean"), now=True, a=operand("x"), b=mean,
               result=operand("centred"))],
        [Square(title=_("Square the deviation"), now=True, x=operand("centred"),
                result=operand("squares"))],
        [Mean(title=_("The variance is the mean of all squares"), now=True, of=Of("squares"),
              name="σ²", result=operand("var"))],
        [Normalise(title=_("Divide by √(σ² + ε)"), now=True, x=operand("x"), mean=mean, var=var,
                   eps=number(record.steps.eps, 1), result=operand("normalized"))],
        [Times(title=_("Multiply by this component's a"), now=True, a=operand("gain"),
               b=operand("normalized"), result=operand("scaled"))],
        [Affine(title=_("Multiply by a, add b"), now=True, x=operand("normalized"),
                gain=operand("gain"),
                shift=operand("shift"), result=operand("out"))],
    ]  # fmt: skip


# --- the tokens, with the spread of each one's vector before the norm brings them to one size


class NormStripView(NormView):
    """A standard deviation under each token."""

    name, needs = "norm.strip", Needs(parts=("blocks", "layer_norm"))

    def requests(self, params: OneVector) -> tuple[Request, ...]:
        return super().requests(replace(params, source="text"))

    def compute(self, runs: Sequence[Run], params: OneVector) -> NormRun:
        return replace(super().compute(runs, replace(params, source="text")), params=params)

    def absent(self, record: NormRun) -> bool:
        return record.params.source == "worked"

    def values(self, record: NormRun) -> Mapping[str, Values]:
        site, place = record.norm_at.site, (record.token,)
        along = (Along("token", _("token"), tokens.labels(record.tokens)),)
        mean, var = (record.trace[f"{site}.{name}"][:, 0] for name in ("mean", "var"))
        return {
            "position": Values(_("position"), np.arange(len(mean)), along, selected=place),
            "mean": Values(_("mean"), mean, along, site=f"{site}.mean", selected=place),
            "var": Values(_("variance"), var, along, site=f"{site}.var", selected=place),
            "spread": Values(_("standard deviation"), _spread(record), along, selected=place),
        }

    def describe(self, record: NormRun) -> Sentence:
        return _reading(record, record.token)

    def draw(self, record: NormRun) -> Strip:
        assert record.run is not None
        spread = _spread(record)
        title = _(
            "Spread √σ² (standard deviation) of each token's vector before the {norm}"
        ).format(norm=norm_called(record.norm_at))
        return Strip(
            title=title,
            tokens=[tokens.chip(token) for token in record.tokens],
            cut=tokens.cut_text(record.run.cut),
            default=record.token,
            heading=sentence(title),
            heat=spread,
            heat_role="residual",
            heat_limit=float(spread.max()) or 1.0,
            heat_digits=3,
            readings=[_reading(record, position) for position in range(len(spread))],
            name=title,
        )


def _spread(record: NormRun) -> NDArray[np.float32]:
    return np.asarray(np.sqrt(record.trace[f"{record.norm_at.site}.var"][:, 0]))


def _reading(record: NormRun, position: int) -> Sentence:
    trace, site = record.trace, record.norm_at.site
    out = trace[f"{site}.normalized"][position]
    return sentence(
        _("“{token}” enters this LayerNorm with mean {mean} and variance {var}. After the "
          "division it has mean {then} and variance {one}."),
        token=Mark(record.tokens[position].spoken, "query"),
        mean=Mark(number(float(trace[f"{site}.mean"][position, 0])), "strong"),
        var=Mark(number(float(trace[f"{site}.var"][position, 0])), "strong"),
        then=number(clean(float(out.mean()))),
        one=number(float(out.var())),
    )  # fmt: skip
