"""A text being continued, every step with the distribution it was drawn from."""

from __future__ import annotations

import time
from collections.abc import Sequence

import torch

from core.decoding.generate import stream
from core.decoding.sampling import Filtered, filtered
from core.errors import EmptyInputError, ParameterError
from core.inputs import Ids
from core.language import N_
from core.runs.answering import Context, answer
from core.runs.answers.trace import traced
from core.runs.requests import GenerateRequest, GenerationTraceRequest, TraceRequest
from core.runs.results import CacheSize, Candidates, GeneratedToken, Generation, Onward, Run
from core.zoo import LoadedModel

TOP = 40  # tokens a generation step keeps of its distribution


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
    score = model.as_scorer("next_token")
    text, cut = model.fit(request.text)
    prompt = model.tokens(text)
    ids = [token.id for token in prompt]
    if not ids:
        raise EmptyInputError
    steps, rows, after = _steps(request, model, ids)
    with torch.inference_mode():
        if rows is None:  # nothing is to be written
            rows = score(torch.tensor([ids], device=model.device))[0]
        following = tuple(
            _candidates(model, filtered(row, ids[: at + 1], request.sampling), ids[at + 1 : at + 2])
            for at, row in enumerate(rows)
        )
        then = None
        if after is not None:
            seen = [*ids, *(step.token.id for step in steps)]
            then = _candidates(model, filtered(after, seen, request.sampling), ())
    return Generation(
        tuple(prompt), following, steps, then, _ended(model, steps), cut, _a_position(model),
        model.blueprint.head.site,
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
    request: GenerateRequest, model: LoadedModel, ids: Sequence[int]
) -> tuple[tuple[GeneratedToken, ...], torch.Tensor | None, torch.Tensor | None]:
    """What is written, and what the model said of what comes next.

    Returns:
        the steps; the logits after each token of the prompt, ``(T, V)``, if it was run; those after
        the newest token, ``(V,)``, if the text goes on and there is room.
    """
    steps: list[GeneratedToken] = []
    of_prompt = None
    decoder = model.as_writer().begin(len(ids) + request.max_new)
    began = time.perf_counter()
    for step in stream(
        decoder,
        ids,
        max_new=request.max_new,
        sampling=request.sampling,
        record=True,
        end_of_text=model.tokenizer.end_of_text_id,
        device=model.device,
    ):
        assert step.filtered is not None
        of_prompt = step.rows if of_prompt is None else of_prompt
        now = time.perf_counter()
        steps.append(
            GeneratedToken(
                token=model.tokenizer.token(step.token),
                candidates=_candidates(model, step.filtered, [step.token]),
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
    return tuple(steps), of_prompt, after


def _candidates(model: LoadedModel, passed: Filtered, taken: Sequence[int]) -> Candidates:
    """The likeliest tokens of a distribution, those ``taken`` always among them."""
    order = torch.topk(passed.raw, min(TOP, len(passed.raw))).indices
    missing = [token for token in taken if token not in order]
    if missing:
        order = torch.cat([order[: -len(missing)], order.new_tensor(missing)])
    return Candidates(
        tokens=tuple(model.tokenizer.token(int(i)) for i in order),
        raw=passed.raw[order].cpu().numpy(),
        after_temperature=passed.after_temperature[order].cpu().numpy(),
        after_top_k=passed.after_top_k[order].cpu().numpy(),
        after_top_p=passed.after_top_p[order].cpu().numpy(),
        kept=int((passed.after_top_p > 0).sum()),
    )
