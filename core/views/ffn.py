"""The feed-forward network: its units, what they fire on, what they write, its curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import largest
from core.analysis.units import FUNCTIONS, gelu, gelu_tanh, logits_per_one, strongest, word_cosines
from core.figures import tokens
from core.figures.components import Axis, How, Matrix, Scale, Sheet, Strip
from core.figures.components.arithmetic import Apply, ArithmeticStep, Of, Products, Ranks, Times
from core.figures.components.matrix import signed_limit
from core.figures.components.plot import Curve, Panel, Plot, PlotAxis, Points, Series, histogram
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _, name_of
from core.locale import grouped, in_quotes, listed
from core.models.blueprint import Stack
from core.models.needs import Needs
from core.runs.kinds.trace import Run, TraceRequest
from core.runs.request import Request
from core.tracing.trace import Array, Trace
from core.units import Unit
from core.views.controls import Control
from core.views.nearest import nearest
from core.views.params import OnStack, param
from core.views.parts import tower_called
from core.views.view import View

# --- one layer's feed-forward network on a text: what every view of its units is computed from


N_UNITS = 12  # rows of the figure
N_WORDS = 4  # that a unit has most to do with, and as many at the other end

NAMES = {
    "relu": N_("ReLU"),
    "gelu": N_("GELU (erf)"),
    "gelu_tanh": N_("GELU (tanh)"),
    "relu_squared": N_("squared ReLU"),
    "silu": N_("SiLU"),
    "gated": N_("gated SiLU"),
}


@dataclass(frozen=True, slots=True)
class AtUnit(OnStack):
    """A unit of a layer, and a token.

    Attributes:
        layer, token: counted from 0; token -1 for the last word.
        unit: its number; -1 for the strongest.
        rank: which units are listed: the strongest for the "token" or anywhere in the "text".
        function: which non-linearity is drawn; "own" is the model's.
    """

    layer: int = param(5, low=0, high=255, picked=True, label=N_("Layer"))
    token: int = param(-1, low=-1, high=100_000, picked=True, label=N_("Token"))
    unit: int = param(-1, low=-1, high=100_000, picked=True, label=N_("Unit"))
    rank: str = param(
        "token",
        choices={"token": N_("on this token"), "text": N_("anywhere in the text")},
        label=N_("Most active units"),
    )
    function: str = param(
        "own",
        choices={"own": N_("the model's own"), **NAMES},
        label=N_("Activation function drawn"),
    )


@dataclass(frozen=True, eq=False)
class Units:
    """One layer's feed-forward network on a text.

    Attributes:
        run: the whole run.
        params: what was asked for.
    """

    run: Run
    params: AtUnit

    @property
    def trace(self) -> Trace:
        return self.run.trace

    # --- where in the model --------------------------------------------------------------

    @property
    def stack(self) -> Stack:
        return self.trace.blueprint.stack(self.params.stack)

    @property
    def layer(self) -> int:
        return nearest("layer", self.params.layer, self.stack.n_layers - 1)

    @property
    def prefix(self) -> str:
        """Of the sites of this layer's network."""
        return f"{self.stack.block(self.layer)}.ffn."

    @property
    def place(self) -> str:
        """The block in a sentence: "2", or "2 (encoder)" in a model of two stacks."""
        if len(self.trace.blueprint.stacks) == 1:
            return str(self.layer)
        return f"{self.layer} ({tower_called(self.stack)})"

    @property
    def reads(self) -> str:
        """The site of what the network is given."""
        return f"{self.stack.block(self.layer)}.{self.stack.input_of('ffn')}"

    def site(self, name: str) -> Array:
        """A site of this layer's network, ``(T, ...)``."""
        return self.trace[self.prefix + name]

    # --- tokens and units ----------------------------------------------------------------

    @property
    def tokens(self) -> tuple[Unit, ...]:
        """Of the stream that the network works on."""
        return self.trace.streams[self.stack.stream].units

    @property
    def token(self) -> int:
        chosen, words = self.params.token, self.tokens
        return tokens.last_word(words) if chosen < 0 else nearest("token", chosen, len(words) - 1)

    @property
    def n(self) -> int:
        """How many units there are."""
        return int(self.site("post").shape[1])

    @cached_property
    def listed(self) -> list[int]:
        """The units that are shown, strongest first; the selected one is always among them."""
        post = self.site("post")
        sizes = post[self.token] if self.params.rank == "token" else np.abs(post).max(axis=0)
        units = strongest(sizes, N_UNITS)
        if self.chosen >= 0 and self.chosen not in units:
            units[-1] = self.chosen
        return units

    @property
    def chosen(self) -> int:
        """The unit that is asked for; -1 for none."""
        return nearest("unit", self.params.unit, self.n - 1, -1)

    @property
    def unit(self) -> int:
        return self.chosen if self.chosen >= 0 else self.listed[0]

    @property
    def row(self) -> int:
        """The selected unit's place among those listed."""
        return self.listed.index(self.unit)

    def name(self, position: int) -> str:
        """A token inside a sentence."""
        return self.tokens[position].spoken

    def selection(self) -> dict[str, int | str | None]:
        """By the names of the parameters."""
        return {"token": self.token, "unit": self.unit, "layer": self.layer}

    @property
    def along(self) -> tuple[Along]:
        """The tokens, for numbers."""
        return (Along("token", _("token"), tokens.labels(self.tokens)),)

    # --- the non-linearity ---------------------------------------------------------------

    @property
    def activation(self) -> str:
        """The model's own non-linearity."""
        return self.stack.activation

    @property
    def function(self) -> str:
        """The one that is drawn."""
        return self.activation if self.params.function == "own" else self.params.function

    # --- what a unit writes --------------------------------------------------------------

    @property
    def to_logits(self) -> bool:
        """Only a norm and the output matrix stand between the last block and the logits."""
        blueprint = self.trace.blueprint
        norm = blueprint.final_norm(self.stack)
        return norm is not None and blueprint.head.table is not None

    @property
    def last(self) -> bool:
        """Whether this is the last layer, so that no block reads what it writes."""
        return self.layer == self.stack.n_layers - 1

    @cached_property
    def per_word(self) -> Array:
        """Each listed unit against every word: logits for each 1 of it, or else cosines."""
        where = self.trace, self.stack, self.layer, self.listed
        return logits_per_one(*where, self.token) if self.to_logits else word_cosines(*where)

    def words(self, row: int, n: int = N_WORDS) -> list[tuple[str, float]]:
        """The words with a listed unit's largest numbers, then those with its smallest."""
        numbers = self.per_word[row]
        chosen = [*largest(numbers, n), *largest(-numbers, n)[::-1]]
        return [(self.run.words(int(i)).label, float(self.per_word[row, i])) for i in chosen]


def entering(record: Units) -> str:
    """What a unit's number is called where it enters the activation function: before GELU."""
    function = _(NAMES[record.activation]).partition(" (")[0]
    return _("before {function}").format(function=function)


class UnitsView(View[AtUnit, Units]):
    """A view of the units of a layer."""

    Params, needs = AtUnit, Needs(parts=("blocks",))

    def requests(self, params: AtUnit) -> tuple[Request, ...]:
        """The whole trace: every page on a text shares this one run."""
        return (TraceRequest(params.model, params.given),)

    def compute(self, runs: Sequence[Run], params: AtUnit) -> Units:
        return Units(runs[0], params)

    def controls(self, record: Units) -> Sequence[Control]:
        options = [(name, _(label)) for name, label in NAMES.items()]
        return (Control("function", record.function, options=options),)

    def facts(self, record: Units) -> Sequence[str]:
        template = _(
            "{model} · layer {layer} · {n} units · unit {unit} on “{token}” · ran in {ms} ms"
        )
        return (
            template.format(
                model=name_of(record.params.model),
                layer=record.place,
                n=grouped(record.n),
                unit=record.unit,
                token=record.name(record.token),
                ms=f"{record.trace.seconds * 1e3:.0f}",
            ),
        )


def reading(record: Units, position: int) -> Sentence:
    """How many units answer to one token, and which does most."""
    pre, post = record.site("pre")[position], record.site("post")[position]
    best = strongest(post, 1)[0]
    everywhere = record.site("post")[:, best]
    most = int(np.abs(everywhere).argmax())
    where = (
        _("nowhere in this text is it more active")
        if most == position
        else _("on “{other}” it reaches {value}").format(
            other=record.name(most), value=number(float(everywhere[most]))
        )
    )
    return sentence(
        _("On “{token}”, {n} of {all} units are active ({share}). Unit {unit} is the most "
          "active, with {value}, and {where}."),
        token=Mark(record.name(position), "query"),
        n=str(int((pre > 0).sum())),
        all=grouped(record.n),
        share=percent(float((pre > 0).mean())),
        unit=Mark(str(best), "strong"),
        value=Mark(number(float(post[best])), "accent"),
        where=where,
    )  # fmt: skip


def direct_path(record: Units) -> list[Sentence]:
    """What the numbers of a unit before the last block leave out; nothing to say of others."""
    if record.last or not record.to_logits:
        return []
    return [sentence(_("This is the direct path alone: later layers read it too."))]


# --- the non-linearity, with the token's own values marked on it ----------------------


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


class FfnCurveView(UnitsView):
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


# --- the tokens, coloured by how much the selected unit fires on each -----------------


class FfnStripView(UnitsView):
    """One unit on every token."""

    name = "ffn.strip"

    def values(self, record: Units) -> Mapping[str, Values]:
        along, selected = record.along, (record.token,)

        def of(label: str, site: str) -> Values:
            numbers = record.site(site)[:, record.unit]
            return Values(label, numbers, along, site=record.prefix + site, selected=selected)

        positions = np.arange(len(record.tokens))
        return {
            "position": Values(_("position"), positions, along, selected=selected),
            "before": of(entering(record), "pre"),
            "after": of(_("after"), "post"),
        }

    def describe(self, record: Units) -> Sentence:
        return reading(record, record.token)

    def draw(self, record: Units) -> Strip:
        heat = record.site("post")[:, record.listed].T
        title = _("Activation of unit {unit} in layer {layer}, for each token").format(
            unit=record.unit, layer=record.place
        )
        return Strip(
            title=title,
            name=title,
            selection=record.selection(),
            tokens=[tokens.chip(token) for token in record.tokens],
            cut=tokens.cut_text(record.run.cut),
            default=record.token,
            heading=sentence(_("Activation of the selected unit for each token")),
            heat=heat,
            heat_field="unit",
            heat_ids=record.listed,
            heat_role="signed",
            heat_limit=float(np.abs(heat).max()) or 1.0,
            heat_digits=2,
            readings=[reading(record, position) for position in range(len(record.tokens))],
        )


# --- which units fire on which tokens; any cell with its arithmetic and the unit's words


SHORT = {  # as a function is written before its argument
    "relu": "ReLU", "gelu": "GELU", "gelu_tanh": "GELU", "relu_squared": "ReLU²", "silu": "SiLU",
}  # fmt: skip


class FfnUnitsView(UnitsView):
    """The strongest units against the tokens."""

    name, kept = "ffn.units", True

    def values(self, record: Units) -> Mapping[str, Values]:
        listed = record.listed
        units = Along("unit", _("unit"), [str(unit) for unit in listed])
        axes, selected = (units, *record.along), (record.row, record.token)

        def of(label: str, site: str) -> Values:
            numbers = record.site(site)[:, listed].T
            return Values(label, numbers, axes, site=record.prefix + site, selected=selected)

        positions = np.tile(np.arange(len(record.tokens)), (len(listed), 1))
        ranked = [record.words(row) for row in range(len(listed))]
        ranks = (units, Along("rank", _("rank"), [str(rank) for rank in range(2 * N_WORDS)]))
        return {
            "position": Values(_("position"), positions, axes, selected=selected),
            "before": of(entering(record), "pre"),
            "after": of(_("after"), "post"),
            "words": Values(_("word"), np.array([[w for w, _n in row] for row in ranked]), ranks),
            "amounts": Values(
                measure(record), np.array([[n for _w, n in row] for row in ranked]), ranks
            ),
        }

    def describe(self, record: Units) -> Sentence:
        words = [in_quotes(word.removeprefix("·")) for word, _value in record.words(record.row)]
        gives = sentence(
            _("On “{token}”, unit {unit} has activation {value}."),
            unit=Mark(str(record.unit), "strong"),
            value=Mark(number(float(record.site("post")[record.token, record.unit])), "accent"),
            token=Mark(record.name(record.token), "query"),
        )
        template = (
            _(
                "One unit of this activation adds most to the logits of {most}, and least to those "
                "of {least}."
            )
            if record.to_logits
            else _(
                "The words whose vectors are most like what it writes: {most}. Least like "
                "it: {least}."
            )
        )
        named = sentence(template, most=listed(words[:N_WORDS]), least=listed(words[N_WORDS:]))
        return join([gives, named, *direct_path(record)])

    def draw(self, record: Units) -> Matrix:
        listed = record.listed
        post = record.site("post")[:, listed].T
        sheet = Sheet(
            title=_title(record),
            array="post",
            rows=Axis(
                [_("unit {i}").format(i=unit) for unit in listed],
                "unit",
                "accent",
                ids=listed,
                found=True,
            ),
            cols=Axis(tokens.labels(record.tokens), "token", "query"),
            scale=Scale("signed", signed_limit(post)),
            max_cell=26,
            row_height=26,
            alt="",
            axes=sentence(_("rows: units · columns: tokens")),
            how=How(_("{row} on “{col}”"), _steps(record)),
            source=record.trace.source(f"{record.prefix}post"),
        )
        return Matrix(
            selection=record.selection(),
            sheets=[sheet],
            lists={"words": [tuple(record.words(row)) for row in range(len(listed))]},
            arrays={
                "post": post,
                "pre": record.site("pre")[:, listed].T,
                "x": record.trace[record.reads],
                **_made_of(record),
            },
        )


def measure(record: Units) -> str:
    """What a unit's number for a word is."""
    return _("logit per unit of activation") if record.to_logits else _("cosine")


def _title(record: Units) -> str:
    if record.params.rank == "text":
        return _("The most active units anywhere in this text")
    return _("The most active units on “{token}”").format(token=record.name(record.token))


def _steps(record: Units) -> list[ArithmeticStep]:
    before = Of("pre", row="unit", col="token")
    return [
        Products(
            title=_("Before: the unit's row of W₁ times the token's vector"),
            name="h",
            a=Of("w_1", row="unit", role="residual"),
            b=Of("x", row="token", role="query"),
            plus=Of("b_1", at="unit") if record.stack.biases else None,
            result=before,
        ),
        *_after(record, before),
        Ranks(title=_words_title(record), list_="words", role="accent"),
    ]


def _after(record: Units, before: Of) -> list[ArithmeticStep]:
    """From before to after the activation function; with a gate, times that."""
    after = Of("post", row="unit", col="token", role="accent")
    title, name = _("After: the activation function"), SHORT[record.activation]
    if not record.stack.gated:
        return [Apply(title=title, now=True, name=name, x=before, result=after)]
    active, gate = (Of(array, row="unit", col="token") for array in ("active", "gate"))
    return [
        Apply(title=title, name=name, x=before, result=active),
        Products(
            title=_("The gate: the unit's row of its second matrix times the same vector"),
            name="g",
            a=Of("w_gate", row="unit", role="residual"),
            b=Of("x", row="token", role="query"),
            plus=Of("b_gate", at="unit") if record.stack.biases else None,
            result=gate,
        ),
        Times(title=_("After: multiplied by the gate"), now=True, a=active, b=gate, result=after),
    ]


def _made_of(record: Units) -> dict[str, Array]:
    """The rows of the matrices, and what a gated network computes on the way."""
    listed, weights, stack = record.listed, record.trace.weights, record.stack
    arrays: dict[str, Array] = {}
    for name in ("1", "gate") if stack.gated else ("1",):
        arrays[f"w_{name}"] = weights[f"{record.prefix}w_{name}.weight"][listed]
        if stack.biases:
            arrays[f"b_{name}"] = weights[f"{record.prefix}w_{name}.bias"][listed]
    if stack.gated:
        before = record.site("pre")[:, listed].T
        arrays["active"] = FUNCTIONS[record.activation](before).astype(np.float32)
        arrays["gate"] = record.site("gate")[:, listed].T
    return arrays


def _words_title(record: Units) -> str:
    if not record.to_logits:
        return _("Words whose vectors are most and least like what it writes (cosine)")
    # The token is named: another one can be pointed at while the list stays.
    return _("What one unit of this activation adds to the logits after “{token}” (scale "
             "of the final norm held fixed)").format(token=record.name(record.token))  # fmt: skip


# --- the words that what the selected unit writes has most and least to do with -------


N_ENDS = 8  # words at each end


class FfnWordsView(UnitsView):
    """The ends of the list of all words."""

    name = "ffn.words"

    def values(self, record: Units) -> Mapping[str, Values]:
        labels, numbers = _lists(record)
        axes = (
            Along("end", _("end"), _ends()),
            Along("rank", _("rank"), [str(rank) for rank in range(N_ENDS)]),
        )
        return {
            "words": Values(_("token"), np.array(labels), axes, selected=(0, 0)),
            "amounts": Values(measure(record), numbers, axes, selected=(0, 0)),
        }

    def describe(self, record: Units) -> Sentence:
        labels, values = _lists(record)
        unit = Mark(str(record.unit), "strong")
        value, word = Mark(number(float(values[0, 0])), "accent"), labels[0][0].removeprefix("·")
        if not record.to_logits:
            return sentence(
                _("Of all words, the vector of “{word}” is most like what unit {unit} writes, "
                  "with a cosine of {value}. Norms and the model's own head still follow, so "
                  "this is no measure of what the model predicts."),
                unit=unit, value=value, word=word,
            )  # fmt: skip
        activation = float(record.site("post")[record.token, record.unit])
        counted = sentence(
            _("On “{token}”, unit {unit} has activation {given}. One unit of activation adds "
              "{value} to the logit of “{word}” as the next token. This holds for this token, "
              "with the scale of the final norm held fixed."),
            unit=unit, value=value, word=word,
            token=Mark(record.name(record.token), "query"),
            given=Mark(number(activation), "accent"),
        )  # fmt: skip
        return join([counted, *direct_path(record)])

    def draw(self, record: Units) -> Matrix:
        labels, values = _lists(record)
        sheet = Sheet(
            title=_written_title(record),
            array="values",
            texts=labels,
            rows=Axis(_ends(), "row", "accent"),
            cols=Axis([str(i) for i in range(N_ENDS)], "col", "residual", hide=True),
            scale=Scale("signed", signed_limit(values)),
            max_cell=130,
            least_cell=66,
            row_height=28,
            alt="",
            axes=Sentence((Mark(_axes(record), "plain"),)),
        )
        return Matrix(sheets=[sheet], arrays={"values": values})


def _written_title(record: Units) -> str:
    return _("What unit {unit} of layer {layer} writes").format(
        unit=record.unit, layer=record.place
    )


def _ends() -> list[str]:
    return [_("most"), _("least")]


def _axes(record: Units) -> str:
    if not record.to_logits:
        return _("cosine of its column of W₂ with a word's vector in the token table")
    return _("what one unit of activation adds to a word's logit: its column of W₂, through "
             "the final norm (scale held fixed as on “{token}”) and the output matrix").format(
        token=record.name(record.token))  # fmt: skip


def _lists(record: Units) -> tuple[list[list[str]], Array]:
    """Words and numbers: those with the largest, and those with the smallest."""
    numbers = record.per_word[record.row]
    ids = np.stack([largest(numbers, N_ENDS), largest(-numbers, N_ENDS)])
    labels = [[record.run.words(int(i)).label for i in row] for row in ids]
    return labels, np.asarray(numbers[ids], np.float32)
