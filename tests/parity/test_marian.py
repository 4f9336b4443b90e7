"""A tiny random Marian of the transformers package, saved, loaded by us, compared in float64.

Marian is the Transformer of 2017, but its table of places has all the sines
first and then the cosines, where the paper has them in turn. That is the same
model with the components of its streams in another order.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import safetensors.torch
import torch
import transformers

from core import zoo
from core.checkpoints import hugging_face
from core.decoding.generate import stream
from core.decoding.settings import GREEDY
from core.errors import CheckpointError, ConfigError
from core.nn.positions import sinusoidal_positions
from core.tracing import trace_run
from tests.parity.saved import change, close, load, saved, some_ids

D, V, START, END = 24, 120, 0, 3  # [PAD] begins and [SEP] ends, of the tests' WordPiece
IN_TURN = torch.arange(D).view(2, D // 2).t().flatten()  # 0, 12, 1, 13, ...
TEXT = "The cat sat on the mat."


def make(**settings) -> transformers.MarianMTModel:
    sizes = {
        "vocab_size": V, "max_position_embeddings": 20, "d_model": D, "encoder_layers": 3,
        "decoder_layers": 2, "encoder_attention_heads": 4, "decoder_attention_heads": 4,
        "encoder_ffn_dim": 40, "decoder_ffn_dim": 40, "activation_function": "relu",
        "scale_embedding": True, "pad_token_id": START, "eos_token_id": END,
        "decoder_start_token_id": START, "attn_implementation": "eager",
    } | settings  # fmt: skip
    torch.manual_seed(5)
    made = transformers.MarianMTModel(transformers.MarianConfig(**sizes)).eval()
    for name, parameter in made.named_parameters():
        if parameter.ndim == 1:  # fresh ones are 0 and 1, which would hide a mix-up
            torch.nn.init.normal_(parameter, mean=float("norm.weight" in name), std=0.3)
        elif "embed_positions" not in name:
            torch.nn.init.normal_(parameter, std=0.2)
    made.final_logits_bias.normal_()
    return made


@pytest.fixture(scope="module")
def theirs() -> transformers.MarianMTModel:
    return make().double()


@pytest.fixture(scope="module")
def found(tmp_path_factory, wordpiece) -> zoo.LoadedModel:
    return load(saved(make(), tmp_path_factory.mktemp("marian"), wordpiece))


@pytest.fixture(scope="module")
def ours(found):
    return found.model


@pytest.fixture
def directory(tmp_path, wordpiece) -> Path:
    """A checkpoint that a test may change."""
    return saved(make(), tmp_path, wordpiece)


def add(directory: Path, **tensors: torch.Tensor) -> None:
    path = directory / "model.safetensors"
    safetensors.torch.save_file(safetensors.torch.load_file(path) | tensors, path)


def test_the_places_are_ours_in_another_order(theirs):
    table = theirs.model.encoder.embed_positions.weight
    assert table[:, IN_TURN].float().equal(sinusoidal_positions(20, D))


def written(theirs: transformers.MarianMTModel, source: torch.Tensor, **how) -> list[int]:
    """What transformers writes greedily."""
    return theirs.generate(
        source, attention_mask=torch.ones_like(source), max_new_tokens=19, do_sample=False,
        num_beams=1, forced_eos_token_id=None, **how,
    )[0].tolist()  # fmt: skip


def test_greedy_translations(ours, theirs):
    source = some_ids(7, low=4)
    steps = stream(ours.begin(source), [START], max_new=19, sampling=GREEDY, end_of_text=END)
    expected = written(theirs, source)
    assert [START, *(step.token for step in steps)] == expected
    assert len(expected) > 5


def test_the_start_mark_is_not_written_again(found, theirs):
    """Their files forbid it ("bad_words_ids"), because its row of the table is nothing learnt."""
    source = torch.tensor([found.encode(TEXT)])
    bias = found.model.output_bias[START], theirs.final_logits_bias[0, START]
    before = [float(one) for one in bias]
    try:
        for one in bias:
            one.fill_(100.0)
        expected = written(theirs, source, bad_words_ids=[[START]])
        ids = trace_run(found, TEXT).ids
    finally:
        for one, was in zip(bias, before, strict=True):
            one.fill_(was)
    assert START not in expected[1:]
    assert len(expected) > 5
    assert list(ids) == [one for one in expected if one != END]


@pytest.mark.parametrize(
    "settings",
    [{"activation_function": "gelu"}, {"activation_function": "swish"}, {"decoder_layers": 1},
     {"encoder_attention_heads": 2, "decoder_attention_heads": 2}],
    ids=str,
)  # fmt: skip
def test_other_settings(settings, tmp_path, wordpiece):
    theirs = make(**settings)
    ours = load(saved(theirs, tmp_path, wordpiece)).model
    source, target = some_ids(6, low=4), some_ids(4, low=4)
    expected = theirs.double()(input_ids=source, decoder_input_ids=target).logits
    close(ours(source, target), expected)


def test_without_an_output_bias(directory, theirs):
    path = directory / "model.safetensors"
    tensors = safetensors.torch.load_file(path)
    bias = tensors.pop("final_logits_bias")
    safetensors.torch.save_file(tensors, path)
    source, target = some_ids(6, low=4), some_ids(4, low=4)
    expected = theirs(input_ids=source, decoder_input_ids=target).logits - bias
    close(load(directory).model(source, target), expected)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("scale_embedding", False),
        ("normalize_before", True),
        ("normalize_embedding", True),
        ("add_final_layer_norm", True),
        ("add_bias_logits", True),
        ("static_position_embeddings", False),
        ("share_encoder_decoder_embeddings", False),
        ("tie_word_embeddings", False),
        ("decoder_vocab_size", 60),
        ("decoder_attention_heads", 2),
        ("decoder_ffn_dim", 80),
        ("encoder_layers", 2.0),
        ("activation_function", "tanh"),
        ("layer_norm_eps", 1e-3),
        ("relative_attention_num_buckets", 32),
    ],
)
def test_a_marian_of_another_build_is_refused(field, value, directory):
    change(directory, **{field: value})
    with pytest.raises(ConfigError) as caught:
        hugging_face.load(directory)
    assert caught.value.field == field


@pytest.mark.parametrize(
    "field", ["scale_embedding", "decoder_attention_heads", "decoder_start_token_id"]
)
def test_what_theirs_would_take_for_granted_has_to_be_said(field, directory):
    path = directory / "config.json"
    settings = json.loads(path.read_text())
    del settings[field]
    path.write_text(json.dumps(settings))
    with pytest.raises(ConfigError, match=f"config field '{field}': missing"):
        hugging_face.load(directory)


TABLE, PLACES = "model.shared.weight", "model.encoder.embed_positions.weight"


@pytest.mark.parametrize("name", ["lm_head.weight", "model.decoder.embed_tokens.weight"])
def test_one_table_serves_both_sides_and_the_output(name, directory):
    table = safetensors.torch.load_file(directory / "model.safetensors")[TABLE]
    add(directory, **{name: table.clone()})
    assert load(directory)
    add(directory, **{name: table + 1e-3})
    with pytest.raises(CheckpointError, match=f"'{TABLE}' and '{name}' differ"):
        load(directory)


def test_a_table_of_places_is_compared(directory, theirs):
    """Files of old releases hold it."""
    table = theirs.model.encoder.embed_positions.weight.float().contiguous()
    add(directory, **{PLACES: table.half()})
    assert load(directory)
    for other in (table[:, IN_TURN].contiguous(), table[:-1].clone()):
        add(directory, **{PLACES: other})
        with pytest.raises(CheckpointError, match="does not hold the sinusoids of the places"):
            load(directory)
