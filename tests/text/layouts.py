"""One byte-level code under other ids: where a tokenizer file may put its bytes and its marks."""

from __future__ import annotations

import json
import random

import tokenizers
from tokenizers import decoders, models, pre_tokenizers

from core.text.marks import END_OF_TEXT
from core.text.tokenizer import Tokenizer
from core.text.trained import train_byte_bpe
from tests.text.awkward import EXAMPLES

MARKS = [END_OF_TEXT, "<|user|>", "<|é|>"]
CORPUS = [
    "the cat sat on the mat, the cat told the cat a story",
    "东京 東京 😀😀 naïve naïve",
    *EXAMPLES,
] * 3


def _pieces() -> tuple[list[str], list[str], list[list[str]]]:
    """The stand-ins of the 256 bytes, what the merges made, and the merges."""
    whole = json.loads(train_byte_bpe(CORPUS, 500)._backend.to_str())["model"]
    pieces = [piece for piece in whole["vocab"] if piece != END_OF_TEXT]
    return pieces[:256], pieces[256:], whole["merges"]


def _order(layout: str) -> list[str | None]:
    """The entries in the order of their ids; None for an id that has none."""
    alphabet, made, _merges = _pieces()
    if layout == "marks last":  # as GPT-2 has them
        return [*alphabet, *made, *MARKS]
    if layout == "marks first":
        return [*MARKS, *alphabet, *made]
    if layout == "marks in between":
        return [*alphabet[:100], MARKS[0], *alphabet[100:], MARKS[1], *made[:20], MARKS[2],
                *made[20:]]  # fmt: skip
    if layout == "merges first":
        return [*made, *MARKS, *alphabet]
    mixed = [*alphabet, *made, *MARKS]
    random.Random(0).shuffle(mixed)
    if layout == "any order":
        return list(mixed)
    assert layout == "with gaps"
    return [entry for piece in mixed for entry in (None, piece, None)]


LAYOUTS = (
    "marks last", "marks first", "marks in between", "merges first", "any order", "with gaps",
)  # fmt: skip


def laid_out(layout: str) -> Tokenizer:
    """A tokenizer with the ids of a layout, made and run by the library alone."""
    ids = {piece: i for i, piece in enumerate(_order(layout)) if piece is not None}
    merges = [(left, right) for left, right in _pieces()[2]]
    backend = tokenizers.Tokenizer(models.BPE(ids, merges))
    backend.add_special_tokens(MARKS)
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    return Tokenizer(backend)
