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

    def logits(prepared: Prepared, ids: Tensor, mask: Tensor) -> Tensor:
        segments = {} if prepared.types is None else {"types": prepared.types}
        return sort(ids, mask=mask, **segments)

    return _shares(_read_each(model, examples, logits).argmax(dim=-1).numpy(), examples, name)


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

    def pooled(prepared: Prepared, ids: Tensor, mask: Tensor) -> Tensor:
        return judge.pooled(ids, types=prepared.types, mask=mask)

    some = fitted_on[:: max(1, len(fitted_on) // _FITTED)]
    features = _read_each(body, some, pooled)
    mean, std = features.mean(dim=0), features.std(dim=0).clamp(min=1e-6)
    labels = torch.tensor([example.label for example in some])
    head = fitted_head((features - mean) / std, labels)
    predicted = head((_read_each(body, examples, pooled) - mean) / std).argmax(dim=-1).numpy()
    return _shares(predicted, examples, name)


def _read_each(
    model: LoadedModel,
    examples: Sequence[Labelled],
    read: Callable[[Prepared, Tensor, Tensor], Tensor],
) -> Tensor:
    """What is read of each example, cut to the context: float64 ``(N, ...)``, in their order."""
    order = sorted(range(len(examples)), key=lambda n: sum(map(len, examples[n].texts)))
    stream = model.blueprint.stream
    outputs: list[Tensor] = []
    for start in range(0, len(order), _BATCH):
        rows = [model.fitted(examples[n].given).given for n in order[start : start + _BATCH]]
        prepared = model.prepare(Batch(tuple(cast("list[Text | Pair]", rows))))
        (mask,) = prepared.masks.values()
        with torch.inference_mode():
            outputs.append(read(prepared, prepared.tensors[stream], mask).cpu().double())
    return torch.cat(outputs)[np.argsort(order)]


def _shares(
    predicted: NDArray[np.int64], examples: Sequence[Labelled], name: str
) -> dict[str, float]:
    right: dict[str, list[bool]] = defaultdict(list)
    for label, example in zip(predicted, examples, strict=True):
        right[name].append(label == example.label)
        if example.kind:
            right[f"{name}/{example.kind}"].append(label == example.label)
    return {measure: sum(hits) / len(hits) for measure, hits in right.items()}
