"""BLEU from counts, against sacrebleu's."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU

from core.analysis.bleu import Counts, bleu, interval

WORDS = [
    "the",
    "a",
    "black",
    "cat",
    "dog",
    "sleeps",
    "sat",
    "on",
    "under",
    "table",
    "mat",
    "and",
    "she",
    "saw",
    "it",
    ".",
]


def texts(seed: int, n: int, longest: int) -> tuple[list[str], list[str]]:
    """References, and the same with words that were changed or dropped."""
    rng = np.random.default_rng(seed)
    wanted = [list(rng.choice(WORDS, rng.integers(1, longest))) for _ in range(n)]
    found = [
        [word if rng.random() > 0.3 else str(rng.choice(WORDS)) for word in one][
            : rng.integers(1, longest)
        ]
        for one in wanted
    ]
    return [" ".join(one) for one in found], [" ".join(one) for one in wanted]


def counted(found: list[str], wanted: list[str]) -> Counts:
    one = [BLEU().corpus_score([a], [[b]]) for a, b in zip(found, wanted, strict=True)]
    return Counts(
        np.array([score.counts for score in one]),
        np.array([score.sys_len for score in one]),
        np.array([score.ref_len for score in one]),
    )


@pytest.mark.parametrize(("seed", "n", "longest"), [(0, 40, 12), (1, 3, 6), (2, 1, 9), (3, 2, 4)])
def test_it_is_sacrebleus(seed, n, longest):
    found, wanted = texts(seed, n, longest)
    expected = BLEU().corpus_score(found, [wanted]).score
    assert bleu(counted(found, wanted)) == pytest.approx(expected, abs=1e-9)


def test_the_interval_holds_the_score_and_narrows_with_more_sentences():
    many, few = (counted(*texts(4, n, 12)) for n in (400, 25))
    (low, high), wide = interval(many), interval(few)
    assert low < bleu(many) < high
    assert high - low < 0.6 * (wide[1] - wide[0])
    assert interval(many) == (low, high)  # the draws hang on the seed alone


def test_of_no_sentence_there_is_no_score():
    none = counted(["a cat"], ["a dog"]).only(np.array([False]))
    assert math.isnan(bleu(none))
    assert all(map(math.isnan, interval(none)))
