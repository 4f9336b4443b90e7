"""A causal model, asked for whole words."""

from __future__ import annotations

import time
from dataclasses import dataclass

from core.decoding.words import MAX_PIECES, Continuation, Continuations
from core.errors import EmptyInputError, ParameterError
from core.language import N_
from core.runs.request import Context, OfModel, answer
from core.units import Token
from core.zoo import LoadedModel


@dataclass(frozen=True, slots=True)
class WordsRequest(OfModel):
    """How likely whole words come next after a text.

    Attributes:
        text: what stands to the left; a space at its end belongs to the word.
        words: each as the ways it may be spelt.
        n: how many of the likeliest words to find besides.
    """

    lasts = "a while"
    text: str
    words: tuple[tuple[str, ...], ...]
    n: int = 30


@dataclass(frozen=True, slots=True)
class WordSpelling:
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
    top: tuple[WordSpelling, ...]
    exact: bool
    asked: tuple[tuple[WordSpelling, ...], ...]
    seconds: float


@answer.register
def next_words(request: WordsRequest, context: Context) -> NextWords:
    """How likely whole words come next.

    Raises:
        AbilityError: the model does not predict what comes next.
        EmptyInputError: there is nothing to go on from.
        ParameterError: a spelling without a letter, or less than one word to find.
    """
    model = context.model(request.model)
    writer = model.as_writer()
    if request.n < 1:
        raise ParameterError("n", request.n, N_("at least 1"))
    if not all(map(all, request.words)):
        raise ParameterError("words", request.words, N_("spelled with at least one letter each"))
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
    decoder = writer.begin(len(ids))
    words = Continuations(decoder, model.tokenizer, ids, model.device)
    signs = words.signs()
    lead = " " if spaced else ""
    spelt = [s for spellings in request.words for s in spellings if s not in signs]
    paths = {s: tuple(model.tokenizer.encode(lead + s, special=False)) for s in spelt}
    best, exact = words.likeliest(request.n, spaced=spaced, asked=list(paths.values()))
    top = [_spelling(model, words.text(way.pieces) or "", way) for way in best]
    top += [_sign(sign, share) for sign, share in signs.items()]
    top.sort(key=lambda word: -word.prob)
    ways = dict(zip(paths, words.of(list(paths.values())), strict=True))
    asked = tuple(
        tuple(_sign(s, signs[s]) if s in signs else _spelling(model, s, ways[s]) for s in spellings)
        for spellings in request.words
    )
    read = text[body[0].start :] if body else ""
    seconds = time.perf_counter() - began
    return NextWords(read, tuple(top[: request.n]), exact, asked, seconds)


def _spelling(model: LoadedModel, text: str, one: Continuation) -> WordSpelling:
    pieces = tuple(
        (model.tokenizer.token(i), p) for i, p in zip(one.pieces, one.probs, strict=True)
    )
    return WordSpelling(text, pieces, one.ends, one.prob)


def _sign(sign: str, share: float) -> WordSpelling:
    return WordSpelling(sign, (), 1.0, share)
