"""What the checkpoints of Marian and BART have in common: two stacks, one table, an output bias."""

from __future__ import annotations

from torch import Tensor

from core.checkpoints.hugging_face.settings import ConfigSettings
from core.checkpoints.hugging_face.tensors import Tensors

BIAS = "final_logits_bias"
IN_BLOCK = {
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


def plain(name: str) -> str:
    """With the output matrix beside it, all of the network is its "model"."""
    return name.removeprefix("model.")


def check_sides(settings: ConfigSettings) -> None:
    """See that both sides have the same sizes, and leave what changes no result.

    Raises:
        ConfigError: names the setting.
    """
    for name in ("decoder_attention_heads", "decoder_ffn_dim"):
        settings.size(name)  # absent, theirs would be that of the largest of them
    settings.same("encoder_attention_heads", "decoder_attention_heads", "num_attention_heads")
    settings.same("encoder_ffn_dim", "decoder_ffn_dim")
    settings.same("encoder_layers", "num_hidden_layers")
    settings.same("d_model", "hidden_size")
    settings.without_influence(_WITHOUT_INFLUENCE)


def tie_tables(tensors: Tensors) -> None:
    """Both sides and the output share one table."""
    tensors.tie(
        "shared.weight", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight",
        "lm_head.weight",
    )  # fmt: skip


def output_bias(tensors: Tensors) -> Tensor:
    """What is added to the logits ``(V,)``; files hold it as a row."""
    bias = tensors.take(BIAS)
    return bias[0] if bias.ndim == 2 and len(bias) == 1 else bias
