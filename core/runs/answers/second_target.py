"""A second target over a source that was read for the first: what is computed, and what is not."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from core.inputs import SourceTarget
from core.models.blueprint import DECODER, SOURCE, TARGET
from core.runs.answering import Context, answer
from core.runs.searched import Part, SecondTarget
from core.runs.translations import SecondTargetRequest
from core.tracing.tap import Recorder
from core.zoo import LoadedModel

RUNS = 5  # of which the shortest counts


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
    whole, own, behind = Recorder(), Recorder(), Recorder()
    with torch.inference_mode():
        translator(source, first, tap=whole)
        alone = translator(source, second, tap=own)
        kept = translator.begin(source, 1)
        again = kept.fork([0], second.shape[1]).push(second, behind)
        seconds = (
            shortest(lambda: translator.begin(source, first.shape[1]).push(first)),
            shortest(lambda: kept.fork([0], second.shape[1]).push(second)),
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
    given = SourceTarget(text, target) if target else SourceTarget(text)
    prepared = model.prepare(model.fitted(given).given)
    return prepared.tensors[SOURCE], prepared.tensors[TARGET]


def _parts(whole: Mapping[str, Tensor], behind: Mapping[str, Tensor]) -> tuple[Part, ...]:
    """The sites of a run by the part that they belong to, in the order of computation."""
    names: dict[str, list[str]] = {}
    for site in whole:
        names.setdefault(part_of(site, kept=site not in behind), []).append(site)
    return tuple(
        Part(
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


def shortest(run: Callable[[], object]) -> float:
    """Seconds of the fastest of a few runs."""
    found = []
    for _ in range(RUNS):
        began = time.perf_counter()
        run()
        found.append(time.perf_counter() - began)
    return min(found)
