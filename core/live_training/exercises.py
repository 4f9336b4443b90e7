"""What a small Transformer can learn while one watches: copy, reverse, sort, add, or a text.

One sequence in ten is never trained on, by a rule over its symbols: what is held out is new.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from core.errors import ParameterError
from core.language import N_, Phrase

LETTERS = "ABCDEFGHIJKLMNOPQRST"
LENGTH, DIGITS, BASE = 10, 2, 10  # symbols of a sequence; digits of a number
HOLDS_OUT = 10  # one in so many
OTHER, MOST_SYMBOLS, SHORTEST = "□", 47, 300  # of a text of one's own
_NO_MARKS = str.maketrans("^|", OTHER * 2)  # which stand for start and end


@dataclass(frozen=True, slots=True)
class SequenceExercise:
    """One kind of sequences.

    Attributes:
        symbols: what they are made of; the marks for start and end come behind.
        n_source, n_target: symbols of each, without marks.
        draw: so many pairs from a generator, that are held out or that are not: sources
            ``(n, n_source)`` and targets ``(n, n_target)``.
    """

    symbols: str
    n_source: int
    n_target: int
    draw: Callable[[int, torch.Generator, bool], tuple[Tensor, Tensor]]

    @property
    def start(self) -> int:
        """The id of the mark that a target begins with."""
        return len(self.symbols)

    @property
    def end(self) -> int:
        """The id of the mark that ends source and target."""
        return len(self.symbols) + 1

    def rows(self, n: int, drawn: torch.Generator, *, held: bool) -> tuple[Tensor, Tensor, Tensor]:
        """What the encoder reads, what the decoder reads, and what it should say after each."""
        source, target = self.draw(n, drawn, held)
        end, start = torch.full((n, 1), self.end), torch.full((n, 1), self.start)
        return (
            torch.cat([source, end], dim=1),
            torch.cat([start, target], dim=1),
            torch.cat([target, end], dim=1),
        )


def _of(
    symbols: str,
    n_source: int,
    n_target: int,
    random: Callable[[int, torch.Generator], Tensor],
    solve: Callable[[Tensor], Tensor],
) -> SequenceExercise:
    """An exercise whose sources are drawn at random, and whose targets follow from them."""

    def draw(n: int, drawn: torch.Generator, held: bool) -> tuple[Tensor, Tensor]:
        rows: list[Tensor] = []
        while sum(map(len, rows)) < n:
            some = random(HOLDS_OUT * n if held else 2 * n, drawn)
            rows.append(some[_is_held(some) == held])
        source = torch.cat(rows)[:n]
        return source, solve(source)

    return SequenceExercise(symbols, n_source, n_target, draw)


def of_text(text: str) -> SequenceExercise:
    """To continue a text: from ten characters to the next ten. Its last tenth is held out.

    Raises:
        ParameterError: it is too short.
    """
    plain = " ".join(text.split()).translate(_NO_MARKS)
    if len(plain) < SHORTEST:
        raise ParameterError(
            "text", text[:40], Phrase(N_("at least {n} characters long"), n=SHORTEST)
        )
    often = [symbol for symbol, _n in Counter(plain).most_common(MOST_SYMBOLS) if symbol != OTHER]
    symbols = "".join(sorted(often)) + OTHER
    ids = torch.tensor([symbols.find(char) for char in plain])
    windows = torch.where(ids < 0, len(symbols) - 1, ids).unfold(0, 2 * LENGTH, 1)
    last = len(windows) - len(plain) // HOLDS_OUT  # of what begins before, nothing reaches it

    def draw(n: int, drawn: torch.Generator, held: bool) -> tuple[Tensor, Tensor]:
        some = windows[last:] if held else windows[: last - 2 * LENGTH]
        rows = some[torch.randint(len(some), (n,), generator=drawn)]
        return rows[:, :LENGTH], rows[:, LENGTH:]

    return SequenceExercise(symbols, LENGTH, LENGTH, draw)


def _is_held(source: Tensor) -> Tensor:
    """Whether each of the sequences ``(n, S)`` is held out."""
    weights = 2 * torch.arange(source.shape[1]) + 1
    return (source * weights).sum(dim=1) % HOLDS_OUT == HOLDS_OUT - 1


def _letters(n: int, drawn: torch.Generator) -> Tensor:
    return torch.randint(len(LETTERS), (n, LENGTH), generator=drawn)


def _sums(n: int, drawn: torch.Generator) -> Tensor:
    """Two numbers with a plus between them, digit by digit."""
    digits = torch.randint(BASE, (n, 2, DIGITS), generator=drawn)
    plus = torch.full((n, 1), BASE)
    return torch.cat([digits[:, 0], plus, digits[:, 1]], dim=1)


def _added(source: Tensor) -> Tensor:
    """Their sum, the last digit first, as one adds by hand."""
    powers = BASE ** torch.arange(DIGITS - 1, -1, -1)
    total = (source[:, :DIGITS] * powers).sum(1) + (source[:, DIGITS + 1 :] * powers).sum(1)
    return torch.stack([total // BASE**n % BASE for n in range(DIGITS + 1)], dim=1)


def _same(source: Tensor) -> Tensor:
    return source


def _reversed(source: Tensor) -> Tensor:
    return source.flip(1)


def _sorted(source: Tensor) -> Tensor:
    return source.sort(dim=1).values


EXERCISES: Mapping[str, SequenceExercise] = {
    "reverse": _of(LETTERS, LENGTH, LENGTH, _letters, _reversed),
    "copy": _of(LETTERS, LENGTH, LENGTH, _letters, _same),
    "sort": _of(LETTERS, LENGTH, LENGTH, _letters, _sorted),
    "add": _of("0123456789+", 2 * DIGITS + 1, DIGITS + 1, _sums, _added),
}
