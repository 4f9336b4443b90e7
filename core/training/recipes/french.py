"""What the translators from French share: their sources, their data, how they are measured."""

from __future__ import annotations

from collections.abc import Sequence

from core.training.buckets import Shape
from core.training.sources import Source
from core.training.tasks.translation import Translation

SOURCES = (
    Source("tatoeba", "mt_tatoeba_en_fr_train.tsv.xz", "CC BY 2.0",
           "Tatoeba contributors, by way of manythings.org"),
    Source("storybooks", "mt_storybooks_en_fr.tsv.xz", "CC BY",
           "African Storybook (Global Storybooks project)"),
)  # fmt: skip
BLEU = "bleu/mt_tatoeba_en_fr_dev"
MEASURED = (
    "BLEU from 0 to 100 by sacrebleu (13a, cased, one reference a sentence), beam search with "
    "4 beams and length penalty 0.6. No pair of which either side stands there was trained on, "
    "nor any of 400 long pairs that are kept for another measure."
)


def translation(lengths: Sequence[int], rows: Sequence[int], prefix: str = "") -> Translation:
    """French to English, in batches of so many rows of each length at most."""
    return Translation(
        SOURCES,
        source="fr",
        target="en",
        shapes=tuple(Shape(length, n) for length, n in zip(lengths, rows, strict=True)),
        valid="mt_tatoeba_en_fr_dev.tsv.xz",
        long_unseen=400,
        prefix=prefix,
    )
