"""The tokenizer in a model's directory, and that it is the model's own."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from core.errors import CheckpointError
from core.language import N_, Phrase
from core.models.abilities import Ability
from core.text.marks import CLS, END_OF_TEXT, MASK, SEP
from core.text.tokenizer import Tokenizer


def read_tokenizer(path: Path, vocab_size: int, abilities: Iterable[Ability]) -> Tokenizer:
    """A model's tokenizer.

    Args:
        path: of the file.
        vocab_size: rows of the model's table.
        abilities: of the model.

    Raises:
        CheckpointError: it is missing, damaged, gives ids beyond the model's table or leaves some
            out, or lacks the marks that such a model needs.
    """
    tokenizer = Tokenizer.from_file(path)
    _check_ids(tokenizer, path, vocab_size)
    for ability in abilities:
        if ability in _CHECKS:
            _CHECKS[ability](tokenizer, path)
    return tokenizer


def as_marked(config: Any, path: Path) -> Any:
    """A model's config as its tokenizer has it: spans are filled in where a mark stands for them.

    Args:
        config: of the model; some have a field ``fills``.
        path: of the tokenizer; where there is none, the reader of it says so.

    Raises:
        CheckpointError: the tokenizer is damaged.
    """
    fills = getattr(config, "fills", False) and os.path.exists(path)
    if not fills or Tokenizer.from_file(path).hiding:
        return config
    return dataclasses.replace(config, fills=False)


def _check_ids(tokenizer: Tokenizer, path: Path, vocab_size: int) -> None:
    """See that every id is a row of the model's table, and no other entry's."""
    largest, ids = tokenizer.largest_id, tokenizer.ids
    if largest >= vocab_size:
        problem = N_("gives ids up to {largest}, the model's table ends at {last}")
        raise CheckpointError(path, Phrase(problem, largest=largest, last=vocab_size - 1))
    missing = set(range(largest + 1)) - ids
    if missing:
        problem = N_("no entry has id {id}; ids must run from 0 to {largest} without a gap")
        raise CheckpointError(path, Phrase(problem, id=min(missing), largest=largest))
    if tokenizer.vocab_size > len(ids):
        raise CheckpointError(path, N_("two of its entries have the same id"))


def _check_goes_on(tokenizer: Tokenizer, path: Path) -> None:
    """See that a tokenizer may be that of a model which goes on with a text."""
    if tokenizer.tokens("a")[-1].special:
        raise CheckpointError(
            path,
            N_("puts a mark after a text, where this model would go on; it is another model's"),
        )
    if tokenizer.family == "wordpiece" and tokenizer.end_of_text_id is None:
        problem = N_("has no {mark}, with which this model's texts begin and end; it is another "
                     "model's")  # fmt: skip
        raise CheckpointError(path, Phrase(problem, mark=END_OF_TEXT))


def _check_fills(tokenizer: Tokenizer, path: Path) -> None:
    """See that a tokenizer may be that of a model which fills in hidden words."""
    if tokenizer.mask_id not in tokenizer.special_ids:
        problem = N_("has no {mark}, which hides a word from this model; it is another model's")
        raise CheckpointError(path, Phrase(problem, mark=MASK))
    tokens = tokenizer.tokens("a")
    if not (tokens[0].special and tokens[-1].special):
        problem = N_("must put a mark before and after a text, such as {first} and {last}")
        raise CheckpointError(path, Phrase(problem, first=CLS, last=SEP))


_CHECKS: Mapping[Ability, Callable[[Tokenizer, Path], None]] = {
    "next_token": _check_goes_on,
    "masked_words": _check_fills,
}
