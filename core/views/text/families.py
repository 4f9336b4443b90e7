"""What families of tokenizers are called, and how each reads a text that it does not change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.encoders import Encoders
from core.language import N_


@dataclass(frozen=True, slots=True)
class Family:
    """How the pages speak of a family. Translate each with ``_``.

    Attributes:
        name: as it is called.
        unchanged: what is said where the model reads what was typed, with ``{model}`` and ``{n}``
            bytes.
        without_merges: how it cuts a word, where it does so without merges.
        method: by which it cuts words, of those that can be stepped through; empty for none.
    """

    name: str
    unchanged: str = N_("{model} reads the text as it was typed.")
    without_merges: str = N_("{model} has no merges, so {shown} is shown here.")
    method: str = ""


FAMILIES: Mapping[str, Family] = {
    "byte_bpe": Family(
        N_("byte-level BPE"),
        N_("{model} reads all {n} bytes as they were typed."),
        method="bpe",
    ),
    "wordpiece": Family(
        N_("WordPiece"),
        N_("{model} reads what was typed; spaces only separate words."),
        N_("{model} has no merges. It takes the longest entry of its vocabulary that the rest of "
           "the word begins with (WordPiece), so {shown} is shown here."),
        method="wordpiece",
    ),
    "words": Family(
        N_("whole words"),
        without_merges=N_("{model} has no merges. It looks up whole words and spells them with "
                          "their letters, so {shown} is shown here."),
    ),
    "unigram": Family(
        N_("Unigram"),
        without_merges=N_("{model} has no merges. It takes the pieces whose probabilities multiply "
                          "to the most (Unigram), so {shown} is shown here."),
        method="unigram",
    ),
}  # fmt: skip


def family_of(name: str) -> Family:
    """How the pages speak of a family; of one that is not known by the name it gives itself."""
    return FAMILIES.get(name, Family(name.replace("_", " ")))


def method_of(encoders: Encoders) -> str:
    """By which method a model cuts words, if it can be stepped through; else empty."""
    if encoders.text is None or (encoders.merges is None and encoders.pieces is None):
        return ""
    return family_of(encoders.text.family).method
