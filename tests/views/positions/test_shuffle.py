"""A shuffle: what each machine makes of tokens that change places."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.views.positions.shuffle import called, shuffled_text
from core.views.positions.sinusoidal import TokenOrder


@pytest.mark.parametrize(
    ("model", "rows"),
    [
        ("bert", ["no positions", "with positions"]),
        ("gpt", ["no mask, no positions", "causal mask alone", "mask and positions"]),
        ("transformer", ["no positions", "with positions"]),
    ],
)
def test_a_shuffle_tells_only_what_can_see_order(record_of, model, rows):
    view, record = record_of("positions.shuffle", model=model, shuffle_seed=1)
    assert record.stacked.shape == (len(rows), len(record.tokens))
    assert [called(record, name) for name in record.change] == rows
    assert record.change["neither"].max() < 1e-5
    for name, change in record.change.items():
        assert name == "neither" or change.max() > 1e-3
    said = str(view.describe(record))
    assert said.count("the same vectors, in the new order") == 1
    rounded = bool(record.change["neither"].any())
    assert [said.count("rounding"), said.count("Not one number")] == [rounded, not rounded]
    assert shuffled_text(record) in said
    assert view.show(record).sheets[0].rows.labels == rows
    # The first mark sees nothing before it, so under a causal mask it cannot move.
    if model == "gpt":
        assert [record.change[name][0] for name in ("mask", "own")] == pytest.approx([0, 0])


def test_of_two_towers_the_one_that_reads_the_text_is_shuffled(record_of, runs, transformer):
    view, record = record_of("positions.shuffle", model="transformer", shuffle_seed=3)
    tokens = transformer.tokens("The cat told the dog a story.")
    assert list(record.tokens) == tokens
    assert not record.same_order
    assert sorted(record.order) == list(range(len(tokens)))
    assert "each token's encoder output moves" in view.show(record).title
    params = TokenOrder("The cat told the dog a story.", "transformer", shuffle_seed=3)
    for request in view.requests(params):
        assert list(runs.get(request).trace) == ["encoder.blocks.1.ln_2.out"]
    for model in ("gpt", "bert"):
        view, record = record_of("positions.shuffle", model=model)
        assert "each token's output moves" in view.show(record).title


def test_the_numbers_are_saved_with_their_places(record_of):
    view, record = record_of("positions.shuffle", shuffle_seed=1)
    values = view.values(record)
    assert [record.order[place] for place in values["places"].array] == list(
        range(len(record.tokens))
    )
    saved = np.stack([values[f"moved_{name}"].array for name in ("neither", "mask", "own")])
    assert np.array_equal(saved, record.stacked)
    assert values["moved_mask"].label == "causal mask alone"


def test_what_has_not_changed_at_all_is_no_rounding(record_of):
    view, record = record_of("positions.shuffle", model="bert", shuffle_seed=1)
    still = {**record.change, "neither": np.zeros(len(record.tokens))}
    said = str(view.describe(replace(record, change=still)))
    assert "the same vectors, in the new order. Not one number has changed." in said
    assert "rounding" not in said


def test_a_single_token_cannot_be_shuffled(record_of):
    view, record = record_of("positions.shuffle", text="a")
    assert record.same_order
    assert "leaves every token in its place" in str(view.describe(record))


def test_a_drawing_names_every_condition(record_of):
    view, record = record_of("positions.shuffle", text="cat dog " * 40, model="gpt")
    assert len(record.tokens) == 32
    drawing = view.show(record).drawing("light")
    assert all(f">{called(record, name)}</text>" in drawing for name in record.change)
