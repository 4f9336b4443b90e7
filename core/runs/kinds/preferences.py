"""A preference: trainings on it, and what a model writes before any."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch

from core.decoding.at_once import continued
from core.errors import EmptyInputError
from core.language import N_
from core.live_training.liking import liking
from core.runs.progress import Step
from core.runs.request import Context, Job, OfModel, answer, job_steps
from core.seeds import checked_seed


@dataclass(frozen=True, slots=True)
class KLPenalty:
    """How a model is held while it learns what is liked.

    Attributes:
        beta: how much reward a nat of KL divergence from the start costs.
        seed: of all that is drawn.
    """

    beta: float = 0.3
    seed: int = 0


@dataclass(frozen=True, slots=True)
class PreferenceTuningRequest(OfModel, Job):
    """A copy of a model learns what a rule likes, in one way or in several beside each other.

    Attributes:
        preference: of ``core.data.preferences.PREFERENCES``.
        penalties: how it is held; they take turns.
        steps: of each training; none for the model before the first one.
    """

    says = N_("Training on a preference")
    preference: str
    penalties: tuple[KLPenalty, ...] = (KLPenalty(),)
    steps: int = 24


@dataclass(frozen=True, slots=True)
class SampledTextsRequest(OfModel):
    """Several continuations of one text, drawn from the model's own distribution.

    Attributes:
        text: as it was typed; of a long one the end.
        n: continuations.
        new: tokens of each.
        seed: of the draws.
    """

    lasts = "a while"
    text: str
    n: int = 48
    new: int = 12
    seed: int = 0


@dataclass(frozen=True, slots=True)
class SampledTexts:
    """Continuations of a text.

    Attributes:
        text: that was continued: all of it that has room.
        texts: what stands behind it, each time.
    """

    text: str
    texts: tuple[str, ...]


@job_steps.register
def preferring(request: PreferenceTuningRequest, context: Context) -> Iterator[Step]:
    """A copy of a model from its first step to its last, under each penalty by turns."""
    model = context.model(request.model)
    trainings = [
        liking(model, request.preference, penalty.beta, penalty.seed, request.steps)
        for penalty in request.penalties
    ]
    for several in zip(*trainings, strict=True):
        records = tuple(record for _share, record in several if record is not None)
        yield Step(several[0][0], records or None)


@answer.register
def drawn(request: SampledTextsRequest, context: Context) -> SampledTexts:
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
    marks = [token for token in tokens if token.special]
    last_tokens = [token for token in tokens if not token.special][-(room - new - len(marks)) :]
    ids = [token.id for token in (*marks, *last_tokens)]
    if not ids:
        raise EmptyInputError
    prompts = torch.tensor([ids], device=model.device).expand(request.n, -1)
    chances = torch.rand(
        request.n, new, generator=torch.Generator().manual_seed(checked_seed(request.seed))
    )
    end = model.tokenizer.end_of_text_id
    rows = continued(writer, prompts, chances)[:, -new:].tolist()
    texts = [model.decode(row[: row.index(end)] if end in row else row) for row in rows]
    return SampledTexts(model.decode([token.id for token in last_tokens]), tuple(texts))
