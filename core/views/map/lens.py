"""What a model would say if it ended after a layer: the guesses on the way."""

from __future__ import annotations

from collections.abc import Sequence

from core.analysis.distributions import likeliest
from core.analysis.lens import label_logits, layer_guesses
from core.views.map.whole import WholeRun


def guesses(whole: WholeRun, rows: Sequence[int] | None = None) -> list[list[tuple[str, float]]]:
    """For each row, by itself each that is drawn, the word that would follow each layer.

    Of a model that chooses among labels it is one row, of all: the label.
    """
    if whole.of_all:
        return _labels(whole)
    if not has_lens(whole):
        return []
    if rows is None:
        rows = range(whole.first, len(whole.trace.streams[whole.stream].units))
    if not rows:
        return []
    return [
        [(whole.run.words(int(n)).spoken, float(share)) for n, share in zip(*each, strict=True)]
        for each in zip(*layer_guesses(whole.trace, rows), strict=True)
    ]


def _labels(whole: WholeRun) -> list[list[tuple[str, float]]]:
    """The label after each layer, where that can be told."""
    blueprint = whole.blueprint
    if not blueprint.classifier.linear or not blueprint.stacks:
        return []
    best, shares = likeliest(label_logits(whole.trace)[1:])
    return [[(whole.labels[n], float(share)) for n, share in zip(best, shares, strict=True)]]


def has_lens(whole: WholeRun) -> bool:
    """Whether what each layer hands on can be read as words."""
    blueprint = whole.trace.blueprint
    if not blueprint.predicts_words or blueprint.head.table is None:
        return False
    return any(one.stream == blueprint.stream for one in blueprint.stacks)
