"""Sources and the targets that a decoder is to write, whatever they are taken from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.text.hiding import IGNORED
from core.text.marks import END, START
from core.text.tokenizer import Tokenizer
from core.training.tasks.task import TrainingBatch


class SourcesTargets(NamedTuple):
    """Rows of both, as the losses take them.

    Attributes:
        source: ids, the end mark last, then padding, ``(B, S)``.
        source_mask: True on real tokens, ``(B, 1, 1, S)``.
        target: what the decoder reads, the start mark first, ``(B, T)``.
        expected: what it should say after each, the end mark last; ``IGNORED`` on padding.
    """

    source: Tensor
    source_mask: Tensor
    target: Tensor
    expected: Tensor


def rows_of_pairs(
    pairs: Sequence[tuple[Sequence[int], Sequence[int]]],
    tokenizer: Tokenizer,
    size: tuple[int, int],
    name: str = "",
) -> TrainingBatch:
    """A batch of pairs of ids, without marks, filled up to so many positions on either side.

    Args:
        pairs: sources and targets, both shorter than their side.
        tokenizer: whose marks are put around them; a target begins with the padding where it has
            no start mark, as in T5.
        size: positions of the sources and of the targets.
        name: of the batch.
    """
    pad, end = tokenizer.pad_id, tokenizer.mark(END)
    start = tokenizer.id_of(START)
    source = np.full((len(pairs), size[0]), pad)
    target = np.full((len(pairs), size[1]), pad)
    expected = np.full_like(target, IGNORED)
    mask = np.zeros(source.shape, bool)
    target[:, 0] = pad if start is None else start
    for row, (s, t) in enumerate(pairs):
        source[row, : len(s) + 1] = [*s, end]
        mask[row, : len(s) + 1] = True
        target[row, 1 : len(t) + 1] = t
        expected[row, : len(t) + 1] = [*t, end]
    arrays = (source, mask[:, None, None, :], target, expected)
    examples = SourcesTargets(*map(torch.from_numpy, arrays))
    return TrainingBatch(examples, int((expected != IGNORED).sum()), name)


def text_loss(model: nn.Module, examples: SourcesTargets, smoothing: float) -> Tensor:
    """Mean cross-entropy in nats with the smoothed targets; judged, a model has nothing smoothed.

    The decoder needs no mask of its own: a target's padding comes last, where no real token
    attends to it.
    """
    source, mask, target, expected = examples
    logits = model(source, target, encoder_mask=mask, cross_mask=mask)
    return smoothed_cross_entropy(logits, expected, smoothing if model.training else 0.0)


def smoothed_cross_entropy(logits: Tensor, expected: Tensor, smoothing: float) -> Tensor:
    """Cross-entropy with (1 - ε) of the target on the expected token and ε on all V alike.

    Szegedy et al. 2016, section 7; ε = 0.1 in Vaswani et al. 2017, section 5.4.

    Args:
        logits: ``(B, T, V)``.
        expected: ids ``(B, T)``, ``IGNORED`` where nothing counts.
        smoothing: ε.
    """
    return F.cross_entropy(
        logits.flatten(0, 1).float(),
        expected.flatten(),
        ignore_index=IGNORED,
        label_smoothing=smoothing,
    )
