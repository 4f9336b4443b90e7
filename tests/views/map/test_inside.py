"""The inside of a place: every number of it is one of the run."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.distributions import softmax
from core.figures.payload import unpack
from core.figures.text import number, percent
from tests.views.records import shown

TEXT = "The cat sat on the mat"


def inside(runs, place, **values):
    return shown(runs, "map.inside", place=place, **({"text": TEXT} | values))


def column(record, name):
    return next(one for one in record.sheet.columns if one.name == name)


def test_a_head_goes_from_its_query_to_its_mix(runs):
    _view, record = inside(runs, "layer1.head1", token="3")
    trace = record.whole.trace
    of = {name: trace[f"blocks.1.attn.{name}"][1] for name in ("q", "k", "v", "z", "scores")}
    assert np.array_equal(column(record, "q").values[0], of["q"][3])
    assert np.array_equal(column(record, "k").values, of["k"])
    assert np.array_equal(column(record, "z").values[0], of["z"][3])
    scores = [one.text for one in column(record, "scores").marks]
    assert scores[:4] == [number(float(one)) for one in of["scores"][3, :4]]
    assert set(scores[4:]) == {"−∞"}
    assert [one.goes for one in column(record, "k").marks] == [
        one.goes for one in column(record, "weights").marks
    ]
    best = int(trace["blocks.1.attn.weights"][1, 3].argmax())
    assert column(record, "q").marks[0].goes == f"layer1.head1.key{best}"
    weights = [one.text for one in column(record, "weights").marks]
    assert weights[:4] == [percent(float(one)) for one in trace["blocks.1.attn.weights"][1, 3, :4]]
    assert [one.goes for one in column(record, "weights").marks][:2] == [
        "layer1.head1.key0", "layer1.head1.key1",
    ]  # fmt: skip


def test_scores_weights_and_the_mix_say_of_which_numbers_they_are_made(runs):
    _view, record = inside(runs, "layer1.head1", token="3")
    of = {name: record.whole.trace[f"blocks.1.attn.{name}"][1, 3] for name in ("dots", "scores")}
    dot, score = (float(of[name][2]) for name in ("dots", "scores"))
    marks = column(record, "scores").marks
    assert marks[2].made == f"{number(dot)} / √8 = {number(score)}"
    assert not marks[5].made  # it is masked
    most = float(of["scores"][:4].max())
    total = float(np.exp(of["scores"][:4].astype(float) - most).sum())
    share = column(record, "weights").marks[2]
    assert share.made == (f"e^({number(score)} − {number(most)}) / {number(total)} = {share.text}")
    assert np.isclose(np.exp(score - most) / total, share.value, atol=1e-4)
    (mix,) = column(record, "z").marks
    assert (len(mix.terms), mix.more) == (3, True)
    _view, record = inside(runs, "layer1.head1", token="2")
    (mix,) = column(record, "z").marks
    assert (len(mix.terms), mix.more) == (3, False)


def test_of_a_head_that_is_off_it_is_said_that_nothing_is_passed_on(runs):
    view, record = inside(runs, "layer1.head1", token="3", off="layer1.head1")
    assert "The head is off: nothing of this is passed on." in str(view.describe(record))
    view, record = inside(runs, "layer1.head1.key1", token="3", off="layer1.head1")
    assert "The head is off: nothing of this is passed on." in str(view.describe(record))
    view, record = inside(runs, "layer1.head0", token="3", off="layer1.head1")
    assert "is off" not in str(view.describe(record))


def test_what_a_unit_promotes_and_where_it_is_active_have_no_scale_in_common(runs):
    _view, record = inside(runs, "layer1.ffn.unit0", token="2")
    first = record.sheet.rows[column(record, "number").marks[2].row].partition("promotes ")[2]
    assert f"It promotes {first}, “" in str(record.sheet.reading)  # each in its quotes
    marks = column(record, "number").marks
    called = {one.row: record.sheet.rows[one.row] for one in marks}
    assert all(one.share is not None for one in marks if called[one.row].startswith("promotes"))
    active = [one for one in marks if called[one.row].startswith("activation on")]
    assert active
    assert [one.share for one in active] == [None] * len(active)


def test_one_weight_is_made_of_its_operands(runs):
    _view, record = inside(runs, "layer0.head1.key2", token="4")
    trace, attn = record.whole.trace, "blocks.0.attn."
    query, key, product, value, mixed = column(record, "strip").values
    assert np.allclose(query * key, product)
    assert np.isclose(product.sum(), trace[f"{attn}dots"][1, 4, 2], atol=1e-4)
    weight = float(trace[f"{attn}weights"][1, 4, 2])
    assert np.allclose(weight * value, mixed)
    texts = {record.sheet.rows[one.row]: one.text for one in column(record, "number").marks}
    assert texts["the one divided by the other: the weight"] == percent(weight)
    scores = trace[f"{attn}scores"][1, 4, :5].astype(float)
    total = np.exp(scores - scores.max()).sum()
    assert texts["the sum over all keys"] == number(float(total))


def test_a_bar_below_zero_has_a_sign(runs):
    _view, record = inside(runs, "layer0.ffn", token="3")
    bars = column(record, "after").marks
    assert any(one.value < 0 for one in bars)
    assert all(np.sign(one.share) == np.sign(one.value) for one in bars)


def test_a_key_that_is_masked_says_so(runs):
    _view, record = inside(runs, "layer0.head1.key5", token="2")
    texts = [one.text for one in column(record, "number").marks]
    assert "−∞" in texts
    assert texts[-1] == percent(0)


def test_a_key_hidden_by_hand_reads_like_one_that_is_masked(runs):
    view, record = inside(runs, "layer0.head1", token="4", off="layer0.head1.key2")
    mark = column(record, "scores").marks[2]
    assert (mark.text, mark.says.rpartition(": ")[2]) == ("−∞", "−∞ (masked)")
    assert column(record, "weights").marks[2].text == "masked"
    assert "You have hidden “" in str(view.describe(record))
    assert not column(record, "scores").faint
    _view, record = inside(runs, "layer0.head1.key2", token="4", off="layer0.head1.key2")
    texts = [one.text for one in column(record, "number").marks]
    assert "−∞" in texts
    assert not any("e9" in one for one in texts)


def test_weights_set_by_hand_do_not_seem_to_follow_from_their_scores(runs):
    off = "layer0.head1.row4.key2.weight0.9"
    view, record = inside(runs, "layer0.head1", token="4", off=off)
    assert column(record, "scores").faint
    assert "no longer follow" in str(view.describe(record))
    view, record = inside(runs, "layer0.head1", token="3", off=off)  # another row still does
    assert not column(record, "scores").faint
    assert "no longer follow" not in str(view.describe(record))
    _view, record = inside(runs, "layer0.head1.key2", token="4", off=off)
    assert not any(one.startswith("e to the power") for one in record.sheet.rows)


def test_a_network_shows_its_strongest_units_and_each_what_it_adds_up(runs):
    _view, record = inside(runs, "layer1.ffn", token="2")
    trace = record.whole.trace
    post = trace["blocks.1.ffn.post"][2]
    best = int(np.abs(post).argmax())
    first = column(record, "after").marks[0]
    assert (first.goes, first.text) == (f"layer1.ffn.unit{best}", number(float(post[best])))
    _view, record = inside(runs, first.goes, token="2")
    given, row, product, out, adds = column(record, "strip").values
    assert np.allclose(given * row, product)
    assert np.allclose(float(post[best]) * out, adds)
    total = product.sum() + trace.weights["blocks.1.ffn.w_1.bias"][best]
    assert np.isclose(total, trace["blocks.1.ffn.pre"][2, best], atol=1e-4)


def test_embeddings_are_rows_and_their_sum(runs):
    _view, record = inside(runs, "embeddings", token="3")
    token, place, total = column(record, "strip").values
    assert np.allclose(token + place, total)
    assert [(one.column, one.row) for one in column(record, "strip").marks[2].terms] == [
        ("strip", 0), ("strip", 1),
    ]  # fmt: skip


def test_words_are_logits_and_what_softmax_makes_of_them(runs):
    _view, record = inside(runs, "words", token="3")
    logits = record.whole.trace["logits"][3].astype(float)
    vector = column(record, "vector").values[0]
    rows = column(record, "rows").values
    assert np.allclose(rows @ vector, np.sort(logits)[::-1][: len(rows)], atol=1e-4)
    best = column(record, "shares").marks[0]
    assert best.text == percent(float(softmax(logits).max()))
    _view, record = inside(runs, best.goes, token="3")
    assert column(record, "number").marks[-1].text == best.text


@pytest.mark.parametrize("place", ["layer0.cell", "layer0.forward.cell", "layer0.backward.cell"])
def test_a_cell_shows_its_gates_and_the_state_that_it_hands_on(runs, place):
    _view, record = inside(runs, place, model="elmo")
    strips, at = column(record, "strip"), record.whole.row("tokens")
    way = "backward" if "backward" in place else "forward"
    assert np.allclose(strips.values[-1], record.whole.trace[f"rnn.0.{way}.hidden"][at])
    assert len(strips.marks) >= 6


def test_a_word_that_is_spelt_begins_with_its_characters(runs):
    _view, record = inside(runs, "embeddings", model="elmo")
    strips, at = column(record, "strip"), record.whole.row("tokens")
    own = record.whole.trace["embed.tokens"][at]
    assert np.array_equal(strips.values[-1][: len(own)], own)
    assert "character 1" in record.sheet.rows[1]


def test_a_head_that_rests_on_the_start_is_explained(runs):
    _view, record = inside(runs, "layer0.head0", token="0", model="gpt")
    assert "Weights always add up to 1." in str(record.sheet.reading)


@pytest.mark.parametrize("place", ["", "layer1", "layer9.head1", "source.layer0.head1", "nothing"])
def test_where_nothing_is_opened_no_place_is_drawn(runs, place):
    view, record = inside(runs, place)
    assert record.opened is None
    assert unpack(view.show(record).payload().pack()).header["place"] == ""


def test_what_comes_of_a_head_is_a_few_kilobytes(runs):
    view, record = inside(runs, "layer1.head1")
    assert len(view.show(record).payload().pack()) < 12_000


def test_a_patch_is_its_pixels_a_projection_and_a_place(runs):
    _view, record = inside(runs, "embeddings", model="vit", token="2")
    trace = record.whole.trace
    pixels, patch, place, total = column(record, "strip").values
    own = trace["embed.pixels"][1]
    assert np.array_equal(pixels[: len(own)], own)
    assert np.allclose(patch + place, total, equal_nan=True)
    assert np.allclose(total[:16], trace["blocks.0.resid_pre"][2], atol=1e-5)
    _view, record = inside(runs, "embeddings", model="vit", token="0")
    assert record.sheet.rows[0] == "the learned vector of [CLS]"


def test_a_label_is_the_vector_of_the_mark_times_its_row_and_a_bias(runs):
    _view, record = inside(runs, "words", model="vit")
    trace = record.whole.trace
    best = column(record, "shares").marks[0]
    assert best.text == percent(float(softmax(trace["logits"].astype(float)).max()))
    _view, record = inside(runs, best.goes, model="vit")
    vector, row, product = column(record, "strip").values
    assert np.allclose(vector * row, product)
    n = int(best.goes.removeprefix("words.word"))
    logit = product.sum() + trace.weights["classifier.bias"][n]
    assert np.isclose(logit, trace["logits"][n], atol=1e-4)
    assert column(record, "number").marks[-1].text == best.text


def test_of_many_patches_those_are_drawn_that_get_most(runs):
    _view, record = inside(runs, "layer1.head1", model="vit", token="4")
    weights = record.whole.trace["blocks.1.attn.weights"][1, 4]
    drawn = [int(one.goes.rpartition("key")[2]) for one in column(record, "weights").marks]
    assert len(drawn) < len(weights)
    assert 4 in drawn
    assert set(map(int, np.argsort(-weights)[:16])) <= set(drawn)
    assert record.sheet.rows[record.sheet.row] == record.whole.trace.units[4].label
    assert not record.sheet.aligned
    assert np.allclose(record.sheet.weights, weights[drawn])


def test_a_unit_of_a_model_without_words_says_where_it_is_active(runs):
    _view, record = inside(runs, "layer1.ffn", model="vit", token="2")
    post = record.whole.trace["blocks.1.ffn.post"]
    first = column(record, "where").marks[0]
    unit = int(first.goes.rpartition("unit")[2])
    assert first.text == record.whole.trace.units[int(np.abs(post[:, unit]).argmax())].label
    _view, record = inside(runs, first.goes, model="vit", token="2")
    assert "promotes" not in str(record.sheet.reading)


def test_a_layer_names_its_strongest_line_to_a_word_not_to_where_attention_rests(runs):
    view, record = inside(runs, "layer1", token="3")
    weights = record.whole.trace["blocks.1.attn.weights"][:, 3].copy()
    weights[:, [0, 3]] = 0
    head, key = np.unravel_index(int(weights.argmax()), weights.shape)
    said = str(view.describe(record))
    assert f"head {head} has the strongest line" in said
    assert f"{percent(float(weights.max()))} from " in said
    assert record.whole.trace.units[int(key)].spoken in said
    first = str(view.describe(inside(runs, "layer1", token="1")[1]))
    assert "has no other word to attend to" in first
    assert inside(runs, "")[1].layer_says is None
