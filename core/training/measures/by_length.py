"""Of each sentence, what BLEU is computed from: so that it can be taken of short and long ones."""

from __future__ import annotations

from collections.abc import Sequence

from core.predict import translate
from core.training.measures.bleu import metric
from core.zoo import LoadedModel

BEAMS = 4


def sentence_counts(model: LoadedModel, pairs: Sequence[tuple[str, str]]) -> list[list[int]]:
    """For each pair the words of the translation, then its right n-grams of 1 to 4 words.

    Args:
        model: translates, by beam search as for BLEU (``core.training.measures.bleu``).
        pairs: sentences and their translations.

    Raises:
        ParameterError: sacrebleu is not installed.
    """
    score = metric()
    rows = []
    for source, target in pairs:
        translation = translate(model, model.fit(source)[0], BEAMS).text
        counted = score.corpus_score([translation], [[target]])
        rows.append([counted.sys_len, *counted.counts])
    return rows


def reference_words(pairs: Sequence[tuple[str, str]]) -> list[int]:
    """Words of each reference, as BLEU counts them.

    Raises:
        ParameterError: sacrebleu is not installed.
    """
    score = metric()
    return [score.corpus_score([target], [[target]]).ref_len for _, target in pairs]
