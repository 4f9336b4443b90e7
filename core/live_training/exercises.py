"""What a small Transformer can learn while one watches: copy, reverse, sort, add.

One sequence in ten is never trained on, by a rule over its symbols: what is held out is new.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

LETTERS = "ABCDEFGHIJKLMNOPQRST"
LENGTH, DIGITS, BASE = 10, 2, 10  # symbols of a sequence; digits of a number
HOLDS_OUT = 10  # one in so many


@dataclass(frozen=True, slots=True)
class Exercise:
    """One kind of sequences.

    Attributes:
        symbols: what they are made of; the marks for start and end come behind.
        n_source, n_target: symbols of each, without marks.
        draw: so many sources from a generator, ``(n, n_source)``.
        solve: their targets, ``(n, n_target)``.
    """

    symbols: str
    n_source: int
    n_target: int
    draw: Callable[[int, torch.Generator], Tensor]
    solve: Callable[[Tensor], Tensor]

    @property
    def start(self) -> int:
        """The id of the mark that a target begins with."""
        return len(self.symbols)

    @property
    def end(self) -> int:
        """The id of the mark that ends source and target."""
        return len(self.symbols) + 1

    def sources(self, n: int, drawn: torch.Generator, *, held: bool) -> Tensor:
        """So many that are trained on, or that are not."""
        found: list[Tensor] = []
        while sum(map(len, found)) < n:
            some = self.draw(HOLDS_OUT * n if held else 2 * n, drawn)
            found.append(some[_is_held(some) == held])
        return torch.cat(found)[:n]

    def rows(self, source: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """What the encoder reads, what the decoder reads, and what it should say after each."""
        target = self.solve(source)
        end = torch.full((len(source), 1), self.end)
        start = torch.full((len(source), 1), self.start)
        return (
            torch.cat([source, end], dim=1),
            torch.cat([start, target], dim=1),
            torch.cat([target, end], dim=1),
        )


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


EXERCISES: Mapping[str, Exercise] = {
    "reverse": Exercise(LETTERS, LENGTH, LENGTH, _letters, _reversed),
    "copy": Exercise(LETTERS, LENGTH, LENGTH, _letters, _same),
    "sort": Exercise(LETTERS, LENGTH, LENGTH, _letters, _sorted),
    "add": Exercise("0123456789+", 2 * DIGITS + 1, DIGITS + 1, _sums, _added),
}
