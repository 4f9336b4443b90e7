"""The English text that the language models read: everyday stories and facts."""

from __future__ import annotations

from core.training.sources import CorpusFile

_WIKIPEDIA = ("CC BY-SA 3.0", "English Wikipedia contributors, 2015 dump")
_GUTENBERG = ("public domain", "Project Gutenberg")

TINYSTORIES = CorpusFile(
    "tinystories",
    "text_tinystories.txt.xz",
    "CDLA-Sharing-1.0",
    "TinyStories (Eldan & Li 2023)",
    valid="valid_tinystories.txt.xz",
)
ENGLISH = (
    CorpusFile("wiki_head", "text_wiki_head.txt.xz", *_WIKIPEDIA, valid="valid_wiki.txt.xz",
               prose=True),
    CorpusFile("children", "text_children.txt.xz", *_GUTENBERG, valid="valid_children.txt.xz"),
    TINYSTORIES,
    CorpusFile("fairytales", "text_fairytales.txt.xz", *_GUTENBERG,
               valid="valid_fairytales.txt.xz"),
    CorpusFile("storybooks", "text_storybooks.txt.xz", "CC BY",
               "African Storybook and Pratham Books (Global Storybooks project)",
               valid="valid_storybooks.txt.xz"),
    CorpusFile("tatoeba", "mt_tatoeba_en_fr_train.tsv.xz", "CC BY 2.0",
               "Tatoeba contributors, English side", column="en"),
    CorpusFile("factbook", "text_factbook.txt.xz", "CC0", "CIA World Factbook"),
)  # fmt: skip
VALIDATION = tuple(s.valid.removesuffix(".txt.xz") for s in ENGLISH if s.valid)


def shares(*weights: float) -> dict[str, float]:
    """Weights by the name of their source, in the order of ``ENGLISH``."""
    return {source.name: weight for source, weight in zip(ENGLISH, weights, strict=True)}
