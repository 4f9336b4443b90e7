"""What each token of a target loses when a token of the source is hidden from it."""

from __future__ import annotations

import time

import numpy as np
import torch

from core.models.blueprint import SOURCE, TARGET
from core.runs.answering import Context, answer
from core.runs.searched import Hidden
from core.runs.translations import HideRequest


@answer.register
def hidden(request: HideRequest, context: Context) -> Hidden:
    """A run with one row for each token of the source, which that row's target may not attend to.

    The encoder has read the whole source: only the way from the target to that place is closed.

    Raises:
        AbilityError: the model does not translate.
        EmptyInputError, NoRoomError: the input itself is not right.
    """
    model = context.model(request.model)
    translator = model.as_translator("translate")
    prepared = model.prepare(model.fitted(request.given).given)
    source, target = prepared.tensors[SOURCE], prepared.tensors[TARGET]
    n_source, n_target = source.shape[1], target.shape[1]
    may = ~torch.eye(n_source, dtype=torch.bool)[:, None, None].expand(-1, 1, n_target, -1)
    after = torch.cat([target[0, 1:].cpu(), torch.tensor([translator.config.end_id])])
    places = torch.arange(n_target)
    began = time.perf_counter()
    with torch.inference_mode():
        whole = translator(source, target)[0]
        without = translator(
            source.expand(n_source, -1), target.expand(n_source, -1),
            cross_mask=may.to(source.device),
        )  # fmt: skip
        before, behind = (
            logits.cpu().double().log_softmax(-1)[..., places, after] for logits in (whole, without)
        )
    costs = (before - behind).T.numpy().astype(np.float32)
    return Hidden(costs, time.perf_counter() - began)
