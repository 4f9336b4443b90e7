"""The stream's size is that of the recorded sums, in the order of computation."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.stream import input_site, norm_input, stream_places
from core.tracing.run import trace_run


def test_a_pre_norm_stream_changes_only_at_its_sums(gpt):
    trace = trace_run(gpt, "The cat sat")
    places = stream_places(trace)
    assert [(p.layer, p.part) for p in places] == [
        (-1, "embeddings"), (0, "attention"), (0, "ffn"), (1, "attention"), (1, "ffn"),
    ]  # fmt: skip
    for place, site, added in (
        (places[0], "blocks.0.resid_pre", None),
        (places[1], "blocks.0.resid_mid", "blocks.0.attn.out"),
        (places[4], "blocks.1.resid_post", "blocks.1.ffn.out"),
    ):
        for at, vector in enumerate(trace[site]):
            assert place.size[at] == pytest.approx(np.sqrt((vector**2).sum()), rel=1e-5)
        if added:
            assert place.update[1] == pytest.approx(np.sqrt((trace[added][1] ** 2).sum()), rel=1e-5)


def test_a_post_norm_stream_goes_through_its_norms(bert):
    trace = trace_run(bert, "the cat sat")
    parts = [p.part for p in stream_places(trace)]
    assert parts == ["embeddings", *["attention", "norm", "ffn", "norm"] * 2]


@pytest.mark.parametrize("norm", ["ln_1", "ln_2", "final_norm"])
def test_a_norms_input_gives_its_recorded_mean_pre(gpt, norm):
    trace = trace_run(gpt, "The cat sat")
    site = norm if norm == "final_norm" else f"blocks.1.{norm}"
    np.testing.assert_allclose(
        norm_input(trace, norm, 1).mean(axis=1), trace[f"{site}.mean"][:, 0], atol=1e-6
    )
    assert input_site(trace, norm, 1) in trace


@pytest.mark.parametrize("norm", ["ln_1", "ln_2", "embed.ln"])
def test_a_norms_input_gives_its_recorded_mean_post(bert, norm):
    trace = trace_run(bert, "the cat sat")
    site = norm if norm == "embed.ln" else f"blocks.1.{norm}"
    np.testing.assert_allclose(
        norm_input(trace, norm, 1).mean(axis=1), trace[f"{site}.mean"][:, 0], atol=1e-6
    )
