"""A text as an example of a way of learning that no model at hand learned, in lent tokens.

The marks are those of the papers. Where a model did learn that way, its own tokens and marks are
shown instead (``core.runs.answers.objectives``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.data.senses import SENSES
from core.errors import EmptyInputError
from core.runs.answers.mended import cut_spans
from core.runs.objectives import Exercise, ExerciseRequest, Lane
from core.text.exercises import (
    BEFORE,
    Example,
    example,
    from_left,
    from_right,
    mark,
    mended,
    places,
    spans_at,
)
from core.text.hiding import IGNORED, Vocabulary, mask_words
from core.text.marks import CLS, END, HOLE, MASK, SENTINEL, SEP, START
from core.text.noise import NOISES, Marks
from core.text.sentences import ENDS_SENTENCE, second_half
from core.units import Token
from core.zoo import LoadedModel

SPAN_RATE, SPAN_MEAN, NOISE_RATE = 0.15, 3.0, 0.3  # as in training: the shares that are hidden


def exercise(request: ExerciseRequest, model: LoadedModel) -> Exercise:
    """What is given and what is wanted, without a loss.

    Raises:
        AbilityError: the model reads no tokens.
        EmptyInputError: the text has none.
    """
    text, _cut = model.fit(request.text)
    tokens = [one for one in model.tokenizer.tokens(text) if one.end > one.start]
    if not tokens:
        raise EmptyInputError
    rng = np.random.default_rng(request.seed)
    n, done = len(tokens), request.objective
    if done == "masked_words":
        return _masked(request, tokens, text, rng)
    if done == "sentence_pairs":
        return _paired(request, model)
    if done == "fill_spans":
        made = [_spans(tokens, text, rng)]
    elif done == "denoise":
        made = [_damaged(request, tokens, text, rng)]
    else:
        around = [mark(START), *tokens, mark(END)]
        at = places(around, text)
        made = [from_left(around, at), from_right(around, at)]
        made = made[: 1 if done == "next_token" else 2]
    return Exercise(done, False, tuple(map(_unpaid, made)), n_tokens=n, n_read=len(text))


def _unpaid(made: Example) -> Lane:
    return Lane(made, np.full(len(made.wanted), np.nan))


def _masked(
    request: ExerciseRequest, tokens: Sequence[Token], text: str, rng: np.random.Generator
) -> Exercise:
    """Words behind [MASK]; a random one is drawn from the text itself."""
    n = len(tokens)
    continues = np.array([*(token.continues for token in tokens), False])
    vocabulary = Vocabulary(n, continues, np.arange(n + 1) == n)
    hidden = mask_words(np.arange(n), vocabulary, rng)
    known, at = [*tokens, mark(MASK)], places(tokens, text)
    chosen = np.flatnonzero(hidden.targets != IGNORED).tolist()
    made = example(
        [known[one] for one in hidden.ids], at, [tokens[one] for one in chosen],
        [at[one] for one in chosen],
    )  # fmt: skip
    return Exercise(
        request.objective,
        False,
        (_unpaid(made),),
        fates=tuple(hidden.fates[one] for one in chosen),
        dice=tuple(float(hidden.dice[one]) for one in chosen),
        n_tokens=n,
        n_read=len(text),
    )


def _spans(tokens: Sequence[Token], text: str, rng: np.random.Generator) -> Example:
    n, at = len(tokens), [*places(tokens, text), len(text)]
    hiding = range(n, 2 * n + 1)
    cut = cut_spans(np.arange(n), hiding, rng, rate=SPAN_RATE, mean=SPAN_MEAN)
    marks = [mark(SENTINEL.format(n=number), -2 - number) for number in range(n + 1)]
    known, end = [*tokens, *marks], mark(END)
    wanted = [*(known[one] for one in cut.target), end]
    spans = list(zip(cut.starts.tolist(), cut.ends.tolist(), strict=True))
    return mended(
        tokens, text, [*(known[one] for one in cut.source.ids), end],
        np.append(cut.source.origin, -1), wanted, spans_at(spans, at, len(wanted)),
    )  # fmt: skip


def _damaged(
    request: ExerciseRequest, tokens: Sequence[Token], text: str, rng: np.random.Generator
) -> Example:
    n, at = len(tokens), [*places(tokens, text), len(text)]
    ends = np.array([bool(ENDS_SENTENCE.search(one.data.decode(errors="replace")))
                     for one in tokens])  # fmt: skip
    damaged = NOISES[request.noise](np.arange(n), Marks(n, ends), rng, NOISE_RATE)
    known, end = [*tokens, mark(HOLE)], mark(END)
    shown = [*(known[one] for one in damaged.ids), end]
    return mended(tokens, text, shown, np.append(damaged.origin, -1), [*tokens, end], at)


# --- two parts -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Halves:
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


def pair(request: ExerciseRequest) -> Halves:
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
    elsewhere = [one for senses in SENSES.values() for of in senses.values() for one in of]
    other = elsewhere[int(rng.integers(len(elsewhere)))]
    return Halves(first, second if follows else other, follows, text, cut)


def pair_places(halves: Halves, first: Sequence[Token], second: Sequence[Token]) -> list[int]:
    """The places of both parts' tokens, marks included; words from elsewhere take the text's."""
    left = [min(at, halves.cut - 1) for at in places(first, halves.first)]
    if halves.follows:
        right = places(second, halves.second, halves.cut)
        return [*left, *(min(at, len(halves.text)) for at in right)]
    own = np.arange(halves.cut, len(halves.text))
    share = (place / max(1, len(halves.second)) for place in places(second, halves.second))
    return [*left, *(int(own[min(len(own) - 1, int(one * len(own)))]) if one < 1
                     else len(halves.text) for one in share)]  # fmt: skip


def _paired(request: ExerciseRequest, model: LoadedModel) -> Exercise:
    halves = pair(request)
    cut = [[one for one in model.tokenizer.tokens(part) if one.end > one.start]
           for part in (halves.first, halves.second)]  # fmt: skip
    first, second = [mark(CLS), *cut[0], mark(SEP)], [*cut[1], mark(SEP)]
    at = pair_places(halves, first, second)
    made = example([*first, *second], at, [halves.answer], [BEFORE])
    n = sum(map(len, cut))
    return Exercise(
        request.objective, False, (_unpaid(made),), follows=halves.follows, n_tokens=n,
        n_read=len(halves.text),
    )  # fmt: skip
