"""The names that notebooks, tests and pages use, with the models that ship."""

from __future__ import annotations

import numpy as np

from core import zoo


def test_the_front_door():
    import torch

    from core.predict import fill_masks, next_tokens
    from core.tracing import trace_run

    gpt = zoo.load("gpt")
    ids = gpt.encode("Once upon a time")
    logits = gpt.model(torch.tensor([ids]))
    best = next_tokens(gpt, "Once upon a", k=5)
    bert = zoo.load("bert")
    filled = fill_masks(bert, "The cat sat on the [MASK].", k=5)
    trace = trace_run(gpt, "Once upon a time")

    assert isinstance(ids, list)
    assert all(type(i) is int for i in ids)
    assert gpt.decode(ids) == "Once upon a time"
    assert gpt.config.n_ctx >= 256
    assert isinstance(gpt.card, str)
    assert gpt.device.type in ("cuda", "mps", "cpu")
    assert logits.shape == (1, len(ids), gpt.config.vocab_size)
    for of_one in (best, *filled):
        assert len(of_one) == 5
        assert all(isinstance(p.token, str) and isinstance(p.id, int) for p in of_one)
        probs = [p.prob for p in of_one]
        assert probs == sorted(probs, reverse=True)
        assert 0 < sum(probs) <= 1
    assert len(filled) == 1
    weights = trace["blocks.0.attn.weights"]
    assert weights.shape == (gpt.config.n_heads, len(ids), len(ids))
    assert weights.dtype == np.float32
    np.testing.assert_allclose(weights.sum(axis=-1), 1, atol=1e-5)
    np.testing.assert_allclose(trace["logits"], logits[0].cpu().numpy(), atol=1e-3)
