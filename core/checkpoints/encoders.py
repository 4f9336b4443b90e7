"""What a model reads its input through, as files beside its weights."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any, TypeVar

from core.checkpoints.files import read_json
from core.checkpoints.plain import from_plain
from core.checkpoints.tokenizers import read_tokenizer
from core.encoders import Characters, Encoders, PictureEncoder, Spelling
from core.errors import CheckpointError, ConfigError
from core.inputs import Picture, size_in_words
from core.language import N_, Phrase

TOKENIZER_FILE, PICTURES_FILE = "tokenizer.json", "pictures.json"
CHARACTERS_FILE, SPELLING_FILE = "characters.json", "spelling.json"
Settings = TypeVar("Settings", Characters, PictureEncoder, Spelling)
Alphabet = TypeVar("Alphabet", Characters, Spelling)


def write_encoders(directory: Path, encoders: Encoders) -> None:
    """Write a file for each that there is."""
    if encoders.text is not None:
        encoders.text.save(directory / TOKENIZER_FILE)
    settings = {
        CHARACTERS_FILE: encoders.characters,
        PICTURES_FILE: encoders.pictures,
        SPELLING_FILE: encoders.spelling,
    }
    for name, setting in settings.items():
        if setting is not None:
            text = json.dumps(dataclasses.asdict(setting), indent=2)
            (directory / name).write_text(text + "\n", encoding="utf-8")


def read_encoders(directory: Path, model: Any) -> Encoders:
    """Those that a model takes its kinds of input through.

    Raises:
        CheckpointError: one is missing or damaged, or is another model's.
    """
    text = characters = pictures = spelling = None
    tables = {start.units: start.table for start in model.blueprint.embeddings}
    n_entries = {units: len(model.get_parameter(table)) for units, table in tables.items()}
    if "tokens" in n_entries:
        path = directory / TOKENIZER_FILE
        text = read_tokenizer(path, n_entries["tokens"], model.abilities)
    if "characters" in n_entries:
        path = directory / CHARACTERS_FILE
        characters = _read_alphabet(path, Characters, n_entries["characters"])
    if "words" in n_entries:
        text = read_tokenizer(directory / TOKENIZER_FILE, model.config.vocab_size, model.abilities)
        spelling = _read_alphabet(directory / SPELLING_FILE, Spelling, n_entries["words"])
    if Picture in model.takes:
        pictures = _read(directory / PICTURES_FILE, PictureEncoder)
        expected = (model.config.width, model.config.height, model.config.channels)
        if (pictures.width, pictures.height, pictures.channels) != expected:
            problem = N_("pictures of {own} pixels, the model's have {wanted}")
            raise CheckpointError(
                directory / PICTURES_FILE,
                Phrase(problem, own=pictures.size, wanted=size_in_words(*expected)),
            )
    return Encoders(text, characters, pictures, spelling)


def _read_alphabet(path: Path, kind: type[Alphabet], n_entries: int) -> Alphabet:
    alphabet = _read(path, kind)
    if alphabet.n_entries != n_entries:
        problem = N_("{own} characters with a row each, the model has {wanted} rows")
        raise CheckpointError(path, Phrase(problem, own=alphabet.n_entries, wanted=n_entries))
    return alphabet


def _read(path: Path, kind: type[Settings]) -> Settings:
    try:
        settings: Settings = from_plain(kind, read_json(path))
        return settings
    except ConfigError as wrong:
        problem = N_("field {field}: {problem}")
        raise CheckpointError(
            path, Phrase(problem, field=wrong.field, problem=wrong.problem)
        ) from wrong
