"""A word's vector from its letters: convolutions of several widths, the largest of each, a highway.

Kim et al. 2016 ("Character-aware neural language models"), sections 2.2 and 2.3, as Peters et al.
2018 take it over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor, nn

from core.language import N_
from core.tracing.sites import Site, declared, within
from core.tracing.tap import NO_TAP, Tap


class Highway(nn.Module):
    """A layer that lets each number pass by, as far as a gate says so.

    Srivastava et al. 2015, equation (3); Kim et al. 2016, equation (8):
    z = t * relu(W y + b) + (1 - t) * y.

    Args:
        width: of what it reads and writes.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.w = nn.Linear(width, width)
        self.w_gate = nn.Linear(width, width)

    def forward(self, y: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """``(..., K) -> (..., K)``."""
        gate = tap("gate", torch.sigmoid(self.w_gate(y)))
        return tap("out", gate * torch.relu(self.w(y)) + (1 - gate) * y)

    def sites(self) -> tuple[Site, ...]:
        """What it taps, in the order of computation."""
        return declared(
            type(self),
            Site("gate", ("T", "K"), r"t", N_("The highway's gate: how much of the new numbers "
                                              "takes the place of the old ones.")),
            Site("out", ("T", "K"), r"z", N_("What leaves the highway: new numbers and old ones, "
                                             "mixed by the gate.")),
        )  # fmt: skip


class SpeltWords(nn.Module):
    """Vectors of words from the rows of their characters.

    Kim et al. 2016, equations (5) and (6): every filter of width w looks at w characters at a
    time, and the largest number that it finds in the word counts. A projection follows the
    highway, as in Peters et al. 2018, section 3.4.

    Args:
        n_letters: rows of the table of characters; row 0 is padding.
        d_letter: width of a character's row.
        filters: how many there are of width 1, 2, 3, ...
        d_model: width of a word's vector.
    """

    def __init__(self, n_letters: int, d_letter: int, filters: Sequence[int], d_model: int) -> None:
        super().__init__()
        self.letters = nn.Embedding(n_letters, d_letter)
        self.filters = nn.ModuleList(
            nn.Linear(width * d_letter, n) for width, n in enumerate(filters, 1)
        )
        self.highway = Highway(sum(filters))
        self.project = nn.Linear(sum(filters), d_model)

    def forward(self, letters: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """``(B, T, W)`` rows of characters, 0 on padding, to ``(B, T, D)``."""
        letters = letters.to(self.letters.weight.device)
        n_real = (letters != 0).sum(-1)
        # Columns that no word fills change nothing; a filter needs as many as it is wide.
        columns = max(int(n_real.max()) if n_real.numel() else 0, len(self.filters))
        missing = columns - letters.shape[-1]
        letters = (
            nn.functional.pad(letters, (0, missing)) if missing > 0 else letters[..., :columns]
        )
        x = tap("letters", self.letters(letters))  # (B, T, W, E)
        strongest = [self._largest(x, n_real, width) for width in range(1, len(self.filters) + 1)]
        y = tap("found", torch.relu(torch.cat(strongest, dim=-1)))
        return tap("tokens", self.project(self.highway(y, tap.at("highway"))))

    def _largest(self, x: Tensor, n_real: Tensor, width: int) -> Tensor:
        """What the filters of a width find at most in each word, ``(B, T, filters)``.

        They stand at every place where all that they see is the word's, and at its beginning.
        """
        windows = x.unfold(2, width, 1).transpose(-1, -2).flatten(-2)  # (B, T, places, width E)
        responses = self.filters[width - 1](windows)
        places = torch.arange(responses.shape[2], device=x.device)
        last = (n_real - width).clamp(min=0)[..., None]
        return responses.masked_fill((places > last)[..., None], -torch.inf).amax(2)

    def sites(self) -> Iterator[Site]:
        """What it taps, in the order of computation."""
        letters, found, tokens = declared(
            type(self),
            Site("letters", ("T", "W", "E"), r"c_{t,j}", N_("The row of each of a word's "
                                                            "characters.")),
            Site("found", ("T", "K"), r"\max_j", N_("What each filter finds at most in the word: "
                                                    "the largest of its numbers, or 0.")),
            Site("tokens", ("T", "D"), r"x_t", N_("Each word's vector, made from its letters and "
                                                  "from nothing else.")),
        )  # fmt: skip
        yield letters
        yield found
        yield from within("highway", self.highway.sites())
        yield tokens


# What the letters of its shapes stand for, wherever it is a part.
LETTERS = {
    "W": N_("W characters of a word"),
    "E": N_("E numbers of a character"),
    "K": N_("K filters"),
}
