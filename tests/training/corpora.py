"""A made-up corpora directory: enough to train the tiny tier on and to measure models with."""

from __future__ import annotations

import lzma
import random
from pathlib import Path

WHO = ["the cat", "the little dog", "a bird", "Tom", "Anna", "the old man", "her brother"]
DID = ["sat on", "saw", "ran to", "jumped over", "looked at", "wanted", "found"]
WHAT = ["the mat", "a red ball", "the sea", "a big tree", "the door", "some bread", "the moon"]
VALID = ("valid_wiki", "valid_children", "valid_tinystories", "valid_fairytales",
         "valid_storybooks")  # fmt: skip


def document(rng: random.Random) -> str:
    """A few paragraphs of simple sentences."""
    return "\n".join(
        " ".join(
            f"{rng.choice(WHO)} {rng.choice(DID)} {rng.choice(WHAT)}.".capitalize()
            for _ in range(rng.randint(2, 6))
        )
        for _ in range(rng.randint(1, 3))
    )


def pack(path: Path, text: str) -> None:
    with lzma.open(path, "wt", encoding="utf-8") as out:
        out.write(text)


def write(directory: Path, n: int = 600) -> Path:
    """``text_tinystories`` with ``n`` documents, and every file the figures are measured on."""
    rng = random.Random(0)
    directory.mkdir(exist_ok=True)
    pack(directory / "text_tinystories.txt.xz", "\n\n".join(document(rng) for _ in range(n)))
    for name in VALID:
        pack(directory / f"{name}.txt.xz", "\n\n".join(document(rng) for _ in range(6)))
    return directory
