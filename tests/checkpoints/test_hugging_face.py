"""Hugging Face layouts: what we do not compute exactly is refused, never ignored.

That what we accept is computed exactly stands in tests/parity.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
import safetensors.torch
import torch

from core.checkpoints import hugging_face
from core.errors import CheckpointError, ConfigError
from core.text.trained import train_byte_bpe
from tests.conftest import TEXTS

GPT2 = {
    "model_type": "gpt2", "vocab_size": 300, "n_positions": 8, "n_embd": 8, "n_layer": 1,
    "n_head": 2, "n_inner": None, "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5,
}  # fmt: skip
BERT = {
    "model_type": "bert", "vocab_size": 120, "max_position_embeddings": 8, "hidden_size": 8,
    "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16,
    "type_vocab_size": 2, "hidden_act": "gelu", "layer_norm_eps": 1e-12,
}  # fmt: skip


def gpt2_weights() -> dict[str, torch.Tensor]:
    shapes = {
        "wte.weight": (300, 8), "wpe.weight": (8, 8), "ln_f.weight": (8,), "ln_f.bias": (8,),
        "h.0.ln_1.weight": (8,), "h.0.ln_1.bias": (8,),
        "h.0.attn.c_attn.weight": (8, 24), "h.0.attn.c_attn.bias": (24,),
        "h.0.attn.c_proj.weight": (8, 8), "h.0.attn.c_proj.bias": (8,),
        "h.0.ln_2.weight": (8,), "h.0.ln_2.bias": (8,),
        "h.0.mlp.c_fc.weight": (8, 32), "h.0.mlp.c_fc.bias": (32,),
        "h.0.mlp.c_proj.weight": (32, 8), "h.0.mlp.c_proj.bias": (8,),
    }  # fmt: skip
    return {name: torch.randn(shape) for name, shape in shapes.items()}


def bert_weights() -> dict[str, torch.Tensor]:
    linear = {
        "bert.encoder.layer.0.attention.self.query": (8, 8),
        "bert.encoder.layer.0.attention.self.key": (8, 8),
        "bert.encoder.layer.0.attention.self.value": (8, 8),
        "bert.encoder.layer.0.attention.output.dense": (8, 8),
        "bert.encoder.layer.0.intermediate.dense": (16, 8),
        "bert.encoder.layer.0.output.dense": (8, 16),
        "bert.pooler.dense": (8, 8),
        "cls.predictions.transform.dense": (8, 8),
        "cls.seq_relationship": (2, 8),
    }
    norms = [
        "bert.embeddings.LayerNorm", "bert.encoder.layer.0.attention.output.LayerNorm",
        "bert.encoder.layer.0.output.LayerNorm", "cls.predictions.transform.LayerNorm",
    ]  # fmt: skip
    shapes = {f"{name}.weight": shape for name, shape in linear.items()}
    shapes |= {f"{name}.bias": shape[:1] for name, shape in linear.items()}
    shapes |= {f"{name}.{part}": (8,) for name in norms for part in ("weight", "bias")}
    shapes |= {
        "bert.embeddings.word_embeddings.weight": (120, 8),
        "bert.embeddings.position_embeddings.weight": (8, 8),
        "bert.embeddings.token_type_embeddings.weight": (2, 8),
        "cls.predictions.bias": (120,),
    }
    return {name: torch.randn(shape) for name, shape in shapes.items()}


def write(directory: Path, config, weights, tokenizer) -> Path:
    (directory / "config.json").write_text(json.dumps(config))
    safetensors.torch.save_file(weights, directory / "model.safetensors")
    tokenizer.save(directory / "tokenizer.json")
    return directory


def test_old_files_hold_masks_and_positions_that_are_left_out(tmp_path, byte_bpe, wordpiece):
    old = {
        "h.0.attn.bias": torch.ones(1, 1, 8, 8), "h.0.attn.masked_bias": torch.tensor(-1e4),
    }  # fmt: skip
    found = hugging_face.load(write(tmp_path, GPT2, gpt2_weights() | old, byte_bpe))
    assert found.architecture == "gpt"
    assert (found.card, found.metrics) == ("", {})
    old = {"bert.embeddings.position_ids": torch.arange(8)[None]}
    assert hugging_face.load(write(tmp_path, BERT, bert_weights() | old, wordpiece))


def test_positions_that_are_counted_otherwise_are_refused(tmp_path, wordpiece):
    old = {"bert.embeddings.position_ids": torch.arange(8).flip(0)[None]}
    write(tmp_path, BERT, bert_weights() | old, wordpiece)
    with pytest.raises(CheckpointError, match=r"'embeddings\.position_ids' does not count the"):
        hugging_face.load(tmp_path)


COPIES = {  # of a tensor that the model has once
    "lm_head.weight": "wte.weight",
    "cls.predictions.decoder.weight": "bert.embeddings.word_embeddings.weight",
    "cls.predictions.decoder.bias": "cls.predictions.bias",
}


def tied(copy: str) -> tuple[dict, dict[str, torch.Tensor]]:
    return (GPT2, gpt2_weights()) if copy == "lm_head.weight" else (BERT, bert_weights())


@pytest.mark.parametrize("said", [{}, {"tie_word_embeddings": True}], ids=str)
@pytest.mark.parametrize("copy", COPIES)
def test_a_copy_is_compared_with_the_tensor_and_not_dropped(
    copy, said, tmp_path, byte_bpe, wordpiece
):
    config, weights = tied(copy)
    tokenizer = byte_bpe if config is GPT2 else wordpiece
    own = weights[COPIES[copy]]
    same = weights | {copy: own.clone()}
    assert hugging_face.load(write(tmp_path, config | said, same, tokenizer))
    other = own.clone()
    other.flatten()[-1] += 1e-3
    for differs in (other, own[:-1].clone(), own.to(torch.int8)):
        write(tmp_path, config | said, weights | {copy: differs}, tokenizer)
        with pytest.raises(CheckpointError, match="differ, but are one in this model") as caught:
            hugging_face.load(tmp_path)
        assert repr(copy) in str(caught.value)
        assert repr(COPIES[copy]) in str(caught.value)
        assert '"tie_word_embeddings"' in str(caught.value)


@pytest.mark.parametrize("copy", COPIES)
def test_a_copy_alone_is_the_tensor(copy, tmp_path, byte_bpe, wordpiece):
    config, weights = tied(copy)
    tokenizer = byte_bpe if config is GPT2 else wordpiece
    whole = hugging_face.load(write(tmp_path, config, weights, tokenizer)).model
    weights[copy] = weights.pop(COPIES[copy])
    found = hugging_face.load(write(tmp_path, config, weights, tokenizer)).model
    for name, tensor in whole.state_dict().items():
        assert tensor.equal(found.state_dict()[name])


def test_original_files_say_gamma_and_beta(tmp_path, wordpiece):
    weights = {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace(
            "LayerNorm.bias", "LayerNorm.beta"
        ): tensor
        for name, tensor in bert_weights().items()
    }
    model = hugging_face.load(write(tmp_path, BERT, weights, wordpiece)).model
    assert model.embed.ln.bias.equal(weights["bert.embeddings.LayerNorm.beta"])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("scale_attn_weights", False),
        ("scale_attn_by_inverse_layer_idx", True),
        ("add_cross_attention", True),
        ("tie_word_embeddings", False),
        ("activation_function", "tanh"),
        ("activation_function", ["gelu"]),
        ("n_embd", "8"),
        ("n_layer", 1.0),
        ("n_inner", 0),
        ("layer_norm_epsilon", "tiny"),
        ("scale_attn_weights", None),
        ("pruned_heads", {"0": [1]}),
        ("is_encoder_decoder", True),
        ("n_ctx", 16),
        ("hidden_size", 16),
        ("layer_norm_epsilon", 10**400),
        ("layer_norm_epsilon", True),
        ("n_embd", 2**62),
        ("n_inner", 2**62),
        ("n_layer", 10_000),
    ],
)
def test_a_gpt2_setting_that_we_do_not_compute_is_refused(field, value, tmp_path, byte_bpe):
    write(tmp_path, GPT2 | {field: value}, gpt2_weights(), byte_bpe)
    with pytest.raises(ConfigError) as caught:
        hugging_face.load(tmp_path)
    ours = {"n_inner": "d_ff", "n_embd": "d_model", "n_layer": "n_layers"}
    assert caught.value.field in (field, ours.get(field), "eps")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("position_embedding_type", "relative_key"),
        ("is_decoder", True),
        ("add_cross_attention", True),
        ("tie_word_embeddings", False),
        ("hidden_act", "tanh"),
        ("hidden_size", None),
        ("layer_norm_eps", "tiny"),
    ],
)
def test_a_bert_setting_that_we_do_not_compute_is_refused(field, value, tmp_path, wordpiece):
    write(tmp_path, BERT | {field: value}, bert_weights(), wordpiece)
    with pytest.raises(ConfigError, match=f"config field '{field}'"):
        hugging_face.load(tmp_path)


UNKNOWN = {
    "attn_logit_softcapping": 50.0, "use_rms_norm": True, "pre_norm": True, "qk_norm": False,
    "sliding_window": None, "rope_theta": 10_000.0, "quantization_config": {"bits": 4},
    "auto_map": {"AutoModel": "modeling.Model"}, "x" * 1000: 1,
}  # fmt: skip


@pytest.mark.parametrize("field", UNKNOWN)
@pytest.mark.parametrize("whole", [GPT2, BERT], ids=["gpt2", "bert"])
def test_a_setting_that_nobody_knows_is_refused_by_name(
    field, whole, tmp_path, byte_bpe, wordpiece
):
    weights, tokenizer = (
        (gpt2_weights(), byte_bpe) if whole is GPT2 else (bert_weights(), wordpiece)
    )
    write(tmp_path, whole | {field: UNKNOWN[field]}, weights, tokenizer)
    with pytest.raises(ConfigError, match=r"is not a setting that .* remove it from config.json"):
        hugging_face.load(tmp_path)
    with pytest.raises(ConfigError) as caught:
        hugging_face.load(tmp_path)
    assert caught.value.field.rstrip("…") == field[:80]


# As files of the Hub have them; what says how a text is generated or a network trained is harmless.
HARMLESS_GPT2 = {
    "architectures": ["GPT2LMHeadModel"], "attn_pdrop": 0.1, "bos_token_id": 50256,
    "embd_pdrop": 0.1, "eos_token_id": 50256, "initializer_range": 0.02, "n_ctx": 8,
    "resid_pdrop": 0.1, "summary_activation": None, "summary_first_dropout": 0.1,
    "summary_proj_to_labels": True, "summary_type": "cls_index", "summary_use_proj": True,
    "task_specific_params": {"text-generation": {"do_sample": True, "max_length": 50}},
    "n_special": 0, "predict_special_tokens": True, "_num_labels": 1, "torch_dtype": "float16",
    "reorder_and_upcast_attn": True, "transformers_version": "4.31.0", "use_cache": False,
}  # fmt: skip
HARMLESS_BERT = {
    "architectures": ["BertForMaskedLM"], "attention_probs_dropout_prob": 0.1,
    "directionality": "bidi", "gradient_checkpointing": False, "hidden_dropout_prob": 0.1,
    "initializer_range": 0.02, "pad_token_id": 0, "pooler_fc_size": 768,
    "pooler_num_attention_heads": 12, "pooler_num_fc_layers": 3, "pooler_size_per_head": 128,
    "pooler_type": "first_token_transform", "position_embedding_type": "absolute",
    "classifier_dropout": None, "id2label": {"0": "LABEL_0"}, "label2id": {"LABEL_0": 0},
    "problem_type": None, "pruned_heads": {}, "tie_word_embeddings": True, "_name_or_path": "bert",
}  # fmt: skip


def test_what_files_of_the_hub_say_besides_is_harmless(tmp_path, byte_bpe, wordpiece):
    assert hugging_face.load(write(tmp_path, GPT2 | HARMLESS_GPT2, gpt2_weights(), byte_bpe))
    assert hugging_face.load(write(tmp_path, BERT | HARMLESS_BERT, bert_weights(), wordpiece))


@pytest.mark.parametrize("whole", [GPT2, BERT], ids=["gpt2", "bert"])
def test_a_missing_field_is_named(whole, tmp_path, byte_bpe, wordpiece):
    weights, tokenizer = (
        (gpt2_weights(), byte_bpe) if whole is GPT2 else (bert_weights(), wordpiece)
    )
    with_defaults = {"n_inner", "activation_function", "layer_norm_epsilon", "layer_norm_eps"}
    for field in whole.keys() - {"model_type"} - with_defaults:
        config = {name: value for name, value in whole.items() if name != field}
        write(tmp_path, config, weights, tokenizer)
        with pytest.raises(ConfigError, match=f"config field '{field}': missing"):
            hugging_face.load(tmp_path)


def test_a_file_that_names_no_kind_is_refused(tmp_path, byte_bpe):
    config = {name: value for name, value in GPT2.items() if name != "model_type"}
    write(tmp_path, config, gpt2_weights(), byte_bpe)
    with pytest.raises(CheckpointError, match='names no "model_type"; add the one it is of gpt2'):
        hugging_face.load(tmp_path)


@pytest.mark.parametrize("kind", ["llama", None, ["gpt2"], 3])
def test_another_architecture_is_refused(kind, tmp_path, byte_bpe):
    write(tmp_path, GPT2 | {"model_type": kind}, gpt2_weights(), byte_bpe)
    with pytest.raises(CheckpointError, match=r"model type .*; supported: gpt2, bert"):
        hugging_face.load(tmp_path)


@pytest.mark.parametrize("extra", ["h.0.crossattention.c_attn.weight", "h.0.mlp.gate", "score"])
def test_a_tensor_of_another_gpt2_is_named(extra, tmp_path, byte_bpe):
    write(tmp_path, GPT2, gpt2_weights() | {extra: torch.zeros(1)}, byte_bpe)
    with pytest.raises(CheckpointError, match=f"tensor '{extra}' does not belong to a GPT-2"):
        hugging_face.load(tmp_path)


@pytest.mark.parametrize(
    "extra", ["bert.encoder.layer.0.attention.self.distance_embedding.weight", "classifier.weight"]
)
def test_a_tensor_of_another_bert_is_named(extra, tmp_path, wordpiece):
    write(tmp_path, BERT, bert_weights() | {extra: torch.zeros(1)}, wordpiece)
    with pytest.raises(CheckpointError, match=f"tensor '{extra}' does not belong to a BERT"):
        hugging_face.load(tmp_path)


def test_a_missing_tensor_is_named(tmp_path, byte_bpe):
    weights = gpt2_weights()
    del weights["h.0.mlp.c_fc.bias"]
    write(tmp_path, GPT2, weights, byte_bpe)
    with pytest.raises(CheckpointError, match=r"tensor 'h.0.mlp.c_fc.bias' is missing"):
        hugging_face.load(tmp_path)


@pytest.mark.parametrize("shape", [(), (0,), (2,), (8, 25), (2, 8, 24)])
@pytest.mark.parametrize("name", ["h.0.attn.c_attn.weight", "h.0.mlp.c_fc.weight"])
def test_a_tensor_of_an_odd_shape_is_named(name, shape, tmp_path, byte_bpe):
    write(tmp_path, GPT2, gpt2_weights() | {name: torch.zeros(shape)}, byte_bpe)
    with pytest.raises(CheckpointError, match=r"'(h|blocks).0.*' (is not q, k and v|has shape \()"):
        hugging_face.load(tmp_path)


def test_weights_that_are_no_numbers_are_refused(tmp_path, byte_bpe):
    for bad in (torch.ones(8, dtype=torch.int8), torch.full((8,), math.nan)):
        write(tmp_path, GPT2, gpt2_weights() | {"ln_f.bias": bad}, byte_bpe)
        with pytest.raises(CheckpointError, match=r"tensor 'final_norm.bias' (is of int8|holds)"):
            hugging_face.load(tmp_path)


def test_a_tokenizer_with_more_entries_than_the_table_is_an_error(tmp_path):
    large = train_byte_bpe([" ".join(str(n) for n in range(2000)), *TEXTS], 310)
    write(tmp_path, GPT2, gpt2_weights(), large)
    with pytest.raises(CheckpointError, match="gives ids up to 309, the model's table"):
        hugging_face.load(tmp_path)


@pytest.mark.parametrize("kind", ["gpt2", "bert"])
def test_a_tokenizer_of_another_model_is_an_error(kind, tmp_path, byte_bpe, wordpiece):
    if kind == "gpt2":
        write(tmp_path, GPT2, gpt2_weights(), wordpiece)
    else:
        large = BERT | {"vocab_size": 300}
        weights = bert_weights() | {
            "bert.embeddings.word_embeddings.weight": torch.randn(300, 8),
            "cls.predictions.bias": torch.randn(300),
        }
        write(tmp_path, large, weights, byte_bpe)
    with pytest.raises(CheckpointError, match="it is another model's") as caught:
        hugging_face.load(tmp_path)
    assert caught.value.where == str(tmp_path / "tokenizer.json")


def test_is_checkpoint_knows_their_layout_from_ours(tmp_path, byte_bpe):
    assert not hugging_face.is_checkpoint(tmp_path)
    write(tmp_path, GPT2, gpt2_weights(), byte_bpe)
    assert hugging_face.is_checkpoint(tmp_path)
    (tmp_path / "config.json").write_text('{"schema": 1}')
    assert not hugging_face.is_checkpoint(tmp_path)


def test_what_cannot_be_fetched_is_a_clear_error(monkeypatch):
    import huggingface_hub

    def offline(*_args, **_kwargs):
        raise OSError("the network is down")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", offline)
    with pytest.raises(CheckpointError, match=r"hf:no/where: could not be fetched \(the network"):
        hugging_face.fetch("no/where")
