"""The prediction read off the stream before it is finished."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.lens import layer_logits, layer_norm
from core.tracing import trace_run

TEXT = "The little dog saw the sea."


def test_layer_norm_of_the_lecture():
    one, none = np.ones(4, np.float32), np.zeros(4, np.float32)
    found = layer_norm(np.array([100, 200, 100, 0], np.float32), one, none, 0.0)
    assert found == pytest.approx([0, 2**0.5, 0, -(2**0.5)], rel=1e-6)


def test_the_last_row_is_the_models_own_prediction(gpt):
    trace = trace_run(gpt, TEXT)
    for at in (0, 3, -1):
        rows = layer_logits(trace, at)
        assert rows.shape == (3, 300)
        np.testing.assert_allclose(rows[-1], trace["logits"][at], atol=1e-5)


def test_earlier_rows_are_the_model_with_its_later_blocks_left_out(gpt):
    """A block whose two updates are nothing hands the stream on as it is."""
    from core.tracing import Edit

    rows = layer_logits(trace_run(gpt, TEXT), 4)
    nothing = [Edit(f"blocks.1.{part}.out") for part in ("attn", "ffn")]
    np.testing.assert_allclose(rows[1], trace_run(gpt, TEXT, edits=nothing)["logits"][4], atol=1e-5)
    nothing += [Edit(f"blocks.0.{part}.out") for part in ("attn", "ffn")]
    np.testing.assert_allclose(rows[0], trace_run(gpt, TEXT, edits=nothing)["logits"][4], atol=1e-5)
