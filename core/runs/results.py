"""What comes back of a request: numpy and tokens. Nothing here sees torch."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.analysis.words import Part, as_read
from core.encoders import Encoders
from core.sizes import ARRAY, OBJECT, held
from core.text.bpe import BPE
from core.text.families import Family
from core.text.unigram import Unigram
from core.text.wordpiece import WordPiece
from core.tracing.sites import ONE_STREAM
from core.tracing.trace import Trace
from core.units import Character, Token

TOKEN = 320  # bytes of an entry of a vocabulary with its texts


@dataclass(frozen=True, eq=False)
class Run:
    """A traced run and what became of its text.

    Attributes:
        trace: every tensor.
        texts: the part of each segment's text that was run; none of a picture.
        cut: the part that did not fit the context.
        encoders: of the model, for words that the run itself does not hold.
    """

    trace: Trace
    texts: tuple[str, ...]
    cut: str
    encoders: Encoders

    @property
    def text(self) -> str:
        """The first text; empty where there is none."""
        return self.texts[0] if self.texts else ""

    @property
    def lengths(self) -> dict[str, int]:
        """Positions of each stream."""
        return {name: len(stream.units) for name, stream in self.trace.streams.items()}

    def words(self, token_id: int) -> Token:
        """The entry of the vocabulary of that id.

        Raises:
            NoPartError: the model has no vocabulary.
        """
        return self.encoders.tokenizer.token(token_id)

    def entry(self, id_: int) -> Token | Character:
        """What has that row of the embedding table: a token, or a character.

        Raises:
            NoPartError: the model reads no text.
        """
        return self.encoders.entry(id_)

    @property
    def nbytes(self) -> int:
        trace = self.trace
        return held(trace.arrays, trace.streams, trace.masks, self.texts, self.cut)


@dataclass(frozen=True, eq=False)
class Onward:
    """A traced run of a text and of what the model has put behind it.

    Attributes:
        run: of both.
        continues: the model says what comes next.
        n_written: tokens at its end that the model wrote.
    """

    run: Run
    continues: bool
    n_written: int = 0

    @property
    def trace(self) -> Trace:
        """Of both."""
        return self.run.trace

    @property
    def lengths(self) -> dict[str, int]:
        """Positions of each stream, of both."""
        return self.run.lengths

    @property
    def nbytes(self) -> int:
        return self.run.nbytes + OBJECT


@dataclass(frozen=True, eq=False)
class Candidates:
    """The likeliest tokens of one distribution, through every filter. Arrays are ``(K,)``.

    Attributes:
        tokens: likeliest first; the one that was taken is always among them.
        raw: as the model says it.
        after_temperature, after_top_k, after_top_p: after each filter; a penalty on
            repetition works before the temperature.
        kept: how many tokens of the whole vocabulary the filters leave.
    """

    tokens: tuple[Token, ...]
    raw: NDArray[np.float32]
    after_temperature: NDArray[np.float32]
    after_top_k: NDArray[np.float32]
    after_top_p: NDArray[np.float32]
    kept: int

    @property
    def own_bytes(self) -> int:
        """What it takes besides its tokens, which others hold too."""
        return 4 * (self.raw.nbytes + ARRAY) + sys.getsizeof(self.tokens) + OBJECT


@dataclass(frozen=True, eq=False)
class GeneratedToken:
    """One step of a generation, as numpy.

    Attributes:
        token: what was chosen.
        candidates: what it was drawn from.
        computed, reused: positions computed in this step, and taken from the cache.
        cache_bytes: what the cache's filled part holds after the step.
        seconds: what the step took.
    """

    token: Token
    candidates: Candidates
    computed: int
    reused: int
    cache_bytes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class CacheSize:
    """What the key-value cache holds for each position: a key and a value in every block.

    Attributes:
        n_layers: blocks.
        d_model: numbers in a key, or in a value, of all heads.
        itemsize: bytes of a number.
    """

    n_layers: int
    d_model: int
    itemsize: int

    @property
    def nbytes(self) -> int:
        """Of one position."""
        return 2 * self.n_layers * self.d_model * self.itemsize


@dataclass(frozen=True, eq=False)
class Generation:
    """A text and how it went on.

    Attributes:
        prompt: its tokens.
        following: for each token of the prompt, what the model expected after it.
        steps: one a new token.
        then: what the model expected after the newest one; None where it ended the text, or the
            context is full.
        ended: the model ended the text itself.
        cut: the part of the prompt that did not fit.
        a_position: what the cache holds for each; None where what is kept does not grow.
        site: whose values became the distributions.
    """

    prompt: tuple[Token, ...]
    following: tuple[Candidates, ...]
    steps: tuple[GeneratedToken, ...]
    then: Candidates | None
    ended: bool
    cut: str
    a_position: CacheSize | None
    site: str

    @property
    def lengths(self) -> dict[str, int]:
        """Positions of the one stream that the text is."""
        return {ONE_STREAM: len(self.prompt)}

    @property
    def nbytes(self) -> int:
        """Its tokens are counted, not weighed: that took a sixth of the time of writing them."""
        every = [*self.following, *(step.candidates for step in self.steps)]
        every += [] if self.then is None else [self.then]
        tokens = {id(token) for one in every for token in one.tokens}
        steps = len(self.steps) * OBJECT
        own = sum(one.own_bytes for one in every)
        return held(self.prompt, self.cut) + own + steps + len(tokens) * TOKEN


@dataclass(frozen=True, eq=False)
class Tokenized:
    """A text as a model's tokenizer cuts it.

    Attributes:
        text: the part that fits the model's context.
        cut: the part that does not.
        tokens: with the model's own marks.
        normalized: what each character of the text becomes before it is cut.
        family: of the tokenizer.
        vocab_size: its entries.
        code: its merges; None when it has none.
        pieces: its entries, where it cuts words by them alone.
        words: of the text as they are looked up among them; none where there are no such entries.
    """

    text: str
    cut: str
    tokens: tuple[Token, ...]
    normalized: tuple[str, ...]
    family: Family
    vocab_size: int
    code: BPE | None
    pieces: WordPiece | Unigram | None
    words: tuple[str, ...]

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The text in stretches, with what the model reads in their place."""
        return tuple(as_read(self.text, self.normalized, self.tokens))

    @property
    def nbytes(self) -> int:
        return held(self.text, self.cut, self.tokens, self.normalized, self.parts, self.words)


@dataclass(frozen=True, eq=False)
class PositionTable:
    """What ``PositionsRequest`` gives: ``(n, width)``, for "t5" ``(2 n - 1,)``."""

    values: NDArray[np.float32]

    @property
    def nbytes(self) -> int:
        return self.values.nbytes + ARRAY + OBJECT


@dataclass(frozen=True, eq=False)
class Biases:
    """What a kind of attention adds to its scores, by distance.

    Attributes:
        site: that is added; empty where that is none, and the rest is empty, too.
        distances: ``(N,)``, key position minus query position, in order.
        values: ``(H, N)``, what is added.
        buckets: ``(N,)``, which number of the table that is.
        n_buckets: numbers of the table per head.
        furthest: from this distance on all share the last bucket.
        bidirectional: later keys have buckets of their own; else they share that of distance 0.
    """

    site: str
    distances: NDArray[np.int64]
    values: NDArray[np.float32]
    buckets: NDArray[np.int64]
    n_buckets: int
    furthest: int
    bidirectional: bool

    @property
    def nbytes(self) -> int:
        return held(self.distances, self.values, self.buckets)
