"""What the translators from French share: their sources, their data, how they are measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from core.language import N_
from core.training.buckets import BucketShape
from core.training.recipe import Schedule
from core.training.sources import CorpusFile
from core.training.tasks.task import Task
from core.training.tasks.translation import TranslationPairs

SOURCES = (
    CorpusFile("tatoeba", "mt_tatoeba_en_fr_train.tsv.xz", "CC BY 2.0",
               "Tatoeba contributors, by way of manythings.org"),
    CorpusFile("storybooks", "mt_storybooks_en_fr.tsv.xz", "CC BY",
               "African Storybook (Global Storybooks project)"),
)  # fmt: skip
# Our own sentences, of what a corpus of sentences hardly holds: greetings, names, ages, hours.
PHRASEBOOK = CorpusFile(
    "phrasebook",
    str(Path(__file__).resolve().parents[3] / "assets" / "phrases" / "phrasebook.tsv"),
    "CC0",
    "written for Glassformer",
)
BLEU = "bleu/mt_tatoeba_en_fr_dev"
# Trained on, it keeps what it knows of long sentences.
GOES_ON = Schedule(warmup=60, cooldown=0.92, floor=0.02, peak=0.3)
MEASURED = N_(
    "BLEU from 0 to 100 by sacrebleu (13a, cased, one reference per sentence), beam search with 4 "
    "beams and length penalty 0.6. The model was not trained on any pair of which either side "
    "stands in these texts, nor on any of 400 long pairs that are kept for another measure."
)


def translation(
    lengths: Sequence[int], rows: Sequence[int], prefix: str = "", *, utterances: bool = False
) -> TranslationPairs:
    """French to English, in batches of so many rows of each length at most.

    Args:
        lengths, rows: of the batches.
        prefix: before every source.
        utterances: it is to know what people type first, so short sentences are read more often.
    """
    return TranslationPairs(
        (*SOURCES, PHRASEBOOK) if utterances else SOURCES,
        source="fr",
        target="en",
        shapes=tuple(BucketShape(length, n) for length, n in zip(lengths, rows, strict=True)),
        valid="mt_tatoeba_en_fr_dev.tsv.xz",
        long_unseen=400,
        prefix=prefix,
        utterances=utterances,
    )


def of_sentences(task: Task) -> TranslationPairs:
    """The same from sentences alone, each as often as it stands in its corpus."""
    assert isinstance(task, TranslationPairs)
    return replace(task, sources=SOURCES, utterances=False)
