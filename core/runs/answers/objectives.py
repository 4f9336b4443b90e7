"""A text as each way of learning has it, and the loss of a model that learned that way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray

from core.errors import EmptyInputError, NoWordError
from core.inputs import Pair, Text
from core.models.prepared import Prepared
from core.runs.answering import Context, answer
from core.runs.answers import lent
from core.runs.mended import Mended
from core.runs.objectives import Exercise, ExerciseRequest, Lane, Objective
from core.runs.requests import CorruptRequest, MendRequest
from core.seeds import checked_seed
from core.text.exercises import (
    BEFORE,
    example,
    from_left,
    from_right,
    mended,
    place,
    places,
    spans_at,
)
from core.units import Token
from core.zoo import LoadedModel

Nats = NDArray[np.float64]


@answer.register
def exercise(request: ExerciseRequest, context: Context) -> Exercise:
    """What is given, what is wanted, and the loss.

    Raises:
        AbilityError: the model reads no tokens.
        NoRoomError: its context holds no text besides its marks.
        ParameterError: the seed is none.
    """
    checked_seed(request.seed)
    model = context.model(request.model)
    able = request.objective in model.abilities
    try:
        if not able:
            return lent.exercise(request, model)
        return _OF_MODEL[request.objective](request, model, context)
    except (EmptyInputError, NoWordError):
        return Exercise(request.objective, able)


def _nats(logits: torch.Tensor, ids: Sequence[int]) -> Nats:
    """The cross-entropy of each id, from its row of logits ``(T, V)``."""
    wanted = torch.tensor(list(ids))
    found: Nats = F.cross_entropy(logits.cpu().double(), wanted, reduction="none").numpy()
    return found


def _of(probs: NDArray[np.float64]) -> Nats:
    """The cross-entropy of what has these probabilities; of what has none that is a number, too."""
    return np.asarray(-np.log(np.maximum(probs, np.finfo(np.float64).tiny)))


def _row(prepared: Prepared) -> tuple[tuple[Token, ...], torch.Tensor]:
    """The tokens of the only row and stream, and what the model computes with."""
    (stream,) = prepared.streams[0].values()
    (tensor,) = prepared.tensors.values()
    return stream.tokens, tensor


def _next_token(request: ExerciseRequest, model: LoadedModel, _context: Context) -> Exercise:
    text, _cut = model.fit(request.text)
    tokens, tensor = _row(model.prepare(Text(text)))
    if len(tokens) < 2:
        raise EmptyInputError  # nothing comes after the mark
    with torch.inference_mode():
        logits = model.as_scorer("next_token")(tensor)[0, :-1]
    lane = Lane(
        from_left(tokens, places(tokens, text)), _nats(logits, [token.id for token in tokens[1:]])
    )
    return _whole(request, (lane,), tokens, text)


def _both_ways(request: ExerciseRequest, model: LoadedModel, _context: Context) -> Exercise:
    text, _cut = model.fit(request.text)
    tokens, letters = _row(model.prepare(Text(text)))
    ids, at = [token.id for token in tokens], places(tokens, text)
    with torch.inference_mode():
        ahead, back = model.as_both_ways()(letters)
    left = Lane(from_left(tokens, at), _nats(ahead[0, :-1], ids[1:]))
    right = Lane(from_right(tokens, at), _nats(back[0, 1:], ids[:-1]))
    return _whole(request, (left, right), tokens, text)


def _whole(
    request: ExerciseRequest, lanes: tuple[Lane, ...], tokens: Sequence[Token], text: str
) -> Exercise:
    n = sum(token.end > token.start for token in tokens)
    return Exercise(request.objective, True, lanes, n_tokens=n, n_read=len(text))


def _masked_words(request: ExerciseRequest, _model: LoadedModel, context: Context) -> Exercise:
    run = context.ask(CorruptRequest(request.model, request.text, request.seed))
    text = request.text[: len(request.text) - len(run.cut)]
    at = places(run.tokens, text)
    chosen = np.flatnonzero(run.order >= 0).tolist()
    wanted = [run.tokens[n] for n in chosen]
    return Exercise(
        request.objective,
        True,
        (Lane(example(run.shown, at, wanted, [at[n] for n in chosen]), _of(run.probs[chosen])),),
        fates=tuple(run.fates[n] for n in chosen),
        dice=tuple(float(run.dice[n]) for n in chosen),
        n_tokens=sum(token.end > token.start for token in run.tokens),
        n_read=len(text),
    )


def _sentence_pairs(request: ExerciseRequest, model: LoadedModel, _context: Context) -> Exercise:
    pair = lent.pair(request)
    judge = model.as_judge()
    fitted = model.fitted(Pair(pair.first, pair.second))
    prepared = model.prepare(fitted.given)
    tokens, ids = _row(prepared)
    with torch.inference_mode():
        logits = judge.next_sentence(judge.hidden(ids, types=prepared.types))
    ends = [n for n, token in enumerate(tokens) if n and token.special and not token.end]
    first = ends[0] + 1  # behind the mark between the two
    given_at = lent.pair_places(pair, tokens[:first], tokens[first:])
    answered = example(tokens, given_at, [pair.answer], [BEFORE])
    return Exercise(
        request.objective,
        True,
        (Lane(answered, _nats(logits, [int(not pair.follows)])),),
        follows=pair.follows,
        n_tokens=sum(token.end > token.start for token in tokens),
        n_read=len(request.text),
    )


def _mends(request: ExerciseRequest, _model: LoadedModel, context: Context) -> Exercise:
    spans = request.objective == "fill_spans"
    run: Mended = context.ask(
        MendRequest(
            request.model, request.text, "spans" if spans else request.noise, request.seed,
            lent.SPAN_RATE if spans else lent.NOISE_RATE,
        )
    )  # fmt: skip
    at = [*(place(token, run.text) for token in run.tokens), len(run.text)]
    n = len(run.wanted.tokens)
    wanted_at = spans_at(run.spans, at, n) if spans else at[:n]
    made = mended(run.tokens, run.text, run.shown, run.origin, run.wanted.tokens, wanted_at)
    return Exercise(
        request.objective,
        True,
        (Lane(made, _of(run.wanted.probs)),),
        n_tokens=len(run.tokens),
        n_read=len(run.text),
    )


_OF_MODEL: Mapping[Objective, Callable[[ExerciseRequest, LoadedModel, Context], Exercise]] = {
    "next_token": _next_token,
    "both_ways": _both_ways,
    "masked_words": _masked_words,
    "sentence_pairs": _sentence_pairs,
    "fill_spans": _mends,
    "denoise": _mends,
}
