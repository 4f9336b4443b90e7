"""The recurrent translators: with attention and with one summary of the source."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from core.decoding.decoder import Decoder
from core.errors import ConfigError, InputTooLongError
from core.inputs import Batch, SourceTarget, Text
from core.models.protocol import Model
from core.models.rnn import RNN, RNNConfig
from core.tracing import Edit, trace_run
from core.tracing.sites import recorded
from tests.conftest import loaded

SOURCE, TARGET = "The cat sat on the mat.", "the dog told a story"
STATE, CROSS = "decoder.rnn.0.forward.hidden", "decoder.attn"


def close(found: torch.Tensor, expected: torch.Tensor) -> None:
    torch.testing.assert_close(found, expected, atol=1e-12, rtol=0)


def ids(n: int, batch: int = 1) -> torch.Tensor:
    return torch.randint(3, 97, (batch, n), generator=torch.Generator().manual_seed(n))


@pytest.fixture(
    params=[{}, {"attention": False}, {"self_attention": True}],
    ids=["attention", "summary", "self"],
)
def model(request, wordpiece):
    """Each of the three, tiny and random, in float64."""
    config = RNNConfig(wordpiece.vocab_size, 32, 8, start_id=2, end_id=3, **request.param)
    network = RNN(config, torch.Generator().manual_seed(0)).double().eval()
    return loaded(network, wordpiece)


def test_it_is_a_model(model):
    assert isinstance(model.model, Model)
    decoder: Decoder = model.model.begin(ids(3))
    assert decoder.room == 32
    config = model.config
    expected = ["cross"] * config.attention + ["decoder"] * config.self_attention
    assert [a.name for a in model.blueprint.attentions] == expected
    assert [r.outputs for r in model.blueprint.recurrences][1] == (STATE,)


def test_sizes_that_cannot_be_built_are_named():
    for field, value in (("d_model", 0), ("n_ctx", 0), ("start_id", 97), ("end_id", -1)):
        sizes = {"vocab_size": 97, "n_ctx": 8, "d_model": 4, "start_id": 1, "end_id": 2}
        with pytest.raises(ConfigError, match=field):
            RNNConfig(**{**sizes, field: value})


def test_one_token_after_the_other_is_the_whole_at_once(model):
    source, target = ids(7, 2), ids(5, 2)
    whole = model.model(source, target)
    decoder = model.model.begin(source)
    pushed = [decoder.push(target[:, :2]), *(decoder.push(target[:, at, None]) for at in (2, 3, 4))]
    close(torch.cat(pushed, 1), whole)
    assert decoder.length == 5
    with pytest.raises(InputTooLongError):
        decoder.push(ids(28, 2))
    with pytest.raises(InputTooLongError):
        model.model(ids(33), target)


def test_a_fork_goes_on_by_itself(model):
    source, target = ids(7, 2), ids(5, 2)
    decoder = model.model.begin(source)
    decoder.push(target[:, :3])
    forks = [decoder.fork([row], 3) for row in (1, 0, 1)]
    expected = model.model(source, target)[:, 3:]
    for fork, row in zip(forks, (1, 0, 1), strict=True):
        assert fork.room == 3
        close(fork.push(target[row : row + 1, 3:]), expected[row : row + 1])
    assert decoder.length == 3


def test_padding_of_sources_changes_nothing(model):
    short, long, target = ids(3), ids(7), ids(4, 2)
    sources = torch.cat([torch.nn.functional.pad(short, (0, 4)), long])
    real = (torch.arange(7) < torch.tensor([[3], [7]]))[:, None, None]
    logits = model.model(sources, target, encoder_mask=real, cross_mask=real)
    decoder = model.model.begin(sources, source_mask=real)
    close(decoder.push(target), logits)
    for row, source in enumerate((short, long)):
        close(logits[row], model.model(source, target[row : row + 1])[0])


def test_a_trace_holds_every_site_in_its_shape(model):
    trace = trace_run(model, SOURCE, target=TARGET)
    assert set(trace) == set(recorded(model.catalogue))
    s, t = (len(trace.streams[name].tokens) for name in ("source", "target"))
    sizes = {"D": 8, "2D": 16, "V": model.config.vocab_size, "1": 1}
    for name, values in trace.items():
        site = trace.site(name)
        stream = {"source": s, "target": t}
        wanted = [
            stream[site.stream(axis)] if site.stream(axis) else sizes[axis] for axis in site.axes
        ]
        assert values.shape == tuple(wanted), name
        assert trace.source(name).line
    source = torch.tensor([trace.streams["source"].ids])
    logits = model.model(source, torch.tensor([trace.ids]))[0]
    np.testing.assert_allclose(trace["logits"], logits.detach().float(), atol=1e-6)


def test_an_edit_at_a_step_changes_what_follows_it_and_nothing_before(model):
    plain = trace_run(model, SOURCE, target=TARGET)
    edited = trace_run(model, SOURCE, target=TARGET, edits=[Edit(STATE, (2,))])
    changed = np.abs(plain["logits"] - edited["logits"]).max(-1) > 1e-9
    assert not changed[:2].any()
    assert changed[2:].all()
    assert not edited[STATE][2].any()


def test_a_batch_is_each_row_by_itself(model):
    rows = (SourceTarget("a", TARGET), SourceTarget(SOURCE, "the dog"), Text("The cat."))
    for trace, row in zip(trace_run(model, Batch(rows)), rows, strict=True):
        alone = trace_run(model, row)
        assert trace.ids == alone.ids
        for name in trace:
            np.testing.assert_allclose(trace[name], alone[name], atol=1e-6, err_msg=name)


@pytest.mark.parametrize("model", [{"self_attention": True}], indirect=True, ids=["self"])
def test_a_state_looks_back_at_the_states_up_to_it(model):
    trace = trace_run(model, SOURCE, target=TARGET)
    prefix = "decoder.self_attn"
    states = trace[STATE].astype(np.float64)
    network = model.model.decoder.self_attn
    q, k = (
        states @ layer.weight.detach().numpy().T + layer.bias.detach().numpy()
        for layer in (network.w_q, network.w_k)
    )
    scores = np.tanh(q[:, None] + k) @ network.w_s.weight.detach().numpy()[0]
    scores[np.triu_indices(len(states), 1)] = -np.inf
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    np.testing.assert_allclose(trace[f"{prefix}.weights"], weights, atol=1e-6)
    np.testing.assert_allclose(trace[f"{prefix}.z"], weights @ states, atol=1e-6)


@pytest.mark.parametrize("model", [{"self_attention": True}], indirect=True, ids=["self"])
def test_the_mask_of_its_own_states_can_be_given(model):
    source, target = ids(7), ids(5)
    itself = torch.eye(5, dtype=torch.bool)
    logits = model.model(source, target, self_mask=itself)
    assert not torch.allclose(logits, model.model(source, target))
    close(model.model(source, target, self_mask=torch.tril(itself | True)),
          model.model(source, target))  # fmt: skip


def test_without_attention_every_step_is_told_the_same(wordpiece):
    network = RNN(RNNConfig(97, 32, 8, 2, 3, attention=False)).double()
    memory = network.encode(ids(6))
    assert memory.keys is None
    states = memory.states
    close(memory.summary, torch.cat([states[:, -1, :8], states[:, 0, 8:]], -1))
    assert not [site for site in network.sites() if "attn" in site.name]


def test_with_attention_a_mask_hides_the_source(wordpiece):
    network = RNN(RNNConfig(wordpiece.vocab_size, 32, 8, 2, 3)).double().eval()
    model = loaded(network, wordpiece)
    trace = trace_run(model, SOURCE, target=TARGET)
    mask = np.ones_like(trace.mask)
    mask[:, 3] = False
    hidden = trace_run(model, SourceTarget(SOURCE, TARGET), mask=mask)
    assert not hidden[f"{CROSS}.weights"][:, 3].any()
    np.testing.assert_allclose(hidden[f"{CROSS}.weights"].sum(-1), 1, atol=1e-6)


def test_weights_are_drawn_from_the_generator():
    config = RNNConfig(97, 8, 4, 1, 2)
    one, same, other = (RNN(config, torch.Generator().manual_seed(n)) for n in (3, 3, 4))
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), same.parameters(), strict=True))
    assert not torch.equal(one.embed.weight, other.embed.weight)
