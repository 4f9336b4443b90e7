"""Lines of attention that are cut: each as somebody who sets one weight to 0 would see it."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.distributions import softmax
from core.inputs import Text
from core.runs.kinds.continuation import ContinuedRunRequest
from core.runs.kinds.lines import LEAST, LineCutsRequest
from core.runs.kinds.trace import TraceRequest
from core.runs.store import Runs

TEXT = "The dog was hungry, so he ate all of his"


@pytest.fixture(scope="module")
def runs() -> Runs:
    return Runs()


def test_what_is_left_is_what_is_left_where_that_weight_alone_is_set_to_0(runs):
    found = runs.get(LineCutsRequest("gpt", Text(TEXT)), "cpu")
    layer, head = found.most
    row = len(found.tokens) - 1
    off = f"layer{layer}.head{head}.row{row}.key{found.keys[layer, head]}.weight0"
    cut = runs.get(ContinuedRunRequest("gpt", Text(TEXT), 0, (off,)), "cpu").run.trace
    share = softmax(cut["logits"][row].astype(np.float64))[found.word.id]
    assert found.left[layer, head] == pytest.approx(share, rel=1e-5)
    assert found.left.min() == found.left[layer, head] < found.before - 0.1
    assert found.name == off


LINE = "layer5.head0.row11.key4.weight0"  # from "hungry" to "his"


def share_of(runs, word, off, text=TEXT, first=None):
    run = runs.get(ContinuedRunRequest("gpt", Text(text), 0, off, first and Text(first)), "cpu").run
    return softmax(run.trace["logits"][-1].astype(np.float64))[word.id]


@pytest.mark.parametrize(("new", "off"), [
    ("thirsty", ()), ("thirsty", ("layer3.head1",)), ("cold and wet", ("layer2.ffn.sum",)),
    ("", ("layer5.head1.row11.key3.weight0.5", "layer0.ffn")), ("thirsty", (LINE,)),
])  # fmt: skip
def test_it_is_found_in_the_run_that_is_shown_and_its_name_cuts_it_there(runs, new, off):
    text, first = (TEXT.replace("hungry", new), TEXT) if new else (TEXT, None)
    asked = LineCutsRequest("gpt", Text(text), off, first and Text(first))
    found = runs.get(asked, "cpu")
    assert "".join(one.label for one in found.tokens[1:]).replace("·", " ") == text
    assert found.before == pytest.approx(share_of(runs, found.word, off, text, first), rel=1e-4)
    left = share_of(runs, found.word, (*off, found.name), text, first)
    assert found.left[found.most] == pytest.approx(left, rel=1e-4)
    assert not found.is_cut


@pytest.mark.parametrize("swap", [None, "thirsty"])
def test_the_line_that_was_cut_is_spoken_of_as_it_was_before(runs, swap):
    text = TEXT.replace("hungry", swap) if swap else TEXT
    first = Text(TEXT) if swap else None
    plain = runs.get(LineCutsRequest("gpt", Text(text), (), first), "cpu")
    cut = runs.get(LineCutsRequest("gpt", Text(text), (plain.name,), first), "cpu")
    assert cut.is_cut
    assert (cut.name, cut.before, cut.most) == (plain.name, plain.before, plain.most)
    # And it is no other one that the temperature has made it.
    hot = runs.get(LineCutsRequest("gpt", Text(text), (plain.name, "temperature2"), first), "cpu")
    assert (hot.is_cut, hot.name) == (True, plain.name)
    assert hot.before < plain.before / 2


def test_the_line_of_a_swapped_word_comes_from_all_of_its_tokens(runs):
    text = TEXT.replace("hungry", "thirsty")
    found = runs.get(LineCutsRequest("gpt", Text(text), (), Text(TEXT)), "cpu")
    assert [found.tokens[place].label for place in found.places[4]] == ["·thirst", "y"]
    assert found.places[found.row] == (len(found.tokens) - 1,)  # and "his" is still the last
    cut = runs.get(ContinuedRunRequest("gpt", Text(text), 0, (LINE,), Text(TEXT)), "cpu").run.trace
    weights = cut["blocks.5.attn.weights"][0]
    assert weights[-1, 4] == weights[-1, 5] == 0
    assert weights[-2, 4] > 0  # of the row of "of" nothing is cut


def test_a_line_is_the_strongest_that_comes_from_another_word(runs):
    found = runs.get(LineCutsRequest("gpt", Text(TEXT)), "cpu")
    trace = runs.get(TraceRequest("gpt", Text(TEXT)), "cpu").trace
    row = len(found.tokens) - 1
    for layer, head in np.ndindex(found.keys.shape):
        given = trace[f"blocks.{layer}.attn.weights"][head, row]
        assert found.keys[layer, head] == 1 + given[1:row].argmax()  # the first is the start's mark
        assert found.weights[layer, head] == given[1:row].max()


def test_a_text_of_one_word_has_no_line(runs):
    found = runs.get(LineCutsRequest("gpt", Text("a")), "cpu")
    assert (found.keys == -1).all()
    assert (found.left == np.float32(found.before)).all()


def test_of_a_long_text_only_so_many_lines_are_cut_as_a_class_can_wait_for(runs):
    found = runs.get(LineCutsRequest("gpt", Text(f"{TEXT}. " * 60)), "cpu")
    assert found.n == LEAST
    plain = runs.get(LineCutsRequest("gpt", Text(TEXT)), "cpu")
    assert plain.n == plain.keys.size
    strongest = np.sort(found.weights, axis=None)[-LEAST:]
    assert (strongest > 0).all()
    assert (found.left[found.keys < 0] == np.float32(found.before)).all()
