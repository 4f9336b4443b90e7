"""Generation, one token a step, over a key-value cache that computes only what is new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from core.decoding.decoder import Decoder
from core.decoding.sampling import Filtered, draw, filtered
from core.decoding.settings import Sampling
from core.errors import EmptyInputError, InputTooLongError, ParameterError
from core.language import N_
from core.seeds import checked_seed


@dataclass(frozen=True, slots=True)
class GenerationStep:
    """One step of generation.

    Attributes:
        token: the id that was chosen.
        rows: what the model said after each position that it computed, ``(computed, V)``.
        computed: positions the model computed in this step.
        reused: positions whose keys and values came from the cache.
        filtered: the distributions that led to the choice; None for greedy decoding off the record.
    """

    token: int
    rows: Tensor
    computed: int
    reused: int
    filtered: Filtered | None

    @property
    def logits(self) -> Tensor:
        """What the model said of the next token, ``(V,)``."""
        return self.rows[-1]


def stream(
    decoder: Decoder,
    ids: Sequence[int],
    *,
    max_new: int,
    sampling: Sampling,
    end_of_text: int | None = None,
    record: bool = False,
    device: torch.device | None = None,
    read: Tensor | None = None,
) -> Iterator[GenerationStep]:
    """Yield one step after the other; stops at end-of-text or when the room is full.

    Each step computes the newest position only; what it needs of the others the decoder has kept
    (Radford et al. 2019's models at test time: their keys and values).

    Args:
        decoder: nothing written yet; or the prompt, of which it said ``read``.
        ids: the prompt, at least one token.
        max_new: at most so many tokens; 0 for none.
        sampling: how each is chosen.
        record: keep the distributions of greedy steps too.
        end_of_text: the id that ends a text; its step is the last one yielded.
        device: of the model.
        read: what the decoder said after each token of the prompt, ``(T, V)``, where it has been
            read; the first step tells of it as its own.

    Raises:
        EmptyInputError: an empty prompt.
        InputTooLongError: there is no room for the prompt.
        ParameterError: ``max_new`` is negative, or a setting of ``sampling`` out of its range.
    """
    if not ids:
        raise EmptyInputError
    room = decoder.room if read is None else decoder.room + len(ids)
    if len(ids) > room:
        raise InputTooLongError(room, len(ids))
    if max_new < 0:
        raise ParameterError("max_new", max_new, N_("0 or above"))
    generator = torch.Generator().manual_seed(checked_seed(sampling.seed))
    ids_so_far = list(ids)
    # The last token needs no position of its own.
    max_new = min(max_new, room - len(ids) + 1)
    greedy = sampling.temperature == 0 and sampling.repetition == 1 and not record
    newest, reused = ids_so_far, 0  # the prompt at once, then token by token
    for _ in range(max_new):
        with torch.inference_mode():
            new = torch.tensor([newest], device=device)
            rows = decoder.push(new)[0] if read is None else read
            logits = rows[-1]
            if greedy:
                passed, token = None, int(logits.argmax())
            else:
                passed = filtered(logits, ids_so_far, sampling)
                token = draw(passed.after_top_p, generator)
        computed = decoder.length - reused
        yield GenerationStep(token, rows, computed=computed, reused=reused, filtered=passed)
        if token == end_of_text:
            return
        ids_so_far.append(token)
        newest, reused, read = [token], decoder.length, None
