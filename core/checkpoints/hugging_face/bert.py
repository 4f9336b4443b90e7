"""BERT, with whichever of its heads a file holds: ``model_type`` "bert"."""

from __future__ import annotations

from collections.abc import Collection

import torch
from torch import Tensor

from core.checkpoints.hugging_face.family import CheckpointFamily
from core.checkpoints.hugging_face.settings import ConfigSettings
from core.checkpoints.hugging_face.tensors import Tensors
from core.errors import CheckpointError
from core.language import N_, Phrase
from core.models.bert import BERTConfig

_PARTS = {
    "embed.tokens": "embeddings.word_embeddings",
    "embed.positions": "embeddings.position_embeddings",
    "embed.types": "embeddings.token_type_embeddings",
    "embed.ln": "embeddings.LayerNorm",
    "mlm": "cls.predictions",
    "mlm.transform": "cls.predictions.transform.dense",
    "mlm.ln": "cls.predictions.transform.LayerNorm",
    "pooler": "pooler.dense",
    "nsp": "cls.seq_relationship",
}
_IN_BLOCK = {
    "attn.w_q": "attention.self.query",
    "attn.w_k": "attention.self.key",
    "attn.w_v": "attention.self.value",
    "attn.w_o": "attention.output.dense",
    "ln_1": "attention.output.LayerNorm",
    "ffn.w_1": "intermediate.dense",
    "ffn.w_2": "output.dense",
    "ln_2": "output.LayerNorm",
}
_POSITION_IDS = "embeddings.position_ids"  # in files of old releases
# Google's files of several languages describe a pooler that no program of theirs has.
_WITHOUT_INFLUENCE = (
    "attention_probs_dropout_prob", "hidden_dropout_prob", "classifier_dropout", "pooler_fc_size",
    "pooler_num_attention_heads", "pooler_num_fc_layers", "pooler_size_per_head",
)  # fmt: skip


def _plain(name: str) -> str:
    """Beside a head all of the network is its "bert"; the first files call a norm's two so."""
    return name.removeprefix("bert.").replace(".gamma", ".weight").replace(".beta", ".bias")


def _config(settings: ConfigSettings, names: Collection[str]) -> BERTConfig:
    config = BERTConfig(
        vocab_size=settings.size("vocab_size"),
        n_ctx=settings.size("max_position_embeddings"),
        d_model=settings.size("hidden_size"),
        n_layers=settings.size("num_hidden_layers"),
        n_heads=settings.size("num_attention_heads"),
        d_ff=settings.size("intermediate_size"),
        n_types=settings.size("type_vocab_size"),
        activation=settings.activation("hidden_act"),
        eps=settings.number("layer_norm_eps", 1e-12),
        masked_words=any(name.startswith("cls.predictions.") for name in names),
        sentence_pairs=any(name.startswith("cls.seq_relationship.") for name in names),
    )
    settings.same("hidden_size", "embedding_size")
    settings.only(
        {
            "position_embedding_type": "absolute",
            "is_decoder": False,
            "directionality": "bidi",
            "pooler_type": "first_token_transform",
        }
    )
    settings.without_influence(_WITHOUT_INFLUENCE)
    return config


def _tidy(tensors: Tensors, config: BERTConfig) -> None:
    tensors.tie("embeddings.word_embeddings.weight", "cls.predictions.decoder.weight")
    tensors.tie("cls.predictions.bias", "cls.predictions.decoder.bias")
    if not config.sentence_pairs:  # nothing would read it
        for kind in ("weight", "bias"):
            tensors.leave_out(f"pooler.dense.{kind}")
    places = tensors.leave_out(_POSITION_IDS)
    if places is not None and not (places.flatten() == torch.arange(places.numel())).all():
        problem = N_("tensor {name} does not count the places from 0 on")
        raise CheckpointError(tensors.where, Phrase(problem, name=repr(_POSITION_IDS)))


def _weight(name: str, tensors: Tensors) -> Tensor:
    part, _, kind = name.rpartition(".")
    if part in _PARTS:
        return tensors.take(f"{_PARTS[part]}.{kind}")
    _, number, inner = part.split(".", 2)
    return tensors.take(f"encoder.layer.{number}.{_IN_BLOCK[inner]}.{kind}")


BERT = CheckpointFamily("BERT", "bert", _plain, _config, _tidy, _weight)
