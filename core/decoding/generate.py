"""Generation, one token a step, over a key-value cache that computes only what is new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from core.decoding.sampling import Filtered, Sampling, draw, filtered
from core.decoding.steps import stepper
from core.errors import EmptyInputError, InputTooLongError, ParameterError
from core.language import N_
from core.models.protocols import CausalLM
from core.seeds import checked_seed


@dataclass(frozen=True, slots=True)
class Step:
    """One step of generation.

    Attributes:
        token: the id that was chosen.
        logits: what the model said, ``(V,)``.
        computed: positions the model computed in this step.
        reused: positions whose keys and values came from the cache.
        filtered: the distributions that led to the choice; None for greedy decoding off the record.
    """

    token: int
    logits: Tensor
    computed: int
    reused: int
    filtered: Filtered | None


def stream(
    model: CausalLM,
    ids: Sequence[int],
    *,
    max_new: int,
    sampling: Sampling,
    end_of_text: int | None = None,
    record: bool = False,
    device: torch.device | None = None,
) -> Iterator[Step]:
    """Yield one step after the other; stops at end-of-text or when the context is full.

    Radford et al. 2019's models at test time: each step computes the newest
    position only and attends to the cached keys and values of the others.

    Args:
        model: the language model.
        ids: the prompt, at least one token.
        max_new: at most so many tokens; 0 for none.
        sampling: how each is chosen.
        record: keep the distributions of greedy steps too.
        end_of_text: the id that ends a text; its step is the last one yielded.
        device: of the model.

    Raises:
        EmptyInputError: an empty prompt.
        InputTooLongError: the prompt is longer than the context.
        ParameterError: ``max_new`` is negative, or a setting of ``sampling`` out of its range.
    """
    if not ids:
        raise EmptyInputError
    n_ctx = model.config.n_ctx
    if len(ids) > n_ctx:
        raise InputTooLongError(n_ctx, len(ids))
    if max_new < 0:
        raise ParameterError("max_new", max_new, N_("0 or above"))
    generator = torch.Generator().manual_seed(checked_seed(sampling.seed))
    seen = list(ids)
    max_new = min(max_new, n_ctx - len(ids) + 1)  # the last token needs no position of its own
    cache = model.make_cache(min(n_ctx, len(ids) + max_new))
    greedy = sampling.temperature == 0 and sampling.repetition == 1 and not record
    prompt, step = torch.tensor([seen], device=device), stepper(model, cache)
    for _ in range(max_new):
        reused = cache.length
        with torch.inference_mode():
            # The prompt at once, then token by token.
            logits = step(seen[-1]) if reused else model(prompt, cache=cache)[0, -1]  # type: ignore[call-arg]
            if greedy:
                passed, token = None, int(logits.argmax())
            else:
                passed = filtered(logits, seen, sampling)
                token = draw(passed.after_top_p, generator)
        yield Step(token, logits, computed=cache.length - reused, reused=reused, filtered=passed)
        if token == end_of_text:
            return
        seen.append(token)
