"""The stream's size is that of the recorded sums, in the order of computation."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.stream import norm_input, norms_of, stream_places
from core.inputs import SourceTarget
from core.tracing.run import trace_run


def test_a_pre_norm_stream_changes_only_at_its_sums(gpt):
    trace = trace_run(gpt, "The cat sat")
    places = stream_places(trace, trace.blueprint.main)
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
    parts = [p.part for p in stream_places(trace, trace.blueprint.main)]
    assert parts == ["embeddings", *["attention", "norm", "ffn", "norm"] * 2]


def test_a_stack_that_attends_to_another_has_one_more_sum(transformer):
    trace = trace_run(transformer, SourceTarget("the cat sat", "a dog"))
    encoder, decoder = trace.blueprint.stacks
    places = stream_places(trace, decoder)
    assert [p.part for p in places] == [
        "embeddings", *["attention", "norm", "cross", "norm", "ffn", "norm"] * 2
    ]  # fmt: skip
    added, total = trace["decoder.blocks.0.cross_attn.out"], trace["decoder.blocks.0.resid_cross"]
    assert places[3].update == pytest.approx(np.linalg.norm(added, axis=1), rel=1e-5)
    assert places[3].size == pytest.approx(np.linalg.norm(total, axis=1), rel=1e-5)
    assert [p.part for p in stream_places(trace, encoder)] == [
        "embeddings", *["attention", "norm", "ffn", "norm"] * 2
    ]  # fmt: skip
    n_source, n_target = (len(trace.streams[name].tokens) for name in ("source", "target"))
    assert {len(p.size) for p in stream_places(trace, encoder)} == {n_source}
    assert {len(p.size) for p in places} == {n_target}


@pytest.mark.parametrize("model", ["gpt", "bert", "transformer"])
def test_each_norm_of_a_model_is_found_once_with_what_it_reads(request, model):
    """What a norm reads has the mean that it recorded, and no norm of the model is left out."""
    trace = trace_run(request.getfixturevalue(model), "the cat sat")
    found = set()
    for stack in trace.blueprint.stacks:
        for layer in range(stack.n_layers):
            for norm in norms_of(trace.blueprint, stack, layer).values():
                found.add(norm.site)
                np.testing.assert_allclose(
                    norm_input(trace, norm).mean(axis=1),
                    trace[f"{norm.site}.mean"][:, 0],
                    atol=1e-6,
                )
    every = {name.removesuffix(".mean") for name in trace if name.endswith(".mean")}
    assert found == every - {"mlm.ln"}  # which stands in a head, off the stream


def test_norms_are_named_in_the_order_of_computation(gpt, bert, transformer):
    names = {"gpt": ["ln_1", "ln_2", "final_norm"], "bert": ["embed.ln", "ln_1", "ln_2"],
             "transformer": ["ln_1", "ln_cross", "ln_2"]}  # fmt: skip
    for model in (gpt, bert, transformer):
        blueprint = model.blueprint
        assert list(norms_of(blueprint, blueprint.main, 0)) == names[model.architecture]
    encoder = transformer.blueprint.stack("encoder")
    assert norms_of(transformer.blueprint, encoder, 1)["ln_1"].site == "encoder.blocks.1.ln_1"
