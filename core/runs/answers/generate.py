"""A text being continued, every step with the distribution it was drawn from."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from core.decoding.decoder import Decoder
from core.decoding.generate import stream
from core.decoding.sampling import Filtered, filtered, filtered_rows
from core.errors import EmptyInputError, ParameterError
from core.inputs import Ids
from core.language import N_
from core.runs.answering import Context, answer
from core.runs.answers.trace import traced
from core.runs.requests import (
    GenerateRequest,
    GenerationTraceRequest,
    PrefillRequest,
    TraceRequest,
)
from core.runs.results import (
    TOKEN,
    CacheSize,
    Candidates,
    GeneratedToken,
    Generation,
    Onward,
    Run,
)
from core.units import Token
from core.zoo import LoadedModel

TOP = 40  # tokens a generation step keeps of its distribution


@dataclass(frozen=True, eq=False)
class Prefill:
    """A text that was read, from which every continuation goes on.

    Attributes:
        tokens: of the text.
        cut: the part that did not fit.
        decoder: what the model keeps of them; whoever goes on takes a copy.
        rows: the logits after each of them, ``(T, V)``.
        seconds: that this took.
    """

    tokens: tuple[Token, ...]
    cut: str
    decoder: Decoder
    rows: Tensor
    seconds: float

    @property
    def nbytes(self) -> int:
        return self.decoder.nbytes + self.rows.nbytes + len(self.tokens) * TOKEN


@answer.register
def read(request: PrefillRequest, context: Context) -> Prefill:
    """The text, read once for all that goes on from it.

    Raises:
        AbilityError: the model does not predict the next token.
        EmptyInputError: there is no token to go on from.
    """
    model = context.model(request.model)
    writer = model.as_writer()
    text, cut = model.fit(request.text)
    tokens = tuple(model.tokens(text))
    if not tokens:
        raise EmptyInputError
    began = time.perf_counter()
    decoder = writer.begin(len(tokens))
    with torch.inference_mode():
        ids = torch.tensor([[token.id for token in tokens]], device=model.device)
        rows = decoder.push(ids)[0]
    return Prefill(tokens, cut, decoder, rows, time.perf_counter() - began)


@answer.register
def generated(request: GenerateRequest, context: Context) -> Generation:
    """The text, what the model expected after each of its tokens, and each new token.

    Raises:
        AbilityError: the model does not predict the next token.
        EmptyInputError: there is no token to go on from.
        ParameterError: it is to write less than nothing, or a setting is out of its range.
    """
    if request.max_new < 0:  # before memory is taken for so many
        raise ParameterError("max_new", request.max_new, N_("0 or above"))
    model = context.model(request.model)
    prefill: Prefill = context.ask(PrefillRequest(request.model, request.text))
    ids = [token.id for token in prefill.tokens]
    steps, after = _steps(request, model, prefill)
    with torch.inference_mode():
        passed = filtered_rows(prefill.rows, ids, request.sampling)
        following = _candidates(model, passed, [*ids[1:], None])
        then = None
        if after is not None:
            seen = [*ids, *(step.token.id for step in steps)]
            then = _alone(model, filtered(after, seen, request.sampling))
    return Generation(
        prefill.tokens, following, steps, then, _ended(model, steps), prefill.cut,
        _a_position(model), model.blueprint.head.site,
    )  # fmt: skip


@answer.register
def traced_generation(request: GenerationTraceRequest, context: Context) -> Onward:
    """The run of the text and the new tokens, but for a last one after which nothing comes."""
    found: Generation = context.ask(request.generation)
    new = [step.token.id for step in found.steps]
    if found.then is None:
        new = new[:-1]
    ids = Ids((*(token.id for token in found.prompt), *new))
    # Asked of nobody, who would keep it too.
    run = traced(TraceRequest(request.generation.model, ids, sites=request.sites), context)
    assert isinstance(run, Run)
    return Onward(run, continues=True, n_written=len(new))


def _ended(model: LoadedModel, steps: Sequence[GeneratedToken]) -> bool:
    """Whether the last token ends the text."""
    return bool(steps) and steps[-1].token.id == model.tokenizer.end_of_text_id


def _a_position(model: LoadedModel) -> CacheSize | None:
    """What is kept of each position by a model whose layers attend to those before."""
    if not model.blueprint.stacks:
        return None
    stack = model.blueprint.main
    return CacheSize(stack.n_layers, stack.n_heads * stack.d_head, model.dtype.itemsize)


def _steps(
    request: GenerateRequest, model: LoadedModel, prefill: Prefill
) -> tuple[tuple[GeneratedToken, ...], Tensor | None]:
    """What is written, and the logits ``(V,)`` after it if the text goes on and there is room."""
    steps: list[GeneratedToken] = []
    decoder = prefill.decoder.fork([0], request.max_new)
    began = time.perf_counter() - prefill.seconds
    for step in stream(
        decoder,
        [token.id for token in prefill.tokens],
        max_new=request.max_new,
        sampling=request.sampling,
        record=True,
        end_of_text=model.tokenizer.end_of_text_id,
        device=model.device,
        read=prefill.rows,
    ):
        assert step.filtered is not None
        now = time.perf_counter()
        steps.append(
            GeneratedToken(
                token=model.tokenizer.token(step.token),
                candidates=_alone(model, step.filtered, step.token),
                computed=step.computed,
                reused=step.reused,
                cache_bytes=decoder.nbytes,
                seconds=now - began,
            )
        )
        began = now
    after = None
    if steps and decoder.room and not _ended(model, steps):
        with torch.inference_mode():
            newest = torch.tensor([[steps[-1].token.id]], device=model.device)
            after = decoder.push(newest)[0, -1]
    return tuple(steps), after


def _alone(model: LoadedModel, passed: Filtered, taken: int | None = None) -> Candidates:
    """The likeliest tokens of one distribution, ``taken`` always among them."""
    each = (passed.raw, passed.after_repetition, passed.after_temperature, passed.after_top_k,
            passed.after_top_p)  # fmt: skip
    return _candidates(model, Filtered(*(one[None] for one in each)), [taken])[0]


def _candidates(
    model: LoadedModel, passed: Filtered, taken: Sequence[int | None]
) -> tuple[Candidates, ...]:
    """The likeliest tokens of each distribution, the one ``taken`` always among them."""
    order = torch.topk(passed.raw, min(TOP, passed.raw.shape[-1])).indices
    for places, token in zip(order, taken, strict=True):
        if token is not None and token not in places:
            places[-1] = token
    stages = (passed.raw, passed.after_temperature, passed.after_top_k, passed.after_top_p)
    raw, tempered, top_k, top_p = (torch.gather(one, -1, order).cpu().numpy() for one in stages)
    kept = (passed.after_top_p > 0).sum(dim=-1).tolist()
    return tuple(
        Candidates(
            tuple(map(model.tokenizer.token, row)), raw[at], tempered[at], top_k[at], top_p[at],
            kept[at],
        )
        for at, row in enumerate(order.tolist())
    )  # fmt: skip
