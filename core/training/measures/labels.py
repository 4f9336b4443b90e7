"""How often a text, or a pair of texts, is given the right label."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from core.inputs import Batch, Pair, Text
from core.live_training.linear_head import fitted_head
from core.models.prepared import Prepared
from core.training.labelled import Labelled
from core.zoo import LoadedModel

_BATCH = 32
_FITTED = 4000  # examples that a head is fitted on


def accuracy(model: LoadedModel, examples: Sequence[Labelled], name: str) -> dict[str, float]:
    """The share whose label has the highest logit: of all, and of each kind if there are several.

    Args:
        model: one that sorts such examples.
        examples: with their labels.
        name: of the measure.
    """
    pair = isinstance(examples[0].given, Pair)
    sort = model.as_classifier("classify_pair" if pair else "classify_text")

    def logits(given: Prepared, ids: Tensor, mask: Tensor) -> Tensor:
        segments = {} if given.types is None else {"types": given.types}
        return sort(ids, mask=mask, **segments)

    return _shares(_each(model, examples, logits).argmax(dim=-1).numpy(), examples, name)


def frozen_accuracy(
    body: LoadedModel, fitted_on: Sequence[Labelled], examples: Sequence[Labelled], name: str
) -> dict[str, float]:
    """The same of a linear head on a body whose own weights stay as they are.

    The head reads the vector of [CLS] that the body makes for questions about its whole input, on
    a common scale, and is fitted by multinomial logistic regression: nothing is drawn.

    Args:
        body: a model of the shelf, which has never seen these labels.
        fitted_on: every so manyth of them is taken, some thousands in all.
        examples: that the head is measured on.
        name: of the measure.
    """
    judge = body.as_judge()

    def pooled(given: Prepared, ids: Tensor, mask: Tensor) -> Tensor:
        return judge.pooled(ids, types=given.types, mask=mask)

    some = fitted_on[:: max(1, len(fitted_on) // _FITTED)]
    features = _each(body, some, pooled)
    mean, std = features.mean(dim=0), features.std(dim=0).clamp(min=1e-6)
    labels = torch.tensor([one.label for one in some])
    head = fitted_head((features - mean) / std, labels)
    found = head((_each(body, examples, pooled) - mean) / std).argmax(dim=-1).numpy()
    return _shares(found, examples, name)


def _each(
    model: LoadedModel,
    examples: Sequence[Labelled],
    read: Callable[[Prepared, Tensor, Tensor], Tensor],
) -> Tensor:
    """What is read of each example, cut to the context: float64 ``(N, ...)``, in their order."""
    order = sorted(range(len(examples)), key=lambda n: sum(map(len, examples[n].texts)))
    stream = model.blueprint.stream
    found: list[Tensor] = []
    for at in range(0, len(order), _BATCH):
        rows = [model.fitted(examples[n].given).given for n in order[at : at + _BATCH]]
        given = model.prepare(Batch(tuple(cast("list[Text | Pair]", rows))))
        (mask,) = given.masks.values()
        with torch.inference_mode():
            found.append(read(given, given.tensors[stream], mask).cpu().double())
    return torch.cat(found)[np.argsort(order)]


def _shares(found: NDArray[np.int64], examples: Sequence[Labelled], name: str) -> dict[str, float]:
    right: dict[str, list[bool]] = defaultdict(list)
    for label, one in zip(found, examples, strict=True):
        right[name].append(label == one.label)
        if one.kind:
            right[f"{name}/{one.kind}"].append(label == one.label)
    return {measure: sum(hits) / len(hits) for measure, hits in right.items()}
