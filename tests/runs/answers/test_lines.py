"""Lines of attention that are cut: each as somebody who sets one weight to 0 would see it."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.distributions import softmax
from core.inputs import Text
from core.runs.answers.lines import LEAST
from core.runs.lines import LinesRequest
from core.runs.requests import OnwardRequest, TraceRequest
from core.runs.store import Runs

TEXT = "The dog was hungry, so he ate all of his"


@pytest.fixture(scope="module")
def runs() -> Runs:
    return Runs()


def test_what_is_left_is_what_is_left_where_that_weight_alone_is_set_to_0(runs):
    found = runs.get(LinesRequest("gpt", Text(TEXT)), "cpu")
    layer, head = found.most
    row = len(found.tokens) - 1
    off = f"layer{layer}.head{head}.row{row}.key{found.keys[layer, head]}.weight0"
    cut = runs.get(OnwardRequest("gpt", Text(TEXT), 0, (off,)), "cpu").run.trace
    share = softmax(cut["logits"][row].astype(np.float64))[found.word.id]
    assert found.left[layer, head] == pytest.approx(share, rel=1e-5)
    assert found.left.min() == found.left[layer, head] < found.before - 0.1


def test_a_line_is_the_strongest_that_comes_from_another_word(runs):
    found = runs.get(LinesRequest("gpt", Text(TEXT)), "cpu")
    trace = runs.get(TraceRequest("gpt", Text(TEXT)), "cpu").trace
    row = len(found.tokens) - 1
    for layer, head in np.ndindex(found.keys.shape):
        given = trace[f"blocks.{layer}.attn.weights"][head, row]
        assert found.keys[layer, head] == 1 + given[1:row].argmax()  # the first is the start's mark
        assert found.weights[layer, head] == given[1:row].max()


def test_a_text_of_one_word_has_no_line(runs):
    found = runs.get(LinesRequest("gpt", Text("a")), "cpu")
    assert (found.keys == -1).all()
    assert (found.left == np.float32(found.before)).all()


def test_of_a_long_text_only_so_many_lines_are_cut_as_a_class_can_wait_for(runs):
    found = runs.get(LinesRequest("gpt", Text(f"{TEXT}. " * 60)), "cpu")
    assert found.n == LEAST
    plain = runs.get(LinesRequest("gpt", Text(TEXT)), "cpu")
    assert plain.n == plain.keys.size
    strongest = np.sort(found.weights, axis=None)[-LEAST:]
    assert (strongest > 0).all()
    assert (found.left[found.keys < 0] == np.float32(found.before)).all()
