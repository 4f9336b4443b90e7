"""Marian, the Transformer of 2017 with an output bias: ``model_type`` "marian".

Its table of places has all the sines first and then the cosines, where the paper has them in turn.
That is the same model with the components of its streams in another order, so everything that
reads a stream or writes into one is put into the paper's order here.
"""

from __future__ import annotations

from collections.abc import Collection

import torch
from torch import Tensor

from core.checkpoints.hugging_face.family import CheckpointFamily
from core.checkpoints.hugging_face.settings import ConfigSettings
from core.checkpoints.hugging_face.tensors import Tensors
from core.checkpoints.hugging_face.two_sides import (
    BIAS,
    IN_BLOCK,
    check_sides,
    output_bias,
    plain,
    tie_tables,
)
from core.errors import CheckpointError
from core.language import N_, Phrase
from core.models.transformer import TransformerConfig
from core.nn.positions import sinusoidal_positions

_READS = ("w_q", "w_k", "w_v", "w_1")  # a stream; the others write into one
_PLACES = ("encoder.embed_positions.weight", "decoder.embed_positions.weight")
_ROUNDED = 5e-3  # by which a table in half precision is off


def _config(settings: ConfigSettings, names: Collection[str]) -> TransformerConfig:
    config = TransformerConfig(
        vocab_size=settings.size("vocab_size"),
        n_ctx=settings.size("max_position_embeddings"),
        d_model=settings.size("d_model"),
        encoder_n_layers=settings.size("encoder_layers"),
        decoder_n_layers=settings.size("decoder_layers"),
        n_heads=settings.size("encoder_attention_heads"),
        d_ff=settings.size("encoder_ffn_dim"),
        start_id=settings.size("decoder_start_token_id"),
        end_id=settings.size("eos_token_id"),
        activation=settings.activation("activation_function"),
        output_bias=BIAS in names,
    )
    check_sides(settings)
    settings.same("vocab_size", "decoder_vocab_size")
    settings.says("scale_embedding", True)
    settings.only(
        {
            "share_encoder_decoder_embeddings": True,
            "static_position_embeddings": True,
            "is_encoder_decoder": True,
            "is_decoder": False,
            "normalize_before": False,
            "normalize_embedding": False,
            "add_final_layer_norm": False,
            "add_bias_logits": False,
        }
    )
    return config


def _in_turn(width: int) -> Tensor:
    """Which of their components is each of ours: 0, D/2, 1, D/2 + 1, ..."""
    return torch.arange(width).view(2, -1).t().flatten()


def _tidy(tensors: Tensors, config: TransformerConfig) -> None:
    tie_tables(tensors)
    expected = sinusoidal_positions(config.n_ctx, config.d_model)
    for name in _PLACES:
        table = tensors.leave_out(name)
        if table is None:
            continue
        same_shape = table.shape == expected.shape
        order = _in_turn(config.d_model)
        if not same_shape or not table[:, order].allclose(expected, rtol=0, atol=_ROUNDED):
            problem = N_("tensor {name} does not hold the sinusoids of the places")
            raise CheckpointError(tensors.where, Phrase(problem, name=repr(name)))


def _weight(name: str, tensors: Tensors) -> Tensor:
    if name == "output_bias":
        return output_bias(tensors)
    if name == "embed.tokens.weight":
        return _ordered(tensors.take("shared.weight"), -1)
    tower, _, number, inner = name.split(".", 3)
    part, _, kind = inner.rpartition(".")
    tensor = tensors.take(f"{tower}.layers.{number}.{IN_BLOCK[part]}.{kind}")
    if not part.endswith(_READS):
        return _ordered(tensor, 0)
    return _ordered(tensor, -1) if kind == "weight" else tensor


def _ordered(tensor: Tensor, axis: int) -> Tensor:
    """Our order of a stream's components; what has no such axis is found out by its shape."""
    if tensor.ndim == 0 or tensor.shape[axis] % 2:
        return tensor
    return tensor.index_select(axis, _in_turn(tensor.shape[axis]))


MARIAN = CheckpointFamily("Marian", "transformer", plain, _config, _tidy, _weight)
