"""All heads at a glance, and as lines."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.heads import entropy
from tests.views.records import drawn, header, rows, shown, written

SCORES = ("entropy", "previous", "first", "induction")


def test_heads_are_named_as_everywhere(runs):
    view, record = shown(runs, "attention.heads")
    assert str(view.describe(record)).startswith("Layer ")
    assert ", head " in str(view.describe(record))


def test_the_score_that_is_shown_is_saved(runs):
    view, maps = shown(runs, "attention.heads")
    assert drawn(view, maps, "path")
    for score in SCORES:
        view, record = shown(runs, "attention.heads", score=score)
        component = view.show(record)
        payload = component.payload()
        (label,) = (one["label"] for one in payload.header["scores"] if one["array"] == score)
        assert label in component.title
        assert not drawn(view, record, "path")
        cells = len(drawn(view, record, "rect")) - 2  # the page, the selected head
        assert cells == payload.arrays[score].size
        assert {"layer 0", "layer 1", "head 0", "head 1"} <= set(written(view, record))


def test_all_scores_of_all_heads_are_in_the_table(runs):
    view, record = shown(runs, "attention.heads")
    table = rows(view, record)
    assert len(table) == 1 + record.scores["entropy"].size
    for line in table[1:]:
        layer, head = int(line[0]), int(line[1])
        found = [float(cell) for cell in line[2:]]
        np.testing.assert_allclose(found, [record.scores[s][layer, head] for s in SCORES])


def test_induction_counts_what_followed_every_earlier_occurrence(runs):
    view, record = shown(runs, "attention.heads", text="a b a c a d a", score="induction")
    assert record.scores["induction"].max() > 0.05
    said = str(view.describe(record))
    assert "attends most to what followed earlier occurrences of the same token, with" in said
    (note,) = (one["note"] for one in view.show(record).payload().header["scores"]
               if one["array"] == "induction")  # fmt: skip
    assert "to all that followed its earlier occurrences" in note


def test_between_two_texts_only_the_spread_means_anything(runs):
    """No token of the source comes before one of the target, or is the same one again."""
    view, record = shown(runs, "attention.heads", model="transformer", attention="cross")
    assert [one["array"] for one in view.show(record).payload().header["scores"]] == ["entropy"]
    weights = record.run.trace["decoder.blocks.0.cross_attn.weights"]
    np.testing.assert_allclose(record.scores["entropy"][0], entropy(weights).mean(axis=-1))
    assert str(view.describe(record)).endswith("bits.")


@pytest.mark.parametrize("attention", ["encoder", "decoder", "cross"])
def test_every_kind_of_attention_has_its_own_maps(runs, attention):
    found = header(runs, "attention.heads", model="transformer", attention=attention)
    others = {"encoder", "decoder", "cross"} - {attention}
    _view, record = shown(runs, "attention.heads", model="transformer", attention=attention)
    for other in others:
        _view, different = shown(runs, "attention.heads", model="transformer", attention=other)
        assert not np.array_equal(record.maps, different.maps)
    assert found["selection"]["layer"] == 1


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
