"""The trace: immutable, loud about unknown names, and true to the model's algebra."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.errors import UnknownSiteError
from core.tracing import Edit, trace_run

TEXT = "The little dog saw the sea."


@pytest.fixture(scope="module")
def of_gpt(gpt):
    return trace_run(gpt, TEXT)


@pytest.fixture(scope="module")
def of_bert(bert):
    return trace_run(bert, (TEXT, "The cat sat."))


def close(found, expected, name=""):
    np.testing.assert_allclose(found, expected, atol=2e-6, err_msg=name)


# --- the mapping -------------------------------------------------------------------


def test_nothing_in_it_can_be_changed(of_gpt):
    for name, value in of_gpt.items():
        assert not value.flags.writeable, name
    with pytest.raises(ValueError, match="read-only"):
        of_gpt["logits"][0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        of_gpt.mask[0, 0] = False
    with pytest.raises(ValueError, match="read-only"):
        of_gpt.weights["embed.tokens.weight"][0, 0] = 1
    with pytest.raises(AttributeError):
        of_gpt.tokens = ()


def test_weights_have_their_names_on_disk(of_gpt, gpt):
    assert "blocks.0.attn.w_q.weight" in of_gpt.weights
    assert not any("w_qkv" in name for name in of_gpt.weights)
    assert sum(w.size for w in of_gpt.weights.values()) == gpt.n_parameters


def test_an_unknown_name_is_an_error_that_suggests_near_ones(of_gpt):
    with pytest.raises(UnknownSiteError) as caught:
        of_gpt["blocks.0.attn.weight"]
    assert "blocks.0.attn.weights" in caught.value.near
    message = (
        "this run recorded no site 'blocks.0.attn.weight'; did you mean blocks.0.attn.weights, "
    )
    assert str(caught.value).startswith(message)
    assert "blocks.0.attn.weight" not in of_gpt
    with pytest.raises(KeyError):  # a mapping raises what mappings raise
        of_gpt["nonsense"]


def test_sites_that_were_not_recorded_are_an_error_derived_ones_too(gpt):
    trace = trace_run(gpt, TEXT, sites=["blocks.0.attn.q"])
    for name in ("blocks.0.attn.k", "blocks.0.attn.dots", "blocks.0.attn.scores_masked"):
        with pytest.raises(UnknownSiteError, match=name):
            trace[name]


def test_traces_can_be_told_apart_and_put_into_sets(gpt):
    one, two = trace_run(gpt, "a"), trace_run(gpt, "a")
    assert one != two
    assert len({one, two, one}) == 2


# --- derived sites -----------------------------------------------------------------


def test_dots_are_the_scores_before_scaling(of_gpt):
    dots = of_gpt["blocks.1.attn.dots"]
    close(dots / math.sqrt(8), of_gpt["blocks.1.attn.scores"])
    q, k = of_gpt["blocks.1.attn.q"], of_gpt["blocks.1.attn.k"]
    assert dots[1, 4, 2] == pytest.approx(float(q[1, 4] @ k[1, 2]), abs=1e-6)


def test_masked_scores_are_minus_infinity_where_the_mask_forbids(of_gpt):
    masked = of_gpt["blocks.0.attn.scores_masked"]
    assert (masked[:, ~of_gpt.mask] == -np.inf).all()
    np.testing.assert_array_equal(
        masked[:, of_gpt.mask], of_gpt["blocks.0.attn.scores"][:, of_gpt.mask]
    )
    power = np.exp(masked)
    close(power / power.sum(-1, keepdims=True), of_gpt["blocks.0.attn.weights"])


# --- algebra -----------------------------------------------------------------------


@pytest.fixture(params=["of_gpt", "of_bert"])
def trace(request):
    return request.getfixturevalue(request.param)


def test_each_row_of_weights_sums_to_one(trace):
    for i in range(2):
        close(trace[f"blocks.{i}.attn.weights"].sum(axis=-1), 1)


def test_residual_sums(trace):
    post_norm = trace.blueprint.main.arrangement == "post"
    for i in range(2):
        pre, mid, post = (trace[f"blocks.{i}.resid_{at}"] for at in ("pre", "mid", "post"))
        close(mid, pre + trace[f"blocks.{i}.attn.out"])
        to_ffn = trace[f"blocks.{i}.ln_1.out"] if post_norm else mid
        close(post, to_ffn + trace[f"blocks.{i}.ffn.out"])
    handed_on = trace["blocks.0.ln_2.out" if post_norm else "blocks.0.resid_post"]
    np.testing.assert_array_equal(trace["blocks.1.resid_pre"], handed_on)


def test_embeddings_add_up(of_gpt, of_bert):
    close(of_gpt["blocks.0.resid_pre"], of_gpt["embed.tokens"] + of_gpt["embed.positions"])
    total = sum(of_bert[f"embed.{table}"] for table in ("tokens", "positions", "types"))
    mean, var = total.mean(-1, keepdims=True), total.var(-1, keepdims=True)
    close(of_bert["embed.ln.mean"], mean)
    close(of_bert["embed.ln.var"], var)
    np.testing.assert_array_equal(of_bert["blocks.0.resid_pre"], of_bert["embed.ln.out"])


def test_heads_and_the_bias_add_up_to_the_attentions_output(trace):
    for i in range(2):
        w_o, b_o = (trace.weights[f"blocks.{i}.attn.w_o.{part}"] for part in ("weight", "bias"))
        z = trace[f"blocks.{i}.attn.z"]
        by_head = [z[h] @ w_o[:, 8 * h : 8 * h + 8].T for h in range(2)]
        close(sum(by_head) + b_o, trace[f"blocks.{i}.attn.out"])


def test_z_is_the_values_mixed_by_the_weights(trace):
    weights, v = trace["blocks.1.attn.weights"], trace["blocks.1.attn.v"]
    close(trace["blocks.1.attn.z"], weights @ v)


def test_normalised_vectors_have_mean_0_and_variance_1(trace):
    for name, value in trace.items():
        if name.endswith(".normalized"):
            before = trace[name.replace("normalized", "var")]
            close(value.mean(axis=-1), 0, name)
            # eps stands beside the variance, so it comes out a little below 1.
            expected = before[:, 0] / (before[:, 0] + trace.config.eps)
            np.testing.assert_allclose(value.var(axis=-1), expected, rtol=1e-4, err_msg=name)


def test_a_norms_output_is_scaled_and_shifted(trace):
    ln = "blocks.1.ln_2"
    gain, shift = trace.weights[f"{ln}.weight"], trace.weights[f"{ln}.bias"]
    close(trace[f"{ln}.out"], trace[f"{ln}.normalized"] * gain + shift)


def test_logits_are_the_final_norm_times_the_token_table(of_gpt):
    close(of_gpt["logits"], of_gpt["final_norm.out"] @ of_gpt.weights["embed.tokens.weight"].T)


def test_masked_word_logits_are_the_heads_vector_times_the_token_table(of_bert):
    table, bias = of_bert.weights["embed.tokens.weight"], of_bert.weights["mlm.bias"]
    close(of_bert["mlm.logits"], of_bert["mlm.ln.out"] @ table.T + bias)


def test_pooler_and_next_sentence_read_cls(of_bert):
    last = of_bert["blocks.1.ln_2.out"][0]
    w = of_bert.weights
    pooled = np.tanh(last @ w["pooler.weight"].T + w["pooler.bias"])
    close(of_bert["pooler.out"], pooled)
    close(of_bert["nsp.logits"], pooled @ w["nsp.weight"].T + w["nsp.bias"])


def test_the_algebra_holds_under_edits_too(gpt):
    """An edited activation is what the rest of the run is computed from, and what is shown."""
    trace = trace_run(gpt, TEXT, edits=[Edit("blocks.0.attn.weights", (0,), "mean")])
    close(trace["blocks.0.attn.z"], trace["blocks.0.attn.weights"] @ trace["blocks.0.attn.v"])
    close(trace["blocks.0.resid_mid"], trace["blocks.0.resid_pre"] + trace["blocks.0.attn.out"])
