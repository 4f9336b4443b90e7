"""What a model would say if it ended after a layer: the guesses on the way."""

from __future__ import annotations

from collections.abc import Sequence

from core.analysis.distributions import softmax
from core.analysis.lens import label_logits
from core.views.map import told
from core.views.map.run import WholeRun


def guesses(whole: WholeRun, rows: Sequence[int] | None = None) -> list[list[tuple[str, float]]]:
    """For each row, by itself each that is drawn, the word that would follow each layer.

    Of a model that chooses among labels it is one row, of all: the label.
    """
    if whole.of_all:
        return _labels(whole)
    if not has_lens(whole):
        return []
    n, first = len(whole.trace.streams[whole.stream].units), whole.first
    each = told.guesses(whole, range(first, n) if rows is None else rows)
    return [[(word.spoken, share) for word, share in row] for row in each]


def _labels(whole: WholeRun) -> list[list[tuple[str, float]]]:
    """The label after each layer, where that can be told."""
    blueprint = whole.blueprint
    if not blueprint.classifier.linear or not blueprint.stacks:
        return []
    probs = softmax(label_logits(whole.trace))[1:]
    best = probs.argmax(axis=-1)
    return [[(whole.labels[n], float(own[n])) for n, own in zip(best, probs, strict=True)]]


def has_lens(whole: WholeRun) -> bool:
    """Whether what each layer hands on can be read as words."""
    blueprint = whole.trace.blueprint
    if not blueprint.predicts_words or blueprint.head.table is None:
        return False
    return any(one.stream == blueprint.stream for one in blueprint.stacks)
