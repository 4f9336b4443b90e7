"""The Transformer of 2017 against torch.nn.Transformer, in float64."""

from __future__ import annotations

import math

import pytest
import torch
from torch import nn

from core.models.transformer import Transformer
from core.nn.masks import causal_mask, padding_mask
from core.nn.positions import sinusoidal_positions
from core.tracing.tap import NO_TAP, Recorder
from tests.conftest import tiny_transformer

D, V = 24, 90
SIZES = {
    "vocab_size": V, "n_ctx": 20, "d_model": D, "encoder_n_layers": 3, "decoder_n_layers": 2,
    "n_heads": 4, "d_ff": 40,
}  # fmt: skip


def close(found: torch.Tensor, expected: torch.Tensor) -> None:
    torch.testing.assert_close(found, expected, atol=1e-10, rtol=0)


def weights_of(theirs: nn.Transformer) -> dict[str, torch.Tensor]:
    """Their weights under our names."""
    renamed = {
        "linear1": "ffn.w_1", "linear2": "ffn.w_2",
        "self_attn.out_proj": "attn.w_o", "multihead_attn.out_proj": "cross_attn.w_o",
    }  # fmt: skip
    norms = {
        "encoder": {"norm1": "ln_1", "norm2": "ln_2"},
        "decoder": {"norm1": "ln_1", "norm2": "ln_cross", "norm3": "ln_2"},
    }
    found = {}
    for name, tensor in theirs.state_dict().items():
        tower, _, layer, part = name.split(".", 3)
        block = f"{tower}.blocks.{layer}"
        part, _, kind = part.rpartition(".")
        if kind.startswith("in_proj_"):
            attention = "attn" if part == "self_attn" else "cross_attn"
            for letter, one in zip("qkv", tensor.chunk(3), strict=True):
                found[f"{block}.{attention}.w_{letter}.{kind.removeprefix('in_proj_')}"] = one
        else:
            found[f"{block}.{(renamed | norms[tower])[part]}.{kind}"] = tensor
    return found


@pytest.fixture(scope="module")
def theirs() -> nn.Transformer:
    torch.manual_seed(3)
    made = nn.Transformer(
        D, 4, 3, 2, 40, dropout=0.0, activation="relu", batch_first=True, norm_first=False
    )
    # Each layer ends with a norm; theirs has one more behind the last, which the paper has not.
    made.encoder.norm = made.decoder.norm = None
    for parameter in made.parameters():
        if parameter.ndim == 1:  # fresh ones are 0 and 1, which would hide a mix-up
            nn.init.normal_(parameter, mean=0.5, std=0.3)
    return made.double().eval()


@pytest.fixture(scope="module")
def ours(theirs) -> Transformer:
    made = tiny_transformer(**SIZES).double()
    table = made.embed.tokens.weight
    made.load_state_dict(weights_of(theirs) | {"embed.tokens.weight": table})
    return made


def embedded(ours: Transformer, ids: torch.Tensor) -> torch.Tensor:
    """Sections 3.4 and 3.5, written anew."""
    places = sinusoidal_positions(20, D).double()[: ids.shape[1]]
    return ours.embed.tokens.weight[ids] * math.sqrt(D) + places


def some_ids(n: int, batch: int) -> torch.Tensor:
    return torch.randint(V, (batch, n), generator=torch.Generator().manual_seed(n))


@pytest.mark.parametrize("tap", ["fused", "traced"])
@pytest.mark.parametrize("padded", [False, True], ids=["", "padded"])
def test_states_and_logits(ours, theirs, padded, tap):
    tap = Recorder() if tap == "traced" else NO_TAP
    source, target, lengths = some_ids(9, 3), some_ids(6, 3), [9, 5, 2]
    x, y = embedded(ours, source), embedded(ours, target)
    padding = torch.arange(9) >= torch.tensor(lengths)[:, None] if padded else None
    real = torch.ones(3, 9, dtype=torch.bool) if padding is None else ~padding
    memory = theirs.encoder(x, src_key_padding_mask=padding)
    states = theirs.decoder(y, memory, tgt_mask=~causal_mask(6, 6), memory_key_padding_mask=padding)
    mask = padding_mask(lengths, 9) if padded else None
    logits = ours(source, target, encoder_mask=mask, cross_mask=mask, tap=tap)
    close(ours.encode(source, mask=mask)[real], memory[real])
    close(logits, states @ ours.embed.tokens.weight.T)
    if tap.active:
        close(tap.values["encoder.blocks.2.ln_2.out"][real], memory[real])
        close(tap.values["decoder.blocks.1.ln_2.out"], states)


def test_attention_to_the_source(ours, theirs):
    source, target, tap = some_ids(7, 1), some_ids(5, 1), Recorder()
    ours(source, target, tap=tap)
    memory = theirs.encoder(embedded(ours, source))
    for i, layer in enumerate(theirs.decoder.layers):
        read = tap.values[f"decoder.blocks.{i}.ln_1.out"]
        _, weights = layer.multihead_attn(read, memory, memory, average_attn_weights=False)
        close(tap.values[f"decoder.blocks.{i}.cross_attn.weights"], weights)
