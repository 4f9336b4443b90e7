"""Gradients through stacks of blocks: against autograd on the whole model, and what is left out."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
import tokenizers
import torch
import torch.nn.functional as F

from core.encoders import Encoders
from core.errors import EmptyInputError, ParameterError
from core.inputs import Text
from core.live_training.gradient_flow import MAX_TOKENS, _fresh, gradient_flow, run_block
from core.live_training.records import KEPT, GradientFlow, KeptParts
from core.models.transformer import Transformer
from core.nn.norms import LayerNorm
from core.runs.kinds.training import GradientRequest
from core.runs.store import Runs
from core.text.tokenizer import Tokenizer
from core.tracing import trace_run
from core.tracing.tap import Recorder
from tests.conftest import loaded, tiny_transformer

BOTH, NEITHER = KeptParts(True, True), KeptParts(False, False)
TEXT = "The cat sat on the mat"


def flow_of(*given, **how) -> GradientFlow:
    """All of it."""
    return GradientFlow.of(list(gradient_flow(*given, **how)))


@pytest.fixture(params=["gpt", "bert"])
def model(request):
    return request.getfixturevalue(request.param)


def test_with_sums_and_norms_a_block_is_itself(model):
    block, causal = model.model.blocks[0], model.blueprint.main.causal
    x = torch.randn(1, 5, model.config.d_model, dtype=torch.float64)
    expected = block(x, causal=True) if causal else block(x)
    torch.testing.assert_close(run_block(block, x, BOTH, model.blueprint.main), expected)


def test_without_either_a_block_is_two_layers_in_a_row(model):
    block, causal = model.model.blocks[0], model.blueprint.main.causal
    x = torch.randn(1, 5, model.config.d_model, dtype=torch.float64)
    expected = block.ffn(block.attn(x, causal=causal))
    torch.testing.assert_close(run_block(block, x, NEITHER, model.blueprint.main), expected)


def test_the_whole_model_has_the_loss_and_gradient_of_plain_autograd(gpt):
    ids = torch.tensor([gpt.encode(TEXT)])
    network = gpt.model
    x = network.embed(ids).clone().requires_grad_(True)
    inputs = [x]
    for block in network.blocks:
        inputs.append(block(inputs[-1], causal=True))
        inputs[-1].retain_grad()
    logits = F.linear(network.final_norm(inputs[-1]), network.embed.tokens.weight)
    torch.testing.assert_close(logits, network(ids))
    loss = F.cross_entropy(logits[0, :-1], ids[0, 1:])
    loss.backward()
    flow = flow_of(gpt, TEXT).flows[KEPT.index(BOTH)]
    assert flow.loss == pytest.approx(loss.item())
    np.testing.assert_allclose(flow.gradient, [float(v.grad.norm()) for v in inputs])
    sizes = [float(v.detach()[0].norm(dim=-1).mean()) for v in inputs]
    np.testing.assert_allclose(flow.size, sizes)


def test_a_bias_of_the_scores_goes_down_with_the_gradient(relative):
    """Without it the loss and every gradient would be another stack's."""
    ids, network = torch.tensor([relative.encode(TEXT)]), relative.model
    inputs = [network.words(ids).clone().requires_grad_(True)]
    bias = network.body.relative(ids.shape[1], ids.shape[1])
    for block in network.body.blocks:
        inputs.append(block(inputs[-1], causal=True, bias=bias))
        inputs[-1].retain_grad()
    logits = network.w_out(network.last(inputs[-1]))
    torch.testing.assert_close(logits, network(ids))
    loss = F.cross_entropy(logits[0, :-1], ids[0, 1:])
    loss.backward()
    flow = flow_of(relative, TEXT).flows[KEPT.index(BOTH)]
    assert flow.loss == pytest.approx(loss.item())
    np.testing.assert_allclose(flow.gradient, [float(v.grad.norm()) for v in inputs])


@pytest.mark.parametrize("name", ["gpt", "bert", "transformer", "relative"])
def test_with_sums_and_norms_it_is_the_gradient_in_the_machine_itself(name, request):
    """Whatever its parts are called, and whatever its blocks read besides."""
    model = request.getfixturevalue(name)
    blueprint, prepared = model.blueprint, model.prepare(Text(TEXT))
    bottom: list[torch.Tensor] = []

    def leaf(value: torch.Tensor, _step: int | None) -> torch.Tensor:
        bottom.append(value.detach().clone().requires_grad_(True))
        return bottom[0]

    recorder = Recorder(
        {blueprint.head.site}.__contains__, {f"{blueprint.main.block(0)}.resid_pre": leaf}
    )
    model.model.observe(prepared, recorder)
    logits, ids = recorder.values[blueprint.head.site][0], prepared.tensors[blueprint.stream][0]
    if blueprint.main.causal:
        logits, ids = logits[:-1], ids[1:]
    loss = F.cross_entropy(logits, ids)
    loss.backward()
    flow = flow_of(model, TEXT).flows[KEPT.index(BOTH)]
    assert flow.loss == pytest.approx(loss.item())
    assert flow.gradient[0] == pytest.approx(float(bottom[0].grad.norm()))


def test_a_decoder_is_carried_down_beside_its_source(transformer):
    """The stack that predicts; what it attends to is computed once and stays."""
    network, prepared = transformer.model, transformer.prepare(Text(TEXT))
    source, target = prepared.tensors["source"], prepared.tensors["target"]
    memory = network.encode(source)
    inputs = [network.embed(target).clone().requires_grad_(True)]
    for block in network.decoder.blocks:
        inputs.append(block(inputs[-1], causal=True, source=memory))
        inputs[-1].retain_grad()
    logits = network.unembed(inputs[-1])
    torch.testing.assert_close(logits, network(source, target))
    loss = F.cross_entropy(logits[0, :-1], target[0, 1:])
    loss.backward()
    record = flow_of(transformer, TEXT)
    flow = record.flows[KEPT.index(BOTH)]
    assert record.stacks.n_tokens == target.shape[1]
    assert flow.loss == pytest.approx(loss.item())
    np.testing.assert_allclose(flow.gradient, [float(v.grad.norm()) for v in inputs])
    fresh = flow_of(transformer, TEXT, depth=3)
    assert all(len(one.gradient) == 4 for one in fresh.flows)


class NormedEncoder(Transformer):
    """A Transformer with one more norm, between the encoder and the decoder."""

    def __init__(self, config, generator=None) -> None:
        super().__init__(config, generator)
        self.encoder.final_norm = LayerNorm(config.d_model)
        with torch.no_grad():  # the last block ends with a norm too: let this one differ
            self.encoder.final_norm.weight.uniform_(0.2, 2.0, generator=generator)


def test_what_a_decoder_attends_to_has_been_through_the_norm_after_the_encoder(wordpiece):
    config = tiny_transformer(vocab_size=wordpiece.vocab_size).config
    network = NormedEncoder(config, torch.Generator().manual_seed(1)).eval().double()
    model = loaded(network.requires_grad_(False), wordpiece)
    prepared = model.prepare(Text(TEXT))
    logits = network(prepared.tensors["source"], prepared.tensors["target"])
    loss = F.cross_entropy(logits[0, :-1], prepared.tensors["target"][0, 1:])
    assert flow_of(model, TEXT).flows[KEPT.index(BOTH)].loss == pytest.approx(loss.item())


def test_a_translator_that_writes_nothing_has_no_loss(wordpiece):
    """Its first token is its end mark, so that the target is the start mark alone."""
    first = trace_run(loaded(tiny_transformer(vocab_size=97), wordpiece), TEXT).ids[1]
    ended = loaded(tiny_transformer(vocab_size=97, end_id=first), wordpiece)
    assert len(trace_run(ended, TEXT).ids) == 1
    with pytest.raises(ParameterError, match="one that the model writes at least one token for"):
        flow_of(ended, TEXT)


def test_a_masked_model_is_asked_for_its_own_tokens(bert):
    ids = torch.tensor([bert.encode(TEXT)])
    flow = flow_of(bert, TEXT).flows[KEPT.index(BOTH)]
    with torch.no_grad():
        loss = F.cross_entropy(bert.model(ids)[0], ids[0])
    assert flow.loss == pytest.approx(loss.item())


def test_deep_fresh_blocks_lose_the_gradient_without_sums_and_norms(gpt):
    record = flow_of(gpt, TEXT, depth=8)
    assert record.stacks.fresh
    assert record.stacks.depth == 8
    arrives = [flow.gradient[0] / flow.gradient[-1] for flow in record.flows]
    kept, without = arrives[KEPT.index(BOTH)], arrives[KEPT.index(NEITHER)]
    assert 0.1 < kept < 100
    assert 0 < without < 1e-8
    # Without sums all positions become one vector, with norms or without.
    for of, flow in zip(KEPT, record.flows, strict=True):
        assert of.residual or flow.alike[-1] > 0.99
    assert all(len(flow.gradient) == 9 for flow in record.flows)


def test_larger_fresh_weights_make_the_gradient_explode(gpt):
    """Without sums and norms it is the spread of the first weights that decides."""
    arrives = {}
    for spread in ("fixed", "fan_in", "larger"):
        record = flow_of(gpt, TEXT, depth=12, spread=spread)
        assert record.stacks.spread == spread
        assert np.isfinite([flow.gradient for flow in record.flows]).all()
        arrives[spread] = [flow.gradient[0] / flow.gradient[-1] for flow in record.flows]
    both, sums, norms, neither = np.array([arrives[one] for one in arrives]).T
    assert neither[0] < 1e-12
    assert neither[0] < neither[1] < 1 < neither[2]
    assert both.max() < sums[2]
    assert norms.max() / norms.min() < 1e4


def test_a_spread_is_that_of_each_matrix_own_inputs(gpt):
    block = gpt.model.blocks[0]
    for spread, factor in (("fan_in", 1.0), ("larger", 1.5), ("by_depth", 1.0)):
        fresh = _fresh(gpt, 0, spread, 8)(0)
        for name, drawn in fresh.named_parameters():
            if drawn.ndim >= 2:
                wanted = factor / block.get_parameter(name).shape[1] ** 0.5
                if spread == "by_depth" and ("w_o." in name or "w_2." in name):
                    wanted /= 4  # eight layers have sixteen sums
                assert float(drawn.std()) == pytest.approx(wanted, rel=0.1), name


def test_an_unknown_spread_is_an_error(gpt):
    with pytest.raises(ParameterError, match="spread is 'huge'; it must be one of fixed, fan_in"):
        flow_of(gpt, TEXT, 2, spread="huge")


def test_fresh_blocks_come_from_their_seed(gpt):
    first, again, other = (flow_of(gpt, TEXT, 3, seed).flows[0] for seed in (0, 0, 1))
    np.testing.assert_array_equal(first.gradient, again.gradient)
    assert not np.allclose(first.gradient, other.gradient)


def test_the_model_is_left_as_it_was(gpt):
    before = gpt.model.blocks[0].attn.w_q.weight.clone()
    flow_of(gpt, TEXT, 4)
    torch.testing.assert_close(gpt.model.blocks[0].attn.w_q.weight, before)
    assert not gpt.model.blocks[0].attn.w_q.weight.requires_grad


def test_a_long_text_counts_up_to_its_first_tokens(gpt):
    assert flow_of(gpt, "The cat sat on the mat and sat " * 3).stacks.n_tokens == MAX_TOKENS


@pytest.mark.parametrize("depth", [0, 3])
def test_an_empty_text_has_no_loss(model, depth):
    """The mean over no prediction is no number."""
    runs = Runs(load=lambda name, device: model)
    for flow in (
        lambda: flow_of(model, "", depth),
        lambda: runs.get(GradientRequest("any", "", depth)),
    ):
        with pytest.raises(EmptyInputError, match="the text is empty: type at least one word"):
            flow()


def test_without_a_mark_at_the_start_one_token_has_no_loss(gpt):
    whole = json.loads(gpt.tokenizer._backend.to_str()) | {"post_processor": None}
    plain = Tokenizer(tokenizers.Tokenizer.from_str(json.dumps(whole)))
    model = dataclasses.replace(gpt, encoders=Encoders(plain))
    with pytest.raises(ParameterError, match="text is 'a'; it must be at least two tokens long"):
        flow_of(model, "a")
    assert np.isfinite(flow_of(model, "a b").flows[0].loss)


def test_a_negative_depth_is_an_error(model):
    with pytest.raises(ParameterError, match="depth is -1; it must be 0 or above"):
        flow_of(model, TEXT, -1)


def test_one_token_has_an_end(gpt):
    # Only the start mark and one byte: one prediction, no pair of words to compare beyond them.
    record = flow_of(gpt, "a")
    assert np.isfinite([flow.loss for flow in record.flows]).all()
