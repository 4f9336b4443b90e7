"""What if something in the flowing run were otherwise: before and after, alone and together."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.analysis.distributions import softmax
from core.figures.text import percent
from core.inputs import Text
from core.runs.kinds.trace import TraceRequest
from core.views.map.story import Effect, FlowParams, One, changed
from core.views.params import parse
from tests.views.map.test_flow import TEXT, flow_of
from tests.views.records import MACHINES

EACH = {
    "gpt": "layer0.", "bert": "layer0.", "transformer": "target.layer0.", "t5": "target.layer0.",
    "bart": "target.layer0.", "elmo": "layer1.", "teller": "layer0.",
    "vit": "layer0.",
}  # fmt: skip


def test_before_and_after_are_two_runs_and_their_difference_is_in_bits(runs):
    view, record, figure = flow_of(runs, model="gpt", off="layer0.head1")
    before = softmax(runs.get(TraceRequest("gpt", Text(TEXT))).trace["logits"][-1].astype(float))
    after = softmax(record.onward.run.trace["logits"][-1].astype(float))
    best, change = int(before.argmax()), record.effect
    assert (change.before, change.after) == pytest.approx((before[best], after[best]), rel=1e-5)
    assert change.bits == pytest.approx(math.log2(after[best] / before[best]), rel=1e-4, abs=1e-6)
    assert figure.off == ["layer0.head1"]
    assert figure.was.shape == figure.answer.probs.shape
    said = str(view.describe(record))
    assert said.startswith("Head 1 of layer 0 off: ")
    assert [one.row for one in figure.passes] == [len(figure.towers[0].tokens) - 1]


def test_several_are_shown_together_and_one_by_one(runs):
    view, record, _figure = flow_of(runs, model="gpt", off="layer0.head1+layer1.ffn")
    alone = [flow_of(runs, model="gpt", off=one)[1].effect.bits
             for one in ("layer0.head1", "layer1.ffn")]  # fmt: skip
    assert [one.bits for one in record.effect.ones] == pytest.approx(alone)
    assert record.effect.total == pytest.approx(sum(alone))
    shares = [percent(one.after) for one in record.effect.ones]
    assert f"One at a time, they make it {', '.join(shares)}." in str(view.describe(record))
    assert any("bits" in one for one in view.facts(record))  # which stand in the details


def test_a_token_is_hidden_from_one_head(runs):
    view, record, figure = flow_of(runs, model="gpt", off="layer0.head1.key2")
    key = record.onward.run.trace.tokens[2].spoken
    assert str(view.describe(record)).startswith(f"“{key}” hidden from head 1 of layer 0: ")
    assert figure.off == ["layer0.head1.key2"]
    none = flow_of(runs, model="gpt", off="layer0.head1.key999")[2]
    assert none.off == []


def test_what_the_model_does_not_have_is_not_off(runs):
    view, record, figure = flow_of(runs, model="gpt", off="layer99.head0+source.layer0.ffn")
    assert figure.off == []
    assert record.effect is None
    assert figure.was is None
    assert "off" not in str(view.describe(record))


def test_the_temperature_divides_the_logits(runs):
    _view, record, figure = flow_of(runs, model="gpt", off="temperature0.5")
    logits = record.onward.run.trace["logits"].astype(float)
    cold, plain = softmax(logits[-1] / 0.5), softmax(logits[-1])
    best = int(plain.argmax())
    assert record.effect.after == pytest.approx(cold[best], rel=1e-4)
    assert record.effect.before == pytest.approx(plain[best], rel=1e-4)
    assert figure.answer.probs[-1, 0] == pytest.approx(cold.max(), rel=1e-3)
    assert figure.was[-1, 0] == pytest.approx(plain.max(), rel=1e-3)


def test_a_swapped_word_is_read_and_rows_stand_beside_their_own(runs):
    view, record, figure = flow_of(runs, model="gpt", swap="1~cat~dog")
    changed = TEXT.replace("cat", "dog")
    after = softmax(runs.get(TraceRequest("gpt", Text(changed))).trace["logits"][-1].astype(float))
    before = softmax(runs.get(TraceRequest("gpt", Text(TEXT))).trace["logits"][-1].astype(float))
    best = int(before.argmax())
    assert record.effect.bits == pytest.approx(math.log2(after[best] / before[best]), abs=1e-4)
    assert "".join(figure.lines[0]).strip() == changed
    assert str(view.describe(record)).startswith("“dog” in the place of “cat”: ")
    # What stands before the word was read alike.
    np.testing.assert_allclose(record.beside.now[0], record.beside.was[0], rtol=1e-3)
    assert flow_of(runs, model="gpt", swap="1~dog~cat")[2].off == []  # of another text


def test_of_a_longer_word_each_row_is_set_beside_the_one_it_stands_for(runs):
    _view, record, _figure = flow_of(runs, model="gpt", swap="1~cat~hippopotamus")
    now, was = (one.run.trace.tokens for one in (record.onward, record.before))
    assert len(now) > len(was)
    assert [was[at].label for at in record.rows_before[-3:]] == [one.label for one in now[-3:]]


def test_what_is_said_of_a_cut_speaks_of_the_text_that_a_swap_has_made(runs):
    swap = "1~cat~hippopotamus"
    record = flow_of(runs, model="gpt", swap=swap)[1]
    places, before = record.places[record.whole.stream], record.before.run.trace.tokens
    key = next(n for n, own in enumerate(places) if len(own) > 1)
    last = len(before) - 1
    off = f"layer0.head1.row{last}.key{key}.weight0"
    view, record, figure = flow_of(runs, model="gpt", off=off, swap=swap)
    tokens, own = record.onward.run.trace.tokens, places[key]
    word = "".join(tokens[place].label for place in own).removeprefix("·")
    said = str(view.describe(record))
    assert f"ine from “{word}” to “{before[last].spoken}” cut in head 1 of layer 0" in said
    assert "“hippopotamus”".endswith(f"{word}”")
    row = record.places[record.whole.stream][last][-1]
    drawn = [f"layer0.head1.row{row}.key{place}" for place in own]
    assert figure.lines_cut == drawn  # where they stand now
    weights = record.onward.run.trace["blocks.0.attn.weights"][1]
    assert (weights[-1, list(own)] == 0).all()
    assert (weights[-2, list(own)] > 0).all()


def test_a_weight_and_a_score_are_set_in_one_row(runs):
    row = "layer0.head1.row4.key2"
    view, record, figure = flow_of(runs, model="gpt", off=f"{row}.weight0.5")
    weights = record.onward.run.trace["blocks.0.attn.weights"][1, 4]
    assert weights[2] == pytest.approx(0.5)
    assert weights.sum() == pytest.approx(1.0)
    tokens = record.onward.run.trace.tokens
    said = f"Weight 50 % from “{tokens[4].spoken}” to “{tokens[2].spoken}” in head 1 of layer 0: "
    assert str(view.describe(record)).startswith(said)
    _view, record, figure = flow_of(runs, model="gpt", off=f"{row}.score3")
    assert record.onward.run.trace["blocks.0.attn.scores"][1, 4, 2] == 3.0
    assert figure.off == [f"{row}.score3"]


def test_the_likeliest_word_of_before_is_drawn_though_it_is_likely_no_more(runs):
    _view, record, figure = flow_of(runs, model="gpt", swap="5~mat~cat")
    before = softmax(record.before.run.trace["logits"][record.rows_before].astype(float))
    best = before.argmax(axis=-1)
    for row, words in enumerate(figure.answer.words):
        assert record.whole.run.words(int(best[row])).label in words
        assert figure.was[row].max() == pytest.approx(before[row].max(), rel=1e-3)


def test_the_guess_of_before_stands_beside_another_one(runs):
    figure = flow_of(runs, model="gpt", off="layer0.attn.sum")[2]
    plain = flow_of(runs, model="gpt")[2].guesses
    for now, was, all_of in zip(figure.guesses, figure.guesses_before, plain, strict=False):
        for after, before, own in zip(now, was, all_of, strict=True):
            assert before[0] == ("" if after[0] == own[0] else own[0])
    assert any(word for row in figure.guesses_before for word, _share in row)
    assert flow_of(runs, model="gpt")[2].guesses_before == []


@pytest.mark.parametrize("model", MACHINES["answers"])
def test_every_machine_that_answers_takes_every_change_or_leaves_it_out(runs, model):
    at = EACH[model]
    names = (f"{at}head0", f"{at}ffn", f"{at}attn.sum", f"{at}ffn.sum", f"{at}cross.sum",
             "layer1.sum", f"{at}head0.row1.key0.weight0.5", "temperature2")  # fmt: skip
    view, record, figure = flow_of(runs, model=model, off="+".join(names), swap="1~cat~dog")
    assert len(figure.off) >= 2
    assert len(record.effect.ones) == len(figure.off)
    assert np.isfinite([one.bits for one in record.effect.ones]).all()
    said = str(view.describe(record))
    assert "One at a time" in said
    assert "Their effects" in said
    assert "bits" not in said
    assert figure.payload().arrays["was"].shape == figure.was.shape
    assert {"bits", "was", "now"} <= view.values(record).keys()


def test_the_sum_of_a_recurrent_layer_is_closed_as_well(runs):
    _view, record, figure = flow_of(runs, model="elmo", off="layer1.sum")
    assert figure.off == ["layer1.sum"]
    assert record.effect.ones[0].called == "layer 1 replaces the row"


@pytest.mark.parametrize("off", [
    "+".join(f"layer{n}.ffn" for n in range(9)), "<script>", "layer0.ffn++",
])  # fmt: skip
def test_a_link_that_says_too_much_is_refused_in_a_sentence(off):
    params, problems = parse(FlowParams, {"off": off})
    assert params.off == ""
    assert problems[0].wanted == "at most 8 changes, such as layer3.head1"


def test_where_another_word_changes_most_it_is_named():
    one = One("layer0.head1", "head 1 of layer 0 off", 0.23, 0.01)
    found = Effect("France", "France", 0.22, 0.23, 0.06, [one], ("Spain", 0.02, 0.078))
    said = str(changed(found))
    assert "rises from 22 % to 23 %. “Spain” changes most, from 2.0 % to 7.8 %." in said.replace(
        "\xa0", " "
    )
    still = Effect("France", "France", 0.22, 0.23, 0.06, [one], ("Spain", 0.02, 0.025))
    assert "changes most" not in str(changed(still))
