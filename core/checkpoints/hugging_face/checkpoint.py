"""From a directory of theirs to a model of ours."""

from __future__ import annotations

import os
import reprlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from core.checkpoints.encoders import TOKENIZER_FILE
from core.checkpoints.files import read_json
from core.checkpoints.hugging_face.bart import BART
from core.checkpoints.hugging_face.bert import BERT
from core.checkpoints.hugging_face.family import CheckpointFamily
from core.checkpoints.hugging_face.files import stored
from core.checkpoints.hugging_face.gpt2 import GPT2
from core.checkpoints.hugging_face.marian import MARIAN
from core.checkpoints.hugging_face.settings import ConfigSettings
from core.checkpoints.hugging_face.t5 import T5
from core.checkpoints.hugging_face.tensors import Tensors, plain_names
from core.checkpoints.native import CONFIG_FILE, Checkpoint
from core.checkpoints.tokenizers import as_marked, read_tokenizer
from core.checkpoints.weights import fill, without_weights
from core.encoders import Encoders
from core.errors import CheckpointError
from core.language import N_, Phrase
from core.locale import Choice
from core.models.registry import ARCHITECTURES

_FAMILIES: Mapping[str, CheckpointFamily] = {
    "gpt2": GPT2, "bert": BERT, "marian": MARIAN, "t5": T5, "bart": BART,
}  # fmt: skip
_OURS = frozenset({"schema", "architecture"})


def is_checkpoint(directory: Path) -> bool:
    """Whether a directory looks like theirs: a config that is not in our layout."""
    path = directory / CONFIG_FILE
    return os.path.exists(path) and not read_json(path).keys() & _OURS


def load(directory: Path) -> Checkpoint:
    """Read a checkpoint of a family that we compute exactly, with the heads that it has.

    Raises:
        CheckpointError: a file or tensor is missing or damaged, or the
            architecture is another.
        ConfigError: a setting that our models do not have, or that nobody knows.
    """
    theirs = read_json(directory / CONFIG_FILE)
    family = _family(theirs, directory)
    settings, tensors = ConfigSettings(theirs), stored(directory)
    names = plain_names(tensors.all_names, family.plain, tensors.where)
    config = family.config(settings, names.keys())
    settings.check_all_understood()
    tokenizer = directory / TOKENIZER_FILE
    config = as_marked(config, tokenizer)
    with without_weights():
        model = ARCHITECTURES[family.architecture].model(config)
    if not os.path.exists(tokenizer):
        raise CheckpointError(
            tokenizer,
            N_(
                "no such file; where the tokenizer has a fast version, `transformers` writes it: "
                "AutoTokenizer.from_pretrained(folder).save_pretrained(folder)"
            ),
        )
    tokenizer_ = read_tokenizer(tokenizer, config.vocab_size, model.abilities)
    weights = _weights(family, config, model, Tensors(tensors.read(), family.plain, tensors.where))
    fill(model, weights, tensors.where)
    return Checkpoint(family.architecture, model, Encoders(tokenizer_), card="", metrics={})


def _family(theirs: Mapping[str, Any], directory: Path) -> CheckpointFamily:
    kind, kinds = theirs.get("model_type"), Choice(_FAMILIES)
    if "model_type" not in theirs:  # as in the oldest files
        problem = N_('{file} names no "model_type"; add the one it is of {kinds}')
        raise CheckpointError(directory, Phrase(problem, file=CONFIG_FILE, kinds=kinds))
    if not isinstance(kind, str) or kind not in _FAMILIES:
        problem = N_("model type {kind}; supported: {kinds}")
        raise CheckpointError(directory, Phrase(problem, kind=reprlib.repr(kind), kinds=kinds))
    return _FAMILIES[kind]


def _weights(
    family: CheckpointFamily, config: Any, model: torch.nn.Module, tensors: Tensors
) -> dict[str, torch.Tensor]:
    """Our parameters by name, made of all their tensors."""
    family.tidy(tensors, config)
    weights = {name: family.weight(name, tensors) for name in model.state_dict()}
    tensors.check_none_left(family.title)
    return weights
