"""GPT-2 and BERT checkpoints in the layout of the ``transformers`` package.

Only what we compute exactly is accepted: a config field that asks for anything
else is an error, never ignored.
"""

from __future__ import annotations

import os
import reprlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from core.checkpoints.native import (
    ARCHITECTURES,
    CONFIG_FILE,
    TOKENIZER_FILE,
    WEIGHTS_FILE,
    Checkpoint,
    fill,
    read_json,
    read_tokenizer,
    read_weights,
)
from core.errors import CheckpointError, ConfigError
from core.language import N_, Phrase
from core.models.bert import BERTConfig
from core.models.gpt import GPTConfig
from core.nn.feedforward import ActivationName

_ACTIVATIONS: dict[str, ActivationName] = {
    "gelu": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "relu": "relu",
    "silu": "silu",
    "swish": "silu",
}


def is_checkpoint(directory: Path) -> bool:
    """Whether a directory looks like theirs: a config with a ``model_type``."""
    path = directory / CONFIG_FILE
    return os.path.exists(path) and "model_type" in read_json(path)


def fetch(name: str) -> Path:
    """Get a checkpoint of the Hub, from its local cache when it is there.

    Raises:
        CheckpointError: it could not be had.
    """
    from huggingface_hub import snapshot_download  # slow, and seldom needed

    wanted = [CONFIG_FILE, "*.safetensors", TOKENIZER_FILE]
    try:
        return Path(snapshot_download(name, allow_patterns=wanted))
    except Exception as problem:
        raise CheckpointError(
            f"hf:{name}", Phrase(N_("could not be fetched ({reason})"), reason=str(problem))
        ) from problem


def load(directory: Path) -> Checkpoint:
    """Read a checkpoint of GPT-2 or BERT.

    Raises:
        CheckpointError: a file or tensor is missing or damaged, or the
            architecture is another.
        ConfigError: a setting that our models do not have.
    """
    theirs = read_json(directory / CONFIG_FILE)
    kind = theirs.get("model_type")
    if not isinstance(kind, str) or kind not in _READERS:
        raise CheckpointError(
            directory,
            Phrase(
                N_("model type {kind}; supported: {kinds}"),
                kind=reprlib.repr(kind),
                kinds=", ".join(_READERS),
            ),
        )
    architecture, read_config, rename = _READERS[kind]
    config = read_config(theirs)
    with torch.device("meta"):
        model = ARCHITECTURES[architecture][1](config)
    weights = rename(read_weights(directory / WEIGHTS_FILE), directory)
    fill(model, weights, directory / WEIGHTS_FILE)
    return Checkpoint(
        architecture=architecture,
        model=model,
        tokenizer=read_tokenizer(
            directory / TOKENIZER_FILE, config.vocab_size, model.topology.head
        ),
        card="",
        metrics={},
    )


def _value(theirs: Mapping[str, Any], field: str) -> Any:
    if field not in theirs:
        raise ConfigError(field, N_("missing"))
    return theirs[field]


def _size(theirs: Mapping[str, Any], field: str) -> int:
    value = _value(theirs, field)
    if type(value) is not int:
        raise ConfigError(
            field, Phrase(N_("must be a whole number, not {value}"), value=reprlib.repr(value))
        )
    return value


def _number(theirs: Mapping[str, Any], field: str) -> float:
    value = _value(theirs, field)
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise ConfigError(
            field, Phrase(N_("must be a number, not {value}"), value=reprlib.repr(value))
        )
    return value


def _activation(theirs: Mapping[str, Any], field: str) -> ActivationName:
    name = _value(theirs, field)
    if not isinstance(name, str) or name not in _ACTIVATIONS:
        raise ConfigError(
            field,
            Phrase(
                N_("{value} is not supported; one of {choices}"),
                value=reprlib.repr(name),
                choices=", ".join(_ACTIVATIONS),
            ),
        )
    return _ACTIVATIONS[name]


def _refuse(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> None:
    """Raise for a setting that differs from what our model computes."""
    for field, value in ours.items():
        if theirs.get(field, value) != value:
            raise ConfigError(
                field,
                Phrase(
                    N_("{value} is not supported, only {ours}"),
                    value=reprlib.repr(theirs[field]),
                    ours=repr(value),
                ),
            )


def _gpt2_config(theirs: Mapping[str, Any]) -> GPTConfig:
    _refuse(
        theirs,
        {
            "scale_attn_weights": True,
            "scale_attn_by_inverse_layer_idx": False,
            "reorder_and_upcast_attn": False,
            "add_cross_attention": False,
            "tie_word_embeddings": True,
        },
    )
    width = _size(theirs, "n_embd")
    return GPTConfig(
        vocab_size=_size(theirs, "vocab_size"),
        n_ctx=_size(theirs, "n_positions"),
        d_model=width,
        n_layers=_size(theirs, "n_layer"),
        n_heads=_size(theirs, "n_head"),
        d_ff=4 * width if theirs.get("n_inner") is None else _size(theirs, "n_inner"),
        activation=_activation(theirs, "activation_function"),
        eps=_number(theirs, "layer_norm_epsilon"),
    )


def _gpt2_names(theirs: Mapping[str, Tensor], where: Path) -> dict[str, Tensor]:
    """Their names to ours; Conv1D stores (in, out), so matrices are turned."""
    parts = {
        "ln_1": "ln_1",
        "attn.c_proj": "attn.w_o",
        "ln_2": "ln_2",
        "mlp.c_fc": "ffn.w_1",
        "mlp.c_proj": "ffn.w_2",
    }
    tables = {
        "wte.weight": "embed.tokens.weight",
        "wpe.weight": "embed.positions.weight",
        "ln_f.weight": "final_norm.weight",
        "ln_f.bias": "final_norm.bias",
    }
    ours: dict[str, Tensor] = {}
    for full_name, tensor in theirs.items():
        name = full_name.removeprefix("transformer.")
        if name == "lm_head.weight" or name.endswith((".attn.bias", ".attn.masked_bias")):
            continue  # tied to the token table; fixed masks of old files
        if name in tables:
            ours[tables[name]] = tensor
            continue
        _, number, *rest = [*name.split("."), ""]
        part, kind = ".".join(rest[:-2]), rest[-2] if len(rest) > 1 else ""
        if part != "attn.c_attn" and part not in parts:
            raise CheckpointError(
                where, Phrase(N_("tensor {name} does not belong to a GPT-2"), name=repr(full_name))
            )
        is_matrix = part.startswith(("attn", "mlp")) and kind == "weight"
        turned = tensor.t() if is_matrix and tensor.ndim == 2 else tensor
        if part in parts:
            ours[f"blocks.{number}.{parts[part]}.{kind}"] = turned
            continue
        if turned.ndim == 0 or len(turned) < 3 or len(turned) % 3:
            raise CheckpointError(
                where,
                Phrase(N_("tensor {name} is not q, k and v side by side"), name=repr(full_name)),
            )
        for letter, third in zip("qkv", turned.chunk(3), strict=True):
            ours[f"blocks.{number}.attn.w_{letter}.{kind}"] = third
    return ours


def _bert_config(theirs: Mapping[str, Any]) -> BERTConfig:
    _refuse(
        theirs,
        {
            "position_embedding_type": "absolute",
            "is_decoder": False,
            "add_cross_attention": False,
            "tie_word_embeddings": True,
        },
    )
    return BERTConfig(
        vocab_size=_size(theirs, "vocab_size"),
        n_ctx=_size(theirs, "max_position_embeddings"),
        d_model=_size(theirs, "hidden_size"),
        n_layers=_size(theirs, "num_hidden_layers"),
        n_heads=_size(theirs, "num_attention_heads"),
        d_ff=_size(theirs, "intermediate_size"),
        n_types=_size(theirs, "type_vocab_size"),
        activation=_activation(theirs, "hidden_act"),
        eps=_number(theirs, "layer_norm_eps"),
    )


def _bert_names(theirs: Mapping[str, Tensor], where: Path) -> dict[str, Tensor]:
    """Their names to ours; original files say gamma and beta for a norm's weight and bias."""
    whole = {
        "embeddings.word_embeddings": "embed.tokens",
        "embeddings.position_embeddings": "embed.positions",
        "embeddings.token_type_embeddings": "embed.types",
        "embeddings.LayerNorm": "embed.ln",
        "pooler.dense": "pooler",
        "cls.predictions.transform.dense": "mlm.transform",
        "cls.predictions.transform.LayerNorm": "mlm.ln",
        "cls.seq_relationship": "nsp",
    }
    in_block = {
        "attention.self.query": "attn.w_q",
        "attention.self.key": "attn.w_k",
        "attention.self.value": "attn.w_v",
        "attention.output.dense": "attn.w_o",
        "attention.output.LayerNorm": "ln_1",
        "intermediate.dense": "ffn.w_1",
        "output.dense": "ffn.w_2",
        "output.LayerNorm": "ln_2",
    }
    ours: dict[str, Tensor] = {}
    for full_name, tensor in theirs.items():
        name = (
            full_name.removeprefix("bert.").replace(".gamma", ".weight").replace(".beta", ".bias")
        )
        part, _, kind = name.rpartition(".")
        if name == "cls.predictions.bias":
            ours["mlm.bias"] = tensor
        elif name.startswith("cls.predictions.decoder.") or name == "embeddings.position_ids":
            continue  # tied to the token table and to the bias above; 0, 1, 2, ...
        elif part in whole:
            ours[f"{whole[part]}.{kind}"] = tensor
        elif part.startswith("encoder.layer."):
            number, _, inner = part.removeprefix("encoder.layer.").partition(".")
            if inner not in in_block:
                raise CheckpointError(
                    where,
                    Phrase(N_("tensor {name} does not belong to a BERT"), name=repr(full_name)),
                )
            ours[f"blocks.{number}.{in_block[inner]}.{kind}"] = tensor
        else:
            raise CheckpointError(
                where, Phrase(N_("tensor {name} does not belong to a BERT"), name=repr(full_name))
            )
    return ours


_READERS: dict[
    str,
    tuple[
        str,
        Callable[[Mapping[str, Any]], Any],
        Callable[[Mapping[str, Tensor], Path], dict[str, Tensor]],
    ],
] = {
    "gpt2": ("gpt", _gpt2_config, _gpt2_names),
    "bert": ("bert", _bert_config, _bert_names),
}
