"""The non-linearity, with the token's own values marked on it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.analysis.units import FUNCTIONS, gelu, gelu_tanh
from core.figures.components.plot import Curve, Panel, Plot, PlotAxis, Points, Series, histogram
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import _
from core.locale import grouped
from core.tracing.trace import Array
from core.views.ffn.unit import NAMES, OfUnits, Units, entering

REACH = 4.0  # the curves are drawn at least this far to both sides
GATES = {-1.0: "query", 0.5: "key", 1.0: "value", 2.0: "weight"}  # and the colour of each

FORMULAS = {
    "relu": r"\max(0, h)",
    "gelu": r"h \cdot \Phi(h) = \tfrac{h}{2}\left(1 + \mathrm{erf}\,\tfrac{h}{\sqrt 2}\right)",
    "gelu_tanh": r"\tfrac{h}{2}\left(1 + \tanh\left(\sqrt{2/\pi}"
    r"\,(h + 0.044715\,h^3)\right)\right)",
    "relu_squared": r"\max(0, h)^2",
    "silu": r"h \cdot \sigma(h) = \frac{h}{1 + e^{-h}}",
    "gated": r"h \cdot \sigma(h) \cdot g",
}


class FunctionCurve(OfUnits):
    """A function, and where the units of a layer stand on it."""

    name = "ffn.curve"

    def values(self, record: Units) -> Mapping[str, Values]:
        before, after = points(record)
        units = (Along("unit", _("unit"), [str(unit) for unit in range(record.n)]),)
        drawn = _("after {function}").format(function=record.function)
        return {
            "before": Values(entering(record), before, units, selected=(record.unit,),
                             site=f"{record.prefix}pre"),
            "after": Values(drawn, after, units, selected=(record.unit,)),
        }  # fmt: skip

    def describe(self, record: Units) -> Sentence:
        before, after = points(record)
        parts = [
            sentence(
                _("Before {function}, the {n} values lie between {low} and {high}. After it, "
                  "{small} of them are closer to 0 than 0.2."),
                n=grouped(record.n),
                low=number(float(before.min())),
                high=number(float(before.max())),
                function=_(NAMES[record.function]),
                small=Mark(percent(float((np.abs(after) < 0.2).mean())), "accent"),
            )
        ]  # fmt: skip
        if record.function.startswith("gelu"):
            x = np.linspace(-REACH, REACH, 2001)
            apart = float(np.abs(gelu(x) - gelu_tanh(x)).max())
            parts.append(
                sentence(
                    _("The two forms of GELU are never more than {apart} apart."),
                    apart=number(apart, 2),
                )
            )
        if record.function != record.activation:
            parts.append(
                sentence(
                    _("The model itself uses {own}: these are its own values, put through "
                      "another function."),
                    own=_(NAMES[record.activation]),
                )
            )  # fmt: skip
        if record.stack.gated:
            parts.append(
                sentence(
                    _("The model multiplies each by a gate afterwards, which is left out here.")
                )
            )
        return join(parts)

    def draw(self, record: Units) -> Plot:
        before, after = points(record)
        return Plot(
            title=_("{function}: all units on “{token}”").format(
                function=_(NAMES[record.function]), token=record.name(record.token)
            ),
            # A few far-off units must not flatten the bend at 0, which is what the curve is about.
            x=PlotAxis(
                title=_("before the activation function, h"),
                range=(-REACH, max(REACH, float(before.max()) * 1.05)),
            ),
            y=PlotAxis(title=_("after it")),
            series=[*_curves(record, before), *_marks(record, before, after)],
            below=[_counts(before)],
            legend="inside",
            height=450,
        )


def points(record: Units) -> tuple[Array, NDArray[np.float64]]:
    """Every unit's value for the token: before, and after the function that is drawn.

    A gate that the model multiplies with afterwards is left out.
    """
    before = record.site("pre")[record.token]
    if record.function == record.activation and not record.stack.gated:
        return before, record.site("post")[record.token].astype(np.float64)
    return before, FUNCTIONS["silu" if record.function == "gated" else record.function](before)


def _counts(before: Array) -> Panel:
    """How many units lie where, under the curve and over the same x."""
    name, hover = _("how many units"), _("{n} units").format(n="{y}")
    bars = histogram(before, 60, role="residual", opacity=0.6, legend=False, name=name, hover=hover)
    most = max(1, int(np.max(bars.y)))
    ticks = sorted({0, most // 2, most})
    axis = PlotAxis(title=_("units"), range=(0, 1.05 * most), ticks=ticks)
    return Panel(y=axis, series=[bars], share=0.24)


def _curves(record: Units, before: Array) -> list[Series]:
    """The function; of one with a gate, for several values of it."""
    reach = max(REACH, float(np.abs(before).max()) * 1.05)
    x = np.linspace(-reach, reach, 401)
    if record.function != "gated":
        return [
            Curve(x=x, y=FUNCTIONS[record.function](x), role="muted",
                  name=_(NAMES[record.function]), hover="{name}: {y:.4g}")
        ]  # fmt: skip
    return [
        Curve(x=x, y=FUNCTIONS["silu"](x) * gate, role=role, width=2.5 if gate == 1 else 1.2,
              name=_("gate g = {g}").format(g=number(gate, 1)), hover="{name}: {y:.4g}")
        for gate, role in GATES.items()
    ]  # fmt: skip


def _marks(record: Units, before: Array, after: NDArray[np.float64]) -> list[Series]:
    """Every unit as a dot, the selected one larger, with its number."""
    names, unit = [str(i) for i in range(record.n)], record.unit
    hover = _("unit {u}: {x} → {y}").format(u="{text}", x="{x:.4g}", y="{y:.4g}")
    return [
        Points(x=before, y=after, role="residual", size=5, opacity=0.45, name=_("units"),
               text=names, hover=hover),
        Points(x=[float(before[unit])], y=[float(after[unit])], role="accent", size=11,
               name=_("unit {i}").format(i=unit), labels=[names[unit]], sides="left",
               text=[names[unit]], hover=hover),
    ]  # fmt: skip
