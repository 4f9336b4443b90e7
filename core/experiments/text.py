"""The experiments of the pages on tokenization and on embeddings and positions."""

from __future__ import annotations

import numpy as np

from core.experiments.experiment import Experiment, Figures, at, count, selected
from core.language import N_
from core.views.text.tokens import CORPUS

LONG = "The dog was hungry because the dog had not eaten since the dog ran away from the farm"


def _symbols(values: Figures) -> float:
    """Into how many symbols the text falls, after the merges that are shown."""
    return float(values["n_symbols"].value)


def _alike(values: Figures) -> float:
    """The largest cosine of two positions that are not neighbours: 8 or more apart."""
    products = values["inner_product"].array
    return float(np.max(products[8:]) / products[0])


def _crossings(values: Figures) -> float:
    """How often the sine changes its sign over the positions."""
    sine = values["sine"].array[1:]  # which is 0 at position 0
    return float(np.count_nonzero(np.signbit(sine[1:]) != np.signbit(sine[:-1])))


TOKENIZATION = (
    Experiment(
        id="tokenization.typo",
        title=N_("Make a typo"),
        watch=N_("A misspelt word is not in the vocabulary. It falls apart into several tokens, "
                 "and the model has to put its meaning together again."),
        view="text.tokens",
        what=N_("Tokens of the second word"),
        measure=selected("n_tokens"),
        unit="count",
        before={"model": "gpt", "text": "The animal crossed the street.", "word": 1,
                "join": None},
        changes={"text": "The anmial crossed the street."},
        sides=(N_("animal"), N_("anmial")),
        margin="factor",
    ),
    Experiment(
        id="tokenization.emoji",
        title=N_("Replace a word by an emoji"),
        watch=N_("GPT reads bytes, so nothing is unknown to it: a character without an entry is "
                 "cut into its bytes. BERT reads [UNK] in place of the whole word and cannot tell "
                 "one emoji from another."),
        view="text.tokens",
        what=N_("Tokens of the last word, GPT"),
        measure=selected("n_tokens"),
        unit="count",
        before={"model": "gpt", "text": "She gave me a smile", "word": 4, "join": None},
        changes={"text": "She gave me a 🙂"},
        sides=(N_("smile"), N_("🙂")),
        margin="factor",
    ),
    Experiment(
        id="tokenization.learn",
        title=N_("Learn merges from your own text"),
        watch=N_("Each merge replaces a frequent pair by one new symbol. In so short a text every "
                 "word is soon one token."),
        view="text.corpus",
        what=N_("Symbols of the text"),
        measure=_symbols,
        unit="count",
        before={"model": "gpt", "corpus": LONG, "merges": 60, "merge": 0, "code": "learnt",
                "join": None, "cutting": "bpe"},
        changes={"merge": 60},
        sides=(N_("before the first merge"), N_("after 60 merges")),
        margin="factor",
        near="text.pairs",
        section="learning",
    ),
)  # fmt: skip

PIECES = (
    Experiment(
        id="pieces.first",
        title=N_("Merge by score, not by count"),
        watch=N_("Byte-pair encoding begins with the most frequent pair. WordPiece begins with "
                 "two letters that stand side by side only once, because the second of them "
                 "occurs nowhere else. “the” comes late."),
        view="text.pairs",
        what=N_("How often the pair that is merged first occurs"),
        measure=at("count", 0, 0),
        unit="count",
        before={"corpus": CORPUS, "merges": 60, "merge": 0, "cutting": "bpe"},
        changes={"cutting": "wordpiece"},
        sides=(N_("byte-pair encoding"), N_("WordPiece")),
        margin="factor",
        section="learning",
    ),
    Experiment(
        id="pieces.greedy",
        title=N_("Compare the longest entry with the best way"),
        watch=N_("For “wall” the longest entry is the best one. In “wider” the longest entry is "
                 "“wide”. It leaves an “r”, which hardly ever stands alone. Viterbi’s algorithm "
                 "takes a shorter entry first, so that the second one is much more probable."),
        view="text.lattice",
        what=N_("How many times more probable the best segmentation is"),
        measure=at("times"),
        unit="number",
        before={"text": "the wider wall", "word": 2, "corpus": CORPUS, "pieces": 150,
                "cutting": "unigram", "code": "learnt", "join": None},
        changes={"word": 1},
        sides=(N_("wall"), N_("wider")),
        margin="factor",
    ),
    Experiment(
        id="pieces.smooth",
        title=N_("Cut the same word differently"),
        watch=N_("Smoothing makes rare segmentations more likely. A model that is trained like "
                 "this meets the pieces of a word, too, not only the word."),
        view="text.ways",
        what=N_("Probability of the best segmentation"),
        measure=at("smoothed", 0),
        unit="share",
        before={"text": "the slower river", "word": 1, "corpus": CORPUS, "pieces": 150,
                "cutting": "unigram", "code": "learnt", "smoothing": 1.0, "join": None},
        changes={"smoothing": 0.1},
        sides=(N_("α = 1"), N_("α = 0.1")),
        margin="points",
    ),
)  # fmt: skip

POSITIONS = (
    Experiment(
        id="positions.short",
        title=N_("Shrink the vectors to 4 components"),
        watch=N_("Only two pairs of sine and cosine are left. Positions that are far apart now "
                 "look alike."),
        view="positions.similarity",
        what=N_("Largest cosine between positions 8 or more apart"),
        measure=_alike,
        unit="number",
        before={"d_model": 512, "positions": 50, "pair": 0},
        changes={"d_model": 4},
        sides=(N_("512 components"), N_("4 components")),
        margin="points",
    ),
    Experiment(
        id="positions.slow",
        title=N_("Take the slowest pair"),
        watch=N_("Fast pairs tell neighbours apart, slow pairs tell the beginning of a text from "
                 "its end. Over 50 positions the slowest pair hardly moves."),
        view="positions.curves",
        what=N_("How often the sine changes its sign in 50 positions"),
        measure=_crossings,
        unit="count",
        before={"d_model": 512, "positions": 50, "pair": 0},
        changes={"pair": 255},
        sides=(N_("pair 0"), N_("pair 255")),
        margin="factor",
    ),
    Experiment(
        id="positions.more",
        title=N_("Ask for 600 positions"),
        watch=N_("The formula gives a row for every position. But a model trained on 512 "
                 "positions has never met the rows after these, and a learned table has no such "
                 "rows."),
        view="positions.sinusoidal",
        what=N_("Rows of the sinusoidal table"),
        measure=count("table"),
        unit="count",
        before={"d_model": 512, "positions": 50, "pair": 0},
        changes={"positions": 600},
        sides=(N_("50 positions"), N_("600 positions")),
        margin="factor",
    ),
)  # fmt: skip
