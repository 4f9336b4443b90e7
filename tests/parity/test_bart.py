"""Tiny random BARTs of the transformers package, saved, loaded by us, compared in float64."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
import transformers

from core import zoo
from core.errors import ConfigError
from core.nn.masks import padding_mask
from core.tracing.tap import NO_TAP, Recorder

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


def save(theirs: transformers.BartForConditionalGeneration, directory: Path, tokenizer) -> Path:
    theirs.save_pretrained(directory)
    tokenizer.save(directory / "tokenizer.json")
    return directory


def load(directory: Path) -> zoo.LoadedModel:
    found = zoo.load(str(directory), device="cpu")
    found.model.double()
    return found


@pytest.fixture(scope="module")
def both(tmp_path_factory, wordpiece):
    """Ours and theirs."""
    directory = save(make(), tmp_path_factory.mktemp("bart"), wordpiece)
    return load(directory).model, make().double()


def close(found: torch.Tensor, expected: torch.Tensor) -> None:
    torch.testing.assert_close(found, expected, atol=1e-10, rtol=0)


def some_ids(n: int, batch: int = 1) -> torch.Tensor:
    return torch.randint(4, V, (batch, n), generator=torch.Generator().manual_seed(n))


def test_states_attention_and_logits_of_every_layer(both):
    ours, theirs = both
    source, target, tap = some_ids(30, 2), some_ids(17, 2), Recorder()
    logits = ours(source, target, tap=tap)
    found = theirs(
        input_ids=source, decoder_input_ids=target, output_hidden_states=True,
        output_attentions=True,
    )  # fmt: skip
    close(logits, found.logits)
    close(ours(source, target), found.logits)
    close(ours.encode(source), found.encoder_last_hidden_state)
    for side, states in (
        ("encoder", found.encoder_hidden_states),
        ("decoder", found.decoder_hidden_states),
    ):
        for i in range(len(states) - 1):
            close(tap.values[f"{side}.blocks.{i}.ln_2.out"], states[i + 1])
    for i, weights in enumerate(found.cross_attentions):
        close(tap.values[f"decoder.blocks.{i}.cross_attn.weights"], weights)
    for i, weights in enumerate(found.encoder_attentions):
        close(tap.values[f"encoder.blocks.{i}.attn.weights"], weights)


def test_padding_of_the_source_changes_nothing(both):
    ours, theirs = both
    source, target = some_ids(9, 2), some_ids(6, 2)
    mask = padding_mask([9, 5], 9, torch.device("cpu"))
    found = theirs(
        input_ids=source, decoder_input_ids=target, attention_mask=mask[:, 0, 0].long()
    )  # fmt: skip
    close(ours(source, target, encoder_mask=mask, cross_mask=mask), found.logits)


@torch.inference_mode()
def test_token_by_token_is_all_at_once(both):
    """With the weights at hand and without."""
    ours, theirs = both
    source, target = some_ids(20), some_ids(25)
    expected = theirs(input_ids=source, decoder_input_ids=target).logits
    for watched in (False, True):
        decoder = ours.begin(source)
        said = [
            decoder.push(target[:, at : at + 1], Recorder() if watched else NO_TAP)
            for at in range(target.shape[1])
        ]
        close(torch.cat(said, dim=1), expected)


@pytest.mark.parametrize(
    ("field", "value"), [("scale_embedding", True), ("normalize_before", True)]
)
def test_a_bart_of_another_build_is_refused(field, value, tmp_path, wordpiece):
    path = save(make(), tmp_path, wordpiece) / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {field: value}))
    with pytest.raises(ConfigError, match=field):
        load(tmp_path)
