"""Pictures to begin with: our own drawings, and those of public collections with their source."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.errors import ParameterError
from core.inputs import Picture
from core.language import N_, Phrase, _
from core.locale import Choice

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "pictures"
FILES = ("digits.json", "things.json")
# The ten kinds of things that photographs are told apart by (Krizhevsky 2009, CIFAR-10).
THINGS = (
    N_("airplane"), N_("automobile"), N_("bird"), N_("cat"), N_("deer"), N_("dog"), N_("frog"),
    N_("horse"), N_("ship"), N_("truck"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PictureSample:
    """One picture.

    Attributes:
        id: stable; a link may name it in place of its pixels.
        label: what it shows.
        source: whose it is.
        picture: its pixels.
    """

    id: str
    label: str
    source: str
    picture: Picture


@lru_cache(maxsize=1)
def samples() -> tuple[PictureSample, ...]:
    """All of them; of each size the first is what pages open on."""
    files = [json.loads((FOLDER / file).read_text(encoding="utf-8")) for file in FILES]
    return tuple(
        PictureSample(
            entry["id"], entry["label"], entry["source"], Picture.of_text(entry["picture"])
        )
        for file in files
        for entry in file
    )


def sample(name: str) -> PictureSample:
    """The sample of that name.

    Raises:
        ParameterError: there is none.
    """
    for sample_ in samples():
        if sample_.id == name:
            return sample_
    choices = Choice([sample_.id for sample_ in samples()])
    raise ParameterError("picture", name, Phrase(N_("one of {choices}"), choices=choices))


def label_called(label: str) -> str:
    """What a picture shows, in the learner's language where it is one of our words."""
    return _(label) if label in THINGS else label
