"""Tiny random BARTs of the transformers package, saved, loaded by us, compared in float64."""

from __future__ import annotations

import pytest
import torch
import transformers

from core.errors import ConfigError
from tests.parity.saved import change, load, saved

V, START, END = 120, 0, 3  # [PAD] begins and [SEP] ends, of the tests' WordPiece


def make(**settings) -> transformers.BartForConditionalGeneration:
    sizes = {
        "vocab_size": V, "max_position_embeddings": 40, "d_model": 24, "encoder_layers": 3,
        "decoder_layers": 2, "encoder_attention_heads": 4, "decoder_attention_heads": 4,
        "encoder_ffn_dim": 40, "decoder_ffn_dim": 40, "scale_embedding": False,
        "pad_token_id": START, "eos_token_id": END, "decoder_start_token_id": START,
        "attn_implementation": "eager",
    } | settings  # fmt: skip
    torch.manual_seed(5)
    made = transformers.BartForConditionalGeneration(transformers.BartConfig(**sizes)).eval()
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter, mean=float(parameter.ndim == 1), std=0.2)
    made.final_logits_bias.normal_()
    return made


@pytest.mark.parametrize(
    ("field", "value"), [("scale_embedding", True), ("normalize_before", True)]
)
def test_a_bart_of_another_build_is_refused(field, value, tmp_path, wordpiece):
    change(saved(make(), tmp_path, wordpiece), **{field: value})
    with pytest.raises(ConfigError, match=field):
        load(tmp_path)
