"""What comes back of a request for whole words: next, hidden, or thrown dice for. No torch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.sizes import held
from core.text.hiding import Fate
from core.units import Token


@dataclass(frozen=True, slots=True)
class Spelling:
    """One way to write a word, as the causal model goes on with it.

    Attributes:
        text: as it is written, without the space before it.
        pieces: its tokens, each with its probability after those before it.
        ends: the probability that the word ends there.
        prob: of the whole; the product of all of these. NaN, like them, for too many pieces.
    """

    text: str
    pieces: tuple[tuple[Token, float], ...]
    ends: float
    prob: float


@dataclass(frozen=True, eq=False)
class NextWords:
    """What a causal model expects as the next word.

    Attributes:
        read: the text it was given; the end of the context when that is too long.
        top: the likeliest spellings, likeliest first, punctuation marks among them.
        exact: no likelier one can have been missed.
        asked: for each word that was asked for, its spellings.
        seconds: what it took.
    """

    read: str
    top: tuple[Spelling, ...]
    exact: bool
    asked: tuple[tuple[Spelling, ...], ...]
    seconds: float

    @property
    def nbytes(self) -> int:
        return held(self.read, self.top, self.asked)


@dataclass(frozen=True, eq=False)
class HiddenPiece:
    """One [MASK] and what the masked model puts there.

    Attributes:
        position: of the token.
        original: the piece that is hidden; None where [MASK] was typed.
        tokens, probs: the likeliest pieces, likeliest first.
        prob, rank: of the original; NaN and -1 when there is none.
    """

    position: int
    original: Token | None
    tokens: tuple[Token, ...]
    probs: NDArray[np.float64]
    prob: float
    rank: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """A word for the gap.

    Attributes:
        text: as the masked model spells it.
        pieces: of the masked model; empty when it cannot say the word in this gap.
        both: the masked model's probability; NaN when it cannot say it.
        left: the causal model's, its spellings added up; NaN when one of them is too long for it.
        spellings: what was added up.
        hidden: it is the word that stands there.
    """

    text: str
    pieces: tuple[Token, ...]
    both: float
    left: float
    spellings: tuple[Spelling, ...]
    hidden: bool


@dataclass(frozen=True, slots=True)
class Sight:
    """The probability of one word in the gap under three conditions.

    Attributes:
        word: which one: the hidden word, or the likeliest where [MASK] was typed.
        hidden: behind [MASK], every position seen.
        causal: behind [MASK], each position seeing only itself and what is left of it.
        visible: the word itself stands in the input.
    """

    word: str
    hidden: float
    causal: float
    visible: float


@dataclass(frozen=True, eq=False)
class Filled:
    """A text with hidden words, and one of its gaps looked at from both sides and from the left.

    Attributes:
        text, cut: what was run, and what did not fit the context.
        tokens: the text's own, nothing hidden but where [MASK] was typed.
        words: the positions of each word that can be hidden.
        hidden: which of them are hidden.
        gaps: the positions of each gap, hidden words and typed [MASK]s, in the text's order.
        looked: the positions that are looked at; a visible word when nothing is hidden.
        masks: one a hidden piece.
        candidates: for the gap that is looked at, likeliest first (of either model).
        covered: what the candidates hold of each model's probability, masked then causal.
        sight: the hidden word with and without a causal mask.
        left: what the causal model read and said.
        seconds: what the masked model's pass took.
    """

    text: str
    cut: str
    tokens: tuple[Token, ...]
    words: tuple[tuple[int, ...], ...]
    hidden: tuple[int, ...]
    gaps: tuple[tuple[int, ...], ...]
    looked: tuple[int, ...]
    masks: tuple[HiddenPiece, ...]
    candidates: tuple[Candidate, ...]
    covered: tuple[float, float]
    sight: Sight
    left: NextWords
    seconds: float

    @property
    def nbytes(self) -> int:
        parts = (self.text, self.cut, self.tokens, self.words, self.gaps, self.masks)
        return held(*parts, self.candidates, self.sight, self.left)


@dataclass(frozen=True, eq=False)
class Corrupted:
    """A text as BERT was trained on it: words hidden, swapped or left by dice.

    Attributes:
        tokens: the text.
        shown: what the model reads in their place.
        fates: what happened to each token.
        dice: the number between 0 and 1 that decided it; NaN for tokens that were not chosen.
        order: in which draw a token's word was chosen; -1 for the others.
        words: the positions of each word.
        probs: what the model gives to the original of each chosen token; NaN for the others.
        guesses: the piece it finds likeliest there; None for the others.
        cut: what did not fit the context.
    """

    tokens: tuple[Token, ...]
    shown: tuple[Token, ...]
    fates: tuple[Fate, ...]
    dice: NDArray[np.float64]
    order: NDArray[np.int64]
    words: tuple[tuple[int, ...], ...]
    probs: NDArray[np.float64]
    guesses: tuple[Token | None, ...]
    cut: str

    @property
    def nbytes(self) -> int:
        drawn = (self.fates, self.dice, self.order, self.words, self.probs, self.guesses)
        return held(self.tokens, self.shown, *drawn, self.cut)
