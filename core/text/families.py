"""The kinds of tokenizers that are read, and their files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import tokenizers
from tokenizers import models

from core.errors import CheckpointError
from core.language import N_, Phrase
from core.text.characters import BYTE_OF

Family = Literal["byte_bpe", "wordpiece", "unigram", "words"]
ModelFile = dict[str, Any]  # the part of a file that was learnt
FAMILIES: Mapping[type, Family] = {
    models.WordPiece: "wordpiece", models.Unigram: "unigram", models.WordLevel: "words",
}  # fmt: skip


def read_backend(path: Path) -> tokenizers.Tokenizer:
    """The library's object of a file.

    Raises:
        CheckpointError: the file is missing, or not a tokenizer of such a kind.
    """
    try:
        backend = tokenizers.Tokenizer.from_file(str(path))
    except Exception as problem:  # the library raises bare Exception
        raise CheckpointError(
            path, Phrase(N_("not a readable tokenizer ({reason})"), reason=str(problem))
        ) from problem
    added = {token.content for token in backend.get_added_tokens_decoder().values()}
    letters = set("".join(backend.get_vocab().keys() - added))
    on_bytes = isinstance(backend.model, models.BPE) and letters <= BYTE_OF.keys()
    if not on_bytes and type(backend.model) not in FAMILIES:
        raise CheckpointError(
            path, N_("only byte-level BPE, WordPiece, Unigram and whole words are supported")
        )
    return backend


def model_of(backend: tokenizers.Tokenizer) -> ModelFile:
    """What was learnt, as a file has it."""
    return dict(json.loads(backend.to_str())["model"])
