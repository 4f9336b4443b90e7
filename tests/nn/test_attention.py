"""Attention against the lecture's numbers and against slow loops."""

from __future__ import annotations

import math

import pytest
import torch

from core.nn.attention import MultiHeadAttention, attend
from core.nn.masks import causal_mask
from core.tracing.tap import NO_TAP, Recorder

LECTURE_SCORES = torch.tensor(
    [[10.0, -2, 6, 3], [0, 7, 2, -4], [-3, 4, 5, -8], [2, 1, 7, 6]], dtype=torch.float64
)


def attend_by_loops(q, k, v, mask, *, scaled=True, bias=None):
    """softmax(q kᵀ / sqrt(d_head) + bias) v, one query and one key at a time."""
    out = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=v.dtype)
    for b in range(q.shape[0]):
        for h in range(q.shape[1]):
            for i in range(q.shape[2]):
                powers = {}
                for j in range(k.shape[2]):
                    if mask is None or mask[b, h, i, j]:
                        score = float(q[b, h, i] @ k[b, h, j])
                        score /= math.sqrt(q.shape[-1]) if scaled else 1
                        score += 0 if bias is None else float(bias[0, h, i, j])
                        powers[j] = math.exp(score)
                for j, power in powers.items():
                    out[b, h, i] += power / sum(powers.values()) * v[b, h, j]
    return out


def test_masked_softmax_of_the_lecture():
    """The 4 x 4 example under the causal mask; rows 3 and 4 are printed in the slides."""
    # With identity keys the dot products are the rows of q; the scale halves what was doubled.
    q = 2 * LECTURE_SCORES[None, None]
    eye = torch.eye(4, dtype=torch.float64)[None, None]
    tap = Recorder()
    attend(q, eye, eye, causal=True, tap=tap)
    assert tap.values["scores"][0, 0].equal(LECTURE_SCORES)
    weights = tap.values["weights"][0, 0]
    expected = torch.tensor(
        [
            [1, 0, 0, 0],
            [1 / (1 + math.exp(7)), 1 / (1 + math.exp(-7)), 0, 0],
            [0.000, 0.269, 0.731, 0],
            [0.005, 0.002, 0.726, 0.267],
        ],
        dtype=torch.float64,
    )
    torch.testing.assert_close(weights, expected, atol=5e-4, rtol=0)
    assert (weights[~causal_mask(4, 4)] == 0).all()


@pytest.mark.parametrize("tap", [NO_TAP, "recorder"], ids=["fused", "traced"])
@pytest.mark.parametrize("case", ["no mask", "mask", "causal", "mask and causal"])
@pytest.mark.parametrize("scaled", [True, False], ids=["scaled", "as it is"])
@pytest.mark.parametrize("biased", [False, True], ids=["", "biased"])
def test_attend_is_what_the_loops_say(tap, case, scaled, biased):
    tap = Recorder() if tap == "recorder" else tap
    g = torch.Generator().manual_seed(1)
    q, k, v = (torch.randn(2, 3, t, 4, generator=g, dtype=torch.float64) for t in (5, 6, 6))
    bias = torch.randn(1, 3, 5, 6, generator=g, dtype=torch.float64) if biased else None
    mask = torch.rand(2, 3, 5, 6, generator=g) > 0.4 if "mask" in case else None
    causal = "causal" in case
    found = attend(q, k, v, mask=mask, causal=causal, scaled=scaled, bias=bias, tap=tap)
    order = causal_mask(5, 6).expand(2, 3, 5, 6)
    seen = mask if not causal else order if mask is None else mask & order
    expected = attend_by_loops(q, k, v, seen, scaled=scaled, bias=bias)
    torch.testing.assert_close(found, expected, atol=1e-12, rtol=0)
    if tap.active:
        scores = q @ k.mT / (2 if scaled else 1) + (bias if biased else 0)
        torch.testing.assert_close(tap.values["scores"], scores)


@pytest.mark.parametrize("way", ["fused", "traced", "training"])
@pytest.mark.parametrize("with_mask", [False, True])
@pytest.mark.parametrize("biased", [False, True])
@pytest.mark.parametrize(("n_queries", "n_keys"), [(4, 2), (3, 1), (2, 2), (2, 4)])
def test_a_query_before_the_first_key_gets_zeros(way, with_mask, biased, n_queries, n_keys):
    """The queries are the last: with more of them than keys, the first ones see nothing."""
    g = torch.Generator().manual_seed(2)
    q, k, v = (torch.randn(1, 2, t, 4, generator=g, dtype=torch.float64)
               for t in (n_queries, n_keys, n_keys))  # fmt: skip
    q.requires_grad_(way == "training")
    size = (1, 2, n_queries, n_keys)
    mask = torch.rand(size, generator=g) > 0.3 if with_mask else None
    bias = torch.randn(size, generator=g, dtype=torch.float64) if biased else None
    tap = Recorder() if way == "traced" else NO_TAP
    found = attend(q, k, v, mask=mask, causal=True, bias=bias, tap=tap)
    order = causal_mask(n_queries, n_keys).expand(size)
    seen = order if mask is None else order & mask
    expected = attend_by_loops(q.detach(), k, v, seen, bias=bias)
    torch.testing.assert_close(found, expected, atol=1e-12, rtol=0)
    if way == "traced":
        assert tap.values["weights"].isfinite().all()
    if way == "training":
        found.sum().backward()
        assert q.grad.isfinite().all()


@pytest.mark.parametrize("traced", [False, True])
def test_a_query_that_may_see_nothing_gets_zeros(traced):
    q = torch.randn(1, 1, 2, 4)
    mask = torch.tensor([[False, False], [True, True]])
    tap = Recorder() if traced else NO_TAP
    z = attend(q, q, q, mask=mask, tap=tap)
    assert (z[0, 0, 0] == 0).all()
    assert z.isfinite().all()
    if traced:
        assert (tap.values["weights"][0, 0, 0] == 0).all()


ROWS = {  # (B, 1, Tq, Tk): some queries may attend to nothing
    "one query": [[[0, 0, 0], [1, 1, 0], [1, 1, 1]]],
    "some rows of a batch": [
        [[1, 0, 0], [1, 1, 0], [1, 1, 1]],
        [[0, 0, 0], [0, 1, 0], [0, 0, 0]],
        [[0, 0, 0], [0, 0, 0], [0, 0, 0]],
    ],
}


def attend_by_softmax_of_lists(q, k, v, mask, bias=None):
    """One query at a time, over the list of keys it may attend to; differentiable."""
    rows = []
    for b, h, i in torch.cartesian_prod(*(torch.arange(n) for n in q.shape[:3])).tolist():
        seen = [j for j in range(k.shape[2]) if mask[b, 0, i, j]]
        scores = [(q[b, h, i] * k[b, h, j]).sum() / math.sqrt(q.shape[-1])
                  + (0 if bias is None else bias[0, h, i, j])
                  for j in seen]  # fmt: skip
        total = sum((score.exp() for score in scores), torch.zeros((), dtype=q.dtype))
        rows.append(
            sum(
                (s.exp() / total * v[b, h, j] for s, j in zip(scores, seen, strict=True)),
                torch.zeros(v.shape[-1], dtype=v.dtype),
            )
        )
    return torch.stack(rows).view(q.shape)


@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
@pytest.mark.parametrize("path", ["equations", "traced", "fused"])
@pytest.mark.parametrize("biased", [False, True], ids=["", "biased"])
def test_a_query_that_may_see_nothing_has_zero_gradients(path, rows, biased):
    """A sum over no keys is 0 whatever the parameters are, so its gradient is 0 and not NaN."""
    mask = torch.tensor(rows, dtype=torch.bool)[:, None]
    g = torch.Generator().manual_seed(2)
    drawn = [torch.randn(len(mask), 2, 3, 4, generator=g, dtype=torch.float64) for _ in range(3)]
    if biased:
        drawn.append(torch.randn(1, 2, 3, 3, generator=g, dtype=torch.float64))
    # Queries that need no gradient take the fused kernel, whose other gradients are compared.
    learnt = range(1 if path == "fused" else 0, len(drawn))

    def gradients(attend_to_it):
        inputs = [t.clone().requires_grad_(at in learnt) for at, t in enumerate(drawn)]
        z = attend_to_it(*inputs)
        return z, torch.autograd.grad(z.square().sum(), [inputs[at] for at in learnt])

    tap = Recorder() if path == "traced" else NO_TAP
    z, found = gradients(lambda q, k, v, *bias: attend(
        q, k, v, mask=mask, bias=bias[0] if bias else None, tap=tap
    ))  # fmt: skip
    expected_z, expected = gradients(
        lambda q, k, v, *bias: attend_by_softmax_of_lists(q, k, v, mask, *bias)
    )
    torch.testing.assert_close(z, expected_z, atol=1e-12, rtol=0)
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other, atol=1e-12, rtol=0)
    assert (z[~mask.any(-1).expand(z.shape[:3])] == 0).all()


def test_recorded_scores_are_scaled_and_unmasked():
    q, k = torch.randn(1, 2, 3, 4), torch.randn(1, 2, 3, 4)
    tap = Recorder()
    attend(q, k, k, causal=True, tap=tap)
    torch.testing.assert_close(tap.values["scores"], q @ k.mT / 2)


def test_heads_are_slices_of_the_projection():
    """Head h reads rows h * d_head ... of W_Q, W_K, W_V and its own columns of W_O."""
    attn = MultiHeadAttention(6, 2).double()
    x = torch.randn(1, 4, 6, dtype=torch.float64)
    tap = Recorder()
    out = attn(x, tap=tap)
    w_q, w_k, w_v = attn.w_q.weight, attn.w_k.weight, attn.w_v.weight
    b_q, b_k, b_v = attn.w_q.bias, attn.w_k.bias, attn.w_v.bias
    total = attn.w_o.bias.expand(4, 6).clone()
    for h in range(2):
        rows = slice(3 * h, 3 * h + 3)
        q = x[0] @ w_q[rows].T + b_q[rows]
        k = x[0] @ w_k[rows].T + b_k[rows]
        v = x[0] @ w_v[rows].T + b_v[rows]
        torch.testing.assert_close(tap.values["q"][0, h], q)
        torch.testing.assert_close(tap.values["k"][0, h], k)
        torch.testing.assert_close(tap.values["v"][0, h], v)
        z = (q @ k.T / math.sqrt(3)).softmax(-1) @ v
        total = total + z @ attn.w_o.weight[:, rows].T
    torch.testing.assert_close(out[0], total)


def test_cross_attention_takes_keys_and_values_from_the_source():
    attn = MultiHeadAttention(6, 2).double()
    x, source = (torch.randn(1, t, 6, dtype=torch.float64) for t in (3, 5))
    tap = Recorder()
    out = attn(x, source, tap=tap)
    assert out.shape == (1, 3, 6)
    assert tap.values["weights"].shape == (1, 2, 3, 5)
    # The same source with its positions in another order gives the same output.
    torch.testing.assert_close(attn(x, source[:, [4, 2, 0, 1, 3]]), out)
    # With the text as its own source, cross-attention is self-attention.
    torch.testing.assert_close(attn(x, x), attn(x))


def test_a_head_may_be_wider_than_its_share_and_go_without_biases():
    attn = MultiHeadAttention(6, 2, d_head=5, bias=False)
    for w in (attn.w_q, attn.w_k, attn.w_v):
        assert w.weight.shape == (10, 6)
        assert w.bias is None
    assert attn.w_o.weight.shape == (6, 10)
    x = torch.randn(1, 4, 6)
    assert attn(x, torch.randn(1, 7, 6)).shape == (1, 4, 6)


def test_keys_and_values_of_a_source_may_be_made_once():
    attn = MultiHeadAttention(6, 2).double()
    x, source = (torch.randn(2, t, 6, dtype=torch.float64) for t in (3, 5))
    once = attn.keys_values(source)
    assert once.k.shape == once.v.shape == (2, 2, 5, 3)
    mask = torch.rand(2, 1, 3, 5) > 0.3
    torch.testing.assert_close(attn(x, once, mask=mask), attn(x, source, mask=mask))
    tap = Recorder()
    attn(x, once, tap=tap)
    assert set(tap.values) == {"q", "scores", "weights", "z", "out"}  # nothing is projected anew


def test_training_by_equations_gives_the_gradients_of_the_fused_kernel():
    attn = MultiHeadAttention(8, 2).double()
    projections = (attn.w_q, attn.w_k, attn.w_v)
    x = torch.randn(2, 5, 8, dtype=torch.float64)
    attn(x, causal=True).square().sum().backward()
    by_equations = [w.weight.grad.clone() for w in projections]
    attn.zero_grad()
    q, k, v = (attn._heads(w(x)) for w in projections)
    z = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
    attn.w_o(z.transpose(1, 2).flatten(2)).square().sum().backward()
    for w, expected in zip(projections, by_equations, strict=True):
        torch.testing.assert_close(w.weight.grad, expected)
