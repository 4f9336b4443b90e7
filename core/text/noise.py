"""How a text is damaged so that a model learns to mend it: T5's spans and the five ways of BART.

Raffel et al. 2020 (T5), section 3.1.4 and figure 2; Lewis et al. 2020 (BART), section 2.2 and
figure 2. All work on the ids of a text without the model's marks around it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Noise = Literal["mask", "delete", "infill", "permute", "rotate"]
LAMBDA = 3.0  # tokens of a span that is filled in, on average


@dataclass(frozen=True, slots=True)
class Damaged:
    """A text that was damaged.

    Attributes:
        ids: what is left, and the marks put in.
        origin: for each of ``ids`` where it stood in the text; -1 for a mark.
        hidden: for each token of the text whether ``ids`` lacks it.
    """

    ids: Ints
    origin: Ints
    hidden: NDArray[np.bool_]


def _damaged(text: Ints, ids: Sequence[int], origin: Sequence[int]) -> Damaged:
    origins = np.array(origin, dtype=np.int64)
    hidden = np.ones(len(text), bool)
    hidden[origins[origins >= 0]] = False
    return Damaged(np.array(ids, dtype=np.int64), origins, hidden)


# --- T5 ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CorruptedSpans:
    """A text with spans cut out, and those spans.

    Attributes:
        source: the text, a sentinel in place of each span.
        target: each sentinel, and behind it its span; the next sentinel ends it.
        starts, ends: of the spans in the text.
    """

    source: Damaged
    target: Ints
    starts: Ints
    ends: Ints


def corrupt_spans(
    text: Ints,
    sentinels: Sequence[int],
    rng: np.random.Generator,
    *,
    rate: float = 0.15,
    mean: float = 3.0,
) -> CorruptedSpans:
    """Cut spans out of a text; how many tokens and spans follows from its length alone.

    Args:
        text: ids ``(n,)``, at least 2.
        sentinels: ids that stand for spans, in order; no more spans than they allow.
        rng: draws the spans: how long each is, and how far from the last one.
        rate: share of the tokens that is cut out.
        mean: tokens of a span on average.
    """
    n_hidden, n_spans = span_counts(len(text), rate=rate, mean=mean)
    n_spans = min(n_spans, len(sentinels) - 1)
    lengths = _parts(n_hidden, n_spans, rng)
    # What stays in sight stands before, between and after them; at the rims there may be nothing.
    gaps = _parts(len(text) - n_hidden + 2, n_spans + 1, rng) - ([1] + [0] * (n_spans - 1) + [1])
    starts = np.cumsum(gaps[:-1]) + np.concatenate(([0], np.cumsum(lengths)[:-1]))
    return cut_out(text, sentinels, starts, starts + lengths)


def span_counts(n: int, *, rate: float = 0.15, mean: float = 3.0) -> tuple[int, int]:
    """Of a text of n tokens: how many are hidden, and in how many spans."""
    n_hidden = min(max(1, round(n * rate)), n - 1)
    most = n - n_hidden + 1  # a token in sight stands between two spans
    return n_hidden, min(max(1, round(n_hidden / mean)), n_hidden, most)


def cut_out(text: Ints, sentinels: Sequence[int], starts: Ints, ends: Ints) -> CorruptedSpans:
    """Cut given spans out of a text, in order and apart from each other."""
    ids: list[int] = []
    origin: list[int] = []
    target: list[int] = []
    last = 0
    for sentinel, start, end in zip(sentinels, starts, ends, strict=False):
        ids += [*text[last:start], sentinel]
        origin += [*range(last, start), -1]
        target += [sentinel, *text[start:end]]
        last = end
    ids, origin = [*ids, *text[last:]], [*origin, *range(last, len(text))]
    target.append(sentinels[len(starts)])
    return CorruptedSpans(_damaged(text, ids, origin), np.array(target, np.int64), starts, ends)


def _parts(n: int, parts: int, rng: np.random.Generator) -> Ints:
    """Whole numbers from 1 on that add up to n, each way of it as likely as another."""
    cuts = np.sort(rng.choice(n - 1, parts - 1, replace=False)) + 1
    return np.diff(np.concatenate(([0], cuts, [n])))


# --- BART ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NoiseVocabulary:
    """What noise has to know of a vocabulary.

    Attributes:
        mask: the id that hides a token or span.
        ends_sentence: for each id whether a sentence ends with it.
    """

    mask: int
    ends_sentence: NDArray[np.bool_]


def mask(text: Ints, marks: NoiseVocabulary, rng: np.random.Generator, rate: float) -> Damaged:
    """A mark in place of single tokens."""
    chosen = _chosen(len(text), rate, rng)
    return _damaged(
        text, np.where(chosen, marks.mask, text).tolist(),
        np.where(chosen, -1, np.arange(len(text))).tolist(),
    )  # fmt: skip


def delete(text: Ints, _marks: NoiseVocabulary, rng: np.random.Generator, rate: float) -> Damaged:
    """Single tokens are gone: the model finds out where, too."""
    positions = np.flatnonzero(~_chosen(len(text), rate, rng))
    return _damaged(text, text[positions].tolist(), positions.tolist())


def infill(text: Ints, marks: NoiseVocabulary, rng: np.random.Generator, rate: float) -> Damaged:
    """One mark in place of each span, its length drawn from Poisson(3); some hide nothing."""
    budget, lengths = max(1, round(rate * len(text))), []
    while budget > 0:
        lengths.append(min(int(rng.poisson(LAMBDA)), budget))
        budget -= lengths[-1]
    # Spans and single tokens in sight in a random order; between two spans stands a token, if any.
    n_seen = len(text) - sum(lengths)
    lengths = lengths[: n_seen + 1]
    before = set(rng.choice(n_seen + 1, len(lengths), replace=False).tolist())
    ids: list[int] = []
    origin: list[int] = []
    position, spans = 0, iter(lengths)
    for place in range(n_seen + 1):
        if place in before:
            ids.append(marks.mask)
            origin.append(-1)
            position += next(spans)
        if position < len(text) and place < n_seen:
            ids.append(int(text[position]))
            origin.append(position)
            position += 1
    return _damaged(text, ids, origin)


def permute(text: Ints, marks: NoiseVocabulary, rng: np.random.Generator, _rate: float) -> Damaged:
    """Its sentences in another order."""
    ends = np.flatnonzero(marks.ends_sentence[text]) + 1
    pieces = [piece for piece in np.split(np.arange(len(text)), ends) if len(piece)]
    order = np.concatenate([pieces[i] for i in rng.permutation(len(pieces))])
    return _damaged(text, text[order].tolist(), order.tolist())


def rotate(text: Ints, _marks: NoiseVocabulary, rng: np.random.Generator, _rate: float) -> Damaged:
    """It begins in its middle, and what stood before comes last."""
    order = np.roll(np.arange(len(text)), -int(rng.integers(len(text))))
    return _damaged(text, text[order].tolist(), order.tolist())


def _chosen(n: int, rate: float, rng: np.random.Generator) -> NDArray[np.bool_]:
    chosen = np.zeros(n, bool)
    chosen[rng.choice(n, min(n, max(1, round(rate * n))), replace=False)] = True
    return chosen


NOISES: Mapping[Noise, Callable[[Ints, NoiseVocabulary, np.random.Generator, float], Damaged]] = {
    "mask": mask, "delete": delete, "infill": infill, "permute": permute, "rotate": rotate,
}  # fmt: skip
