"""BART: ``model_type`` "bart". The first two rows of its tables of places are never used."""

from __future__ import annotations

from collections.abc import Collection

from torch import Tensor

from core.checkpoints.hugging_face.family import Family
from core.checkpoints.hugging_face.settings import Settings
from core.checkpoints.hugging_face.tensors import Tensors
from core.models.bart import BARTConfig

_BIAS, _OFFSET = "final_logits_bias", 2
_IN_BLOCK = {
    "attn.w_q": "self_attn.q_proj",
    "attn.w_k": "self_attn.k_proj",
    "attn.w_v": "self_attn.v_proj",
    "attn.w_o": "self_attn.out_proj",
    "ln_1": "self_attn_layer_norm",
    "cross_attn.w_q": "encoder_attn.q_proj",
    "cross_attn.w_k": "encoder_attn.k_proj",
    "cross_attn.w_v": "encoder_attn.v_proj",
    "cross_attn.w_o": "encoder_attn.out_proj",
    "ln_cross": "encoder_attn_layer_norm",
    "ffn.w_1": "fc1",
    "ffn.w_2": "fc2",
    "ln_2": "final_layer_norm",
}
_WITHOUT_INFLUENCE = (
    "dropout", "attention_dropout", "activation_dropout", "classif_dropout", "classifier_dropout",
    "encoder_layerdrop", "decoder_layerdrop", "init_std", "extra_pos_embeddings",
)  # fmt: skip


def _plain(name: str) -> str:
    """With the output matrix beside it, all of the network is its "model"."""
    return name.removeprefix("model.")


def _config(settings: Settings, _names: Collection[str]) -> BARTConfig:
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
    for name in ("decoder_attention_heads", "decoder_ffn_dim"):
        settings.size(name)  # absent, theirs would be that of the largest of them
    settings.same("encoder_attention_heads", "decoder_attention_heads", "num_attention_heads")
    settings.same("encoder_ffn_dim", "decoder_ffn_dim")
    settings.same("encoder_layers", "num_hidden_layers")
    settings.same("d_model", "hidden_size")
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
    settings.without_influence(_WITHOUT_INFLUENCE)
    return config


def _tidy(tensors: Tensors, _config: BARTConfig) -> None:
    tensors.tie(
        "shared.weight", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight",
        "lm_head.weight",
    )  # fmt: skip


def _weight(name: str, tensors: Tensors) -> Tensor:
    if name == "output_bias":
        bias = tensors.take(_BIAS)
        return bias[0] if bias.ndim == 2 and len(bias) == 1 else bias
    if name == "tokens.weight":
        return tensors.take("shared.weight")
    side, part, rest = name.split(".", 2)
    if part == "embed":
        if rest == "positions.weight":
            return tensors.take(f"{side}.embed_positions.weight")[_OFFSET:]
        return tensors.take(f"{side}.layernorm_embedding.{rest.removeprefix('ln.')}")
    number, inner = rest.split(".", 1)
    layer, _, kind = inner.rpartition(".")
    return tensors.take(f"{side}.layers.{number}.{_IN_BLOCK[layer]}.{kind}")


BART = Family("BART", "bart", _plain, _config, _tidy, _weight)
