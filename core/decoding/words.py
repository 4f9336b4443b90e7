"""Whole words as a causal model says them: the product of a word's pieces, and of its end.

A model that predicts tokens gives no number to a word. Its chain rule does: the
probability that the text goes on with the pieces of a word, one after the other,
and that the word ends there.
"""

from __future__ import annotations

import heapq
import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import torch
from torch import Tensor

from core.decoding.decoder import Decoder
from core.text.tokenizer import Tokenizer
from core.units import Token

MAX_PIECES = 16  # of one word
ROWS = 64  # continuations that run as one batch
SPARE, FEW = 10, 20  # beginnings that are followed beside n words: some are no words; a batch
WIDEST = 64  # pieces that a path is followed on to

Path = tuple[int, ...]


def is_word_character(char: str) -> bool:
    """Whether a character is part of a word, as BERT cuts text into words.

    Space, control characters and punctuation are not (Devlin et al. 2019, the
    authors' BasicTokenizer: ASCII signs and Unicode's P classes).
    """
    category = unicodedata.category(char)
    sign = char.isascii() and not char.isalnum()
    return not (sign or char.isspace() or category[0] in "PC")


def goes_on(token: Token) -> bool:
    """Whether a token that follows a word's pieces is one more piece of the same word."""
    if token.special:
        return False
    try:
        text = token.data.decode()
    except UnicodeDecodeError:
        return True  # the first or a later byte of a character
    return bool(text) and is_word_character(text[0])


@dataclass(frozen=True, slots=True)
class Continuation:
    """How likely a text goes on with some pieces, and that the word ends after them.

    Attributes:
        pieces: ids.
        probs: of each piece, after those before it; NaN where they were too many.
        ends: that no further piece of the word follows; NaN then, too.
    """

    pieces: Path
    probs: tuple[float, ...]
    ends: float

    @property
    def prob(self) -> float:
        """Of the whole word: the product."""
        return math.prod(self.probs) * self.ends


@lru_cache(maxsize=4)
def _word_table(tokenizer: Tokenizer) -> tuple[Tensor, Tensor]:
    """For each id, as bool ``(V,)``: it goes on with a word; it is a space and a word's start."""
    tokens = [tokenizer.token(i) for i in range(tokenizer.largest_id + 1)]
    inner = torch.tensor([goes_on(token) for token in tokens])
    return inner, torch.tensor([_starts(token) for token in tokens])


def _starts(token: Token) -> bool:
    """Whether a token is a space and the beginning of a word."""
    if token.special or not token.data.startswith(b" ") or len(token.data) == 1:
        return False
    try:
        return is_word_character(token.data[1:].decode()[0])
    except UnicodeDecodeError:
        return True


class Continuations:
    """What may come after one text, asked word by word. Every number is from a forward pass.

    Args:
        decoder: of the causal model, nothing written yet.
        tokenizer: the model's.
        ids: the text, at least one token, with room left in the context for ``MAX_PIECES``.
        device: of the model.
    """

    def __init__(
        self, decoder: Decoder, tokenizer: Tokenizer, ids: Sequence[int], device: torch.device
    ) -> None:
        self._text, self._tokenizer, self._device = decoder, tokenizer, device
        self._inner, self._spaced = _word_table(tokenizer)
        with torch.inference_mode():
            logits = decoder.push(torch.tensor([list(ids)], device=device))
        self.first = self._probs(logits[0, -1])
        self._known: dict[Path, Continuation] = {}
        self._after: dict[Path, Tensor] = {}

    def _probs(self, logits: Tensor) -> Tensor:
        """Over the tokenizer's ids; a table may have rows behind them for no token."""
        return torch.softmax(logits.cpu().double(), dim=-1)[..., : self._tokenizer.largest_id + 1]

    def of(self, paths: Sequence[Path]) -> list[Continuation]:
        """The probability of each sequence of pieces, as the next word.

        Every number is NaN for one of more than ``MAX_PIECES``, and for one of none.
        """
        new = dict.fromkeys(p for p in paths if 0 < len(p) <= MAX_PIECES and p not in self._known)
        # Most words are one piece: beside longer ones they would be filled up to their length.
        for alike in ([p for p in new if len(p) == 1], [p for p in new if len(p) > 1]):
            for start in range(0, len(alike), ROWS):
                self._run(alike[start : start + ROWS])
        return [self._known.get(p) or _unknown(p) for p in paths]

    def _run(self, paths: Sequence[Path]) -> None:
        longest = max(map(len, paths))
        ids = torch.tensor([[*path] + [0] * (longest - len(path)) for path in paths])
        with torch.inference_mode():
            branches = self._text.fork([0] * len(paths), longest)
            logits = branches.push(ids.to(self._device))
        lengths = torch.tensor([len(path) for path in paths])
        real = torch.arange(longest) < lengths[:, None]
        each = self._probs(logits[real.to(logits.device)])  # (pieces of all paths, V)
        ends = (each @ (~self._inner).cpu().double()).tolist()
        for path, end, n in zip(paths, lengths.cumsum(0).tolist(), lengths.tolist(), strict=True):
            before = [self.first, *each[end - n : end - 1]]
            probs = tuple(float(p[i]) for p, i in zip(before, path, strict=True))
            self._known[path] = Continuation(path, probs, ends[end - 1])
            self._after[path] = each[end - 1]

    def likeliest(
        self, n: int, *, spaced: bool, asked: Sequence[Path] = (), max_runs: int = 512
    ) -> tuple[list[Continuation], bool]:
        """The ``n`` likeliest whole words, likeliest first, and whether none can have been missed.

        Best first: a sequence of pieces is never less likely than any word it
        begins, so the search may stop when the best open beginning is less
        likely than the n-th word found.

        Args:
            n: how many.
            spaced: a space stands before the word and belongs to its first piece.
            asked: what ``of`` will be asked for next: it runs beside the first beginnings, as the
                weights are read once for all of a batch.
            max_runs: beginnings to follow at most.
        """
        first = self._spaced if spaced else self._inner
        # No more of them can be followed, whatever else is found.
        open_, missed = _best(self.first, first, (), 1.0, max_runs + ROWS)
        heapq.heapify(open_)
        continuations: list[Continuation] = []
        runs, bar = 0, 0.0
        while open_ and -open_[0][0] > bar and runs < max_runs:
            # Until there are n words any beginning may be one of them; most of the likeliest are.
            most = min(ROWS, max(FEW, n - len(continuations) + SPARE))
            batch: list[tuple[float, Path]] = []
            while open_ and len(batch) < most and -open_[0][0] > bar:
                batch.append(heapq.heappop(open_))
            if not runs:
                self.of([*(path for _, path in batch), *asked])
            runs += len(batch)
            ways = self.of([path for _, path in batch])
            for (minus, path), continuation in zip(batch, ways, strict=True):
                if self.text(path) is not None:
                    continuations.append(continuation)
                if len(path) < MAX_PIECES:
                    further, left = _best(self._after[path], self._inner, path, -minus, WIDEST)
                    missed = max(missed, left)
                    for entry in further:
                        heapq.heappush(open_, entry)
            continuations.sort(key=lambda continuation: -continuation.prob)
            bar = continuations[n - 1].prob if len(continuations) >= n else 0.0
        best_left = max(missed, -open_[0][0] if open_ else 0.0)
        return continuations[:n], best_left <= bar

    def text(self, path: Path) -> str | None:
        """The word that some pieces spell; None when they are no word, or not cut as usual."""
        data = b"".join(self._tokenizer.token(i).data for i in path)
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return None
        word = text.removeprefix(" ")
        if not word or not all(map(is_word_character, word)):
            return None
        return word if tuple(self._tokenizer.encode(text, special=False)) == path else None

    def signs(self) -> dict[str, float]:
        """The probability of each punctuation mark as the next sign, a space before it or not.

        A token that begins with the mark counts whole: what follows is another sign.
        """
        shares: dict[str, float] = {}
        for i, sign in _signs(self._tokenizer):
            shares[sign] = shares.get(sign, 0.0) + float(self.first[i])
        return shares


def _unknown(path: Path) -> Continuation:
    """A word that the model was not run on."""
    return Continuation(path, (math.nan,) * len(path), math.nan)


def _best(
    probs: Tensor, allowed: Tensor, path: Path, so_far: float, n: int
) -> tuple[list[tuple[float, Path]], float]:
    """The n likeliest paths one piece longer, as heap entries; how likely the best left out is."""
    best = torch.where(allowed, probs, 0.0).topk(min(n + 1, len(probs)))
    shares = [so_far * p for p in best.values.tolist()]
    entries = [
        (-share, (*path, i))
        for share, i in zip(shares, best.indices.tolist(), strict=True)
        if share
    ]
    return entries[:n], shares[n] if len(shares) > n else 0.0


@lru_cache(maxsize=4)
def _signs(tokenizer: Tokenizer) -> tuple[tuple[int, str], ...]:
    """Ids of the tokens that begin with a punctuation mark, and the mark."""
    signs = []
    for i in range(tokenizer.largest_id + 1):
        token = tokenizer.token(i)
        text = token.data.decode(errors="ignore").removeprefix(" ")
        sign = text[:1]
        if sign and not token.special and sign.isprintable() and not is_word_character(sign):
            signs.append((i, sign))
    return tuple(signs)
