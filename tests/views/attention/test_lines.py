"""Lines between queries and keys: those that are shown are saved, the table has all."""

from __future__ import annotations

import numpy as np

from tests.views.records import drawn, rows, shown, written


def test_the_lines_that_are_shown_are_saved(runs):
    view, record = shown(runs, "attention.lines", layer="0", token="3")
    assert len(drawn(view, record, "path")) == (record.run("weights")[3] >= 0.01).sum()
    view, record = shown(runs, "attention.lines", layer="0", head="0", every="1", heads="0:0,1")
    weights = record.run.trace["blocks.0.attn.weights"]
    assert len(drawn(view, record, "path")) == (weights >= 0.08).sum()
    assert {"head 0", "head 1"} <= set(written(view, record))


def test_heads_chosen_while_another_was_selected_do_not_count(runs):
    view, record = shown(runs, "attention.lines", layer="0", head="1", heads="0:0")
    assert view.show_heads(record) == [1]


def test_the_table_has_every_weight_of_the_layer(runs):
    view, record = shown(runs, "attention.lines", layer="0", token="3")
    weights = record.run.trace["blocks.0.attn.weights"]
    table = rows(view, record)
    assert len(table) == 1 + weights.size
    found = np.array([line[-1] for line in table[1:]], np.float32)
    np.testing.assert_array_equal(found, weights.ravel())


def test_lines_run_between_two_texts(runs):
    view, record = shown(runs, "attention.lines", model="transformer", attention="cross", token="1")
    arcs = view.show(record)
    assert (list(arcs.queries), list(arcs.keys)) == (record.run.queries, record.run.keys)
    assert arcs.queries != arcs.keys
    row = record.run("weights")[1]
    assert row.shape == (len(arcs.keys),)
    assert len(drawn(view, record, "path")) == (row >= 0.01).sum()
