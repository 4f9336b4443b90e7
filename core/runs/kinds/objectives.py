"""A text as the exercise of each way of learning, and the loss of a model that learned that way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray

from core.data.senses import SENSES
from core.errors import EmptyInputError, NoWordError
from core.inputs import Pair, Text
from core.models.prepared import Prepared
from core.runs.kinds.gaps import MaskingRequest
from core.runs.kinds.noise import Denoised, DenoiseRequest, cut_spans
from core.runs.request import Context, OfModel, answer
from core.seeds import checked_seed
from core.text.exercises import (
    BEFORE,
    Example,
    example,
    from_left,
    from_right,
    mark,
    mended,
    place,
    places,
    spans_at,
)
from core.text.hiding import IGNORED, Fate, Vocabulary, mask_words
from core.text.marks import CLS, END, HOLE, MASK, SENTINEL, SEP, START
from core.text.noise import NOISES, Noise, NoiseVocabulary
from core.text.sentences import ENDS_SENTENCE, second_half
from core.units import Token
from core.zoo import LoadedModel

# Ways of learning from bare text; each is named as the ability that comes of it.
Objective = Literal[
    "next_token", "both_ways", "masked_words", "sentence_pairs", "fill_spans", "denoise",
]  # fmt: skip


OBJECTIVES: tuple[Objective, ...] = (
    "next_token", "both_ways", "masked_words", "sentence_pairs", "fill_spans", "denoise",
)  # fmt: skip


UNDRAWN: tuple[Objective, ...] = ("next_token", "both_ways")  # each token is wanted, no dice


@dataclass(frozen=True, slots=True)
class ExerciseRequest(OfModel):
    """A text as a training example of a way of learning, and what the model loses on it.

    A model that did not learn that way lends its tokens alone, and there is no loss.

    Attributes:
        objective: the way of learning.
        text: as it was typed.
        seed: of all draws.
        noise: the one of BART's ways of damage that is drawn.
    """

    lasts = "a while"
    objective: Objective
    text: str
    seed: int
    noise: Noise = "infill"


@dataclass(frozen=True, eq=False)
class Lane:
    """One reading of a text, and what it costs.

    Attributes:
        example: what is given, and what is wanted.
        nats: ``(W,)``, the cross-entropy of each token that is wanted; NaN where the model did
            not learn this way.
    """

    example: Example
    nats: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Exercise:
    """A text as an example.

    Attributes:
        objective: the way of learning.
        able: the model learned that way.
        lanes: one; where a model learns in both directions that from the left, then that from the
            right. None where the text has nothing to learn from.
        fates, dice: of each token that is wanted, where dice decide what is read in its place:
            what, and the number between 0 and 1.
        follows: of a text in two parts, whether the second one really follows the first.
        n_tokens: that the text has, marks left out.
        n_read: characters of the text that were read.
    """

    objective: Objective
    able: bool
    lanes: tuple[Lane, ...] = ()
    fates: tuple[Fate, ...] = ()
    dice: tuple[float, ...] = ()
    follows: bool | None = None
    n_tokens: int = 0
    n_read: int = 0


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
            return _lent_exercise(request, model)
        return _OF_MODEL[request.objective](request, model, context)
    except (EmptyInputError, NoWordError):
        return Exercise(request.objective, able)


def _nats(logits: torch.Tensor, ids: Sequence[int]) -> Nats:
    """The cross-entropy of each id, from its row of logits ``(T, V)``."""
    targets = torch.tensor(list(ids))
    nats: Nats = F.cross_entropy(logits.cpu().double(), targets, reduction="none").numpy()
    return nats


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
    ids, offsets = [token.id for token in tokens], places(tokens, text)
    with torch.inference_mode():
        ahead, back = model.as_both_ways()(letters)
    backward_lane = Lane(from_left(tokens, offsets), _nats(ahead[0, :-1], ids[1:]))
    right = Lane(from_right(tokens, offsets), _nats(back[0, 1:], ids[:-1]))
    return _whole(request, (backward_lane, right), tokens, text)


def _whole(
    request: ExerciseRequest, lanes: tuple[Lane, ...], tokens: Sequence[Token], text: str
) -> Exercise:
    n = sum(token.end > token.start for token in tokens)
    return Exercise(request.objective, True, lanes, n_tokens=n, n_read=len(text))


def _masked_words(request: ExerciseRequest, _model: LoadedModel, context: Context) -> Exercise:
    run = context.ask(MaskingRequest(request.model, request.text, request.seed))
    text = request.text[: len(request.text) - len(run.cut)]
    offsets = places(run.tokens, text)
    chosen = np.flatnonzero(run.order >= 0).tolist()
    labels = [run.tokens[n] for n in chosen]
    return Exercise(
        request.objective,
        True,
        (
            Lane(
                example(run.shown, offsets, labels, [offsets[n] for n in chosen]),
                _of(run.probs[chosen]),
            ),
        ),
        fates=tuple(run.fates[n] for n in chosen),
        dice=tuple(float(run.dice[n]) for n in chosen),
        n_tokens=sum(token.end > token.start for token in run.tokens),
        n_read=len(text),
    )


def _sentence_pairs(request: ExerciseRequest, model: LoadedModel, _context: Context) -> Exercise:
    pair = _pair(request)
    judge = model.as_judge()
    fitted = model.fitted(Pair(pair.first, pair.second))
    prepared = model.prepare(fitted.given)
    tokens, ids = _row(prepared)
    with torch.inference_mode():
        logits = judge.next_sentence(judge.hidden(ids, types=prepared.types))
    ends = [n for n, token in enumerate(tokens) if n and token.special and not token.end]
    first = ends[0] + 1  # behind the mark between the two
    given_at = _pair_places(pair, tokens[:first], tokens[first:])
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
    run: Denoised = context.ask(
        DenoiseRequest(
            request.model, request.text, "spans" if spans else request.noise, request.seed,
            SPAN_RATE if spans else NOISE_RATE,
        )
    )  # fmt: skip
    offsets = [*(place(token, run.text) for token in run.tokens), len(run.text)]
    n = len(run.wanted.tokens)
    wanted_at = spans_at(run.spans, offsets, n) if spans else offsets[:n]
    exercise = mended(run.tokens, run.text, run.shown, run.origin, run.wanted.tokens, wanted_at)
    return Exercise(
        request.objective,
        True,
        (Lane(exercise, _of(run.wanted.probs)),),
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


SPAN_RATE, SPAN_MEAN, NOISE_RATE = 0.15, 3.0, 0.3  # as in training: the shares that are hidden


def _lent_exercise(request: ExerciseRequest, model: LoadedModel) -> Exercise:
    """What is given and what is wanted, without a loss.

    Raises:
        AbilityError: the model reads no tokens.
        EmptyInputError: the text has none.
    """
    text, _cut = model.fit(request.text)
    tokens = [token for token in model.tokenizer.tokens(text) if token.end > token.start]
    if not tokens:
        raise EmptyInputError
    rng = np.random.default_rng(request.seed)
    n, done = len(tokens), request.objective
    if done == "masked_words":
        return _lent_words(request, tokens, text, rng)
    if done == "sentence_pairs":
        return _lent_pair(request, model)
    if done == "fill_spans":
        exercises = [_lent_spans(tokens, text, rng)]
    elif done == "denoise":
        exercises = [_lent_noise(request, tokens, text, rng)]
    else:
        around = [mark(START), *tokens, mark(END)]
        offsets = places(around, text)
        exercises = [from_left(around, offsets), from_right(around, offsets)]
        exercises = exercises[: 1 if done == "next_token" else 2]
    return Exercise(done, False, tuple(map(_unpaid, exercises)), n_tokens=n, n_read=len(text))


def _unpaid(made: Example) -> Lane:
    return Lane(made, np.full(len(made.wanted), np.nan))


def _lent_words(
    request: ExerciseRequest, tokens: Sequence[Token], text: str, rng: np.random.Generator
) -> Exercise:
    """Words behind [MASK]; a random one is drawn from the text itself."""
    n = len(tokens)
    continues = np.array([*(token.continues for token in tokens), False])
    vocabulary = Vocabulary(n, continues, np.arange(n + 1) == n)
    hidden = mask_words(np.arange(n), vocabulary, rng)
    symbols, offsets = [*tokens, mark(MASK)], places(tokens, text)
    chosen = np.flatnonzero(hidden.targets != IGNORED).tolist()
    exercise = example(
        [symbols[i] for i in hidden.ids], offsets, [tokens[i] for i in chosen],
        [offsets[i] for i in chosen],
    )  # fmt: skip
    return Exercise(
        request.objective,
        False,
        (_unpaid(exercise),),
        fates=tuple(hidden.fates[i] for i in chosen),
        dice=tuple(float(hidden.dice[i]) for i in chosen),
        n_tokens=n,
        n_read=len(text),
    )


def _lent_spans(tokens: Sequence[Token], text: str, rng: np.random.Generator) -> Example:
    n, offsets = len(tokens), [*places(tokens, text), len(text)]
    hiding = range(n, 2 * n + 1)
    cut = cut_spans(np.arange(n), hiding, rng, rate=SPAN_RATE, mean=SPAN_MEAN)
    marks = [mark(SENTINEL.format(n=number), -2 - number) for number in range(n + 1)]
    symbols, end = [*tokens, *marks], mark(END)
    labels = [*(symbols[token_id] for token_id in cut.target), end]
    spans = list(zip(cut.starts.tolist(), cut.ends.tolist(), strict=True))
    return mended(
        tokens, text, [*(symbols[token_id] for token_id in cut.source.ids), end],
        np.append(cut.source.origin, -1), labels, spans_at(spans, offsets, len(labels)),
    )  # fmt: skip


def _lent_noise(
    request: ExerciseRequest, tokens: Sequence[Token], text: str, rng: np.random.Generator
) -> Example:
    n, offsets = len(tokens), [*places(tokens, text), len(text)]
    ends = np.array([bool(ENDS_SENTENCE.search(token.data.decode(errors="replace")))
                     for token in tokens])  # fmt: skip
    damaged = NOISES[request.noise](np.arange(n), NoiseVocabulary(n, ends), rng, NOISE_RATE)
    symbols, end = [*tokens, mark(HOLE)], mark(END)
    shown = [*(symbols[token] for token in damaged.ids), end]
    return mended(tokens, text, shown, np.append(damaged.origin, -1), [*tokens, end], offsets)


# --- two parts -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Halves:
    """A text in two parts.

    Attributes:
        first, second: them; a coin may have put a sentence from elsewhere in place of the second.
        follows: it did not.
        text: the whole.
        cut: where its second part begins.
    """

    first: str
    second: str
    follows: bool
    text: str
    cut: int

    @property
    def answer(self) -> Token:
        """What is to be said."""
        return mark("follows" if self.follows else "does not follow")


def _pair(request: ExerciseRequest) -> _Halves:
    """The text in two parts, and the coin (Devlin et al. 2019, section 3.1).

    Raises:
        EmptyInputError: it has no second part.
    """
    text = request.text
    cut = second_half(text)
    first, second = text[:cut].rstrip(), text[cut:].rstrip()
    if not first or not second:
        raise EmptyInputError
    rng = np.random.default_rng(request.seed)
    follows = bool(rng.random() < 0.5)
    elsewhere = [word for senses in SENSES.values() for of in senses.values() for word in of]
    other = elsewhere[int(rng.integers(len(elsewhere)))]
    return _Halves(first, second if follows else other, follows, text, cut)


def _pair_places(halves: _Halves, first: Sequence[Token], second: Sequence[Token]) -> list[int]:
    """The places of both parts' tokens, marks included; words from elsewhere take the text's."""
    left = [min(place, halves.cut - 1) for place in places(first, halves.first)]
    end = len(halves.text)
    if halves.follows:
        return [*left, *(min(place, end) for place in places(second, halves.second, halves.cut))]
    room = end - halves.cut  # of the text's second half, over which the others are spread
    shares = (place / max(1, len(halves.second)) for place in places(second, halves.second))
    return [
        *left,
        *(halves.cut + min(room - 1, int(share * room)) if share < 1 else end for share in shares),
    ]


def _lent_pair(request: ExerciseRequest, model: LoadedModel) -> Exercise:
    halves = _pair(request)
    cut = [[token for token in model.tokenizer.tokens(part) if token.end > token.start]
           for part in (halves.first, halves.second)]  # fmt: skip
    first, second = [mark(CLS), *cut[0], mark(SEP)], [*cut[1], mark(SEP)]
    offsets = _pair_places(halves, first, second)
    exercise = example([*first, *second], offsets, [halves.answer], [BEFORE])
    n = sum(map(len, cut))
    return Exercise(
        request.objective, False, (_unpaid(exercise),), follows=halves.follows, n_tokens=n,
        n_read=len(halves.text),
    )  # fmt: skip
