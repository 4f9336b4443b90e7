"""A text being continued, as numpy."""

from __future__ import annotations

import numpy as np
import pytest

from core.decoding.settings import GREEDY, Sampling
from core.errors import AbilityError, ParameterError
from core.runs.kinds.generation import TOP, GenerateRequest

TEXT = "The cat sat on the mat."


def test_a_generation_keeps_its_steps_as_numpy(runs, gpt):
    generation = runs.get(GenerateRequest("gpt", TEXT, 6, Sampling(1.0, 0, 1.0, seed=3)))
    n = len(gpt.encode(TEXT))
    assert [token.id for token in generation.prompt] == gpt.encode(TEXT)
    assert len(generation.following) == n
    assert [(s.computed, s.reused) for s in generation.steps] == [(n, 0)] + [
        (1, n + at) for at in range(len(generation.steps) - 1)
    ]
    per_position = 2 * 2 * 16 * 8  # keys and values, layers, d_model, bytes of a float64
    assert [s.cache_bytes for s in generation.steps] == [
        (n + at) * per_position for at in range(len(generation.steps))
    ]
    for step in generation.steps:
        assert step.token in step.candidates.tokens
        assert step.seconds > 0


@pytest.mark.parametrize("max_new", [-1, -3, -100])
def test_less_than_nothing_cannot_be_written(runs, max_new):
    """Whether or not the prompt is longer than that."""
    wanted = f"max_new is {max_new}; it must be 0 or above"
    with pytest.raises(ParameterError, match=wanted):
        runs.get(GenerateRequest("gpt", TEXT, max_new, GREEDY))


def test_candidates_are_the_likeliest_and_the_one_taken(runs, gpt):
    generation = runs.get(GenerateRequest("gpt", TEXT, 8, Sampling(5.0, 0, 1.0, seed=1)))
    for c in (*generation.following, *(s.candidates for s in generation.steps)):
        assert len(c.tokens) == len(c.raw) == TOP
        assert (np.diff(c.raw[:-1]) <= 1e-9).all()
        assert c.kept == 300
    ids = gpt.encode(TEXT)
    for at, c in enumerate(generation.following[:-1]):
        assert ids[at + 1] in [token.id for token in c.tokens]


def test_filters_leave_what_they_say(runs):
    generation = runs.get(GenerateRequest("gpt", TEXT, 4, Sampling(1.0, 5, 0.9)))
    for step in generation.steps:
        c = step.candidates
        assert c.kept <= 5
        assert (c.after_top_k > 0).sum() == 5
        assert (c.after_top_p > 0).sum() == c.kept
        assert c.after_top_p.sum() == pytest.approx(1, abs=1e-5)


def test_a_generation_says_whether_the_model_ended_it(runs, gpt, monkeypatch):
    sampling = Sampling(1.0, 0, 1.0, seed=1)
    generation = runs.get(GenerateRequest("gpt", TEXT, 6, sampling))
    assert not generation.ended
    ids = [step.token.id for step in generation.steps]
    monkeypatch.setattr(type(gpt.tokenizer), "end_of_text_id", ids[3])
    again = runs.get(GenerateRequest("gpt", TEXT, 7, sampling))
    assert again.ended
    assert len(again.steps) == ids.index(ids[3]) + 1


def test_a_model_that_cannot_go_on_says_so(runs):
    with pytest.raises(AbilityError, match="model TINY-BERT cannot predict the next token"):
        runs.get(GenerateRequest("bert", TEXT, 3, GREEDY))
