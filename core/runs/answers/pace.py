"""How long reading takes: one state after the other, or all positions of a layer at once."""

from __future__ import annotations

import itertools
from functools import partial

import torch
from torch import Tensor

from core.decoding.decoder import Decoder
from core.models.blueprint import SOURCE, TARGET, Blueprint
from core.models.parts import Recurrence
from core.runs.answering import Context, answer
from core.runs.answers.second_target import shortest
from core.runs.searched import Pace
from core.runs.translations import PaceRequest

LENGTHS = (4, 8, 16, 32, 64, 128)


@answer.register
def pace(request: PaceRequest, context: Context) -> Pace:
    """Sources and targets of several lengths, each read a few times.

    Raises:
        AbilityError: the model does not translate.
        EmptyInputError: the text has no tokens.
        NoRoomError: not even the marks fit the context.
    """
    model = context.model(request.model)
    translator = model.as_translator("translate")
    ids = model.encode(model.fit(request.text)[0])
    lengths = tuple(n for n in LENGTHS if n <= translator.config.n_ctx)
    source, target = [], []
    with torch.inference_mode():
        for n in lengths:
            row = torch.tensor([list(itertools.islice(itertools.cycle(ids), n))])
            row = row.to(model.device)
            source.append(shortest(partial(translator.begin, row, n)))
            target.append(shortest(partial(_read, translator.begin(row, 1), row)))
    return Pace(
        lengths=lengths,
        source=tuple(source),
        target=tuple(target),
        source_steps=tuple(steps(model.blueprint, SOURCE, n) for n in lengths),
        target_steps=tuple(steps(model.blueprint, TARGET, n) for n in lengths),
    )


def _read(begun: Decoder, target: Tensor) -> Tensor:
    """All of a target at once, behind a source that was read."""
    return begun.fork([0], target.shape[1]).push(target)


def steps(blueprint: Blueprint, stream: str, n: int) -> int:
    """How many of a tower's layers or states wait for one before them, on a stream of ``n`` tokens.

    A recurrent layer has one state a token, both directions at the same time; a layer of attention
    has all of its positions at once.
    """
    towers = [tower for tower in blueprint.towers if tower.stream == stream]
    return sum(tower.n_layers * (n if isinstance(tower, Recurrence) else 1) for tower in towers)
