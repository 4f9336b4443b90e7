"""What a model reads its input through, as files beside its weights."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

from core.checkpoints.files import read_json
from core.checkpoints.plain import from_plain
from core.checkpoints.tokenizers import read_tokenizer
from core.encoders import Encoders, Pictures
from core.errors import CheckpointError, ConfigError
from core.inputs import Picture, Text, size_in_words
from core.language import N_, Phrase

TOKENIZER_FILE, PICTURES_FILE = "tokenizer.json", "pictures.json"


def write_encoders(directory: Path, encoders: Encoders) -> None:
    """Write a file for each that there is."""
    if encoders.text is not None:
        encoders.text.save(directory / TOKENIZER_FILE)
    if encoders.pictures is not None:
        said = json.dumps(dataclasses.asdict(encoders.pictures), indent=2)
        (directory / PICTURES_FILE).write_text(said + "\n", encoding="utf-8")


def read_encoders(directory: Path, model: Any) -> Encoders:
    """Those that a model takes its kinds of input through.

    Raises:
        CheckpointError: one is missing or damaged, or is another model's.
    """
    text = pictures = None
    if Text in model.takes:
        path = directory / TOKENIZER_FILE
        text = read_tokenizer(path, model.config.vocab_size, model.abilities)
    if Picture in model.takes:
        pictures = _read_pictures(directory / PICTURES_FILE)
        wanted = (model.config.width, model.config.height, model.config.channels)
        if (pictures.width, pictures.height, pictures.channels) != wanted:
            problem = N_("pictures of {own} pixels, the model's have {wanted}")
            raise CheckpointError(
                directory / PICTURES_FILE,
                Phrase(problem, own=pictures.size, wanted=size_in_words(*wanted)),
            )
    return Encoders(text, pictures)


def _read_pictures(path: Path) -> Pictures:
    try:
        found: Pictures = from_plain(Pictures, read_json(path))
        return found
    except ConfigError as wrong:
        said = N_("field {field}: {problem}")
        raise CheckpointError(
            path, Phrase(said, field=wrong.field, problem=wrong.problem)
        ) from wrong
