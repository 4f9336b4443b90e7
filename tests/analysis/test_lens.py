"""The prediction read off the stream before it is finished."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.lens import layer_logits
from core.inputs import SourceTarget
from core.tracing import Edit, trace_run

TEXT = "The little dog saw the sea."


@pytest.mark.parametrize("name", ["gpt", "relative"])
def test_the_last_row_is_the_models_own_prediction(name, request):
    trace = trace_run(request.getfixturevalue(name), TEXT)
    logits = trace[trace.blueprint.head.site]
    for at in (0, 3, -1):
        rows = layer_logits(trace, at)
        assert rows.shape == (3, 300)
        np.testing.assert_allclose(rows[-1], logits[at], atol=1e-5)


def test_earlier_rows_are_the_model_with_its_later_blocks_left_out(gpt):
    """A block whose two updates are nothing hands the stream on as it is."""
    rows = layer_logits(trace_run(gpt, TEXT), 4)
    nothing = [Edit(f"blocks.1.{part}.out") for part in ("attn", "ffn")]
    np.testing.assert_allclose(rows[1], trace_run(gpt, TEXT, edits=nothing)["logits"][4], atol=1e-5)
    nothing += [Edit(f"blocks.0.{part}.out") for part in ("attn", "ffn")]
    np.testing.assert_allclose(rows[0], trace_run(gpt, TEXT, edits=nothing)["logits"][4], atol=1e-5)


def test_without_a_last_norm_the_stream_is_read_as_it_is(transformer):
    """Two stacks, norms inside the residual sums: the decoder's stream is read."""
    trace = trace_run(transformer, SourceTarget("the cat sat", "the dog saw the sea"))
    rows = layer_logits(trace, 2)
    assert rows.shape == (3, transformer.config.vocab_size)
    np.testing.assert_allclose(rows[-1], trace["logits"][2], atol=1e-5)
    table = transformer.model.embed.tokens.weight.numpy()
    stream = [trace["decoder.blocks.0.resid_pre"], trace["decoder.blocks.0.ln_2.out"]]
    np.testing.assert_allclose(rows[0], stream[0][2] @ table.T, atol=1e-5)
    np.testing.assert_allclose(rows[1], stream[1][2] @ table.T, atol=1e-5)
