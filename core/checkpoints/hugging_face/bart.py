"""BART: ``model_type`` "bart". The first two rows of its tables of places are never used."""

from __future__ import annotations

from collections.abc import Collection

from torch import Tensor

from core.checkpoints.hugging_face.family import CheckpointFamily
from core.checkpoints.hugging_face.settings import ConfigSettings
from core.checkpoints.hugging_face.tensors import Tensors
from core.checkpoints.hugging_face.two_sides import (
    IN_BLOCK,
    check_sides,
    output_bias,
    plain,
    tie_tables,
)
from core.models.bart import BARTConfig

_OFFSET = 2


def _config(settings: ConfigSettings, _names: Collection[str]) -> BARTConfig:
    config = BARTConfig(
        vocab_size=settings.size("vocab_size"),
        n_ctx=settings.size("max_position_embeddings"),
        d_model=settings.size("d_model"),
        encoder_n_layers=settings.size("encoder_layers"),
        decoder_n_layers=settings.size("decoder_layers"),
        n_heads=settings.size("encoder_attention_heads"),
        d_ff=settings.size("encoder_ffn_dim"),
        start_id=settings.size("decoder_start_token_id"),
        end_id=settings.size("eos_token_id"),
        activation=settings.activation("activation_function", "gelu"),
    )
    check_sides(settings)
    settings.only(
        {
            "scale_embedding": False,
            "is_encoder_decoder": True,
            "is_decoder": False,
            "normalize_before": False,
            "normalize_embedding": True,
            "add_final_layer_norm": False,
            "add_bias_logits": False,
            "static_position_embeddings": False,
        }
    )
    return config


def _tidy(tensors: Tensors, _config: BARTConfig) -> None:
    tie_tables(tensors)


def _weight(name: str, tensors: Tensors) -> Tensor:
    if name == "output_bias":
        return output_bias(tensors)
    if name == "tokens.weight":
        return tensors.take("shared.weight")
    side, part, rest = name.split(".", 2)
    if part == "embed":
        if rest == "positions.weight":
            return tensors.take(f"{side}.embed_positions.weight")[_OFFSET:]
        return tensors.take(f"{side}.layernorm_embedding.{rest.removeprefix('ln.')}")
    number, inner = rest.split(".", 1)
    layer, _, kind = inner.rpartition(".")
    return tensors.take(f"{side}.layers.{number}.{IN_BLOCK[layer]}.{kind}")


BART = CheckpointFamily("BART", "bart", plain, _config, _tidy, _weight)
