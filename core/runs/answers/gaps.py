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

import numpy as np
import torch
from numpy.typing import NDArray

from core.analysis.distributions import largest
from core.errors import EmptyInputError, NoWordError, ParameterError
from core.language import N_, Phrase
from core.models.abilities import require
from core.nn.masks import causal_mask
from core.runs.answering import Context, answer
from core.runs.guesses import Candidate, Corrupted, Filled, HiddenPiece, NextWords, Sight, Spelling
from core.runs.requests import CorruptRequest, GapRequest, WordsRequest
from core.seeds import checked_seed
from core.text.hiding import (
    IGNORED,
    chosen_words,
    is_typed_mask,
    mask_words,
    vocabulary_of,
    words_of,
)
from core.text.marks import MASK
from core.units import Token
from core.zoo import LoadedModel

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
def fill(request: GapRequest, context: Context) -> Filled:
    """The hidden words, and one gap looked at from both sides and from the left.

    Raises:
        AbilityError: the model does not fill in hidden words.
        EmptyInputError: the text is empty.
        NoWordError: the model knows no word of it.
    """
    model = context.model(request.model)
    text, cut, tokens, ids, words = _read(request.text, model)
    typed = [(at,) for at, token in enumerate(tokens) if is_typed_mask(token)]
    if not words and not typed:
        raise NoWordError if text.strip() else EmptyInputError
    hidden = tuple(sorted(chosen_words(request.hide, words, tokens)))
    gaps = tuple(sorted([*(words[n] for n in hidden), *typed]))
    named = [gap for gap in gaps or words if request.token in gap]
    looked = next(iter(named or gaps), None) or words[min(chosen_words("auto", words, tokens))]

    masked = ids.copy()
    masked[[at for gap in gaps for at in gap]] = model.tokenizer.mark(MASK)
    original = None if looked in typed else tuple(int(i) for i in ids[list(looked)])
    began = time.perf_counter()
    probs, sight = _conditions(model, masked, looked, original)
    seconds = time.perf_counter() - began
    place = probs[list(looked)]  # (pieces, V)
    own = [*(path for path, _ in _likeliest(place, model)), *([original] if original else [])]
    first = tokens[looked[0]]
    written = {original: text[first.start : tokens[looked[-1]].end]}
    spelt = {path: _spellings(_joined(model, path), written.get(path, "")) for path in own}
    left = context.ask(WordsRequest(request.partner, text[: first.start], tuple(spelt.values())))
    asked = dict(zip(spelt, left.asked, strict=True))
    candidates = _candidates(model, place, original, asked, left)
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
    given = torch.from_numpy(np.stack(texts)).to(model.device)
    mask = None
    if causal >= 0:
        n = given.shape[1]
        mask = torch.ones(len(texts), 1, n, n, dtype=torch.bool, device=model.device)
        mask[causal] = causal_mask(n, n, model.device)
    score = model.as_scorer("masked_words")
    with torch.inference_mode():
        probs: Probs = torch.softmax(score(given, mask=mask).cpu().double(), dim=-1).numpy()
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


@answer.register
def corrupt(request: CorruptRequest, context: Context) -> Corrupted:
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
