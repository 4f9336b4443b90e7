"""What is tried with a translator: hidden sources, a second target, and how long reading takes."""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from core.decoding.decoder import Decoder
from core.inputs import Input, SourceTarget
from core.models.blueprint import DECODER, SOURCE, TARGET, Blueprint
from core.models.parts import Recurrence
from core.runs.kinds.costs import shortest
from core.runs.request import Context, OfModel, answer
from core.tracing.tap import Recorder
from core.zoo import LoadedModel


@dataclass(frozen=True, slots=True)
class SourceCostsRequest(OfModel):
    """What hiding each token of the source costs each token of a target.

    Attributes:
        given: source and target; a target that is not given is written.
    """

    lasts = "a while"
    given: Input


@dataclass(frozen=True, slots=True)
class SecondTargetRequest(OfModel):
    """Two targets of one source, the second over what is kept of the source.

    Attributes:
        text: the source.
        first, second: targets.
    """

    lasts = "a while"
    text: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class ReadingTimesRequest(OfModel):
    """How long a source and a target take to be read, by how many tokens they have.

    Attributes:
        text: whose tokens are read, over and over.
    """

    lasts = "a while"
    text: str


@dataclass(frozen=True, eq=False)
class SourceCosts:
    """What hiding each token of the source costs each token of the target.

    Attributes:
        costs: ``(T, S)``: by how many nats the loss of the token that is written at each position
            of the target grows when no position may attend to that token of the source. The last
            row is the end mark.
        seconds: of the one run, with a row for each hidden token.
    """

    costs: NDArray[np.float32]
    seconds: float


@dataclass(frozen=True, slots=True)
class ComputedPart:
    """What a part of a model computes.

    Attributes:
        name: the first words of its sites' names.
        sites: how many it has.
        first, second: numbers that it computes in them for the first target and for the second.
    """

    name: str
    sites: int
    first: int
    second: int


@dataclass(frozen=True, eq=False)
class SecondTarget:
    """Two targets of one source, of which the second finds the source read.

    Attributes:
        parts: in the order of computation.
        n_source, n_first, n_second: tokens, with their marks.
        seconds: of the first target, of the second, and of the second with the source read again;
            the shortest of several runs each.
        difference: between the logits of the second and those of a run of its own, at most.
    """

    parts: tuple[ComputedPart, ...]
    n_source: int
    n_first: int
    n_second: int
    seconds: tuple[float, float, float]
    difference: float


@dataclass(frozen=True, slots=True)
class ReadingTimes:
    """How long reading takes, by how much there is to read.

    Attributes:
        lengths: tokens.
        source: seconds for a source of each length, the shortest of several runs.
        target: seconds for a target of each length, all of it given, behind a source as long.
        source_steps, target_steps: of each length, how many layers or states must be computed one
            after the other, since each needs the one before.
    """

    lengths: tuple[int, ...]
    source: tuple[float, ...]
    target: tuple[float, ...]
    source_steps: tuple[int, ...]
    target_steps: tuple[int, ...]


@answer.register
def hidden(request: SourceCostsRequest, context: Context) -> SourceCosts:
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
    return SourceCosts(costs, time.perf_counter() - began)


@answer.register
def second_target(request: SecondTargetRequest, context: Context) -> SecondTarget:
    """Both targets run with every site recorded, the second behind what is kept of the source.

    Raises:
        AbilityError: the model does not translate.
        EmptyInputError, NoRoomError: source or target are not right.
    """
    model = context.model(request.model)
    translator = model.as_translator("translate")
    source, first = _tensors(model, request.text, request.first)
    _, second = _tensors(model, request.text, request.second)
    whole, cached_part, behind = Recorder(), Recorder(), Recorder()
    with torch.inference_mode():
        translator(source, first, tap=whole)
        alone = translator(source, second, tap=cached_part)
        decoder = translator.begin(source, 1)
        again = decoder.fork([0], second.shape[1]).push(second, behind)
        seconds = (
            shortest(lambda: translator.begin(source, first.shape[1]).push(first)),
            shortest(lambda: decoder.fork([0], second.shape[1]).push(second)),
            shortest(lambda: translator.begin(source, second.shape[1]).push(second)),
        )
    return SecondTarget(
        parts=_parts(whole.values, behind.values),
        n_source=source.shape[1],
        n_first=first.shape[1],
        n_second=second.shape[1],
        seconds=seconds,
        difference=float((again - alone).abs().max()),
    )


def _tensors(model: LoadedModel, text: str, target: str) -> tuple[Tensor, Tensor]:
    """The ids of source and target, ``(1, S)`` and ``(1, T)``; an empty target is written."""
    inputs = SourceTarget(text, target) if target else SourceTarget(text)
    prepared = model.prepare(model.fitted(inputs).given)
    return prepared.tensors[SOURCE], prepared.tensors[TARGET]


def _parts(whole: Mapping[str, Tensor], behind: Mapping[str, Tensor]) -> tuple[ComputedPart, ...]:
    """The sites of a run by the part that they belong to, in the order of computation."""
    names: dict[str, list[str]] = {}
    for site in whole:
        names.setdefault(part_of(site, kept=site not in behind), []).append(site)
    return tuple(
        ComputedPart(
            name,
            len(sites),
            sum(whole[site].numel() for site in sites),
            sum(behind[site].numel() for site in sites if site in behind),
        )
        for name, sites in names.items()
    )


def part_of(site: str, *, kept: bool) -> str:
    """The part of a site: a tower and what in it, and a block's number.

    ``encoder.blocks.0.attn.q`` belongs to ``encoder.blocks.0``. What a decoder makes of the source
    alone and keeps (keys and values, a first state) is a part of its own: "decoder.memory".
    """
    words = site.split(".")
    if kept and words[0] == DECODER:
        return f"{DECODER}.memory"
    numbered = [n for n, word in enumerate(words) if word.isdecimal()]
    return ".".join(words[: numbered[0] + 1] if numbered else words[:2])


LENGTHS = (4, 8, 16, 32, 64, 128)


@answer.register
def pace(request: ReadingTimesRequest, context: Context) -> ReadingTimes:
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
    return ReadingTimes(
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
