"""Whether the vectors of a word in different sentences tell its senses apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.analysis.contexts import same_sense
from core.data.senses import SENSES
from core.predict import Layer, word_vectors
from core.zoo import LoadedModel


def senses(model: LoadedModel) -> dict[str, float]:
    """For each layer the share of sentences whose nearest other one has the word's sense.

    Where several are as near, as where a vector knows no context, their share of the same sense
    counts: 7 of 15 by chance.
    """
    metrics = {}
    for layer in range(len(model.blueprint.sites("@layers"))):
        shares = []
        for word, by_sense in SENSES.items():
            sense = [n for n, of in enumerate(by_sense.values()) for _ in of]
            sentences = [sentence for of in by_sense.values() for sentence in of]
            shares += same_sense(_cosines(model, word, sentences, layer), sense).tolist()
        metrics[f"senses/layer_{layer}"] = float(np.mean(shares))
    return metrics


def nearest(
    model: LoadedModel, word: str, sentences: Sequence[str], layer: Layer
) -> NDArray[np.intp]:
    """For each sentence the other one in which the word's vector is most like its own, ``(N,)``."""
    indices: NDArray[np.intp] = _cosines(model, word, sentences, layer).argmax(axis=1)
    return indices


def _cosines(
    model: LoadedModel, word: str, sentences: Sequence[str], layer: Layer
) -> NDArray[np.float32]:
    """How alike a word's vectors are in each pair of sentences, ``(N, N)``; -2 with itself."""
    vectors = []
    for sentence in sentences:
        fits, _ = model.fit(sentence)
        occurrences = word_vectors(model, fits, layer)
        # A try-out with a tiny context may not reach the word.
        occurrence = next(
            (occurrence for occurrence in occurrences if occurrence.word.lower() == word),
            occurrences[-1],
        )
        vectors.append(occurrence.vector)
    rows = np.stack(vectors)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    alike: NDArray[np.float32] = rows @ rows.T
    np.fill_diagonal(alike, -2.0)
    return alike
