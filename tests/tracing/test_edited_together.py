"""One edit for the same place of several parts."""

from __future__ import annotations

import numpy as np
import pytest

from core.errors import EditError
from core.tracing import Edit, trace_run

TEXT = "The cat sat on the mat."


def test_one_edit_reaches_every_site_of_its_pattern(gpt):
    trace = trace_run(gpt, TEXT, edits=[Edit("blocks.*.attn.z", (1,)), Edit("*embed.positions")])
    for layer in range(2):
        assert not trace[f"blocks.{layer}.attn.z"][1].any()
        assert trace[f"blocks.{layer}.attn.z"][0].any()
    assert not trace["embed.positions"].any()
    one_by_one = [Edit("blocks.0.attn.z", (1,)), Edit("blocks.1.attn.z", (1,)),
                  Edit("embed.positions")]  # fmt: skip
    same = trace_run(gpt, TEXT, edits=one_by_one)
    for name in trace:
        assert np.array_equal(trace[name], same[name]), name


def test_a_pattern_reaches_no_site_that_is_made_from_others(gpt):
    """Dot products are derived from queries and keys: a run never passes them."""
    trace = trace_run(gpt, TEXT, edits=[Edit("blocks.0.attn.*", (), 0.5)])
    assert (trace["blocks.0.attn.scores"] == 0.5).all()


def test_a_pattern_that_fits_nothing_is_an_error(gpt):
    with pytest.raises(EditError) as caught:
        trace_run(gpt, TEXT, edits=[Edit("encoder.*.positions")])
    assert caught.value.site == "encoder.*.positions"
