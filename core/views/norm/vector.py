"""One vector that goes through a LayerNorm: what every view of norms is computed from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.norms import NormSteps, layer_norm_steps
from core.analysis.stream import NormAt, norm_input, norms_of
from core.errors import NoPartError, ParameterError
from core.figures import tokens
from core.figures.components import Axis
from core.figures.values import Along
from core.language import N_, Phrase, _
from core.locale import Choice
from core.models.blueprint import Stack
from core.runs.requests import Request, TraceRequest
from core.runs.results import Run
from core.tracing.trace import Trace
from core.units import Unit
from core.views.nearest import nearest
from core.views.norm.typed import MAX_TYPED, Array, read_eps, read_parameter, read_vector
from core.views.params import OnStack, param
from core.views.parts import norm_called

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
        """Components of the vector."""
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
    def at(self) -> NormAt:
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
        name = norm_called(self.at)
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
        """Their labels."""
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


def vector_requests(params: OneVector) -> tuple[Request, ...]:
    """The whole trace; nothing for a vector that is typed in."""
    return (TraceRequest(params.model, params.given),) if params.source == "text" else ()


def vector_run(runs: Sequence[Run], params: OneVector) -> NormRun:
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
    own = trace.streams[stack.stream].units
    last, layer = len(own) - 1, nearest("layer", params.layer, stack.n_layers - 1)
    token = tokens.last_word(own) if params.token < 0 else nearest("token", params.token, last)
    norms = {
        name: at
        for name, at in norms_of(trace.blueprint, stack, layer).items()
        if at.kind == "layer"  # whose steps these are
    }
    if not norms:
        raise NoPartError(N_("LayerNorm"))
    norm = params.norm or next(name for name in (*stack.norms, *norms) if name in norms)
    if norm not in norms:
        choices = Choice(list(norms))
        raise ParameterError("norm", norm, Phrase(N_("one of {choices}"), choices=choices))
    return NormRun(params, steps_at(trace, norms[norm], token), run, norm, token)


def largest(rows: Sequence[Array]) -> list[float]:
    """The size that fills each row's height."""
    sizes = [np.abs(row[np.isfinite(row)]).max(initial=0.0) for row in rows]
    return [float(size) or 1.0 for size in sizes]


def as_float32(**arrays: Any) -> dict[str, NDArray[np.float32]]:
    """Numbers and vectors as a payload holds them."""
    return {name: np.atleast_1d(np.asarray(a, np.float32)) for name, a in arrays.items()}
