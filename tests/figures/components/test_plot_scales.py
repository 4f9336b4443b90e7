"""The ranges and ticks of a plot's axes, the templates of its points, and what is no plot."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from core.figures.components.plot import BarSeries, Curve, Heat, PlotAxis, Points, Rule, hover
from core.figures.components.plot.page import described
from core.figures.components.plot.scales import Need, nice_step, scale_of, tick_label
from core.figures.components.plot.strokes import cells_at
from core.figures.theme import PALETTES
from tests.figures.components.drawn import number
from tests.figures.components.plots import NAN, plot

# --- ranges and ticks -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("axis", "soft", "firm", "wanted"),
    [
        ({}, [0, 10], [], (-0.5, 10.5)),
        ({}, [0, 10], [0, 10], (0, 10)),
        ({}, [2, 10], [0], (0, 10.5)),
        ({"from_zero": True}, [2, 10], [], (0, 10.5)),
        ({"from_zero": True}, [-2, -10], [], (-10.5, 0)),
        ({"reversed": True}, [0, 10], [], (10.5, -0.5)),
        ({"range": (3, 1)}, [0, 10], [], (3, 1)),
        ({"log": True}, [1, 100], [], (10**-0.1, 10**2.1)),
        ({"log": True}, [0, -1, NAN, 10, 1000], [], (10**0.9, 10**3.1)),
        ({"categories": ["a", "b"]}, [0, 1], [], (-0.5, 1.5)),
        ({"categories": ["a", "b"], "reversed": True}, [], [], (1.5, -0.5)),
        ({}, [5], [], (3.9, 6.1)),
        ({}, [], [], (-0.05, 1.05)),
        ({"log": True}, [], [], (10**-0.05, 10**1.05)),
        ({}, [0], [0], (0, 1.05)),  # bars without a length
        ({}, [NAN, math.inf, 4, 6], [], (3.9, 6.1)),
    ],
)
def test_a_range_holds_everything_and_spares_a_twentieth(axis, soft, firm, wanted):
    need = Need()
    for value in soft:
        need.add([value])
    for value in firm:
        need.add([value], firm=True)
    scale = scale_of(PlotAxis(title="a", **axis), need)
    assert (scale.low, scale.high) == pytest.approx(wanted)


def test_lines_go_to_the_sides_and_dots_do_not():
    line, dots = ({"x": [0, 10], "y": [0, 1], "role": "query"} for _ in range(2))
    space = plot(series=[Curve(**line)]).space
    assert (space.x.low, space.x.high) == (0, 10)
    assert space.panels[0].low == -0.05
    assert plot(series=[Curve(**dots, markers=4)]).space.x.low == -0.5
    assert plot(series=[Points(**dots)]).space.x.low == -0.5
    both = plot(series=[Curve(**line), Points(x=[4], y=[0], role="key")])
    assert both.space.x.low == 0
    assert plot(series=[Heat(z=np.zeros((2, 3)))]).space.x.high == 2.5
    bars = {"x": [0, 10], "y": [0, 1], "role": "key"}
    assert plot(series=[BarSeries(**bars)]).space.x.low == -5
    assert plot(series=[BarSeries(**bars, width=2)]).space.x.low == -1
    assert plot(series=[Curve(**line)], rules=[Rule(y=3)]).space.panels[0].high == 3.15


@pytest.mark.parametrize(("x", "anchor"), [(5, "left"), (9.5, "right")])
def test_the_word_of_a_rule_at_the_end_stands_before_it(x, anchor):
    line = Curve(x=[0, 10], y=[0, 1], role="query")
    ruled = plot(series=[line], rules=[Rule(x=x, text="here")])
    (word,) = described(ruled, PALETTES["light"])["layout"]["annotations"]
    assert (word["text"], word["xanchor"]) == ("here", anchor)
    (shape,) = re.findall(r"<text[^>]*>here</text>", ruled.drawing("light"))
    assert ("text-anchor='end'" in shape) == (anchor == "right")


def test_steps_are_one_two_or_five():
    rng = np.random.default_rng(1)
    for least in 10 ** rng.uniform(-12, 12, 500):
        step = nice_step(least)
        assert least * (1 - 1e-6) <= step < 2.6 * least
        assert round(step / 10 ** math.floor(math.log10(step) + 1e-9), 6) in (1, 2, 5)
    assert nice_step(0.3, whole=True) == 1
    assert [nice_step(10.0**n) for n in range(-3, 4)] == [10.0**n for n in range(-3, 4)]


def test_ticks_are_multiples_within_the_range():
    rng = np.random.default_rng(2)
    for _ in range(300):
        low = rng.normal(0, 10 ** rng.uniform(-4, 6))
        high = low + 10 ** rng.uniform(-3, 7)
        scale = scale_of(PlotAxis(title="a", range=(low, high)), Need(whole=False))
        ticks = scale.ticks(8)
        assert 2 <= len(ticks) <= 9
        values = np.array([value for value, _label in ticks])
        assert low - 1e-9 * (high - low) <= values.min()
        assert values.max() <= high + 1e-9 * (high - low)
        steps = np.diff(values)
        assert np.allclose(steps, steps[0])
        assert len({label for _value, label in ticks}) == len(ticks)
        assert [number(label) for _value, label in ticks] == pytest.approx(
            list(values), rel=1e-8, abs=1e-9 * (high - low)
        )


@pytest.mark.parametrize(
    ("low", "high", "most", "wanted"),
    [
        (1, 1000, 8, ["1", "10", "100", "1,000"]),
        (1e-24, 10, 8, ["10⁻²⁴", "10⁻²⁰", "10⁻¹⁶", "10⁻¹²", "10⁻⁸", "10⁻⁴", "1"]),
        (0.04, 0.9, 8, ["0.05", "0.1", "0.2", "0.5"]),
        (0.5, 30, 8, ["0.5", "1", "2", "5", "10", "20"]),
        (3, 4.6, 5, ["3", "3.5", "4", "4.5"]),
    ],
)
def test_a_logarithmic_axis_has_decades_or_what_lies_between_them(low, high, most, wanted):
    scale = scale_of(PlotAxis(title="a", log=True, range=(low, high)), Need(whole=False))
    assert [label for _value, label in scale.ticks(most)] == wanted


def test_whole_numbers_have_whole_ticks():
    one = plot(series=[Curve(y=[1, 2, 1], role="query", markers=4)])
    assert [label for _value, label in one.space.x.ticks(10)] == ["0", "1", "2"]
    assert [label for _value, label in one.space.panels[0].ticks(10)] == ["1", "2"]


@pytest.mark.parametrize(
    ("value", "label"),
    [(0, "0"), (-0.5, "−0.5"), (0.30000000000000004, "0.3"), (20000, "20,000"), (-1024, "−1,024"),
     (2e6, "2×10⁶"), (1e-7, "10⁻⁷"), (-1e9, "−10⁹"), (0.0001, "0.0001"), (-2.5e-6, "−2.5×10⁻⁶")],
)  # fmt: skip
def test_a_tick_is_written_as_people_read_it(value, label):
    assert tick_label(value) == label


def test_cells_of_one_size_have_as_many_pixels():
    for n, start, length in ((7, 3.0, 100.0), (50, 60.5, 333.3), (512, 0.0, 512.0)):
        middles = np.linspace(start, start + length, n + 1)
        for edges in (middles, middles[::-1]):
            found = cells_at(edges, start, length)
            counts = np.bincount(found)
            assert (counts == counts[0]).all()
            assert len(found) >= 2 * length
            assert found[0] == (0 if edges[0] < edges[-1] else n - 1)
    assert (cells_at(np.array([10.0, 20.0]), 0.0, 30.0) == -1).sum() * 1.5 == len(
        cells_at(np.array([10.0, 20.0]), 0.0, 30.0)
    )


# --- what points say --------------------------------------------------------------------------

KINDS: dict[str, hover.Kind] = {"x": "whole", "y": "real", "text": "text"}


def test_a_template_is_words_and_fields():
    parts = list(hover.parts("at {x}:\n{y:.6f} {y} {text}{", KINDS))
    assert parts == ["at ", ("x", ",d"), ":\n", ("y", ".6f"), " ", ("y", ".4g"), " ",
                     ("text", ""), "{"]  # fmt: skip
    assert list(hover.parts("", KINDS)) == []
    plotly = hover.for_plotly("at {x}:\n{y:.6f} <{text}>", KINDS, lambda name: f"c.{name}")
    assert plotly == "at %{c.x:,d}:<br>%{c.y:.6f} &lt;%{c.text}&gt;<extra></extra>"


@pytest.mark.parametrize("template", ["{z}", "{name}", "{y:.2e}", "{y:d}", "{text:.2f}", "{y:}"])
def test_a_template_that_cannot_be_filled_is_a_bug(template):
    with pytest.raises(ValueError, match=re.escape(repr(template))):
        list(hover.parts(template, KINDS))


def test_a_plot_that_cannot_be_drawn_is_a_bug():
    with pytest.raises(ValueError, match="2 x and 1 y"):
        plot(series=[Curve(x=[1, 2], y=[1], role="query")])
    with pytest.raises(ValueError, match="no field 'text'"):
        plot(series=[Curve(y=[1], role="query", hover="{text}")])
    with pytest.raises(ValueError, match="an x or at a y"):
        Rule()
    with pytest.raises(ValueError, match="needs its label"):
        PlotAxis(title="a", ticks=[1], labels=[])
    with pytest.raises(ValueError, match="logarithmic axis"):
        PlotAxis(title="a", log=True, range=(0, 1))
