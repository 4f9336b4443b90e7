"""A unigram vocabulary learned from a text, with every round on record.

Kudo 2018, section 3.2: begin with many substrings of the text; by expectation maximisation find
probabilities that make the text likely; then let go of the entries that the text would lose least
without; again, until so few are left as were asked for. Letters always stay, so that every word
can be written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log, log1p

from core.sizes import held
from core.text.bpe import split_words
from core.text.lattice import WordEdges
from core.text.learning import in_parts, learnt_from
from core.text.marks import SPACE
from core.text.unigram import Unigram

MAX_SEEDS, MAX_PIECE = 600, 12  # entries to begin with; letters of one
KEPT = 0.8  # of the entries, in every round, as in the paper
ITERATIONS = 2  # of expectation maximisation in a round, as in SentencePiece
SURE = 0.99  # a share of which too few digits are left when it is taken from 1
LEAST = 1e-6  # an expected count below which a letter is not let sink: its logarithm is asked for


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the vocabulary in one round.

    Attributes:
        piece: as it is spelt.
        probability: after the round's expectation maximisation.
        expected: how often it stands in the text, over all segmentations by their probability.
        loss: by how many bits the text would become longer without it; None for a letter.
        kept: it is in the next round, too.
    """

    piece: str
    probability: float
    expected: float
    loss: float | None
    kept: bool


@dataclass(frozen=True, slots=True)
class Round:
    """Expectation maximisation, and what was let go of after it.

    Attributes:
        entries: the most probable one first.
        bits: the text's, before each iteration and after the last: −log₂ of its probability.
        cuts: for each distinct word the most probable segmentation.
    """

    entries: tuple[Entry, ...]
    bits: tuple[float, ...]
    cuts: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, eq=False)
class UnigramTraining:
    """What was learned from a text, round by round.

    Attributes:
        text: what was learned from.
        cut: what was too much.
        words: the distinct words and how often each stands in the text, most frequent first; a
            space is written as SentencePiece does.
        rounds: the last one lets go of nothing.
        code: the vocabulary at the end.
    """

    text: str
    cut: str
    words: tuple[tuple[str, int], ...]
    rounds: tuple[Round, ...]
    code: Unigram

    @property
    def nbytes(self) -> int:
        """What it takes in memory."""
        return held(self.text, self.cut, self.words, self.rounds, self.code)


def spaced(word: str) -> str:
    """A word with its leading space as SentencePiece writes it."""
    return word.replace(" ", SPACE)


def learn_unigram(corpus: str, pieces: int) -> UnigramTraining:
    """Learn a vocabulary and keep every round on the way.

    Args:
        corpus: only its beginning is used (``learnt_from``).
        pieces: entries to stop at; the letters of the text stay even if they are more.
    """
    text, cut = learnt_from(corpus)
    counted = Counter(map(spaced, in_parts(split_words(text)))).most_common()
    probabilities = _seeds(counted)
    rounds: list[Round] = []
    while True:
        rounds.append(_round(counted, probabilities, pieces))
        entries = [entry for entry in rounds[-1].entries if entry.kept]
        total = sum(entry.probability for entry in entries)
        probabilities = {entry.piece: entry.probability / total for entry in entries}
        if len(entries) == len(rounds[-1].entries):
            return UnigramTraining(text, cut, tuple(counted), tuple(rounds), coded(probabilities))


def coded(probabilities: Mapping[str, float]) -> Unigram:
    """The vocabulary of some probabilities; the most probable entry has the first id."""
    order = sorted(probabilities, key=lambda piece: (-probabilities[piece], piece))
    return Unigram(
        {piece: log(probabilities[piece]) for piece in order}, {p: n for n, p in enumerate(order)}
    )


def _seeds(counted: Sequence[tuple[str, int]]) -> dict[str, float]:
    """Every letter, and the substrings of words that occur twice: by count times length."""
    letters: Counter[str] = Counter()
    longer: Counter[str] = Counter()
    for word, count in counted:
        for start in range(len(word)):
            letters[word[start]] += count
            for end in range(start + 2, min(len(word), start + MAX_PIECE) + 1):
                longer[word[start:end]] += count
    weighed = {piece: n * len(piece) for piece, n in longer.items() if n > 1}
    order = sorted(weighed, key=lambda piece: (-weighed[piece], piece))
    weights = dict(letters) | {piece: weighed[piece] for piece in order[:MAX_SEEDS]}
    total = sum(weights.values())
    return {piece: n / total for piece, n in weights.items()}


def _round(
    counted: Sequence[tuple[str, int]], probabilities: Mapping[str, float], pieces: int
) -> Round:
    bits: list[float] = []
    expected: dict[str, float] = {}
    for _iteration in range(ITERATIONS):
        expected, nats = expectation(counted, coded(probabilities))
        bits.append(nats / log(2))
        total = sum(expected.values())
        probabilities = {piece: n / total for piece, n in expected.items()}
    code = coded(probabilities)
    lattices = [(code.lattice(word), count) for word, count in counted]
    bits.append(-sum(count * lattice.log_total for lattice, count in lattices) / log(2))
    losses = _losses(lattices, [piece for piece in probabilities if len(piece) > 1])
    order = sorted(losses, key=lambda piece: (-losses[piece], -probabilities[piece], piece))
    n_letters = len(probabilities) - len(order)
    room = max(0, pieces - n_letters)
    stay = set(order[: max(room, int(KEPT * len(probabilities)) - n_letters)])
    entries = [
        Entry(piece, p, expected[piece], losses.get(piece), piece in stay or len(piece) == 1)
        for piece, p in sorted(probabilities.items(), key=lambda item: (-item[1], item[0]))
    ]
    cuts = tuple(tuple(edge.piece for edge in lattice.path) for lattice, _count in lattices)
    return Round(tuple(entries), tuple(bits), cuts)


def expectation(
    counted: Sequence[tuple[str, int]], code: Unigram
) -> tuple[dict[str, float], float]:
    """How often each entry is expected in the text, and −log of the text's probability.

    The sum over all segmentations of a word is worked out forward and backward, not one by one.
    """
    counts = dict.fromkeys(code.scores, LEAST)
    nats = 0.0
    for word, count in counted:
        lattice = code.lattice(word)
        nats -= count * lattice.log_total
        for edge, share in zip(lattice.edges, lattice.posteriors(), strict=True):
            counts[edge.piece] += count * share
    return counts, nats


def _losses(lattices: Sequence[tuple[WordEdges, int]], pieces: Sequence[str]) -> dict[str, float]:
    """By how many bits the text would become longer without each of some entries.

    Of an entry that stands in a word once, the other segmentations have what its own leave.
    """
    losses = dict.fromkeys(pieces, 0.0)
    for lattice, count in lattices:
        shares: dict[str, list[float]] = {}
        for edge, share in zip(lattice.edges, lattice.posteriors(), strict=True):
            if edge.piece in losses:
                shares.setdefault(edge.piece, []).append(share)
        for piece, of_piece in shares.items():
            if len(of_piece) == 1 and of_piece[0] < SURE:
                losses[piece] -= count * log1p(-of_piece[0]) / log(2)
            else:
                less = lattice.log_total - lattice.without(piece).log_total
                losses[piece] += count * max(0.0, less) / log(2)
    return losses
