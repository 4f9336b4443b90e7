"""Words hidden from a model: which of a text, and how its training examples hide them.

Plain numpy, one text at a time, so that a page can show it on a learner's sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.text.marks import MASK
from core.text.tokenizer import Tokenizer
from core.units import Token

IGNORED = -100  # a target that the loss leaves out (PyTorch's convention)

Ints = NDArray[np.int64]
Fate = Literal["kept in sight", "masked", "random", "unchanged"]


class Vocabulary(NamedTuple):
    """What masking has to know of a vocabulary.

    Attributes:
        mask_id: the id of [MASK].
        continues: for each id, whether it goes on with a word ("##ing").
        special: for each id, whether it is a mark that is never hidden.
    """

    mask_id: int
    continues: NDArray[np.bool_]
    special: NDArray[np.bool_]


@lru_cache(maxsize=4)
def vocabulary_of(tokenizer: Tokenizer) -> Vocabulary:
    """What masking needs to know of a WordPiece tokenizer."""
    tokens = [tokenizer.token(i) for i in range(tokenizer.largest_id + 1)]
    return Vocabulary(
        mask_id=tokenizer.mark(MASK),
        continues=np.array([t.continues for t in tokens]),
        special=np.array([t.special or t.unknown for t in tokens]),
    )


def words_of(ids: Ints, vocabulary: Vocabulary) -> list[Ints]:
    """The positions of each whole word, special tokens left out."""
    maskable = ~vocabulary.special[ids]
    starts = maskable & ~vocabulary.continues[ids]
    number = np.cumsum(starts) - 1
    positions = np.flatnonzero(maskable & (number >= 0))
    cuts = np.flatnonzero(np.diff(number[positions])) + 1
    return [word for word in np.split(positions, cuts) if len(word)]


def is_typed_mask(token: Token) -> bool:
    """Whether a token is a [MASK] that stood in the text."""
    return token.special and token.end > token.start


def chosen_words(hide: str, words: Sequence[Sequence[int]], tokens: Sequence[Token]) -> set[int]:
    """Which words a setting hides.

    Args:
        hide: "none", numbers of words ("2,5"), or "auto": one word a little
            past the middle, unless a [MASK] was typed. When no number is a
            word of this text, the last word.
        words: positions of each word.
        tokens: of the text.
    """
    if hide == "none" or not words:
        return set()
    if hide == "auto":
        if any(is_typed_mask(token) for token in tokens):
            return set()
        middle = 0.6 * len(words)
        proper = [n for n, word in enumerate(words) if tokens[word[0]].data[:1].isalpha()]
        return {min(proper or range(len(words)), key=lambda n: abs(n - int(middle)))}
    # Of ten digits none is a word's number, and of 4,300 Python reads none.
    numbers = {int(n) if len(n) < 10 else len(words) for n in hide.split(",") if n.isdecimal()}
    return {n for n in numbers if n < len(words)} or ({len(words) - 1} if numbers else set())


@dataclass(frozen=True, slots=True)
class MaskedExample:
    """A text with words hidden, and what the model has to say.

    Attributes:
        ids: what the model reads.
        targets: the original id where a word was chosen, ``IGNORED`` elsewhere.
        fates: what happened to each token.
        order: how many words were chosen before this token's; -1 where none was.
        dice: the number in [0, 1) that decided a chosen token's fate; NaN elsewhere.
    """

    ids: Ints
    targets: Ints
    fates: tuple[Fate, ...]
    order: Ints
    dice: NDArray[np.float64]


def mask_words(
    ids: Sequence[int] | Ints,
    vocabulary: Vocabulary,
    rng: np.random.Generator,
    *,
    rate: float = 0.15,
    p_mask: float = 0.8,
    p_random: float = 0.1,
) -> MaskedExample:
    """Hide whole words: of those chosen 80 % become [MASK], 10 % a random word, 10 % stay.

    Devlin et al. 2019, section 3.1 and appendix A.1; whole words as in the
    authors' later release. Words are drawn until ``rate`` of the tokens is
    reached, at least one; a word shares one fate.

    Args:
        ids: the text, special tokens included.
        vocabulary: of the model.
        rng: draws words and fates.
        rate: share of the tokens that is predicted.
        p_mask, p_random: fates; the rest stays as it is.
    """
    original = np.array(ids, dtype=np.int64)
    shown, targets = original.copy(), np.full_like(original, IGNORED)
    fate: Fate
    fates: list[Fate] = ["kept in sight"] * len(original)
    order, dice = np.full_like(original, -1), np.full(len(original), np.nan)
    words = words_of(original, vocabulary)
    budget = max(1, round(rate * sum(len(word) for word in words))) if words else 0
    ordinary = np.flatnonzero(~vocabulary.special)
    for n in rng.permutation(len(words)):
        word = words[n]
        if budget <= 0:
            break
        if len(word) > budget and (targets != IGNORED).any():
            continue  # a long word that would pass the share; a shorter one may still fit
        budget -= len(word)
        targets[word] = original[word]
        draw = rng.random()
        order[word], dice[word] = order.max(initial=-1) + 1, draw
        if draw < p_mask:
            shown[word], fate = vocabulary.mask_id, "masked"
        elif draw < p_mask + p_random:
            shown[word], fate = rng.choice(ordinary, len(word)), "random"
        else:
            fate = "unchanged"
        for position in word:
            fates[int(position)] = fate
    return MaskedExample(shown, targets, tuple(fates), order, dice)
