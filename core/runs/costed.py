"""What comes back when costs are counted and measured: parameters, times, logits. No torch."""

from __future__ import annotations

from dataclasses import dataclass

from core.analysis.costs import Machine
from core.sizes import OBJECT, held
from core.units import Token


@dataclass(frozen=True, slots=True)
class Shelved:
    """A Transformer of the shelf.

    Attributes:
        model: its id.
        machine: its shape, from its sizes alone.
        counted: the numbers that it holds, by part (``core.analysis.costs.PARTS``).
    """

    model: str
    machine: Machine
    counted: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class ShelfCosts:
    """All of them, and what else is on the shelf.

    Attributes:
        machines: in the order of their names.
        others: ids of models that are no Transformers.
    """

    machines: tuple[Shelved, ...]
    others: tuple[str, ...]

    @property
    def nbytes(self) -> int:
        return held(self.machines, self.others) + OBJECT


@dataclass(frozen=True, slots=True)
class Times:
    """How long attention takes, by the length of what is read: the shortest of a few runs.

    Attributes:
        lengths: positions.
        alone: seconds of attention to itself, without projections.
        masked: the same under a causal mask.
        cross: so many queries on a source of one length.
        layer: a whole layer: projections, attention and feed-forward.
        machine: the shape of the layer.
        n_source: positions of that source.
    """

    lengths: tuple[int, ...]
    alone: tuple[float, ...]
    masked: tuple[float, ...]
    cross: tuple[float, ...]
    layer: tuple[float, ...]
    machine: Machine
    n_source: int

    @property
    def nbytes(self) -> int:
        return held(self.lengths, self.alone, self.masked, self.cross, self.layer,
                    self.machine) + OBJECT  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cached:
    """One text, token after token: over a cache, and each time from its beginning.

    Attributes:
        tokens: of the text.
        machine: the shape of the model.
        kept: bytes in the cache after each token.
        difference: of the logits after each token, at most.
        exact: the same where both compute in 64 bits.
        largest: size of a logit, at most.
        seconds: of all tokens over the cache, and of all tokens without it.
    """

    tokens: tuple[Token, ...]
    machine: Machine
    kept: tuple[int, ...]
    difference: tuple[float, ...]
    exact: tuple[float, ...]
    largest: float
    seconds: tuple[float, float]

    @property
    def nbytes(self) -> int:
        return held(self.tokens, self.machine, self.kept, self.difference, self.exact,
                    self.seconds) + OBJECT  # fmt: skip
