"""GPT: what it predicts from, its cache, its sizes. Parity with GPT-2 is in tests/parity."""

from __future__ import annotations

import math

import pytest
import torch

from core.errors import ConfigError, InputTooLongError
from core.inputs import Pair, SourceTarget, Text
from core.models.gpt import GPT, GPTConfig
from core.models.protocol import Model
from core.nn.masks import causal_mask, prefix_mask
from core.tracing.tap import Recorder
from tests.conftest import tiny_gpt

SIZES = {"vocab_size": 30, "n_ctx": 8, "d_model": 6, "n_layers": 2, "n_heads": 3, "d_ff": 9}


@pytest.fixture
def gpt() -> GPT:
    return tiny_gpt().double()


def some_ids(n: int, batch: int = 1) -> torch.Tensor:
    return torch.randint(300, (batch, n), generator=torch.Generator().manual_seed(5))


def test_logits_have_one_row_a_position(gpt):
    assert gpt(some_ids(7, batch=3)).shape == (3, 7, 300)


def test_later_tokens_change_nothing_earlier(gpt):
    ids = some_ids(9)
    changed = ids.clone()
    changed[0, 5] += 1
    before, after = gpt(ids)[0], gpt(changed)[0]
    torch.testing.assert_close(before[:5], after[:5])
    assert not torch.allclose(before[5:], after[5:])


def test_a_mask_takes_the_place_of_the_causal_one(gpt):
    ids = some_ids(6)
    torch.testing.assert_close(gpt(ids, mask=causal_mask(6, 6)), gpt(ids))
    changed = ids.clone()
    changed[0, 2] += 1
    free = prefix_mask(6, 3)
    assert not torch.allclose(gpt(ids, mask=free)[0, 0], gpt(changed, mask=free)[0, 0])


@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("parts", [[7, 1, 1, 1], [1] * 10, [3, 4, 3], [10]])
def test_cached_is_uncached_at_every_step(gpt, parts, batch):
    ids = some_ids(sum(parts), batch)
    cache = gpt.make_cache(batch=batch)
    at = 0
    for n in parts:
        logits = gpt(ids[:, at : at + n], cache=cache)
        at += n
        torch.testing.assert_close(logits, gpt(ids[:, :at])[:, -n:], atol=1e-12, rtol=0)
    assert cache.length == at


def test_the_cache_belongs_to_the_caller(gpt):
    """Two generations on one model do not see each other."""
    ids, other = some_ids(5), some_ids(5) + 1
    one, two = gpt.make_cache(), gpt.make_cache()
    gpt(ids[:, :4], cache=one)
    gpt(other[:, :4] % 300, cache=two)
    torch.testing.assert_close(gpt(ids[:, 4:], cache=one)[:, -1], gpt(ids)[:, -1])


def test_more_than_the_context_is_an_error(gpt):
    with pytest.raises(InputTooLongError, match="33 tokens and the model's context holds 32"):
        gpt(some_ids(33))
    cache = gpt.make_cache()
    gpt(some_ids(32), cache=cache)
    with pytest.raises(InputTooLongError, match="33 tokens"):
        gpt(some_ids(1), cache=cache)


def test_more_than_a_small_cache_is_an_error_before_anything_is_stored(gpt):
    cache = gpt.make_cache(4)
    with pytest.raises(InputTooLongError, match="5 tokens and the model's context holds 4"):
        gpt(some_ids(5), cache=cache)
    assert cache.length == 0


def test_the_output_matrix_is_the_token_table(gpt):
    assert sum(p.numel() for p in GPT(GPTConfig(**SIZES)).parameters()) == (
        30 * 6 + 8 * 6  # tables
        + 2 * (4 * (6 * 6 + 6) + (6 * 9 + 9) + (9 * 6 + 6) + 4 * 6)  # blocks
        + 2 * 6  # final norm; the head is tied
    )  # fmt: skip


def test_initial_weights_follow_the_paper():
    config = GPTConfig(**SIZES | {"d_model": 96, "d_ff": 384, "n_layers": 8, "vocab_size": 500})
    model = GPT(config, torch.Generator().manual_seed(3))
    for name, parameter in model.named_parameters():
        if name.endswith("bias"):
            assert (parameter == 0).all(), name
        elif parameter.ndim == 1:
            assert (parameter == 1).all(), name
        else:
            residual = name.endswith(("w_o.weight", "w_2.weight"))
            expected = 0.02 / math.sqrt(2 * 8) if residual else 0.02
            assert parameter.std().item() == pytest.approx(expected, rel=0.1), name


def test_a_seed_makes_the_same_model_whatever_the_global_state():
    first = GPT(GPTConfig(**SIZES), torch.Generator().manual_seed(1))
    torch.rand(3)
    second = GPT(GPTConfig(**SIZES), torch.Generator().manual_seed(1))
    for a, b in zip(first.parameters(), second.parameters(), strict=True):
        assert a.equal(b)


@pytest.mark.parametrize("name", SIZES)
def test_sizes_start_at_one(name):
    with pytest.raises(ConfigError, match=f"config field '{name}': must be at least 1"):
        GPTConfig(**SIZES | {name: 0})


def test_heads_divide_the_width():
    with pytest.raises(ConfigError, match="'n_heads': must divide d_model, 6"):
        GPTConfig(**SIZES | {"n_heads": 4})


def test_the_activation_is_one_we_have():
    with pytest.raises(ConfigError, match="'activation': must be one of relu"):
        GPTConfig(**SIZES, activation="tanh")


@pytest.mark.parametrize("eps", [0.0, -1e-5, 1.0, float("nan")])
def test_eps_is_small_and_positive(eps):
    with pytest.raises(ConfigError, match="'eps': must be above 0 and below 1"):
        GPTConfig(**SIZES, eps=eps)


def test_a_config_cannot_be_changed():
    with pytest.raises(AttributeError):
        GPTConfig(**SIZES).d_model = 3


def test_what_it_can_do(gpt):
    assert isinstance(gpt, Model)
    assert gpt.abilities == {"next_token"}
    assert Text in gpt.takes
    assert not gpt.takes & {Pair, SourceTarget}


# --- the state of a text that is being written ------------------------------------------


@pytest.mark.parametrize("parts", [[7, 1, 1, 1], [1] * 10, [3, 4, 3], [10]])
def test_a_decoder_gives_the_logits_of_a_full_run(gpt, parts):
    ids, at = some_ids(sum(parts)), 0
    decoder = gpt.begin()
    for n in parts:
        logits = decoder.push(ids[:, at : at + n])
        at += n
        torch.testing.assert_close(logits, gpt(ids[:, :at])[:, -n:], atol=1e-12, rtol=0)
        assert (decoder.length, decoder.room) == (at, 32 - at)
        assert decoder.nbytes == 2 * 2 * at * 16 * 8  # k and v, layers, positions, D, bytes


def test_forks_go_on_by_themselves(gpt):
    start, left, right = some_ids(5), some_ids(3), some_ids(3) + 1
    decoder = gpt.begin()
    decoder.push(start)
    fork = decoder.fork([0, 0], 3)
    assert (fork.length, fork.room) == (5, 3)
    logits = fork.push(torch.cat([left, right]))
    for row, more in enumerate((left, right)):
        expected = gpt(torch.cat([start, more], dim=1))[0, 5:]
        torch.testing.assert_close(logits[row], expected, atol=1e-12, rtol=0)
    (again,) = fork.fork([1], 2).push(torch.tensor([[7]]))
    expected = gpt(torch.cat([start, right, torch.tensor([[7]])], dim=1))[0, 8:]
    torch.testing.assert_close(again, expected, atol=1e-12, rtol=0)
    assert (decoder.length, fork.length) == (5, 8)
    expected = gpt(torch.cat([start, left[:, :1]], dim=1))[:, 5:]
    torch.testing.assert_close(decoder.push(left[:, :1]), expected, atol=1e-12, rtol=0)


def test_a_decoder_has_no_more_room_than_the_context(gpt):
    assert gpt.begin(100).room == 32
    decoder = gpt.begin(4)
    decoder.push(some_ids(3))
    assert decoder.fork([0], 100).room == 29
    decoder.push(some_ids(1))
    for n in (1, 2):
        with pytest.raises(InputTooLongError, match=f"{4 + n} tokens and .* holds 4"):
            decoder.push(some_ids(n))
    full = decoder.fork([0], 28)
    full.push(some_ids(28))
    with pytest.raises(InputTooLongError, match="33 tokens"):
        full.push(some_ids(1))


def test_a_step_can_be_watched(gpt):
    decoder, tap = gpt.begin(), Recorder()
    decoder.push(some_ids(4))
    new = torch.tensor([[9]])
    logits = decoder.push(new, tap)
    whole = gpt(torch.cat([some_ids(4), new], dim=1))
    torch.testing.assert_close(logits[0, 0], whole[0, -1], atol=1e-12, rtol=0)
    assert tap.values["blocks.1.attn.weights"].shape == (1, 2, 1, 5)
