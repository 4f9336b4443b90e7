"""Hidden words: what a masked model says in the gap, and what a causal one says there.

The masked model (BERT) reads the whole text with [MASK] in place of the hidden
pieces, and fills each of them by itself. The causal model (GPT) reads only what
stands to the left and continues with a word. Both give a probability to the same
thing, a whole word at this place, so their numbers can stand side by side.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from core.analysis.distributions import largest
from core.errors import EmptyInputError, NoWordError, ParameterError
from core.language import N_, Phrase
from core.models.abilities import require
from core.nn.masks import causal_mask
from core.runs.kinds.words import NextWords, WordSpelling, WordsRequest
from core.runs.request import Context, ModelRef, OfModel, answer
from core.seeds import checked_seed
from core.text.hiding import (
    IGNORED,
    Fate,
    chosen_words,
    is_typed_mask,
    mask_words,
    vocabulary_of,
    words_of,
)
from core.text.marks import MASK
from core.units import Token
from core.zoo import LoadedModel


@dataclass(frozen=True, slots=True)
class GapRequest(OfModel):
    """Words of a text hidden behind [MASK], and one gap seen from both sides and from the left.

    Attributes:
        partner: the causal model that is asked about the same gap.
        text: what to hide words in; a ``[MASK]`` in it is a hidden word too.
        hide: numbers of the hidden words, "none" or "auto" (``chosen_words``).
        token: a position of the gap that is looked at; -1 for the first gap.
    """

    lasts = "a while"
    partner: ModelRef
    text: str
    hide: str = "auto"
    token: int = -1

    @property
    def models(self) -> tuple[ModelRef, ...]:
        return (self.model, self.partner)


@dataclass(frozen=True, slots=True)
class MaskingRequest(OfModel):
    """A text as a training example of masked words, drawn from a seed.

    Attributes:
        text: whose words are hidden.
        seed: of the draws.
        rate: share of the pieces that is chosen.
    """

    text: str
    seed: int
    rate: float = 0.15


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
class GapCandidate:
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
    spellings: tuple[WordSpelling, ...]
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
class GapFilling:
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
    candidates: tuple[GapCandidate, ...]
    covered: tuple[float, float]
    sight: Sight
    left: NextWords
    seconds: float


@dataclass(frozen=True, eq=False)
class MaskedText:
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


TOP = 20  # words and pieces that are kept of a distribution


Probs = NDArray[np.float64]


def _read(
    text: str, model: LoadedModel
) -> tuple[str, str, list[Token], NDArray[np.int64], tuple[tuple[int, ...], ...]]:
    """What fits of a text, what was cut, its tokens, their ids and the positions of its words.

    Raises:
        AbilityError: the model does not fill in hidden words.
    """
    require(model.id, model.abilities, "masked_words")
    text, cut = model.fit(text)
    tokens = model.tokens(text)
    ids = np.array([token.id for token in tokens], np.int64)
    words = tuple(tuple(map(int, w)) for w in words_of(ids, vocabulary_of(model.tokenizer)))
    return text, cut, tokens, ids, words


@answer.register
def fill(request: GapRequest, context: Context) -> GapFilling:
    """The hidden words, and one gap looked at from both sides and from the left.

    Raises:
        AbilityError: the model does not fill in hidden words.
        EmptyInputError: the text is empty.
        NoWordError: the model knows no word of it.
    """
    model = context.model(request.model)
    text, cut, tokens, ids, words = _read(request.text, model)
    typed = [(position,) for position, token in enumerate(tokens) if is_typed_mask(token)]
    if not words and not typed:
        raise NoWordError if text.strip() else EmptyInputError
    hidden = tuple(sorted(chosen_words(request.hide, words, tokens)))
    gaps = tuple(sorted([*(words[n] for n in hidden), *typed]))
    named = [gap for gap in gaps or words if request.token in gap]
    looked = next(iter(named or gaps), None) or words[min(chosen_words("auto", words, tokens))]

    masked = ids.copy()
    masked[[position for gap in gaps for position in gap]] = model.tokenizer.mark(MASK)
    original = None if looked in typed else tuple(int(i) for i in ids[list(looked)])
    began = time.perf_counter()
    probs, sight = _conditions(model, masked, looked, original)
    seconds = time.perf_counter() - began
    place = probs[list(looked)]  # (pieces, V)
    paths = [*(path for path, _ in _likeliest(place, model)), *([original] if original else [])]
    first = tokens[looked[0]]
    written = {original: text[first.start : tokens[looked[-1]].end]}
    spelt = {path: _spellings(_joined(model, path), written.get(path, "")) for path in paths}
    left = context.ask(WordsRequest(request.partner, text[: first.start], tuple(spelt.values())))
    spellings = dict(zip(spelt, left.asked, strict=True))
    candidates = _candidates(model, place, original, spellings, left)
    return GapFilling(
        text=text,
        cut=cut,
        tokens=tuple(tokens),
        words=words,
        hidden=hidden,
        gaps=gaps,
        looked=looked,
        masks=tuple(_piece(model, probs[n], n, tokens[n]) for gap in gaps for n in gap),
        candidates=candidates,
        covered=(_sum(c.both for c in candidates), _sum(c.left for c in candidates)),
        sight=sight,
        left=left,
        seconds=seconds,
    )


def _sum(probs: Iterable[float]) -> float:
    """Of those that are known."""
    return math.fsum(prob for prob in probs if not math.isnan(prob))


def _probabilities(model: LoadedModel, *texts: NDArray[np.int64], causal: int = -1) -> Probs:
    """The masked model's distribution at every position of texts of one length, ``(B, T, V)``.

    V is the tokenizer's: a table that was made larger to suit a machine has rows for no word.

    Args:
        model: that fills in hidden words.
        texts: ids; they run as one batch, for which the weights are read once.
        causal: which of them is read under a causal mask; none when below 0.
    """
    batch = torch.from_numpy(np.stack(texts)).to(model.device)
    mask = None
    if causal >= 0:
        n = batch.shape[1]
        mask = torch.ones(len(texts), 1, n, n, dtype=torch.bool, device=model.device)
        mask[causal] = causal_mask(n, n, model.device)
    score = model.as_scorer("masked_words")
    with torch.inference_mode():
        probs: Probs = torch.softmax(score(batch, mask=mask).cpu().double(), dim=-1).numpy()
    return probs[..., : model.tokenizer.vocab_size]


def _conditions(
    model: LoadedModel,
    masked: NDArray[np.int64],
    looked: tuple[int, ...],
    original: tuple[int, ...] | None,
) -> tuple[Probs, Sight]:
    """What is said of a text with its gaps ``(T, V)``, and of one word in four conditions.

    Args:
        model: that fills in hidden words.
        masked: the text, with its gaps.
        looked: the positions of the gap, or of the word in sight, that is looked at.
        original: the word there; what is likeliest where a mask was typed.
    """
    where = list(looked)
    hidden, shown = masked.copy(), masked.copy()
    hidden[where] = model.tokenizer.mark(MASK)
    if original is not None:
        shown[where] = original
        texts = [masked, hidden, shown] if (hidden != masked).any() else [masked, shown]
        plain, *others = _probabilities(model, *texts, hidden, causal=len(texts))
    else:
        plain = _probabilities(model, masked)[0]
        original = _likeliest(plain[where], model)[0][0]
        shown[where] = original
        others = [*_probabilities(model, shown, hidden, causal=1)]
    *between, in_sight, under_mask = (probs[where] for probs in others)
    conditions = (between[0] if between else plain[where], under_mask, in_sight)
    n = range(len(original))
    values = [math.prod(float(p[i, original[i]]) for i in n) for p in conditions]
    return plain, Sight(_joined(model, original), *values)


def _piece(model: LoadedModel, probs: Probs, at: int, token: Token) -> HiddenPiece:
    best = largest(probs, TOP)
    typed = is_typed_mask(token)
    return HiddenPiece(
        position=at,
        original=None if typed else token,
        tokens=tuple(model.tokenizer.token(int(i)) for i in best),
        probs=probs[best],
        prob=math.nan if typed else float(probs[token.id]),
        rank=-1 if typed else int((probs > probs[token.id]).sum()),
    )


def _likeliest(place: Probs, model: LoadedModel) -> list[tuple[tuple[int, ...], float]]:
    """The likeliest words of a gap: its first piece starts a word, the others go on with it.

    The model fills each [MASK] by itself, so a word's probability is the
    product; the best 20 words are made of the best 20 pieces of each place.
    """
    vocabulary = vocabulary_of(model.tokenizer)
    words: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
    for n, row in enumerate(place):
        fits = ~vocabulary.special & (vocabulary.continues if n else ~vocabulary.continues)
        allowed = np.where(fits, row, -1.0)
        best = [int(i) for i in np.argsort(-allowed)[:TOP] if allowed[i] >= 0]
        words = sorted(
            (((*path, i), p * float(row[i])) for path, p in words for i in best),
            key=lambda word: -word[1],
        )[:TOP]
    return words


def _joined(model: LoadedModel, path: Sequence[int]) -> str:
    return b"".join(model.tokenizer.token(i).data for i in path).decode(errors="replace")


def _spellings(word: str, typed: str) -> tuple[str, ...]:
    """The ways a causal model may write a word that the masked one has in small letters."""
    return tuple(dict.fromkeys(s for s in (word, word.capitalize(), typed) if s))


def _candidates(
    model: LoadedModel,
    place: Probs,
    original: tuple[int, ...] | None,
    asked: dict[tuple[int, ...], tuple[WordSpelling, ...]],
    left: NextWords,
) -> tuple[GapCandidate, ...]:
    """The union of both models' likeliest words and the hidden one, likeliest (of either) first."""
    ways: dict[str, tuple[tuple[int, ...], dict[str, WordSpelling]]] = {}
    # Two cuts can spell one word: the hidden word's own counts first, then the likelier one.
    for path in sorted(asked, key=lambda path: path != original):
        ways.setdefault(_joined(model, path), (path, {s.text: s for s in asked[path]}))
    of_left = 0
    texts: set[str] = set()
    for spelling in left.top:
        path = tuple(model.tokenizer.encode(spelling.text, special=False))
        tokens = [model.tokenizer.token(i) for i in path]
        sayable = bool(tokens) and not any(token.unknown for token in tokens)
        text = _joined(model, path) if sayable else spelling.text.lower()
        fits = sayable and len(path) == len(place) and not any(
            token.continues != (n > 0) for n, token in enumerate(tokens)
        )  # fmt: skip
        if text not in texts and of_left == TOP:
            continue
        of_left += text not in texts
        texts.add(text)
        ways.setdefault(text, (path if fits else (), {}))[1].setdefault(spelling.text, spelling)
    candidates = [
        GapCandidate(
            text=text,
            pieces=tuple(model.tokenizer.token(i) for i in path),
            both=math.prod(float(place[n, i]) for n, i in enumerate(path)) if path else math.nan,
            left=math.fsum(s.prob for s in spellings.values()),
            spellings=tuple(sorted(spellings.values(), key=lambda s: -s.prob)),
            hidden=path == original,
        )
        for text, (path, spellings) in ways.items()
    ]
    return tuple(sorted(candidates, key=lambda c: -np.nanmax([c.both, c.left, 0.0])))


@answer.register
def corrupt(request: MaskingRequest, context: Context) -> MaskedText:
    """A training example of masked words, and what the model makes of it.

    Raises:
        AbilityError: the model does not fill in hidden words.
        EmptyInputError: the text is empty.
        NoWordError: the model knows no word of it.
        ParameterError: the seed is none, or the rate no share.
    """
    if not 0 <= request.rate <= 1:
        raise ParameterError(
            "rate", request.rate, Phrase(N_("between {low} and {high}"), low=0, high=1)
        )
    rng = np.random.default_rng(checked_seed(request.seed))
    model = context.model(request.model)
    text, cut, tokens, ids, words = _read(request.text, model)
    if not words:
        raise NoWordError if text.strip() else EmptyInputError
    example = mask_words(ids, vocabulary_of(model.tokenizer), rng, rate=request.rate)
    probs = _probabilities(model, example.ids)[0]
    chosen = example.targets != IGNORED
    return MaskedText(
        tokens=tuple(tokens),
        shown=tuple(
            model.tokenizer.token(int(i)) if picked else token
            for i, picked, token in zip(example.ids, chosen, tokens, strict=True)
        ),
        fates=example.fates,
        dice=example.dice,
        order=example.order,
        words=words,
        probs=np.where(chosen, probs[np.arange(len(ids)), ids], np.nan),
        guesses=tuple(
            model.tokenizer.token(int(row.argmax())) if picked else None
            for row, picked in zip(probs, chosen, strict=True)
        ),
        cut=cut,
    )
