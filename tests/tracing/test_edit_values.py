"""Edits that put in what other sites gave, and that set some weights of a row."""

from __future__ import annotations

import numpy as np
import pytest

from core.errors import EditError
from core.tracing import Edit, trace_run
from core.tracing.edits import OfSites

TEXT = "The cat sat on the mat."


def test_a_sum_passes_on_only_what_its_layer_gave(gpt):
    edit = Edit("blocks.0.resid_mid", value=OfSites(("blocks.0.attn.out",)))
    trace = trace_run(gpt, TEXT, edits=[edit])
    np.testing.assert_array_equal(trace["blocks.0.resid_mid"], trace["blocks.0.attn.out"])
    plain = trace_run(gpt, TEXT)
    np.testing.assert_array_equal(trace["blocks.0.attn.out"], plain["blocks.0.attn.out"])
    assert not np.array_equal(trace["logits"], plain["logits"])
    few = trace_run(gpt, TEXT, sites=["logits"], edits=[edit])
    np.testing.assert_array_equal(few["logits"], trace["logits"])


def test_what_is_given_is_as_it_was_edited_itself(gpt):
    edits = [Edit("blocks.0.resid_mid", value=OfSites(("blocks.0.attn.out",))),
             Edit("blocks.0.attn.out", (2,))]  # fmt: skip
    trace = trace_run(gpt, TEXT, edits=edits)
    assert not trace["blocks.0.resid_mid"][2].any()
    assert trace["blocks.0.resid_mid"][1].any()


def test_recurrent_states_side_by_side_are_what_a_layer_says(elmo):
    states = ("rnn.1.forward.hidden", "rnn.1.backward.hidden")
    trace = trace_run(elmo, "the cat", edits=[Edit("rnn.1.out", value=OfSites(states))])
    said = np.concatenate([trace[name] for name in states], axis=-1)
    np.testing.assert_allclose(trace["rnn.1.out"], said, atol=1e-6)
    plain = trace_run(elmo, "the cat")
    np.testing.assert_allclose(plain["rnn.1.out"], plain["rnn.0.out"] + said, atol=1e-5)


@pytest.mark.parametrize("site", ["blocks.1.attn.out", "nowhere", "blocks.0.attn.weights"])
def test_what_is_not_there_yet_or_does_not_fit_is_an_error(gpt, site):
    with pytest.raises(EditError):
        trace_run(gpt, TEXT, edits=[Edit("blocks.0.resid_mid", value=OfSites((site,)))])


def rows_of(gpt, *shares):
    edit = Edit("blocks.0.attn.weights", (1, 4), shares)
    after = trace_run(gpt, TEXT, edits=[edit])["blocks.0.attn.weights"]
    return trace_run(gpt, TEXT)["blocks.0.attn.weights"], after


def test_a_weight_is_set_and_the_others_keep_their_proportions(gpt):
    before, after = rows_of(gpt, (2, 0.75))
    row, was = after[1, 4], before[1, 4]
    assert row[2] == pytest.approx(0.75, abs=1e-6)
    assert row.sum() == pytest.approx(1.0, abs=1e-6)
    others = [0, 1, 3, 4]
    np.testing.assert_allclose(row[others], was[others] * 0.25 / (1 - was[2]), atol=1e-6)
    np.testing.assert_array_equal(after[0], before[0])
    np.testing.assert_array_equal(np.delete(after[1], 4, 0), np.delete(before[1], 4, 0))


def test_several_weights_are_as_they_were_set_and_never_more_than_1(gpt):
    _, after = rows_of(gpt, (2, 0.5), (0, 0.25))
    np.testing.assert_allclose(after[1, 4, [2, 0]], [0.5, 0.25], atol=1e-6)
    _, after = rows_of(gpt, (2, 1.0), (0, 1.0))
    np.testing.assert_allclose(after[1, 4, [2, 0]], [0.5, 0.5], atol=1e-6)
    assert after[1, 4].sum() == pytest.approx(1.0, abs=1e-6)


def test_what_is_masked_stays_it(gpt):
    before, after = rows_of(gpt, (5, 0.9))
    np.testing.assert_allclose(after, before, atol=1e-6)
    alone = Edit("blocks.0.attn.weights", (1, 0), ((0, 0.0),))
    row = trace_run(gpt, TEXT, edits=[alone])["blocks.0.attn.weights"][1, 0]
    assert row[0] == 1.0  # nobody else could have it


@pytest.mark.parametrize("shares", [((2, 1.5),), ((2, -0.1),), ((2, float("nan")),), ((99, 0.5),)])
def test_a_share_is_one_and_of_an_entry_that_there_is(gpt, shares):
    with pytest.raises(EditError):
        rows_of(gpt, *shares)


def test_a_row_of_a_recurrent_decoder_is_set_at_its_step(rnn):
    edit = Edit("decoder.attn.weights", (1,), ((0, 0.5),))
    site = "decoder.attn.weights"
    before, after = (trace_run(rnn, ("le chat"), target="the cat", edits=edits)[site]
                     for edits in ((), (edit,)))  # fmt: skip
    assert after[1, 0] == pytest.approx(0.5, abs=1e-6)
    np.testing.assert_allclose(after[1].sum(), 1.0, atol=1e-6)
    np.testing.assert_array_equal(after[0], before[0])
