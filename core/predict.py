"""Ask a model something: the next tokens, hidden words, whether two sentences follow each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from core.decoding.generate import Step, stream
from core.decoding.sampling import Sampling
from core.errors import AbilityError, ParameterError
from core.language import N_, Phrase
from core.models.protocols import CausalLM, MaskedLM
from core.text.tokenizer import MASK
from core.zoo import LoadedModel


@dataclass(frozen=True, slots=True)
class TokenProb:
    """A token and its probability.

    Attributes:
        token: as it reads in a text, a leading space kept.
        id: its row in the vocabulary.
        prob: between 0 and 1.
    """

    token: str
    id: int
    prob: float


def _top(model: LoadedModel, logits: Tensor, k: int) -> list[TokenProb]:
    if k < 1:
        raise ParameterError("k", k, N_("at least 1"))
    best = torch.softmax(logits.float(), dim=-1).topk(min(k, logits.shape[-1]))
    return [
        TokenProb(model.tokenizer.word(int(i)), int(i), float(p))
        for p, i in zip(best.values, best.indices, strict=True)
    ]


def _ids(model: LoadedModel, text: str) -> list[int]:
    """A text's ids, which fit the context."""
    ids = model.encode(text)
    model.check_length(len(ids), len(model.encode("")))
    return ids


def next_tokens(model: LoadedModel, text: str, k: int = 10) -> list[TokenProb]:
    """The k likeliest next tokens, likeliest first.

    Raises:
        AbilityError: the model does not predict next tokens.
        EmptyInputError: no tokens.
        InputTooLongError, NoRoomError: the text does not fit the context.
        ParameterError: k is below 1.
    """
    if not isinstance(model.model, CausalLM):
        raise AbilityError(model.id, N_("predicting the next token"))
    ids = _ids(model, text)
    with torch.inference_mode():
        logits = model.model(torch.tensor([ids], device=model.device))[0, -1]
    return _top(model, logits, k)


def fill_masks(model: LoadedModel, text: str, k: int = 10) -> list[list[TokenProb]]:
    """For each ``[MASK]`` in the text the k likeliest words, likeliest first.

    Raises:
        AbilityError: the model does not fill in hidden words.
        ParameterError: the text hides no word, or k is below 1.
        EmptyInputError: no tokens.
        InputTooLongError, NoRoomError: the text does not fit the context.
    """
    if not isinstance(model.model, MaskedLM):
        raise AbilityError(model.id, N_("filling in hidden words"))
    ids = _ids(model, text)
    hidden = [at for at, token in enumerate(ids) if token == model.tokenizer.mask_id]
    if not hidden:
        raise ParameterError(
            "text", text[:40], Phrase(N_("a text with at least one {mask} in it"), mask=MASK)
        )
    with torch.inference_mode():
        logits = model.model(torch.tensor([ids], device=model.device))[0]
    return [_top(model, logits[at], k) for at in hidden]


def next_sentence(model: LoadedModel, first: str, second: str) -> float:
    """The probability that the second sentence follows the first.

    Raises:
        AbilityError: the model was not trained for it, or takes one segment only.
        InputTooLongError, NoRoomError: together they do not fit the context.
    """
    if not isinstance(model.model, MaskedLM):
        raise AbilityError(model.id, N_("judging whether sentences follow each other"))
    tokens, types = model.pair_tokens(first, second)
    model.check_length(len(tokens), len(model.pair_tokens("", "")[0]))
    ids = torch.tensor([[token.id for token in tokens]], device=model.device)
    with torch.inference_mode():
        hidden = model.model.hidden(ids, types=torch.tensor([types], device=model.device))
        logits = model.model.next_sentence(hidden)
    return float(torch.softmax(logits[0].float(), dim=-1)[0])


def generate(
    model: LoadedModel, text: str, *, max_new: int = 40, sampling: Sampling | None = None
) -> Iterator[Step]:
    """Go on with a text, token by token.

    Raises:
        AbilityError: the model does not predict next tokens.
        EmptyInputError: no tokens.
        InputTooLongError, NoRoomError: the text does not fit the context.
        ParameterError: ``max_new`` is negative.
    """
    if not isinstance(model.model, CausalLM):
        raise AbilityError(model.id, N_("going on with a text"))
    return stream(
        model.model,
        _ids(model, text),
        max_new=max_new,
        sampling=Sampling() if sampling is None else sampling,
        end_of_text=model.tokenizer.end_of_text_id,
        device=model.device,
    )
