"""The trace of one run: every recorded tensor as numpy. Nothing above this line sees torch."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import UnknownSiteError
from core.models.topology import Topology
from core.text.tokenizer import Token

Array = NDArray[np.float32]


def _dots(trace: Trace, prefix: str) -> Array:
    return np.matmul(trace[prefix + "q"], trace[prefix + "k"].swapaxes(-1, -2))


def _scores_masked(trace: Trace, prefix: str) -> Array:
    return np.where(trace.mask, trace[prefix + "scores"], np.float32(-np.inf))


# Sites that follow from recorded ones are made when asked for, so they cost a run nothing.
_DERIVED: dict[str, tuple[Callable[[Trace, str], Array], tuple[str, ...]]] = {
    "dots": (_dots, ("q", "k")),
    "scores_masked": (_scores_masked, ("scores",)),
}


def made_from(name: str) -> tuple[str, ...]:
    """The recorded sites that a site follows from; a recorded one's own name."""
    prefix, dot, last = name.rpartition(".")
    return tuple(prefix + dot + part for part in _DERIVED[last][1]) if last in _DERIVED else (name,)


def derived_sites(recorded: Collection[str]) -> tuple[str, ...]:
    """The sites that follow from recorded ones."""
    prefixes = dict.fromkeys(name[: name.rfind(".") + 1] for name in recorded)
    names = (prefix + last for prefix in prefixes for last in _DERIVED)
    return tuple(name for name in names if all(part in recorded for part in made_from(name)))


@dataclass(frozen=True, eq=False)
class Trace(Mapping[str, Array]):
    """What one run of a model on one text computed. Immutable.

    ``trace["blocks.0.attn.weights"]`` is ``(H, Tq, Tk)``; there is no batch axis.

    Attributes:
        model: id of the model.
        topology: what the model is made of.
        config: its sizes.
        tokens: the input, token by token.
        mask: bool ``(Tq, Tk)``, True = may attend, as it was in force.
        weights: the model's parameters under their names on disk, as numpy, read-only.
        device, dtype: where and in what precision it ran.
        seconds: what the forward pass took.
        arrays: the recorded sites, in the order of computation.
    """

    model: str
    topology: Topology
    config: Any
    tokens: tuple[Token, ...]
    mask: NDArray[np.bool_]
    weights: Mapping[str, Array]
    device: str
    dtype: str
    seconds: float
    arrays: Mapping[str, Array]

    def __getitem__(self, name: str) -> Array:
        """The values at a site.

        Raises:
            UnknownSiteError: neither recorded nor derived from what was.
        """
        found = self.arrays.get(name)
        if found is not None:
            return found
        prefix, dot, last = name.rpartition(".")
        if last not in _DERIVED or any(part not in self.arrays for part in made_from(name)):
            raise UnknownSiteError(name, difflib.get_close_matches(name, self.arrays, 3))
        return _DERIVED[last][0](self, prefix + dot)

    def __iter__(self) -> Iterator[str]:
        return iter(self.arrays)

    def __len__(self) -> int:
        return len(self.arrays)

    def __eq__(self, other: object) -> bool:
        return self is other  # a run is what it is, whatever its numbers; a mapping would compare

    def __hash__(self) -> int:
        return id(self)

    @property
    def ids(self) -> tuple[int, ...]:
        """The input as vocabulary ids."""
        return tuple(token.id for token in self.tokens)

    @property
    def nbytes(self) -> int:
        """What the recorded values take."""
        return sum(value.nbytes for value in self.arrays.values())
