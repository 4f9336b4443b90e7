"""T5, version 1.0 and 1.1: ``model_type`` "t5".

Version 1.0 divides what meets its shared table at the end by sqrt(d_model); in ours that is in the
gain of the decoder's last norm.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from torch import Tensor

from core.checkpoints.hugging_face.family import CheckpointFamily
from core.checkpoints.hugging_face.settings import ConfigSettings
from core.checkpoints.hugging_face.tensors import Tensors
from core.models.t5 import T5Config
from core.nn.feedforward import ActivationName

_KINDS: Mapping[str, tuple[ActivationName, bool]] = {
    "relu": ("relu", False),
    "gelu": ("gelu", False),
    "gated-gelu": ("gelu_tanh", True),
    "gated-silu": ("silu", True),
    "gated-relu": ("relu", True),
}
_ATTENTION = {"w_q": "q", "w_k": "k", "w_v": "v", "w_o": "o"}
_OWN_HEAD, _SCALED = "lm_head.weight", "scale_decoder_outputs"  # newer files say it apart
_WITHOUT_INFLUENCE = (
    "dropout_rate", "classifier_dropout", "initializer_factor", "is_gated_act", "dense_act_fn",
)  # fmt: skip


def _plain(name: str) -> str:
    return name


def _config(settings: ConfigSettings, names: Collection[str]) -> T5Config:
    kind = settings.word("feed_forward_proj", "relu", _KINDS)
    activation, gated = _KINDS[kind]
    n_layers = settings.size("num_layers")
    config = T5Config(
        vocab_size=settings.size("vocab_size"),
        n_ctx=settings.size("n_positions", 512),
        d_model=settings.size("d_model"),
        encoder_n_layers=n_layers,
        decoder_n_layers=settings.size("num_decoder_layers", n_layers),
        n_heads=settings.size("num_heads"),
        d_ff=settings.size("d_ff"),
        start_id=settings.size("decoder_start_token_id", 0),
        end_id=settings.size("eos_token_id", 1),
        d_head=settings.size("d_kv"),
        n_buckets=settings.size("relative_attention_num_buckets", 32),
        max_distance=settings.size("relative_attention_max_distance", 128),
        activation=activation,
        gated=gated,
        tied=_OWN_HEAD not in names,
        eps=settings.number("layer_norm_epsilon", 1e-6),
        translates=next((prefix for task, prefix in settings.prefixes().items()
                         if task.startswith("translation")), ""),
    )  # fmt: skip
    settings.flag("tie_word_embeddings", True)  # the tensors say it, newer files do not
    settings.only({"is_encoder_decoder": True, "is_decoder": False, _SCALED: config.tied})
    settings.without_influence(_WITHOUT_INFLUENCE)
    return config


def _tidy(tensors: Tensors, config: T5Config) -> None:
    copies = ["encoder.embed_tokens.weight", "decoder.embed_tokens.weight"]
    tensors.tie("shared.weight", *copies)
    # A left-over of the first files: nothing is added where the source is attended to.
    tensors.leave_out("decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight")
    if config.tied:
        tensors.change("decoder.final_layer_norm.weight", lambda gain: gain * config.d_model**-0.5)


def _weight(name: str, tensors: Tensors) -> Tensor:
    if name == "words.weight":
        return tensors.take("shared.weight")
    if name == "w_out.weight":
        return tensors.take(_OWN_HEAD)
    side, part, rest = name.split(".", 2)
    if part == "final_norm":
        return tensors.take(f"{side}.final_layer_norm.weight")
    if part == "relative":
        first = f"{side}.block.0.layer.0.SelfAttention"
        return tensors.take(f"{first}.relative_attention_bias.weight")
    number, inner, *more = rest.split(".")
    layer = f"{side}.block.{number}.layer"
    last = 2 if side == "decoder" else 1
    norms = {"ln_1": 0, "ln_cross": 1, "ln_2": last}
    if inner in norms:
        return tensors.take(f"{layer}.{norms[inner]}.layer_norm.weight")
    if inner == "ffn":
        gated = tensors.has(f"{layer}.{last}.DenseReluDense.wi_0.weight")
        ours = {"w_1": "wi_0" if gated else "wi", "w_gate": "wi_1", "w_2": "wo"}
        return tensors.take(f"{layer}.{last}.DenseReluDense.{ours[more[0]]}.weight")
    theirs = "0.SelfAttention" if inner == "attn" else "1.EncDecAttention"
    return tensors.take(f"{layer}.{theirs}.{_ATTENTION[more[0]]}.weight")


T5 = CheckpointFamily("T5", "t5", _plain, _config, _tidy, _weight)
