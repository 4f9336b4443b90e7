"""Views of LayerNorm: one vector, step by step, made up or from the model's stream; RMSNorm."""

from __future__ import annotations

import re
from collections.abc import Sequence
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
from core.analysis.stream import input_site, norm_input
from core.errors import ParameterError
from core.figures import svg, tokens
from core.figures.params import OnText, param
from core.figures.payload import Payload
from core.figures.text import MINUS, Mark, Sentence, join, number, quoted, sentence
from core.figures.theme import Mode
from core.figures.view import ComponentView, Table, register
from core.language import N_, Phrase, _, ngettext
from core.models.topology import Topology
from core.requests import Request, TraceRequest
from core.runs import Run
from core.tracing.sites import source_line
from core.tracing.source import line_with
from core.tracing.trace import Trace

Array = NDArray[np.float64]
MAX_COMPONENTS = 64  # of a vector that is typed in
LARGEST = 1e9  # size of a number that is typed in
N_STEPS = 7
ALL_EQUAL = 1e-6  # a normalised vector no larger is that of equal components, but for rounding
NORMS = {
    "ln_1": N_("norm at the attention"),
    "ln_2": N_("norm at the feed-forward"),
    "final_norm": N_("last norm"),
    "embed.ln": N_("norm of the embeddings"),
}


@dataclass(frozen=True, slots=True)
class OneVector(OnText):
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

    source: str = param("worked", choices=("worked", "text"))
    vector: str = param("100, 200, 100, 0")
    gain: str = param("1")
    shift: str = param("0")
    eps: str = param("0.00001")
    layer: int = param(2, low=0, high=255)
    norm: str = param("ln_1", choices=NORMS)
    token: int = param(-1, low=-1, high=100_000)
    norm_step: int = param(N_STEPS - 1, low=0, high=200)
    col: int = param(1, low=0, high=100_000)
    row: int = param(2, low=0, high=100_000)


# --- what is typed in -----------------------------------------------------------------------------


def _numbers(name: str, text: str) -> Array:
    """The numbers of a text, brackets and separators left out.

    Raises:
        ParameterError: something in it is no number, or too large for the picture.
    """
    words = re.split(r"[,;\s]+", text.strip().strip("[]()").strip().replace(MINUS, "-"))
    found = []
    for word in words:
        if not re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,3})?", word):
            raise ParameterError(
                name, text[:40], N_("numbers with commas between them, such as 100, 200, 100, 0")
            )
        value = float(word)
        if abs(value) > LARGEST:
            raise ParameterError(
                name, text[:40], Phrase(N_("numbers of at most {n}"), n=number(LARGEST, 1))
            )
        found.append(value)
    return np.array(found)


def read_vector(text: str) -> Array:
    """The vector that is typed in, ``(d,)``.

    Raises:
        ParameterError: no numbers, fewer than two, or too many.
    """
    values = _numbers("x", text)
    if not 2 <= len(values) <= MAX_COMPONENTS:
        raise ParameterError(
            "x", text[:40], Phrase(N_("between 2 and {n} numbers"), n=MAX_COMPONENTS)
        )
    return values


def read_parameter(name: str, text: str, d: int) -> Array:
    """The gain a or the shift b, ``(d,)``: a number for each component, or one that counts for all.

    Raises:
        ParameterError: no numbers, or another count.
    """
    values = _numbers(name, text)
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
    values = _numbers("ε", text)
    if len(values) != 1 or values[0] < 0:
        raise ParameterError("ε", text[:40], N_("one number, 0 or more"))
    return float(values[0])


# --- one vector -----------------------------------------------------------------------------------


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
        return len(self.steps.x)

    @property
    def step(self) -> int:
        return min(self.params.norm_step, N_STEPS - 1)

    @property
    def col(self) -> int:
        return min(self.params.col, self.d - 1)

    @property
    def trace(self) -> Trace:
        assert self.run is not None
        return self.run.trace

    @property
    def layer(self) -> int:
        return min(self.params.layer, self.trace.topology.n_layers - 1)

    @property
    def site(self) -> str:
        """Of the norm in the catalogue."""
        return "blocks.0.ln_1" if self.run is None else site_of(self.norm, self.layer)

    @property
    def name(self) -> str:
        """The token inside a sentence."""
        return quoted(self.trace.tokens[self.token])

    @property
    def place(self) -> str:
        """The norm in words, with its block where it has one."""
        name = _(NORMS[self.norm])
        if self.site == self.norm:
            return name
        return _("{norm} of block {layer}").format(norm=name, layer=self.layer)

    def selection(self) -> dict[str, Any]:
        """The part of the state that components share, as they read it."""
        place = {} if self.run is None else {"token": self.token, "layer": self.layer}
        return {"norm_step": self.step, "col": self.col, "row": min(self.params.row, 3), **place}


def site_of(norm: str, layer: int) -> str:
    """The name under which a norm's numbers are recorded."""
    return f"blocks.{layer}.{norm}" if norm in ("ln_1", "ln_2") else norm


def steps_at(trace: Trace, norm: str, layer: int, token: int) -> NormSteps:
    """The model's own norm of one token, with the numbers that it computed."""
    site = site_of(norm, layer)
    x = norm_input(trace, norm, layer)[token].astype(np.float64)
    mean, var = float(trace[f"{site}.mean"][token, 0]), float(trace[f"{site}.var"][token, 0])
    gain = trace.weights[f"{site}.weight"].astype(np.float64)
    shift = trace.weights[f"{site}.bias"].astype(np.float64)
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
        eps=trace.config.eps,
    )


def available(topology: Topology) -> list[str]:
    """The norms that such a model has, in the order of computation."""
    alone = {"embed.ln": topology.embed_norm, "final_norm": topology.final_norm}
    order = ("embed.ln", "ln_1", "ln_2", "final_norm")
    return [name for name in order if alone.get(name, True)]


def titles() -> list[str]:
    """The steps' names, as the stepper says them."""
    return [
        _("The vector"),
        _("Its mean"),
        _("Centre it"),
        _("Its variance"),
        _("Normalise"),
        _("Scale by a"),
        _("Shift by b"),
    ]


def texts(record: NormRun) -> list[Sentence]:
    """What each step does, with this vector's numbers."""
    s = record.steps
    d = str(record.d)
    subject = (
        sentence(_("x has {d} components."), d=d)
        if record.run is None
        else sentence(
            _("x is the stream of “{token}” where the norm reads it, {d} components."),
            token=Mark(record.name, "query"),
            d=d,
        )
    )
    if s.var + s.eps == 0:
        normalised = sentence(
            _("All components are equal, so the variance is 0, and without ε this would be 0 / 0. "
              "That is what ε is for.")
        )  # fmt: skip
    else:
        normalised = sentence(
            _("Divided by √(σ² + ε) = {spread}: now the mean is {mean} and the variance {var}."),
            spread=Mark(number(float(np.sqrt(s.var + s.eps))), "strong"),
            mean=number(_clean(float(s.normalized.mean()))),
            var=number(float(s.normalized.var())),
        )
    if np.isfinite(s.out).all():
        shifted = sentence(
            _("b is added, again a number for each component that a model learns: y has mean "
              "{mean} and variance {var}."),
            mean=number(_clean(float(s.out.mean()))), var=number(float(s.out.var())),
        )  # fmt: skip
    else:
        shifted = sentence(_("b is added; what was no number stays none."))
    return [
        subject,
        sentence(_("μ is the sum of the {d} components over {d}: {mu}."),
                 d=d, mu=Mark(number(s.mean), "strong")),
        sentence(_("The mean is taken from every component; what is left sums to 0.")),
        sentence(_("σ² is the mean of the squares, the sum over {d}, not {less}: {var}."),
                 d=d, less=str(record.d - 1), var=Mark(number(s.var), "strong")),
        normalised,
        sentence(_("Every component has a number of its own in a, which a model learns; the same "
                   "a serves every token.")),
        shifted,
    ]  # fmt: skip


def _clean(value: float) -> float:
    """A mean that is 0 but for rounding, as 0."""
    return 0.0 if abs(value) < 1e-6 else value


class _VectorView(ComponentView[OneVector, NormRun]):
    """What views of one vector share."""

    Params = OneVector
    component = "matrix"

    def requests(self, params: OneVector) -> tuple[Request, ...]:
        return (TraceRequest(params.model, params.text),) if params.source == "text" else ()

    def compute(self, runs: Sequence[Run], params: OneVector) -> NormRun:
        if params.source == "worked":
            x = read_vector(params.vector)
            gain = read_parameter("a", params.gain, len(x))
            shift = read_parameter("b", params.shift, len(x))
            return NormRun(params, layer_norm_steps(x, gain, shift, read_eps(params.eps)))
        (run,) = runs
        trace = run.trace
        token = min(params.token, len(trace.tokens) - 1)
        token = tokens.last_word(trace.tokens) if token < 0 else token
        norm = params.norm if params.norm in available(trace.topology) else "ln_1"
        layer = min(params.layer, trace.topology.n_layers - 1)
        return NormRun(params, steps_at(trace, norm, layer, token), run, norm, token)

    def _drawn(
        self,
        record: NormRun,
        rows: Sequence[tuple[str, Array]],
        limits: Sequence[float],
        mode: Mode,
        texts: list[list[str]] | None = None,
    ) -> str:
        """The rows as an SVG matrix, each in units of its limit."""
        return svg.matrix(
            self.title(record),
            [name for name, _row in rows],
            [str(i) for i in range(record.d)],
            np.stack([row / limit for (_name, row), limit in zip(rows, limits, strict=True)]),
            mode,
            role="signed",
            texts=texts,
            alt=str(self.describe(record)),
        )


def _limits(rows: Sequence[Array]) -> list[float]:
    """The size that fills a row's height."""
    sizes = [np.abs(row[np.isfinite(row)]).max(initial=0.0) for row in rows]
    return [float(size) or 1.0 for size in sizes]


def _columns(record: NormRun) -> dict[str, Any]:
    """The axis of components: wide cells for a few, a window for many."""
    return {
        "labels": [str(i) for i in range(record.d)],
        "field": "col",
        "role": "residual",
        "window": 96,
        "hide": record.d > 24,
    }


def _as_float32(**arrays: Any) -> dict[str, NDArray[np.float32]]:
    return {name: np.atleast_1d(np.asarray(a, np.float32)) for name, a in arrays.items()}


@register
class StepByStep(_VectorView):
    """Mean, centre, variance, normalise, scale, shift: a row each, all components side by side."""

    name = "norm.steps"

    def title(self, record: NormRun) -> str:
        if record.run is None:
            return _("LayerNorm of {d} numbers").format(d=record.d)
        return _("LayerNorm of “{token}”").format(token=record.name)

    def describe(self, record: NormRun) -> Sentence:
        return join(texts(record)[1:5])

    def rows(self, record: NormRun) -> list[tuple[str, Array]]:
        """Name and numbers of each step."""
        s = record.steps
        return [
            ("x", s.x),
            ("μ", np.full(record.d, s.mean)),
            (f"x {MINUS} μ", s.centred),
            (f"(x {MINUS} μ)²", s.squares),
            ("x̂", s.normalized),
            ("a · x̂", s.scaled),
            ("y = a · x̂ + b", s.out),
        ]

    def limits(self, rows: Sequence[tuple[str, Array]]) -> list[float]:
        """The size that fills a row: one for the vector, one for its squares, one for the rest."""
        sizes = _limits([row for _name, row in rows])
        return [max(sizes[:3])] * 3 + [sizes[3]] + [max(sizes[4:])] * 3

    def _sources(self, record: NormRun) -> list[dict[str, Any] | None]:
        """The line that made each row."""
        if record.run is None:
            names = ("mean", "centred", "squares", "normalized", "scaled", "out")
            lines = [None, *(line_with("core/analysis/norms.py", f"{n} = ") for n in names)]
        else:
            where = [input_site(record.trace, record.norm, record.layer), *(
                f"{record.site}.{n}"
                for n in ("mean", "normalized", "var", "normalized", "out", "out")
            )]  # fmt: skip
            lines = [source_line(name, record.trace.topology) for name in where]
        return [
            None if at is None else {"path": at.path, "line": at.line, "code": at.code}
            for at in lines
        ]

    def payload(self, record: NormRun) -> Payload:
        s, rows = record.steps, self.rows(record)
        few = record.d <= 8
        sheet = {
            "title": self.title(record),
            "array": "rows",
            "glyph": "bars",
            "grows": True,
            "numbers": True,
            "rows": {
                "labels": [name for name, _row in rows],
                "field": "norm_step",
                "role": "accent",
                "room": 120,
            },
            "cols": _columns(record),
            "scale": {"kind": "signed", "limits": self.limits(rows)},
            "max_cell": 132 if few else 34,
            "row_height": 50 if few else 44,
            "alt": str(self.describe(record)),
            "axes": [[_("rows: steps · columns: components of the vector"), "plain"]],
            "how": {
                "title": _("Component {col} at “{row}”"),
                "per_row": self._how(record),
                "sources": self._sources(record),
            },
        }  # fmt: skip
        return Payload(
            {"sheets": [sheet], "selection": record.selection(), "labels": tokens.matrix_labels()},
            _as_float32(
                rows=np.stack([row for _name, row in rows]), x=s.x, mean=s.mean, centred=s.centred,
                squares=s.squares, var=s.var, normalized=s.normalized, scaled=s.scaled,
                out=s.out, gain=s.gain, shift=s.shift,
            ),
        )  # fmt: skip

    def _how(self, record: NormRun) -> list[list[dict[str, Any]]]:
        eps = number(record.steps.eps, 1)

        def at(name: str) -> dict[str, str]:
            return {"array": name, "at": "col"}

        def step(kind: str, title: str, result: str, **more: Any) -> dict[str, Any]:
            return {"kind": kind, "title": title, "now": True, "result": at(result), **more}

        mean, var = {"array": "mean"}, {"array": "var"}
        from_stream = record.run is not None
        start = _("Read it off the stream") if from_stream else _("As it was typed in")
        return [
            [step("value", start, "x", name="x[{col}]")],
            [step("mean", _("Add all components, divide by their number"), "mean",
                  of={"array": "x"}, name="μ")],
            [step("minus", _("Take the mean away"), "centred", a=at("x"), b=mean)],
            [
                step("square", _("Square it"), "squares", x=at("centred")) | {"now": False},
                step("mean", _("The variance is the mean of all squares"), "var",
                     of={"array": "squares"}, name="σ²"),
            ],
            [step("norm", _("Divide by the spread"), "normalized", x=at("x"), mean=mean, var=var,
                  eps=eps)],
            [step("times", _("Times this component's a"), "scaled", a=at("gain"),
                  b=at("normalized"))],
            [step("affine", _("Times a, plus b"), "out", x=at("normalized"), gain=at("gain"),
                  shift=at("shift"))],
        ]  # fmt: skip

    def table(self, record: NormRun) -> Table:
        rows = self.rows(record)
        return Table(
            (_("component"), *(name for name, _row in rows), "a", "b"),
            [
                (i, *(float(row[i]) for _name, row in rows), float(record.steps.gain[i]),
                 float(record.steps.shift[i]))
                for i in range(record.d)
            ],
        )  # fmt: skip

    def svg(self, record: NormRun, mode: Mode) -> str:
        rows = self.rows(record)
        limits = self.limits(rows)
        texts = [[number(float(v)) for v in row] for _name, row in rows] if record.d <= 8 else None
        return self._drawn(record, rows, limits, mode, texts)


@register
class RmsBeside(_VectorView):
    """The same vector through LayerNorm and through RMSNorm, without a and b."""

    name = "norm.rms"

    def title(self, record: NormRun) -> str:
        return _("LayerNorm and RMSNorm of the same vector")

    def _rows(self, record: NormRun) -> list[tuple[str, Array]]:
        rms = rms_normalized(record.steps.x, record.steps.eps)
        return [
            ("x", record.steps.x),
            (_("LayerNorm"), record.steps.normalized),
            (_("RMSNorm"), rms),
            (_("difference"), record.steps.normalized - rms),
        ]

    def describe(self, record: NormRun) -> Sentence:
        divided = sentence(
            _("RMSNorm takes no mean away: it divides by {rms}, the root of the mean of the "
              "squares plus ε."),
            rms=Mark(number(root_mean_square(record.steps.x, record.steps.eps)), "strong"),
        )  # fmt: skip
        return join([divided, self._compared(record)])

    def _compared(self, record: NormRun) -> Sentence:
        """What the two results have in common, where both have a direction."""
        s = record.steps
        by_rms = rms_normalized(s.x, s.eps)
        if not np.isfinite(s.normalized).all():
            return sentence(
                _("All components are equal and ε is 0: LayerNorm would be 0 / 0 here.")
            )
        if np.abs(s.normalized).max() < ALL_EQUAL:
            return sentence(
                _("All components are equal: LayerNorm leaves 0 in each, a vector without a "
                  "direction; RMSNorm leaves {value} in each."),
                value=Mark(number(float(by_rms[0])), "accent"),
            )  # fmt: skip
        return sentence(
            _("The mean is {share} of that here, so the two results point in directions with a "
              "cosine of {alike}."),
            share=number(abs(s.mean) / root_mean_square(s.x, s.eps), 2),
            alike=Mark(number(cosine(s.normalized, by_rms), 4), "accent"),
        )  # fmt: skip

    def payload(self, record: NormRun) -> Payload:
        rows = self._rows(record)
        s = record.steps
        limits = _limits([row for _name, row in rows])
        # The two results and their difference on one scale, so that they can be compared.
        limits[1:] = [max(limits[1:3])] * 3
        at = {"at": "col"}
        eps = number(s.eps, 1)
        rms_step = {
            "kind": "mean", "title": _("The root mean square"), "name": "rms", "root": True,
            "eps": eps, "of": {"array": "squared"}, "result": {"array": "rms"},
        }  # fmt: skip
        how = [
            [{"kind": "value", "now": True, "title": _("The component"), "name": "x[{col}]",
              "result": {"array": "x", **at}}],
            [{"kind": "norm", "now": True, "title": _("Mean away, over the spread"),
              "x": {"array": "x", **at}, "mean": {"array": "mean"}, "var": {"array": "var"},
              "eps": eps, "result": {"array": "normalized", **at}}],
            [rms_step, {"kind": "quotient", "now": True, "title": _("Over the root mean square"),
                        "a": {"array": "x", **at}, "b": {"array": "rms"},
                        "result": {"array": "by_rms", **at}}],
            [{"kind": "minus", "now": True, "title": _("One minus the other"),
              "a": {"array": "normalized", **at}, "b": {"array": "by_rms", **at},
              "result": {"array": "difference", **at}}],
        ]  # fmt: skip
        sheet = {
            "title": self.title(record),
            "array": "rows",
            "glyph": "bars",
            "numbers": True,
            "rows": {
                "labels": [name for name, _row in rows],
                "field": "row",
                "role": "accent",
                "room": 120,
            },
            "cols": _columns(record),
            "scale": {"kind": "signed", "limits": limits},
            "max_cell": 132 if record.d <= 8 else 34,
            "row_height": 44,
            "alt": str(self.describe(record)),
            "axes": [
                [
                    _("rows: the vector and what each norm makes of it · columns: components"),
                    "plain",
                ]
            ],
            "how": {"title": _("Component {col} at “{row}”"), "per_row": how},
        }
        return Payload(
            {"sheets": [sheet], "labels": tokens.matrix_labels()},
            _as_float32(
                rows=np.stack([row for _name, row in rows]), x=s.x, squared=s.x**2, mean=s.mean,
                var=s.var, normalized=s.normalized, rms=root_mean_square(s.x, s.eps),
                by_rms=rows[2][1], difference=rows[3][1],
            ),
        )  # fmt: skip

    def table(self, record: NormRun) -> Table:
        rows = self._rows(record)
        return Table(
            (_("component"), *(name for name, _row in rows)),
            [(i, *(float(row[i]) for _name, row in rows)) for i in range(record.d)],
        )

    def svg(self, record: NormRun, mode: Mode) -> str:
        rows = self._rows(record)
        limits = _limits([row for _name, row in rows])
        return self._drawn(record, rows, limits, mode)


@register
class NormStrip(_VectorView):
    """The tokens, with the spread of each one's vector before the norm brings them to one size."""

    name = "norm.strip"
    component = "token_strip"

    def requests(self, params: OneVector) -> tuple[Request, ...]:
        return super().requests(replace(params, source="text"))

    def compute(self, runs: Sequence[Run], params: OneVector) -> NormRun:
        return super().compute(runs, replace(params, source="text"))

    def title(self, record: NormRun) -> str:
        return _("Spread √σ² (standard deviation) of each token's vector before the {norm}").format(
            norm=_(NORMS[record.norm])
        )

    def _spread(self, record: NormRun) -> NDArray[np.float32]:
        return np.sqrt(record.trace[f"{record.site}.var"][:, 0])

    def _reading(self, record: NormRun, at: int) -> Sentence:
        trace, site = record.trace, record.site
        out = trace[f"{site}.normalized"][at]
        return sentence(
            _("“{token}” comes to this norm with mean {mean} and variance {var}; it leaves the "
              "division with mean {then} and variance {one}."),
            token=Mark(quoted(trace.tokens[at]), "query"),
            mean=Mark(number(float(trace[f"{site}.mean"][at, 0])), "strong"),
            var=Mark(number(float(trace[f"{site}.var"][at, 0])), "strong"),
            then=number(_clean(float(out.mean()))),
            one=number(float(out.var())),
        )  # fmt: skip

    def describe(self, record: NormRun) -> Sentence:
        return self._reading(record, record.token)

    def payload(self, record: NormRun) -> Payload:
        spread = self._spread(record)
        return Payload(
            {
                "tokens": [tokens.chip(token) for token in record.trace.tokens],
                "cut": tokens.cut_text(record.run.cut if record.run else ""),
                "field": "token",
                "default": record.token,
                "heading": sentence(self.title(record)).as_data(),
                "heat_role": "residual",
                "heat_limit": float(spread.max()) or 1.0,
                "heat_digits": 3,
                "readings": [self._reading(record, at).as_data() for at in range(len(spread))],
                "selection": record.selection(),
                "labels": tokens.strip_labels() | {"strip": self.title(record)},
            },
            {"heat": spread},
        )

    def table(self, record: NormRun) -> Table:
        trace, site = record.trace, record.site
        return Table(
            (_("position"), _("token"), _("mean"), _("variance"), _("standard deviation")),
            [
                (at, label, *(float(trace[f"{site}.{n}"][at, 0]) for n in ("mean", "var")), spread)
                for at, (label, spread) in enumerate(
                    zip(tokens.labels(trace.tokens), self._spread(record).tolist(), strict=True)
                )
            ],
        )

    def svg(self, record: NormRun, mode: Mode) -> str:
        spread = self._spread(record)
        return svg.chips(
            self.title(record),
            tokens.labels(record.trace.tokens),
            [number(float(v)) for v in spread],
            [float(v) for v in spread / (spread.max() or 1.0)],
            mode,
            alt=str(self.describe(record)),
            role="residual",
        )


def errata(record: NormRun) -> list[str]:
    """What lecture notes say otherwise, with this vector's numbers."""
    s, d = record.steps, record.d
    scalars = ngettext(
        "The slides call a and b scalars. They are vectors of size d: here {n} number each.",
        "The slides call a and b scalars. They are vectors of size d: here {n} numbers each.",
        d,
    ).format(n=d)
    divisor = _("The variance divides by d = {d}. Statistics often divides by d − 1, and so does "
                "torch.var by default.").format(d=d)  # fmt: skip
    if s.var == 0:
        other = _("Of equal components both are 0.")
    else:
        less = float(s.squares.sum() / (d - 1))
        other = _("That would be {less} instead of {var}, and the largest component would become "
                  "{largest} instead of {own}.").format(
            less=number(less), var=number(s.var),
            largest=number(float(np.abs(s.centred / np.sqrt(less + s.eps)).max())),
            own=number(float(np.abs(s.normalized).max())),
        )  # fmt: skip
    return [scalars, f"{divisor} {other}"]
