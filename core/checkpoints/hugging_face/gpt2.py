"""GPT-2 and what has its layout, such as DistilGPT-2: ``model_type`` "gpt2"."""

from __future__ import annotations

import re
from collections.abc import Collection

from torch import Tensor

from core.checkpoints.hugging_face.family import CheckpointFamily
from core.checkpoints.hugging_face.settings import ConfigSettings
from core.checkpoints.hugging_face.tensors import Tensors
from core.errors import CheckpointError
from core.language import N_, Phrase
from core.models.gpt import GPTConfig

_PARTS = {"embed.tokens": "wte", "embed.positions": "wpe", "final_norm": "ln_f"}
_IN_BLOCK = {
    "ln_1": "ln_1",
    "attn.w_o": "attn.c_proj",
    "ln_2": "ln_2",
    "ffn.w_1": "mlp.c_fc",
    "ffn.w_2": "mlp.c_proj",
}
_THIRDS = ("attn.w_q", "attn.w_k", "attn.w_v")  # of attn.c_attn
_CAUSAL_MASK = re.compile(r"h\.\d+\.attn\.(masked_)?bias")  # in files of old releases
# Scores are scaled a step earlier, which is the same, and float32, which all of ours is; a
# GPT-2 is always a decoder; the summary is for multiple choice.
_WITHOUT_INFLUENCE = (
    "reorder_and_upcast_attn", "is_decoder", "attn_pdrop", "embd_pdrop", "resid_pdrop", "n_special",
    "predict_special_tokens", "summary_type", "summary_use_proj", "summary_activation",
    "summary_proj_to_labels", "summary_first_dropout",
)  # fmt: skip


def _plain(name: str) -> str:
    """With the language model's head around it, all of the network is its "transformer"."""
    return name.removeprefix("transformer.")


def _config(settings: ConfigSettings, _names: Collection[str]) -> GPTConfig:
    width = settings.size("n_embd")
    config = GPTConfig(
        vocab_size=settings.size("vocab_size"),
        n_ctx=settings.size("n_positions"),
        d_model=width,
        n_layers=settings.size("n_layer"),
        n_heads=settings.size("n_head"),
        d_ff=settings.size("n_inner", 4 * width),
        activation=settings.activation("activation_function", "gelu_new"),
        eps=settings.number("layer_norm_epsilon", 1e-5),
    )
    settings.same("n_positions", "n_ctx", "max_position_embeddings")
    settings.same("n_embd", "hidden_size")
    settings.same("n_head", "num_attention_heads")
    settings.same("n_layer", "num_hidden_layers")
    settings.only(
        {
            "scale_attn_weights": True,
            "scale_attn_by_inverse_layer_idx": False,
        }
    )
    settings.without_influence(_WITHOUT_INFLUENCE)
    return config


def _tidy(tensors: Tensors, _ours: GPTConfig) -> None:
    tensors.tie("wte.weight", "lm_head.weight")
    for name in tensors.untaken():
        if _CAUSAL_MASK.fullmatch(name):
            tensors.leave_out(name)


def _weight(name: str, tensors: Tensors) -> Tensor:
    part, _, kind = name.rpartition(".")
    if part in _PARTS:
        return tensors.take(f"{_PARTS[part]}.{kind}")
    _, number, inner = part.split(".", 2)
    theirs = f"h.{number}.{_IN_BLOCK.get(inner, 'attn.c_attn')}.{kind}"
    tensor = tensors.take(theirs)
    if kind == "weight" and tensor.ndim == 2:
        tensor = tensor.t()  # their Conv1D stores (in, out)
    if inner not in _THIRDS:
        return tensor
    if tensor.ndim == 0 or len(tensor) < 3 or len(tensor) % 3:
        problem = N_("tensor {name} is not q, k and v side by side")
        raise CheckpointError(tensors.where, Phrase(problem, name=repr(theirs)))
    return tensor.chunk(3)[_THIRDS.index(inner)]


GPT2 = CheckpointFamily("GPT-2", "gpt", _plain, _config, _tidy, _weight)
