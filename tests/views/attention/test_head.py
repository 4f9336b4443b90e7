"""What one query attends to: in words without doubt, and on the tokens themselves."""

from __future__ import annotations

import numpy as np
import pytest

from core.views.attention.head import key_name, reading
from tests.views.records import header, shown


def test_what_is_looked_at_is_named_without_doubt(runs):
    _view, run = shown(runs, "attention.row", text="the cat sat on the cat", model="bert")
    assert run.key_words[1:-1] == ["the", "cat", "sat", "on", "the", "cat"]
    assert str(key_name(run, 1, 1)) == "itself"
    assert str(key_name(run, 1, 3)) == "“sat”"
    assert str(key_name(run, 1, 5)) == "“the” (position 5)"


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_the_same_position_is_itself_in_every_clause(runs, model):
    _view, run = shown(runs, "attention.row", model=model)
    weights = run("weights")
    for query, name in enumerate(run.query_words):
        said = str(reading(run, query))
        best, second = (int(at) for at in np.argsort(-weights[query])[:2])
        named = [best, *([second] if weights[query, second] > 0.05 else [])]
        assert ("itself" in said) == (query in named), said
        assert f"to “{name}”" not in said


def test_a_token_of_another_text_is_never_itself(runs):
    _view, run = shown(runs, "attention.row", model="transformer", attention="cross")
    for query in range(len(run.queries)):
        assert "itself" not in str(reading(run, query))


def test_the_tokens_are_coloured_where_they_are_the_keys(runs):
    own = header(runs, "attention.row")
    assert own["heat_role"] == "weight"
    view, run = shown(runs, "attention.row")
    np.testing.assert_array_equal(view.show(run).heat, run("weights"))
    view, run = shown(runs, "attention.row", model="transformer", attention="cross")
    strip = view.show(run)
    assert strip.heat is None
    assert "Queries: tokens of the target" in str(strip.heading)
