"""Block shapes: the circuit, the signal and the gradient before training, and learning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from core.data import recorded
from core.data.recorded import Recorded
from core.figures.components import Circuit, ResidualSum, Stage, Wired
from core.figures.components.plot import Curve, Plot, PlotAxis, Points
from core.figures.components.plot.parts import Dash, Series, Symbol
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _, ngettext
from core.live_training.records import AtInit
from core.locale import in_quotes, listed
from core.models.needs import NO_MODEL
from core.runs.kinds.training import AtInitRequest
from core.runs.request import Request
from core.shaped.shapes import SHAPES, BlockShape
from core.views.controls import Control
from core.views.nearest import nearest
from core.views.params import MAX_SEED, param
from core.views.stream import SPREADS
from core.views.view import View

# --- which block shape, in a fresh stack of which size, and what was measured of all of them


GROWN = 1.1  # from which factor on two sizes are worth a word
NAMES = {
    "a": N_("A, serial"),
    "b": N_("B, one sum"),
    "c": N_("C, FFN first"),
    "d": N_("D, parallel"),
    "post": N_("post-norm"),
    "qk_norm": N_("QK-norm"),
    "squared": N_("squared ReLU"),
    "dconv": N_("multi-dconv heads"),
}
# At the end of a line, where there is little room: the same in every language.
SHORT = {
    "a": "A", "b": "B", "c": "C", "d": "D", "post": "post", "qk_norm": "QK", "squared": "ReLU²",
    "dconv": "dconv",
}  # fmt: skip
# Each its own colour and dash among the others, so that eight lines can be told apart.
ROLES: Mapping[str, tuple[str, Dash]] = {
    "a": ("query", "solid"),
    "b": ("key", "solid"),
    "c": ("value", "solid"),
    "d": ("weight", "solid"),
    "post": ("key", "dash"),
    "qk_norm": ("query", "dash"),
    "squared": ("value", "dash"),
    "dconv": ("weight", "dash"),
}
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ShapeChoice:
    """Which shape is looked at."""

    shape: str = param("a", choices=NAMES, picked=True, label=N_("Block shape"))


@dataclass(frozen=True, slots=True)
class Shaping(ShapeChoice):
    """The same, in a fresh stack.

    Attributes:
        shape_depth: layers.
        shape_width: d_model.
        shape_spread: standard deviation of the weights; n is how many inputs a matrix has.
        shape_seed: of the weights and the tokens.
    """

    shape_depth: int = param(12, low=2, high=24, label=N_("Layers"))
    shape_width: str = param("64", choices=("32", "64", "128"), label=N_("Width d_model"))
    shape_spread: str = param("fan_in", choices=SPREADS, label=N_("Spread of the fresh weights"))
    shape_seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed"))

    def request(self, shape: str) -> AtInitRequest:
        """The same stack of one shape."""
        return AtInitRequest(
            shape, self.shape_depth, int(self.shape_width), self.shape_seed, self.shape_spread
        )


@dataclass(frozen=True, eq=False)
class Shaped:
    """Fresh stacks of several shapes, and what was asked for."""

    params: Shaping
    stacks: Mapping[str, AtInit]

    @property
    def chosen(self) -> AtInit:
        """The stack of the shape that is looked at."""
        return self.stacks[self.params.shape]

    @property
    def n(self) -> int:
        """How many layers each shape has."""
        return self.params.shape_depth


class ShapesView(View[Shaping, Shaped]):
    """All shapes before any training; which one is looked at changes none of them."""

    needs = NO_MODEL

    def requests(self, params: Shaping) -> tuple[Request, ...]:
        return tuple(map(params.request, SHAPES))

    def compute(self, runs: Sequence[AtInit], params: Shaping) -> Shaped:
        return Shaped(params, dict(zip(SHAPES, runs, strict=True)))


def values_of(chosen: str, drawn: Mapping[str, Floats], places: Sequence[int]) -> dict[str, Values]:
    """What is drawn: the chosen shape by itself, at the last layer, then every shape."""
    along = Along("layer", _("after layer"), [_place(place) for place in places])
    values = {
        "chosen": Values(_("chosen shape"), drawn[chosen], (along,), selected=(len(places) - 1,))
    }
    return values | {name: Values(_(NAMES[name]), line, (along,)) for name, line in drawn.items()}


def _place(place: int) -> str:
    """What a place is called: 0 stands before the first layer."""
    return _("start") if place == 0 else str(place - 1)


# --- the circuits of block shapes: where attention, feed-forward, norms and sums stand


# What a shape is, after its name.
ABOUT = {
    "a": N_("Each part has a sum of its own, so each can learn by itself. It is what GPT-2 and "
            "most models since have."),
    "b": N_("One sum stands around both parts. The feed-forward network reads what attention "
            "gives, without the token's own vector."),
    "c": N_("The same parts in the other order, each with a sum of its own."),
    "d": N_("Both parts read the same norm, and one sum adds both. They can run at the same time, "
            "as in GPT-J and PaLM."),
    "post": N_("The norm stands on the stream, behind each sum, as in the Transformer of 2017."),
    "qk_norm": N_("LayerNorm stands on each head's queries and keys, so that their dot products "
                  "cannot grow without bound."),
    "squared": N_("The feed-forward network squares what ReLU gives. The search behind Primer "
                  "found it."),
    "dconv": N_("Each head's queries, keys and values are mixed with those of the two tokens "
                "before: Primer's multi-dconv-head attention."),
}  # fmt: skip


# Which circuits stand side by side; the chosen one is always among them.
DRAWN = {
    "few": N_("A, D, post-norm"),
    "all": N_("all eight"),
    "placed": N_("A to D"),
    "two": N_("A and the chosen one"),
}
AMONG = {
    "few": ("a", "d", "post"),
    "all": tuple(ABOUT),
    "placed": ("a", "b", "c", "d"),
    "two": ("a",),
}


@dataclass(frozen=True, slots=True)
class InLayer(Shaping):
    """The same, and the layer whose numbers are on the circuits, and which are drawn."""

    shape_layer: int = param(0, low=0, high=23, label=N_("Layer whose numbers are shown"))
    circuits_drawn: str = param("few", choices=DRAWN, label=N_("Circuits"))


class ShapesCircuitView(ShapesView):
    """All circuits, the chosen one marked, with the numbers of one layer."""

    name, Params = "shapes.circuit", InLayer

    def values(self, record: Shaped) -> Mapping[str, Values]:
        parts, layer = record.chosen.parts, _layer(record)
        along = Along("part", _("part"), list(parts))
        sizes = np.array([parts[name][layer] for name in parts])
        return {"size": Values(_("root mean square"), sizes, (along,))}

    def describe(self, record: Shaped) -> Sentence:
        shape, parts, layer = record.params.shape, record.chosen.parts, _layer(record)
        return sentence(
            _("{shape}. {about} In layer {layer} the stream enters with size {before} and the last "
              "sum has size {after}."),
            shape=Mark(_(NAMES[shape]), "strong"),
            about=_(ABOUT[shape]),
            layer=str(layer),
            before=Mark(number(float(parts["resid_pre"][layer])), "residual"),
            after=Mark(number(float(parts["resid_post"][layer])), "residual"),
        )  # fmt: skip

    def controls(self, record: Shaped) -> Sequence[Control]:
        layer, last = str(_layer(record)), record.n - 1
        return (Control("shape_layer", layer, "range", low=0, high=last),)

    def draw(self, record: Shaped) -> Circuit:
        layer = _layer(record)
        assert isinstance(record.params, InLayer)
        return Circuit(
            title=_("How a layer is wired, and how large its numbers are: root mean squares"),
            selection={"shape": record.params.shape},
            circuits=[
                _circuit(name, stack, layer)
                for name, stack in record.stacks.items()
                if name in (*AMONG[record.params.circuits_drawn], record.params.shape)
            ],
            field="shape",
            note=_(
                "The numbers are root mean squares in layer {layer} of a fresh stack. Where two "
                "vectors have nothing in common, their squares add up: √(a² + b²)."
            ).format(layer=layer),
        )


def _layer(record: Shaped) -> int:
    assert isinstance(record.params, InLayer)
    return nearest("shape_layer", record.params.shape_layer, record.n - 1)


def _circuit(name: str, measured: AtInit, layer: int) -> Wired:
    sizes = {site: number(float(line[layer]), 2) for site, line in measured.parts.items()}
    return Wired(
        id=name,
        name=_(NAMES[name]),
        start=sizes["resid_pre"],
        sums=list(_sums(SHAPES[name], sizes)),
        says=_(ABOUT[name]),
    )


def _sums(shape: BlockShape, sizes: Mapping[str, str]) -> Iterator[ResidualSum]:
    """The sums of a block, in the order of computation."""
    attention, feed_forward = list(_attention(shape, sizes)), [_feed_forward(shape, sizes)]
    branches: list[list[list[Stage]]] = {
        "serial": [[attention], [feed_forward]],
        "one_sum": [[[*attention, *feed_forward]]],
        "ffn_first": [[feed_forward], [attention]],
        "parallel": [[attention, feed_forward]],
    }[shape.placement]
    for n, branch in enumerate(branches, 1):
        norm = None
        if shape.norm != "none":
            marked = shape.norm == "post"
            norm = Stage(_("LayerNorm"), "residual", sizes[f"ln_{n}.out"], marked)
        yield ResidualSum(
            first=norm if shape.norm == "pre" else None,
            branches=branch,
            last=norm if shape.norm == "post" else None,
            note=sizes["resid_post" if n == len(branches) else "resid_mid"],
        )


def _attention(shape: BlockShape, sizes: Mapping[str, str]) -> Iterator[Stage]:
    """The boxes of attention; what stands between projection and dot products has its own."""
    if shape.qk_norm or shape.dconv:
        yield Stage(_("make q, k, v"), "weight")
    if shape.dconv:
        yield Stage(_("mix 3 tokens"), "position", sizes["attn.q"], marked=True)
    if shape.qk_norm:
        yield Stage(_("norm q and k"), "residual", sizes["attn.q"], marked=True)
    yield Stage(_("attention"), "weight", sizes["attn.out"])


def _feed_forward(shape: BlockShape, sizes: Mapping[str, str]) -> Stage:
    squared = shape.activation == "relu_squared"
    label = _("FFN, ReLU²") if squared else _("FFN, ReLU")
    return Stage(label, "value", sizes["ffn.out"], marked=squared)


# --- lines that lie on each other, each still to be seen: by its dashes, its marks and its label


SYMBOLS: tuple[Symbol, ...] = get_args(Symbol)
ASIDE, BEHIND = 0.04, 0.2  # where labels stand, and the room they need: shares of the x axis
APART = 0.07  # between two labels: a share of the height that the lines take


@dataclass(frozen=True, slots=True)
class CurveLine:
    """One of several lines over the same steps.

    Attributes:
        name: in the legend.
        y: its numbers.
        look: colour and dashes.
        short: at its end; empty for no label.
        chosen: it is thick, and lies beneath the others.
    """

    name: str
    y: Floats
    look: tuple[str, Dash]
    short: str = ""
    chosen: bool = False

    @property
    def role(self) -> str:
        """Its colour."""
        return "accent" if self.chosen else self.look[0]


def told_apart(
    x: Floats, lines: Sequence[CurveLine], *, hover: str, log: bool = False
) -> Iterator[Series]:
    """The lines, the chosen one first, then marks on each in turn, then their labels.

    Args:
        x: the steps of all.
        lines: over them.
        hover: what a point says.
        log: equal steps of the y axis are equal factors.
    """
    for line in sorted(lines, key=lambda line: not line.chosen):
        yield Curve(
            x=x,
            y=line.y,
            name=line.name,
            role=line.role,
            dash="solid" if line.chosen else line.look[1],
            width=5 if line.chosen else 1.6,
            hover=hover,
        )
    n = len(lines)
    for i, line in enumerate(lines):
        marked = slice(i * len(x) // (2 * n) + 1, None, max(2, len(x) // 3))
        yield Points(
            x=x[marked], y=line.y[marked], role=line.role, symbol=SYMBOLS[i % len(SYMBOLS)],
            size=7, name=line.name, hover=hover, legend=False,
        )  # fmt: skip
    yield from _labels(x, [line for line in lines if line.short], log=log)


def room(x: Floats) -> float:
    """Where the x axis has to end for the labels to stand on it."""
    return float(x[-1] + BEHIND * (x[-1] - x[0]))


def _labels(x: Floats, lines: Sequence[CurveLine], *, log: bool) -> Iterator[Series]:
    """A label for each, and a thin line to it from where its own line ends."""
    if not lines:
        return
    every = np.array([line.y for line in lines], np.float64)
    scaled = np.log(every) if log else every
    least = np.log(4) if log else 1e-9  # what the axis shows at least
    gap = APART * max(float(np.nanmax(scaled) - np.nanmin(scaled)), least)
    places = spaced(scaled[:, -1], gap)
    aside = x[-1] + ASIDE * (x[-1] - x[0])
    for line, place in zip(lines, np.exp(places) if log else places, strict=True):
        ends = [float(x[-1]), float(aside)]
        yield Curve(x=ends, y=[float(line.y[-1]), float(place)], role=line.role, width=0.8,
                    legend=False)  # fmt: skip
        yield Points(
            x=[ends[1]], y=[float(place)], role=line.role, size=3, labels=[line.short], legend=False
        )


def spaced(values: Floats, gap: float) -> Floats:
    """Places as near to some values as can be, in their order and no nearer than a gap.

    Args:
        values: ``(n,)``.
        gap: between two places.
    """
    order = np.argsort(values, kind="stable")
    groups: list[list[float]] = []  # values of places that touch, by their distance to the first
    for value in values[order]:
        groups.append([float(value)])
        while len(groups) > 1 and _first(groups[-1], gap) < _last(groups[-2], gap) + gap:
            groups[-2:] = [groups[-2] + groups[-1]]
    places = np.empty(len(values))
    places[order] = [_first(group, gap) + n * gap for group in groups for n in range(len(group))]
    return places


def _first(group: Sequence[float], gap: float) -> float:
    """The lowest place of values that touch: their middle is that of the values."""
    return sum(group) / len(group) - gap * (len(group) - 1) / 2


def _last(group: Sequence[float], gap: float) -> float:
    return _first(group, gap) + gap * (len(group) - 1)


def plot_of(record: Shaped, drawn: Mapping[str, Floats], first: int, *, title: str, y: str) -> Plot:
    """A line for each shape over the layers."""
    x: Floats = np.arange(first, record.n + 1, dtype=np.float64) - 1
    lines = [
        CurveLine(_(NAMES[name]), line, ROLES[name], SHORT[name], name == record.params.shape)
        for name, line in drawn.items()
    ]
    return Plot(
        title=title,
        x=PlotAxis(title=_("after layer (−1: before the first)"), range=(first - 1.3, room(x))),
        y=PlotAxis(title=y, log=True, range=_wide_enough(drawn)),
        series=list(told_apart(x, lines, hover="{name}: {y:.4g}", log=True)),
        height=480,
    )


def _wide_enough(drawn: Mapping[str, Floats]) -> tuple[float, float] | None:
    """A range for lines that lie so near each other that the axis would make much of nothing."""
    low = min(float(line.min()) for line in drawn.values())
    high = max(float(line.max()) for line in drawn.values())
    middle = float(np.sqrt(low * high))
    return (middle / 2, middle * 2) if low > 0 and high < 2 * low else None


# --- recorded curves: what small models of each shape, whole or broken, have learned --


GROUPS = {
    "shapes": N_("the eight shapes"),
    "depth": N_("twelve layers"),
    "broken": N_("one part broken"),
    "translators": N_("translators"),
}
LINES = {
    "held": N_("loss, held out"),
    "train": N_("loss in training"),
    "right": N_("right guesses, held out"),
}
AXES = {
    "held": N_("loss in nats a token"),
    "train": N_("loss in nats a token"),
    "right": N_("share of right guesses"),
}
CURVE_NAMES = {
    **NAMES,
    "deep": N_("A, 12 layers"),
    "deep_post": N_("post-norm, 12 layers"),
    "no_residual": N_("no residual sums"),
    "unscaled": N_("scores not scaled"),
    "no_positions": N_("no positions"),
    "leak": N_("no causal mask"),
    "wrong_axis": N_("softmax over queries"),
    "translator": N_("translator"),
    "smoothed": N_("label smoothing 0.1"),
    "no_padding_mask": N_("no padding mask"),
}
# The first of a group is what the others are compared with.
MEMBERS = {
    "shapes": tuple(NAMES),
    "depth": ("deep", "deep_post"),
    "broken": ("a", "no_residual", "unscaled", "no_positions", "leak", "wrong_axis"),
    "translators": ("translator", "smoothed", "no_padding_mask"),
}
_LOOKS: tuple[tuple[str, Dash], ...] = (
    ("accent", "solid"), ("key", "solid"), ("value", "solid"), ("weight", "solid"),
    ("warning", "dash"), ("query", "dash"),
)  # fmt: skip
LAST = 5  # measurements at the end of a curve, whose ups and downs are compared with a lead


@dataclass(frozen=True, slots=True)
class OfCurves(ShapeChoice):
    """Which curves are drawn.

    Attributes:
        curve_group: of models that differ in one thing.
        curve_line: what of each.
    """

    curve_group: str = param("shapes", choices=GROUPS, label=N_("Small models"))
    curve_line: str = param("held", choices=LINES, label=N_("Line"))


@dataclass(frozen=True, eq=False)
class RecordedCurves:
    """The curves of a group that have been recorded, and what was asked for."""

    params: OfCurves
    curves: Mapping[str, Recorded]

    def line(self, name: str) -> tuple[float, ...]:
        """What is drawn of one."""
        values: tuple[float, ...] = getattr(self.curves[name], self.params.curve_line)
        return values

    @property
    def order(self) -> list[tuple[str, float]]:
        """Every curve with its end, the best first."""
        ends = [(name, self.line(name)[-1]) for name in self.curves]
        return sorted(ends, key=lambda pair: pair[1], reverse=self.params.curve_line == "right")

    @property
    def compared(self) -> str:
        """The one the others are compared with: the chosen shape, or the first of the group."""
        of_shapes = self.params.curve_group == "shapes"
        return self.params.shape if of_shapes else next(iter(self.curves), "")

    @property
    def wobble(self) -> float:
        """By how much a curve moves up and down at its end: the median over the curves."""
        return float(np.median([np.ptp(self.line(name)[-LAST:]) for name in self.curves]))


def any_recorded() -> bool:
    """Whether there is a curve to be shown."""
    return bool(recorded.curves(recorded.FOLDER))


class ShapesCurvesView(View[OfCurves, RecordedCurves]):
    """A line for each model over the steps of its training."""

    name, Params, needs = "shapes.curves", OfCurves, NO_MODEL

    def compute(self, runs: Sequence[object], params: OfCurves) -> RecordedCurves:
        every = recorded.curves(recorded.FOLDER)
        members = MEMBERS[params.curve_group]
        return RecordedCurves(params, {name: every[name] for name in members if name in every})

    def values(self, record: RecordedCurves) -> Mapping[str, Values]:
        return {
            name: Values(
                _(CURVE_NAMES[name]),
                np.array(record.line(name), np.float64),
                (Along("step", _("step"), [str(step) for step in curve.steps]),),
            )
            for name, curve in record.curves.items()
        }

    def describe(self, record: RecordedCurves) -> Sentence:
        if not record.curves:
            return sentence(_("No curve of these models has been recorded."))
        (best, least), (worst, most) = record.order[0], record.order[-1]
        written = percent if record.params.curve_line == "right" else number
        n = max(curve.steps[-1] for curve in record.curves.values())
        ends = sentence(
            _("After {n} steps “{best}” is at {least} and “{worst}” at {most}.")
            if record.params.curve_line != "train"
            else _("In training, after {n} steps “{best}” is at {least} and “{worst}” at {most}. "
                   "A loss in training may be low because the answer can be seen."),
            n=str(n),
            best=Mark(_(CURVE_NAMES[best]), "strong"),
            least=Mark(written(least), "accent"),
            worst=Mark(_(CURVE_NAMES[worst]), "strong"),
            most=Mark(written(most), "warning"),
        )  # fmt: skip
        return join([ends, *_lead(record)])

    def draw(self, record: RecordedCurves) -> Plot:
        line = record.params.curve_line
        return Plot(
            title=_("Small models, {group}: {line}").format(
                line=_(LINES[line]), group=_(GROUPS[record.params.curve_group])
            ),
            x=PlotAxis(title=_("training step"), range=_reach(record)),
            y=PlotAxis(title=_(AXES[line])),
            series=_series(record) or [Curve(x=[0], y=[np.nan], role="muted")],
            height=480,
        )


def _steps(record: RecordedCurves) -> Floats:
    """All are of the same budget, so they were asked at the same steps."""
    return np.array(next(iter(record.curves.values())).steps, np.float64)


def _series(record: RecordedCurves) -> list[Series]:
    if not record.curves:
        return []
    return list(told_apart(_steps(record), _lines(record), hover="{name}: {y:.3f}"))


def _reach(record: RecordedCurves) -> tuple[float, float] | None:
    """With room for the labels of shapes."""
    if not record.curves or record.params.curve_group != "shapes":
        return None
    return 0.0, room(_steps(record))


def _lines(record: RecordedCurves) -> list[CurveLine]:
    """Of shapes the chosen one is thick, of others the one they are compared with."""
    of_shapes = record.params.curve_group == "shapes"
    return [
        CurveLine(
            _(CURVE_NAMES[name]),
            np.array(record.line(name)),
            ROLES[name] if of_shapes else _LOOKS[i % len(_LOOKS)],
            SHORT[name] if of_shapes else "",
            name == record.compared,
        )
        for i, name in enumerate(record.curves)
    ]


def _lead(record: RecordedCurves) -> list[Sentence]:
    """How far the best is ahead, and how many are level with what they are compared with."""
    order = record.order
    if len(order) < 2:
        return []
    (best, end), (second, after) = order[:2]
    written = percent if record.params.curve_line == "right" else number
    wobble = record.wobble
    gap = abs(after - end)
    ahead = (
        _("“{best}” ends {gap} ahead of “{second}”. That is more than a curve moves up and down in "
          "its last {n} measurements: {wobble}.")
        if gap > wobble
        else _("“{best}” ends {gap} ahead of “{second}”. A curve moves up and down by {wobble} in "
               "its last {n} measurements, so this lead may be chance.")
    )  # fmt: skip
    lead = sentence(
        ahead, best=Mark(_(CURVE_NAMES[best]), "strong"),
        second=Mark(_(CURVE_NAMES[second]), "strong"),
        gap=Mark(written(gap), "accent"), wobble=written(wobble), n=str(LAST),
    )  # fmt: skip
    compared = dict(order).get(record.compared)
    if compared is None or len(order) < 4:
        return [lead]
    level = [
        name for name, end in order if name != record.compared and abs(end - compared) <= wobble
    ]
    if not level:
        return [lead]
    template = ngettext(
        "{n} other ends so near to “{own}” that one run cannot tell them apart: {names}.",
        "{n} others end so near to “{own}” that one run cannot tell them apart: {names}.",
        len(level),
    )
    return [lead, sentence(
        template, n=str(len(level)), own=Mark(_(CURVE_NAMES[record.compared]), "strong"),
        names=listed(in_quotes(_(CURVE_NAMES[name])) for name in level),
    )]  # fmt: skip


# --- the gradient of the loss at what each layer of fresh stacks hands on -------------


class ShapesGradientView(ShapesView):
    """The backward pass: a line for each shape."""

    name, Params = "shapes.gradient", Shaping

    def values(self, record: Shaped) -> Mapping[str, Values]:
        return values_of(record.params.shape, _gradients(record), range(1, record.n + 1))

    def describe(self, record: Shaped) -> Sentence:
        return join([_along_the_layers(record), _at_the_top(record)])

    def draw(self, record: Shaped) -> Plot:
        return plot_of(
            record,
            _gradients(record),
            1,
            title=_("Gradient of the loss before training, backward"),
            y=_("root mean square of the gradient"),
        )


def _along_the_layers(record: Shaped) -> Sentence:
    """How the gradient after the first layer compares with that after the last."""
    line = record.chosen.gradient
    ratio = float(line[1] / line[-1])
    return sentence(
        _("{shape}: the gradient at the first layer's output is {times} times that at the last "
          "layer's."),
        shape=Mark(_(NAMES[record.params.shape]), "strong"),
        times=Mark(number(ratio), "accent"),
    )  # fmt: skip


def _at_the_top(record: Shaped) -> Sentence:
    """What the place of the norm does to the gradient that enters the last layer's output."""
    post, pre = (record.stacks[name] for name in ("post", "a"))
    grown = float(pre.size[-1] / pre.size[0]) > GROWN
    return sentence(
        _("At the last layer post-norm's gradient is {times} times that of A: the final norm of A "
          "divides by {size}, the size to which its stream has grown.")
        if grown
        else _("At the last layer post-norm's gradient is {times} times that of A: the stream of A "
               "has hardly grown, to size {size}, so there is little to divide by."),
        times=Mark(number(float(post.gradient[-1] / pre.gradient[-1])), "accent"),
        size=Mark(number(float(pre.size[-1])), "residual"),
    )  # fmt: skip


def _gradients(record: Shaped) -> dict[str, Floats]:
    """At the output of each layer."""
    return {name: stack.gradient[1:] for name, stack in record.stacks.items()}


# --- the residual stream of fresh stacks: how large its numbers are after every layer -


class ShapesSignalView(ShapesView):
    """The forward pass: a line for each shape."""

    name, Params = "shapes.signal", Shaping

    def values(self, record: Shaped) -> Mapping[str, Values]:
        return values_of(record.params.shape, _sizes(record), range(record.n + 1))

    def describe(self, record: Shaped) -> Sentence:
        size = record.chosen.size
        name = Mark(_(NAMES[record.params.shape]), "strong")
        if abs(size[-1] - 1) < 0.01 and abs(size[1] - 1) < 0.01:
            first = sentence(
                _("{shape}: every layer hands on numbers of size {end}, because a norm stands "
                  "behind the last sum."),
                shape=name, end=Mark(number(float(size[-1])), "residual"),
            )  # fmt: skip
        else:
            first = sentence(
                _("{shape}: the numbers of the residual stream begin with size {start} and have "
                  "size {end} after {n} layers."),
                shape=name, start=Mark(number(float(size[0])), "residual"),
                end=Mark(number(float(size[-1])), "residual"), n=str(record.n),
            )  # fmt: skip
        least, most = (
            pick(record.stacks, key=lambda name: float(record.stacks[name].size[-1]))
            for pick in (min, max)
        )
        high, low = (float(record.stacks[name].size[-1]) for name in (most, least))
        second = sentence(
            _("After the last layer they are largest in “{most}”, {high}, and smallest in "
              "“{least}”, {low}.")
            if high > GROWN * low
            else _("After the last layer they have about the same size in every shape."),
            most=_(NAMES[most]), high=number(high), least=_(NAMES[least]), low=number(low),
        )  # fmt: skip
        return join([first, second])

    def draw(self, record: Shaped) -> Plot:
        return plot_of(
            record,
            _sizes(record),
            0,
            title=_("Size of the residual stream before training, forward"),
            y=_("root mean square"),
        )


def _sizes(record: Shaped) -> dict[str, Floats]:
    return {name: stack.size for name, stack in record.stacks.items()}
