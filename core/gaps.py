"""Hidden words: what a masked model says in the gap, and what a causal one says there.

The masked model (BERT) reads the whole text with [MASK] in place of the hidden
pieces, and fills each of them by itself. The causal model (GPT) reads only what
stands to the left and goes on with a word. Both give a probability to the same
thing, a whole word at this place, so their numbers can stand side by side.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from core.decoding.words import MAX_PIECES, Continuation, Continuations
from core.errors import AbilityError, EmptyInputError, NoWordError, ParameterError
from core.language import N_, Phrase
from core.models.protocols import CausalLM, MaskedLM
from core.nn.masks import causal_mask
from core.requests import CorruptRequest, GapRequest, WordsRequest
from core.seeds import checked_seed
from core.text.tokenizer import Token, Tokenizer
from core.training.batches import vocabulary_of
from core.training.objectives import IGNORED, Fate, Vocabulary, mask_words, words_of
from core.zoo import LoadedModel

TOP = 20  # words and pieces that are kept of a distribution

Probs = NDArray[np.float64]


@lru_cache(maxsize=4)
def _vocabulary(tokenizer: Tokenizer) -> Vocabulary:
    return vocabulary_of(tokenizer)


# --- a causal model, asked for whole words --------------------------------------------------------


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
        return 200 * (len(self.top) + sum(map(len, self.asked)))


def next_words(request: WordsRequest, model: LoadedModel) -> NextWords:
    """Carry out a request for whole words.

    Raises:
        AbilityError: the model does not predict what comes next.
        EmptyInputError: there is nothing to go on from.
        ParameterError: a spelling without a letter, or less than one word to find.
    """
    if not isinstance(model.model, CausalLM):
        raise AbilityError(model.id, N_("predicting the next word"))
    if request.n < 1:
        raise ParameterError("n", request.n, N_("at least 1"))
    if not all(map(all, request.words)):
        raise ParameterError("words", request.words, N_("spelt with at least one letter each"))
    began = time.perf_counter()
    spaced = request.text.endswith(" ")
    text = request.text[:-1] if spaced else request.text
    tokens = model.tokens(text)
    head = [token for token in tokens[:1] if token.special]
    if not tokens and model.tokenizer.end_of_text_id is not None:
        head = [model.tokenizer.token(model.tokenizer.end_of_text_id)]
    body = tokens[len(head) if tokens else 0 :]
    body = body[max(0, len(body) + len(head) + MAX_PIECES - model.config.n_ctx) :]
    if not head and not body:
        raise EmptyInputError
    ids = [token.id for token in (*head, *body)]
    words = Continuations(model.model, model.tokenizer, ids, model.device)
    signs = words.signs()
    best, exact = words.likeliest(request.n, spaced=spaced)
    top = [_spelling(model, words.text(one.pieces) or "", one) for one in best]
    top += [_sign(sign, share) for sign, share in signs.items()]
    top.sort(key=lambda one: -one.prob)
    lead = " " if spaced else ""
    spelt = [s for spellings in request.words for s in spellings if s not in signs]
    paths = {s: tuple(model.tokenizer.encode(lead + s, special=False)) for s in spelt}
    known = dict(zip(paths, words.of(list(paths.values())), strict=True))
    asked = tuple(
        tuple(
            _sign(s, signs[s]) if s in signs else _spelling(model, s, known[s]) for s in spellings
        )
        for spellings in request.words
    )
    read = text[body[0].start :] if body else ""
    seconds = time.perf_counter() - began
    return NextWords(read, tuple(top[: request.n]), exact, asked, seconds)


def _spelling(model: LoadedModel, text: str, one: Continuation) -> Spelling:
    pieces = tuple(
        (model.tokenizer.token(i), p) for i, p in zip(one.pieces, one.probs, strict=True)
    )
    return Spelling(text, pieces, one.ends, one.prob)


def _sign(sign: str, share: float) -> Spelling:
    return Spelling(sign, (), 1.0, share)


# --- a masked model, asked for the gap -----------------------------------------------------------


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
    probs: Probs
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
        return self.left.nbytes + 1000 * len(self.masks) + 200 * len(self.tokens)


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
        if any(_typed_mask(token) for token in tokens):
            return set()
        middle = 0.6 * len(words)
        proper = [n for n, word in enumerate(words) if tokens[word[0]].data[:1].isalpha()]
        return {min(proper or range(len(words)), key=lambda n: abs(n - int(middle)))}
    # Of ten digits none is a word's number, and of 4,300 Python reads none.
    asked = {int(n) if len(n) < 10 else len(words) for n in hide.split(",") if n.isdecimal()}
    return {n for n in asked if n < len(words)} or ({len(words) - 1} if asked else set())


def _typed_mask(token: Token) -> bool:
    return token.special and token.end > token.start


def _read(
    text: str, model: LoadedModel
) -> tuple[str, str, list[Token], NDArray[Any], tuple[tuple[int, ...], ...]]:
    """What fits of a text, what was cut, its tokens, their ids and the positions of its words.

    Raises:
        AbilityError: the model does not fill in hidden words.
    """
    if not isinstance(model.model, MaskedLM):
        raise AbilityError(model.id, N_("filling in hidden words"))
    text, cut = model.fit(text)
    tokens = model.tokens(text)
    ids = np.array([token.id for token in tokens])
    words = tuple(tuple(map(int, w)) for w in words_of(ids, _vocabulary(model.tokenizer)))
    return text, cut, tokens, ids, words


def fill(
    request: GapRequest, model: LoadedModel, ask: Callable[[WordsRequest], NextWords]
) -> Filled:
    """Carry out a request for a gap.

    Args:
        request: which words are hidden, and which gap is looked at.
        model: the masked model.
        ask: carries out what the causal model is asked.

    Raises:
        AbilityError: the model does not fill in hidden words.
        EmptyInputError: the text is empty.
        NoWordError: the model knows no word of it.
    """
    text, cut, tokens, ids, words = _read(request.text, model)
    typed = [(at,) for at, token in enumerate(tokens) if _typed_mask(token)]
    if not words and not typed:
        raise NoWordError if text.strip() else EmptyInputError
    hidden = tuple(sorted(chosen_words(request.hide, words, tokens)))
    gaps = tuple(sorted([*(words[n] for n in hidden), *typed]))
    looked = next((gap for gap in gaps or words if request.token in gap), None)
    if looked is None:
        looked = gaps[0] if gaps else words[min(chosen_words("auto", words, tokens))]

    began = time.perf_counter()
    masked = ids.copy()
    masked[[at for gap in gaps for at in gap]] = model.tokenizer.mask_id
    probs = _probabilities(model, masked)
    seconds = time.perf_counter() - began

    original = None if looked in typed else tuple(int(i) for i in ids[list(looked)])
    place = probs[list(looked)]  # (pieces, V)
    own = [path for path, _ in _likeliest(place, model)]
    if original is not None:
        own.append(original)
    first, last = tokens[looked[0]], tokens[looked[-1]]
    typed_word = text[first.start : last.end] if original is not None else ""
    spelt = {path: _spellings(_joined(model, path), typed_word if path == original else "")
             for path in own}  # fmt: skip
    left = ask(WordsRequest(request.partner, text[: first.start], tuple(spelt.values())))
    candidates = _candidates(
        model, place, original, dict(zip(spelt, left.asked, strict=True)), left
    )
    return Filled(
        text=text,
        cut=cut,
        tokens=tuple(tokens),
        words=words,
        hidden=hidden,
        gaps=gaps,
        looked=looked,
        masks=tuple(_piece(model, probs[at], at, tokens[at]) for gap in gaps for at in gap),
        candidates=candidates,
        covered=(
            math.fsum(c.both for c in candidates if not math.isnan(c.both)),
            math.fsum(c.left for c in candidates if not math.isnan(c.left)),
        ),
        sight=_sight(model, masked, looked, original or own[0], place),
        left=left,
        seconds=seconds,
    )


def _probabilities(model: LoadedModel, ids: NDArray[np.int64], *, causal: bool = False) -> Probs:
    """The masked model's distribution at every position, ``(T, V)``.

    V ends at the tokenizer's largest id: a table that was made larger to suit a machine has rows
    for no word behind it.
    """
    mask = causal_mask(len(ids), len(ids), model.device) if causal else None
    with torch.inference_mode():
        logits = model.model(torch.from_numpy(ids)[None].to(model.device), mask=mask)[0]
        probs: Probs = torch.softmax(logits.cpu().double(), dim=-1).numpy()
    return probs[:, : model.tokenizer.largest_id + 1]


def _piece(model: LoadedModel, probs: Probs, at: int, token: Token) -> HiddenPiece:
    best = np.argsort(-probs)[:TOP]
    typed = _typed_mask(token)
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
    vocabulary = _vocabulary(model.tokenizer)
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
    asked: dict[tuple[int, ...], tuple[Spelling, ...]],
    left: NextWords,
) -> tuple[Candidate, ...]:
    """The union of both models' likeliest words and the hidden one, likeliest (of either) first."""
    ways: dict[str, tuple[tuple[int, ...], dict[str, Spelling]]] = {}
    # Two cuts can spell one word: the hidden word's own counts first, then the likelier one.
    for path in sorted(asked, key=lambda path: path != original):
        ways.setdefault(_joined(model, path), (path, {s.text: s for s in asked[path]}))
    of_left = 0
    seen: set[str] = set()
    for spelling in left.top:
        path = tuple(model.tokenizer.encode(spelling.text, special=False))
        tokens = [model.tokenizer.token(i) for i in path]
        sayable = bool(tokens) and not any(token.unknown for token in tokens)
        text = _joined(model, path) if sayable else spelling.text.lower()
        fits = sayable and len(path) == len(place) and not any(
            token.continues != (n > 0) for n, token in enumerate(tokens)
        )  # fmt: skip
        if text not in seen and of_left == TOP:
            continue
        of_left += text not in seen
        seen.add(text)
        ways.setdefault(text, (path if fits else (), {}))[1].setdefault(spelling.text, spelling)
    candidates = [
        Candidate(
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


def _sight(
    model: LoadedModel,
    masked: NDArray[np.int64],
    looked: tuple[int, ...],
    word: tuple[int, ...],
    place: Probs,
) -> Sight:
    where, n = list(looked), range(len(word))
    hidden = masked.copy()
    hidden[where] = model.tokenizer.mask_id or 0
    shown = masked.copy()
    shown[where] = word
    conditions = (
        place if (hidden == masked).all() else _probabilities(model, hidden)[where],
        _probabilities(model, hidden, causal=True)[where],
        _probabilities(model, shown)[where],
    )
    values = [math.prod(float(p[i, word[i]]) for i in n) for p in conditions]
    return Sight(_joined(model, word), *values)


# --- how the training examples are made -----------------------------------------------------------


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
    dice: Probs
    order: NDArray[np.int64]
    words: tuple[tuple[int, ...], ...]
    probs: Probs
    guesses: tuple[Token | None, ...]
    cut: str

    @property
    def nbytes(self) -> int:
        return 400 * len(self.tokens)


def corrupt(request: CorruptRequest, model: LoadedModel) -> Corrupted:
    """Carry out a request for a training example.

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
    text, cut, tokens, ids, words = _read(request.text, model)
    if not words:
        raise NoWordError if text.strip() else EmptyInputError
    example = mask_words(ids, _vocabulary(model.tokenizer), rng, rate=request.rate)
    probs = _probabilities(model, example.ids)
    chosen = example.targets != IGNORED
    return Corrupted(
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
