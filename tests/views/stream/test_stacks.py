"""Four stacks of blocks: how much gradient arrives, and how alike the tokens' vectors become."""

from __future__ import annotations

import numpy as np

from core.live_training.records import KEPT
from core.views.stream.stacks import stack_name
from tests.views.records import rows, shown


def test_four_stacks_are_drawn_each_from_its_top(runs):
    view, record = shown(runs, "stream.gradient", depth="3")
    plot = view.show(record)
    assert [one.name for one in plot.series] == [stack_name(s) for s in KEPT]
    assert plot.y.log
    figure = plot.figure("dark")
    assert [t.name for t in figure.data] == [stack_name(s) for s in KEPT]
    assert figure.layout.yaxis.type == "log"
    for line in plot.series:
        assert len(line.y) == 4
        assert line.y[-1] == 1
    view, record = shown(runs, "stream.alike", depth="3")
    assert all(-1.001 <= v <= 1.001 for line in view.show(record).series for v in line.y)


def test_own_blocks_are_the_models(runs):
    view, record = shown(runs, "stream.gradient", blocks="own", depth="9")
    assert not record.stacks.fresh
    assert record.stacks.depth == 2
    assert "the model's own 2 layers" in view.show(record).title


def test_a_title_says_how_large_the_fresh_weights_are(runs):
    for spread, said in (("fixed", "0.02"), ("fan_in", "1/√n"), ("larger", "1.5/√n"),
                         ("by_depth", "by depth (GPT-2)")):  # fmt: skip
        view, record = shown(runs, "stream.gradient", depth="2", spread=spread)
        assert view.show(record).title.endswith(f"2 fresh layers, weights of spread {said}")


def test_the_four_numbers_of_each_place_are_saved(runs):
    for name, drawn in (
        ("stream.gradient", lambda flow: flow.gradient / flow.gradient[-1]),
        ("stream.alike", lambda flow: flow.alike),
    ):
        view, record = shown(runs, name, depth="3")
        values = view.values(record)
        assert list(values) == ["both", "sums", "norms", "neither"]
        head, *lines = rows(view, record)
        assert head == ["place", *(stack_name(kept) for kept in KEPT)]
        assert [line[0] for line in lines] == ["0", "1", "2", "3"]
        for one, flow in zip(values.values(), record.flows, strict=True):
            np.testing.assert_array_equal(one.array, drawn(flow))
