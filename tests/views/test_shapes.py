"""Circuits, signal and gradient of block shapes."""

from __future__ import annotations

import numpy as np
import pytest

from core.data import recorded
from core.data.recorded import Recorded
from core.figures.components.plot import Curve, Points
from core.figures.text import number
from core.shaped.shapes import SHAPES
from core.views.shapes import CURVE_NAMES, MEMBERS, spaced
from tests.views.records import drawn, shown

SMALL = {"shape_depth": "3", "shape_width": "32"}


def test_both_plots_are_of_all_shapes_and_the_chosen_one_stands_out(runs):
    for name in ("shapes.signal", "shapes.gradient"):
        view, record = shown(runs, name, shape="post", **SMALL)
        values = view.values(record)
        assert set(values) == {"chosen", *SHAPES}
        np.testing.assert_array_equal(values["chosen"].array, values["post"].array)
        series = view.show(record).series
        chosen, *others = (one for one in series if isinstance(one, Curve) and one.legend)
        assert len(others) == len(SHAPES) - 1
        assert chosen.role == "accent"
        # It lies beneath the others, so that no line is hidden.
        assert chosen.width > max(one.width for one in others)
        assert len({(one.role, one.dash) for one in others}) == len(others)
        labels = [one for one in series if isinstance(one, Points) and one.labels]
        assert [one.labels[0] for one in labels] == ["A", "B", "C", "D", "post", "QK", "ReLU²",
                                                     "dconv"]  # fmt: skip
        marks = [one for one in series if isinstance(one, Points) and not one.labels]
        assert [len(one.x) > 0 for one in marks] == [True] * len(SHAPES)


def test_the_reading_says_the_numbers_of_the_run(runs):
    view, record = shown(runs, "shapes.gradient", shape="post", **SMALL)
    lines = {name: one.gradient for name, one in record.stacks.items()}
    ratio = lines["post"][1] / lines["post"][-1]
    said = str(view.describe(record))
    assert f"{number(ratio)} times that at the last layer" in said
    assert number(lines["post"][-1] / lines["a"][-1]) in said
    view, record = shown(runs, "shapes.signal", shape="post", **SMALL)
    assert "every layer hands on numbers of size 1.00" in str(view.describe(record))
    view, record = shown(runs, "shapes.signal", shape="a", **SMALL)
    assert number(record.stacks["a"].size[-1]) in str(view.describe(record))


@pytest.mark.parametrize(
    ("values", "places"),
    [([1, 5], [1, 5]), ([3, 3], [2.5, 3.5]), ([0, 0.1, 0.2, 9], [-0.9, 0.1, 1.1, 9]),
     ([2, 0.9, 0], [2, 0.95, -0.05]), ([2, 1.2, 0.2], [2.13, 1.13, 0.13])],
)  # fmt: skip
def test_labels_keep_their_order_and_a_gap_and_stay_near(values, places):
    np.testing.assert_allclose(spaced(np.array(values, float), 1.0), places, atol=0.01)


@pytest.mark.parametrize(
    ("shape", "order"),
    [
        ("a", ["LayerNorm", "attention", "LayerNorm", "FFN, ReLU"]),
        ("b", ["LayerNorm", "attention", "FFN, ReLU"]),
        ("c", ["LayerNorm", "FFN, ReLU", "LayerNorm", "attention"]),
        ("post", ["attention", "LayerNorm", "FFN, ReLU", "LayerNorm"]),
        ("qk_norm", ["LayerNorm", "make q, k, v", "norm q and k", "attention", "LayerNorm",
                     "FFN, ReLU"]),
        ("squared", ["LayerNorm", "attention", "LayerNorm", "FFN, ReLU²"]),
        ("dconv", ["LayerNorm", "make q, k, v", "mix 3 tokens", "attention", "LayerNorm",
                   "FFN, ReLU"]),
    ],
)  # fmt: skip
def test_a_circuit_has_the_boxes_of_its_equation_from_top_to_bottom(runs, shape, order):
    view, record = shown(runs, "shapes.circuit", shape=shape, **SMALL)
    (own,) = (one for one in view.show(record).payload().header["circuits"] if one["id"] == shape)
    boxes = sorted(own["layout"]["boxes"], key=lambda box: box["y"])
    assert [box["label"] for box in boxes] == order
    sums = own["layout"]["sums"]
    assert len(sums) == (1 if shape == "b" else 2)
    after = record.stacks[shape].parts["resid_post"][0]
    assert sums[-1]["note"] == number(float(after), 2)


def test_parallel_parts_stand_side_by_side_and_reach_one_sum(runs):
    view, record = shown(runs, "shapes.circuit", shape="d", **SMALL)
    layout = view.show(record).payload().header["circuits"][1]["layout"]
    norm, attention, feed_forward = layout["boxes"]
    assert attention["y"] == feed_forward["y"] > norm["y"]
    assert attention["x"] < feed_forward["x"]
    (plus,) = layout["sums"]
    ends = [wire["points"][-1] for wire in layout["wires"]]
    assert sum(y == plus["y"] for _x, y in ends) == 2


@pytest.mark.parametrize(
    ("among", "names"),
    [
        ("few", ["a", "d", "post", "dconv"]),
        ("all", list(SHAPES)),
        ("placed", ["a", "b", "c", "d", "dconv"]),
        ("two", ["a", "dconv"]),
    ],
)
def test_the_chosen_circuit_is_among_those_that_are_drawn(runs, among, names):
    view, record = shown(runs, "shapes.circuit", shape="dconv", circuits_drawn=among, **SMALL)
    assert [one["id"] for one in view.show(record).payload().header["circuits"]] == names


def test_no_two_boxes_of_a_circuit_overlap_and_all_are_inside(runs):
    for shape in SHAPES:
        view, record = shown(runs, "shapes.circuit", shape=shape, circuits_drawn="all", **SMALL)
        payload = view.show(record).payload().header
        wide, tall = payload["sizes"]["wide"], payload["sizes"]["tall"]
        for one in payload["circuits"]:
            layout = one["layout"]
            boxes = [(box["x"], box["y"]) for box in layout["boxes"]]
            for n, (x, y) in enumerate(boxes):
                assert 0 <= x <= layout["width"] - wide
                assert 0 <= y <= layout["height"] - tall
                assert all(abs(x - u) >= wide or abs(y - v) >= tall for u, v in boxes[:n])


def test_the_file_draws_every_box_and_the_chosen_circuit_thick(runs):
    view, record = shown(runs, "shapes.circuit", shape="c", **SMALL)
    rects = drawn(view, record, "rect")
    circuits = view.show(record).payload().header["circuits"]
    n_boxes = sum(len(one["layout"]["boxes"]) for one in circuits)
    assert len(rects) == 1 + len(circuits) + n_boxes
    thick = [one for one in rects if one.get("stroke-width") == "2.5"]
    assert len(thick) == 1


@pytest.fixture
def two_curves(tmp_path, monkeypatch):
    """What two trainings may have left."""
    for name, end in (("a", 2.0), ("leak", 5.5)):
        made = Recorded(name, f"python -m core.studies.curves {name} --corpora DIR", "abc", 0, 10,
                        {}, (0, 25, 50), (6.2, 3.0, end / 4), (6.2, 4.0, end),
                        (0.0, 0.1, 1 / end))  # fmt: skip
        recorded.write(made, tmp_path)
    monkeypatch.setattr(recorded, "FOLDER", tmp_path)


@pytest.mark.usefixtures("two_curves")
def test_recorded_curves_are_drawn_as_they_are(runs):
    view, record = shown(runs, "shapes.curves", curve_group="broken")
    values = view.values(record)
    assert list(values) == ["a", "leak"]
    assert values["leak"].array.tolist() == [6.2, 4.0, 5.5]
    said = str(view.describe(record))
    assert "After 50 steps “A, serial” is at 2.00 and “no causal mask” at 5.50." in said
    _view, record = shown(runs, "shapes.curves", curve_group="broken", curve_line="right")
    assert "“A, serial” is at 50 %" in str(view.describe(record))
    assert view.show(record).series[0].name == "A, serial"
    _view, record = shown(runs, "shapes.curves", curve_group="shapes")
    assert list(record.curves) == ["a"]


def test_a_lead_is_held_against_the_ups_and_downs_of_the_curves(runs, tmp_path, monkeypatch):
    ends = {"a": 3.40, "b": 3.60, "c": 3.43, "dconv": 3.20}
    for name, end in ends.items():
        held = (6.0, end + 0.05, end, end + 0.02, end + 0.05, end)
        recorded.write(
            Recorded(name, "python", "abc", 0, 10, {}, (0, 1, 2, 3, 4, 5), held, held, held),
            tmp_path,
        )
    monkeypatch.setattr(recorded, "FOLDER", tmp_path)
    view, record = shown(runs, "shapes.curves")
    assert record.wobble == pytest.approx(0.05)
    said = str(view.describe(record))
    assert "“multi-dconv heads” ends 0.200 ahead of “A, serial”. That is more than" in said
    assert "1 other ends so near to “A, serial” that one run cannot tell them apart: “C" in said
    _view, record = shown(runs, "shapes.curves", shape="b")
    assert "cannot tell" not in str(view.describe(record))


def test_every_variant_is_in_a_group_and_has_a_name():
    from core.studies.curves.variants import VARIANTS

    members = {name for group in MEMBERS.values() for name in group}
    assert members == set(VARIANTS) == set(CURVE_NAMES)
