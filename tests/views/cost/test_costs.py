"""The cost lab: terms add up, the lines cross where the formula says."""

from __future__ import annotations

import numpy as np
import pytest

from tests.views.records import shown

OWN = {"cost_plan": "own", "cost_width": "64", "cost_ff": "256", "cost_heads": "4"}


@pytest.mark.parametrize("kind", ["writer", "reader", "both", "picture"])
def test_terms_add_up_and_show_their_arithmetic(runs, kind):
    view, record = shown(runs, "cost.sizes", **OWN, cost_kind=kind)
    values = view.values(record)
    assert values["parameters"].array.sum() == values["total"].value
    assert values["parts"].array.sum() == values["total"].value
    labels = [row.label for row in view.show(record).frames[0].rows]
    for label, n in zip(labels, values["parameters"].array, strict=True):
        _name, _, said = label.rpartition(": ")
        sum_, _, result = said.replace(",", "").replace("·", "*").rpartition(" = ")
        assert eval(sum_) == int(result) == n


def test_lines_cross_at_six_widths(runs):
    view, record = shown(runs, "cost.growth", **OWN, cost_length="384")
    values = view.values(record)
    assert values["crossing"].value == 6 * 64
    assert values["share"].value == pytest.approx(0.5)
    assert values["exponent"].value == pytest.approx(1.5)
    assert values["doubling"].value == pytest.approx(3)


def test_memory_is_that_of_every_parameter(runs):
    view, record = shown(runs, "cost.memory", cost_plan="gpt3")
    values = view.values(record)
    whole, half, adam, cache = values["bytes"].array
    assert (whole, adam) == (2 * half, 8 * half)
    assert cache == 2 * 2 * 96 * 2048 * 12_288
    assert len(shown(runs, "cost.memory", cost_plan="vit_b")[0].values(
        shown(runs, "cost.memory", cost_plan="vit_b")[1])["bytes"].array) == 3  # fmt: skip


def test_heads_that_do_not_divide_the_width_are_said(runs):
    view, record = shown(runs, "cost.sizes", **{**OWN, "cost_heads": "5"})
    assert view.values(record)["inner"].value == 60
    assert "64 is no multiple of 5 heads" in str(view.notes(record)[0].text)


def test_the_shelf_is_counted(runs):
    view, record = shown(runs, "cost.shelf")
    values = view.values(record)
    assert np.array_equal(values["formula"].array, values["counted"].array)
    assert values["same"].value == values["counted"].array.size


def test_the_cache_changes_no_logit(runs):
    view, record = shown(runs, "cost.same", model="gpt", text="the cat sat on the mat")
    values = view.values(record)
    assert values["exact"].array.max() < 1e-12
    assert values["difference"].array.max() < 1e-4 * values["largest"].value
    n, one = len(values["bytes"].array), values["with_cache"].array
    assert n > 5
    assert np.diff(values["bytes"].array).tolist() == [values["bytes"].array[0]] * (n - 1)
    assert one[0] == values["without"].array[0]
    # Without it a step computes what all steps so far have, and more: a layer knows no mask.
    assert (values["without"].array[1:] > one.cumsum()[1:]).all()


def test_exponents_of_the_formula_are_those_of_the_lecture(runs):
    view, record = shown(runs, "cost.times", cost_source="16")
    values = view.values(record)
    alone, masked, cross, layer = values["formula"].array
    assert (alone, masked, cross) == pytest.approx((2, 2, 1))
    assert 1 < layer < 2
    assert (values["milliseconds"].array > 0).all()


def test_a_published_machine_has_a_row_and_the_one_that_is_looked_at_is_chosen(runs):
    view, record = shown(runs, "cost.published", cost_row="200", cost_column="3")
    matrix = view.show(record)
    (machines,) = view.values(record)["parameters"].axes
    assert matrix.sheets[0].rows.labels == machines.labels
    assert matrix.selection == {"cost_row": len(machines.labels) - 1, "cost_column": 3}
    assert matrix.arrays["kinds"].any(axis=0).tolist() == [False, False, False, True, False, False]
