"""A preference: trainings on it, and what a model writes before any."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from core.decoding.at_once import continued
from core.errors import EmptyInputError
from core.live_training.liking import liking
from core.runs.answering import Context, answer, tell
from core.runs.drawn import Drawn
from core.runs.requests import DrawnRequest, LikeRequest
from core.runs.told import Step
from core.seeds import checked_seed


@tell.register
def preferring(request: LikeRequest, context: Context) -> Iterator[Step]:
    """A copy of a model from its first step to its last, on each leash by turns."""
    model = context.model(request.model)
    trainings = [
        liking(model, request.preference, leash.beta, leash.seed, request.steps)
        for leash in request.leashes
    ]
    for several in zip(*trainings, strict=True):
        records = tuple(record for _share, record in several if record is not None)
        yield Step(several[0][0], records or None)


@answer.register
def drawn(request: DrawnRequest, context: Context) -> Drawn:
    """Several continuations of one text.

    Raises:
        AbilityError: the model continues no text.
        EmptyInputError: there is no text.
        ParameterError: the seed is out of its range.
    """
    model = context.model(request.model)
    writer = model.as_writer()
    room = model.config.n_ctx
    new = min(request.new, room // 2)
    tokens = model.tokenizer.tokens(model.fit(request.text)[0])
    marks = [one for one in tokens if one.special]
    kept = [one for one in tokens if not one.special][-(room - new - len(marks)) :]
    ids = [one.id for one in (*marks, *kept)]
    if not ids:
        raise EmptyInputError
    prompts = torch.tensor([ids], device=model.device).expand(request.n, -1)
    chances = torch.rand(
        request.n, new, generator=torch.Generator().manual_seed(checked_seed(request.seed))
    )
    end = model.tokenizer.end_of_text_id
    rows = continued(writer, prompts, chances)[:, -new:].tolist()
    texts = [model.decode(row[: row.index(end)] if end in row else row) for row in rows]
    return Drawn(model.decode([one.id for one in kept]), tuple(texts))
