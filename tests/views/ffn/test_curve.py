"""The non-linearity: every function, with the token's own values on it."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.units import FUNCTIONS
from core.views.ffn.curve import FORMULAS
from core.views.ffn.unit import NAMES, entering
from tests.views.records import MACHINES, rows, shown, written

TEXT = "The cat sat on the mat"


def curve_of(runs, **values):
    asked = {"text": TEXT, "layer": "1", **{n: str(value) for n, value in values.items()}}
    return shown(runs, "ffn.curve", **asked)


@pytest.mark.parametrize("function", NAMES)
def test_every_function_is_drawn_with_the_tokens_values_on_it(runs, function):
    view, record = curve_of(runs, function=function, token=2)
    figure = view.show(record).figure("light")
    dots = next(t for t in figure.data if t.name == "units")
    pre = record.trace["blocks.1.ffn.pre"][2]
    np.testing.assert_allclose(np.asarray(dots.x, float), pre)
    expected = FUNCTIONS["silu" if function == "gated" else function](pre)
    np.testing.assert_allclose(np.asarray(dots.y, float), expected, atol=1e-5)
    curves = [t for t in figure.data if getattr(t, "mode", None) == "lines"]
    assert len(curves) == (4 if function == "gated" else 1)
    # Each says its name where it is pointed at.
    assert all("%{fullData.name}" in t.hovertemplate or t.name in t.hovertemplate for t in curves)


def test_every_function_has_its_formula():
    assert set(FORMULAS) == set(NAMES) == {*FUNCTIONS, "gated"}


def test_it_says_when_the_function_is_not_the_models(runs):
    own, other = (
        str(view.describe(record))
        for view, record in (curve_of(runs), curve_of(runs, function="relu"))
    )
    assert "another function" not in own
    assert "another function" in other
    assert "never more than" in own  # the two GELUs


@pytest.mark.parametrize("text", ["a", "<script>", "🙂 ‮x", "{token} {0}"])
def test_any_text(runs, text):
    for model in MACHINES["any"]:
        view, record = curve_of(runs, text=text, token=99, layer=99, model=model)
        assert str(view.describe(record))
        assert len(rows(view, record)) > 1


def test_the_units_are_counted_in_a_plot_of_their_own_under_the_curve(runs):
    view, record = curve_of(runs)
    plot = view.show(record)
    (panel,) = plot.below
    (counted,) = panel.series
    assert sum(counted.y) == record.n
    assert panel.y.title == "units"
    assert panel.y.ticks[0] == 0
    assert panel.y.ticks[-1] == max(counted.y) < panel.y.range[1]
    axes = plot.figure("light").layout
    assert axes.yaxis2.domain[1] < axes.yaxis.domain[0]


def test_the_selected_unit_is_marked_by_its_number_on_page_and_file(runs):
    view, record = curve_of(runs, unit=7, token=2)
    (dot,) = (t for t in view.show(record).figure("light").data if t.name == "unit 7")
    pre, post = (record.trace[f"blocks.1.ffn.{name}"][2, 7] for name in ("pre", "post"))
    assert [float(dot.x[0]), float(dot.y[0])] == pytest.approx([float(pre), float(post)])
    texts = written(view, record)
    assert "7" in texts
    assert {"before the activation function, h", "after it", "units"} <= set(texts)


def test_every_unit_is_saved_before_and_after(runs):
    for model, stack in (("gpt", ""), ("transformer", "encoder")):
        view, record = curve_of(runs, model=model, stack=stack, token=2)
        table = rows(view, record)
        assert table[0] == ["unit", entering(record), f"after {record.activation}"]
        assert len(table) == 1 + record.n
        assert float(table[6][1]) == record.site("pre")[2, 5]
        assert float(table[6][2]) == record.site("post")[2, 5]
