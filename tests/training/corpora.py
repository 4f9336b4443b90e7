"""A made-up corpora directory: enough to train the tiny tier on and to measure models with."""

from __future__ import annotations

import io
import lzma
import random
from pathlib import Path

import numpy as np
from PIL import Image

from core.data.samples import THINGS

WHO = ["the cat", "the little dog", "a bird", "Tom", "Anna", "the old man", "her brother"]
DID = ["sat on", "saw", "ran to", "jumped over", "looked at", "wanted", "found"]
WHAT = ["the mat", "a red ball", "the sea", "a big tree", "the door", "some bread", "the moon"]
SUBJECTS = {"le chat": "the cat", "un oiseau": "a bird", "Anne": "Anna", "son frère": "her brother",
            "le vieil homme": "the old man"}  # fmt: skip
VERBS = {"voit": "sees", "cherche": "looks for", "veut": "wants", "aime": "loves"}
OBJECTS = {"la mer": "the sea", "une balle rouge": "a red ball", "du pain": "some bread",
           "la lune": "the moon", "un grand arbre": "a big tree"}  # fmt: skip
VALID = ("valid_wiki", "valid_children", "valid_tinystories", "valid_fairytales",
         "valid_storybooks")  # fmt: skip


SOURCES = ("snli_cad", "breaking_nli", "base_wiki", "sim_wiki", "translate_wiki")  # of pairs


def document(rng: random.Random) -> str:
    """A few paragraphs of simple sentences."""
    return "\n".join(
        " ".join(
            f"{rng.choice(WHO)} {rng.choice(DID)} {rng.choice(WHAT)}.".capitalize()
            for _ in range(rng.randint(2, 6))
        )
        for _ in range(rng.randint(1, 3))
    )


def pair(rng: random.Random) -> tuple[str, str]:
    """A sentence in English and in French; now and then a long one."""
    n = rng.choice((1, 1, 1, 1, 1, 1, 2, 3, 5))
    parts = [[rng.choice(sorted(of.items())) for of in (SUBJECTS, VERBS, OBJECTS)]
             for _ in range(n)]  # fmt: skip
    english, french = (
        " and ".join(" ".join(word[side] for word in part) for part in parts) for side in (1, 0)
    )
    ends = rng.choice((".", "!"))
    return (
        english[0].upper() + english[1:] + ends,
        french.replace(" and ", " et ")[0].upper() + french.replace(" and ", " et ")[1:] + ends,
    )


def pack_pairs(path: Path, pairs: list[tuple[str, str]]) -> None:
    pack(path, "".join(f"{a}\t{b}\n" for a, b in [("en", "fr"), *pairs]))


def pack(path: Path, text: str) -> None:
    with lzma.open(path, "wt", encoding="utf-8") as out:
        out.write(text)


def pictures(path: Path, n: int, seed: int) -> None:
    """Pictures whose label is the place of their only bright square."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 10
    images = rng.integers(0, 60, (n, 28, 28), np.uint8)
    for image, label in zip(images, labels, strict=True):
        row, column = divmod(int(label), 4)
        image[4 + 7 * row : 9 + 7 * row, 3 + 6 * column : 8 + 6 * column] = 255
    np.savez(path, images=images, labels=labels.astype(np.uint8))


def photographs(path: Path, n: int, seed: int) -> None:
    """Colour pictures, packed as CIFAR's are, whose label is the place of a bright square."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % len(THINGS)
    images = rng.integers(0, 60, (n, 32, 32, 3), np.uint8)
    packed = []
    for image, label in zip(images, labels, strict=True):
        row, column = divmod(int(label), 4)
        image[5 + 8 * row : 10 + 8 * row, 2 + 8 * column : 7 + 8 * column] = (255, 200, 0)
        file = io.BytesIO()
        Image.fromarray(image).save(file, "JPEG", quality=75)
        packed.append(file.getvalue())
    ends = np.cumsum([0, *map(len, packed)])
    np.savez(path, jpeg=np.frombuffer(b"".join(packed), np.uint8), offsets=ends,
             labels=labels.astype(np.uint8), classes=np.array(THINGS))  # fmt: skip


def feeling(rng: random.Random) -> tuple[str, str]:
    """A sentence that is for or against a film, and which; now and then a long one."""
    said = rng.choice((0, 1))
    words = (("bad", "dull", "sad"), ("good", "warm", "funny"))[said]
    return f"a {' and '.join(rng.choices(words, k=rng.choice((1, 2, 4))))} film .", str(said)


def relation(rng: random.Random) -> tuple[str, str, str, str]:
    """A premise, a hypothesis, how they go together, and where they come from."""
    # No two words equally often: WordPiece is learned in any order of those.
    parts = (rng.choices(of, [2**n for n in range(len(of))]) for of in (WHO, DID, WHAT))
    who, did, what = (one for (one,) in parts)
    label, second = rng.choice((
        ("entailment", f"{who} {did}, {did} {what}."),
        ("neutral", "maybe, maybe."),
        ("contradiction", "no, no, no."),
    ))  # fmt: skip
    return f"{who} {did} {what}.", second, label, rng.choice(SOURCES)


def pack_table(path: Path, *rows: tuple[str, ...]) -> None:
    pack(path, "".join("\t".join(row) + "\n" for row in rows))


def labelled(directory: Path, n: int, rng: random.Random) -> None:
    """Texts and pairs of texts with their labels, and those that figures are measured on."""
    files = {"sst2_train": n, "sst2_dev": 30, "sentiment_amazon_uci_dev": 20}
    for name, many in files.items():
        rows = [feeling(rng) for _ in range(many)]
        pack_table(directory / f"{name}.tsv.xz", ("text", "label"), *rows)
    for name, many in {"nli_train": n, "nli_dev": 60}.items():
        columns = ("premise", "hypothesis", "label", "source")
        pack_table(directory / f"{name}.tsv.xz", columns, *(relation(rng) for _ in range(many)))


def write(directory: Path, n: int = 600) -> Path:
    """``n`` stories, ``n`` sentence pairs, and every file that figures are measured on."""
    rng = random.Random(0)
    directory.mkdir(parents=True, exist_ok=True)
    pack(directory / "text_tinystories.txt.xz", "\n\n".join(document(rng) for _ in range(n)))
    pairs = [pair(rng) for _ in range(n)]
    pack_pairs(directory / "mt_tatoeba_en_fr_train.tsv.xz", pairs)
    pack_pairs(directory / "mt_storybooks_en_fr.tsv.xz", [pair(rng) for _ in range(20)])
    # A few of the validation sentences stand in the training file, too.
    seen = [(a.upper(), b.removesuffix(".") + " !") for a, b in pairs[:3]]
    unseen = [("The dog sleeps.", "Le chien dort."), ("It rains.", "Il pleut.")]
    pack_pairs(directory / "mt_tatoeba_en_fr_dev.tsv.xz", seen + unseen)
    pictures(directory / "mnist_train.npz", n, 0)
    pictures(directory / "mnist_test.npz", 50, 1)
    photographs(directory / "cifar10_train_jpeg.npz", n, 0)
    photographs(directory / "cifar10_test5k_jpeg.npz", 50, 1)
    labelled(directory, n, random.Random(1))
    for name in VALID:
        pack(directory / f"{name}.txt.xz", "\n\n".join(document(rng) for _ in range(6)))
    return directory
