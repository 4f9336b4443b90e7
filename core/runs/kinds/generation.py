"""A text being continued, every step with the distribution it was drawn from."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from core.decoding.decoder import Decoder
from core.decoding.generate import stream
from core.decoding.sampling import Filtered, filtered, filtered_rows
from core.decoding.settings import Sampling
from core.errors import EmptyInputError, ParameterError
from core.inputs import Ids
from core.language import N_
from core.runs.kinds.continuation import ContinuedRun
from core.runs.kinds.trace import Run, TraceRequest, traced
from core.runs.request import Context, ModelRef, OfModel, Request, answer
from core.sizes import ARRAY, OBJECT, held
from core.tracing.sites import ONE_STREAM
from core.units import Token
from core.zoo import LoadedModel


@dataclass(frozen=True, slots=True)
class PrefillRequest(OfModel):
    """A text as a model reads it before it goes on with it, however that is chosen."""

    text: str


@dataclass(frozen=True, slots=True)
class GenerateRequest(OfModel):
    """A text being continued, token by token."""

    lasts = "a while"
    text: str
    max_new: int
    sampling: Sampling


@dataclass(frozen=True, slots=True)
class GenerationTraceRequest(Request):
    """A traced run of a text and of what its model has put behind it.

    Attributes:
        generation: the text, and how it goes on.
        sites: patterns of the sites to record; all when empty.
    """

    generation: GenerateRequest
    sites: tuple[str, ...] = ()

    @property
    def models(self) -> tuple[ModelRef, ...]:
        return self.generation.models


TOKEN = 320  # bytes of an entry of a vocabulary with its texts


@dataclass(frozen=True, eq=False)
class Candidates:
    """The likeliest tokens of one distribution, through every filter. Arrays are ``(K,)``.

    Attributes:
        tokens: likeliest first; the one that was taken is always among them.
        raw: as the model says it.
        after_temperature, after_top_k, after_top_p: after each filter; a penalty on
            repetition works before the temperature.
        kept: how many tokens of the whole vocabulary the filters leave.
    """

    tokens: tuple[Token, ...]
    raw: NDArray[np.float32]
    after_temperature: NDArray[np.float32]
    after_top_k: NDArray[np.float32]
    after_top_p: NDArray[np.float32]
    kept: int

    @property
    def own_bytes(self) -> int:
        """What it takes besides its tokens, which others hold too."""
        return 4 * (self.raw.nbytes + ARRAY) + sys.getsizeof(self.tokens) + OBJECT


@dataclass(frozen=True, eq=False)
class GeneratedToken:
    """One step of a generation, as numpy.

    Attributes:
        token: what was chosen.
        candidates: what it was drawn from.
        computed, reused: positions computed in this step, and taken from the cache.
        cache_bytes: what the cache's filled part holds after the step.
        seconds: what the step took.
    """

    token: Token
    candidates: Candidates
    computed: int
    reused: int
    cache_bytes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class CacheSize:
    """What the key-value cache holds for each position: a key and a value in every block.

    Attributes:
        n_layers: blocks.
        d_model: numbers in a key, or in a value, of all heads.
        itemsize: bytes of a number.
    """

    n_layers: int
    d_model: int
    itemsize: int

    @property
    def nbytes(self) -> int:
        """Of one position."""
        return 2 * self.n_layers * self.d_model * self.itemsize


@dataclass(frozen=True, eq=False)
class Generation:
    """A text and how it went on.

    Attributes:
        prompt: its tokens.
        following: for each token of the prompt, what the model expected after it.
        steps: one a new token.
        then: what the model expected after the newest one; None where it ended the text, or the
            context is full.
        ended: the model ended the text itself.
        cut: the part of the prompt that did not fit.
        a_position: what the cache holds for each; None where what is kept does not grow.
        site: whose values became the distributions.
    """

    prompt: tuple[Token, ...]
    following: tuple[Candidates, ...]
    steps: tuple[GeneratedToken, ...]
    then: Candidates | None
    ended: bool
    cut: str
    a_position: CacheSize | None
    site: str

    @property
    def lengths(self) -> dict[str, int]:
        """Positions of the one stream that the text is."""
        return {ONE_STREAM: len(self.prompt)}

    @property
    def nbytes(self) -> int:
        """Its tokens are counted, not weighed: that took a sixth of the time of writing them."""
        every = [*self.following, *(step.candidates for step in self.steps)]
        every += [] if self.then is None else [self.then]
        tokens = {id(token) for candidates in every for token in candidates.tokens}
        steps = len(self.steps) * OBJECT
        step_bytes = sum(candidates.own_bytes for candidates in every)
        return held(self.prompt, self.cut) + step_bytes + steps + len(tokens) * TOKEN


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
            ids_so_far = [*ids, *(step.token.id for step in steps)]
            then = _alone(model, filtered(after, ids_so_far, request.sampling))
    return Generation(
        prefill.tokens, following, steps, then, _ended(model, steps), prefill.cut,
        _a_position(model), model.blueprint.head.site,
    )  # fmt: skip


@answer.register
def traced_generation(request: GenerationTraceRequest, context: Context) -> ContinuedRun:
    """The run of the text and the new tokens, but for a last one after which nothing comes."""
    generation: Generation = context.ask(request.generation)
    new = [step.token.id for step in generation.steps]
    if generation.then is None:
        new = new[:-1]
    ids = Ids((*(token.id for token in generation.prompt), *new))
    # Asked of nobody, who would keep it too.
    run = traced(TraceRequest(request.generation.model, ids, sites=request.sites), context)
    assert isinstance(run, Run)
    return ContinuedRun(run, continues=True, n_written=len(new))


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
    stages = (passed.raw, passed.after_repetition, passed.after_temperature, passed.after_top_k,
            passed.after_top_p)  # fmt: skip
    return _candidates(model, Filtered(*(logits[None] for logits in stages)), [taken])[0]


def _candidates(
    model: LoadedModel, passed: Filtered, taken: Sequence[int | None]
) -> tuple[Candidates, ...]:
    """The likeliest tokens of each distribution, the one ``taken`` always among them."""
    order = torch.topk(passed.raw, min(TOP, passed.raw.shape[-1])).indices
    for places, token in zip(order, taken, strict=True):
        if token is not None and token not in places:
            places[-1] = token
    stages = (passed.raw, passed.after_temperature, passed.after_top_k, passed.after_top_p)
    raw, tempered, top_k, top_p = (
        torch.gather(logits, -1, order).cpu().numpy() for logits in stages
    )
    n_kept = (passed.after_top_p > 0).sum(dim=-1).tolist()
    return tuple(
        Candidates(
            tuple(map(model.tokenizer.token, row)),
            raw[n], tempered[n], top_k[n], top_p[n], n_kept[n],
        )
        for n, row in enumerate(order.tolist())
    )  # fmt: skip
