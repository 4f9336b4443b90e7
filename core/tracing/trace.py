"""The trace of one run: every recorded tensor as numpy. Nothing above this line sees torch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from core.errors import NoPartError, NoWeightsError, UnknownSiteError
from core.language import N_
from core.models.blueprint import Attention, Blueprint
from core.tracing.derived import DERIVED, made_from
from core.tracing.sites import Catalogue, Site, find
from core.tracing.source import SourceLine, source_line
from core.units import Character, Token, Unit

Array = NDArray[np.float32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Stream:
    """The positions of one stream.

    Attributes:
        units: what stands at each position; none where the model has no positions.
        written: the model wrote them itself, because it was given none.
        order: for each position which unit of what was given stands there; empty where all
            stand as they were given.
        n_padding: positions at the end that are padding.
    """

    units: tuple[Unit, ...]
    written: bool = False
    order: tuple[int, ...] = ()
    n_padding: int = 0

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The units of a text.

        Raises:
            NoPartError: they are others, such as the patches of a picture.
        """
        # A text's own marks are tokens, too, so the first unit says of what kind they all are.
        if self.units and type(self.units[0]) is not Token:
            raise NoPartError(N_("text"))
        return cast("tuple[Token, ...]", self.units)

    @property
    def ids(self) -> tuple[int, ...]:
        """The rows of the table that the units of a text have, its tokens or characters.

        Raises:
            NoPartError: they are others, such as the patches of a picture.
        """
        if self.units and not isinstance(self.units[0], Token | Character):
            raise NoPartError(N_("text"))
        return tuple(unit.id for unit in cast("tuple[Token | Character, ...]", self.units))


@dataclass(frozen=True, slots=True)
class LeftOut(Mapping[str, Array]):
    """In place of the weights of a model, in a trace that was stored.

    Raises:
        NoWeightsError: when one is asked for.
    """

    model: str

    def __getitem__(self, name: str) -> Array:
        raise NoWeightsError(self.model)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


@dataclass(frozen=True, eq=False, repr=False)
class Trace(Mapping[str, Array]):
    """What one run of a model computed. Immutable.

    ``trace["blocks.0.attn.weights"]`` is ``(H, Tq, Tk)``; there is no batch axis.

    Attributes:
        model: id of the model.
        blueprint: what the model is made of.
        config: its sizes.
        catalogue: every site the model has, by name, in the order of computation.
        streams: the positions of each stream, in the order in which they begin.
        masks: bool ``(Tq, Tk)``, True = may attend, as they were in force in each kind of
            attention.
        weights: the model's parameters under their names on disk, as numpy, read-only; a trace
            that was stored (pickled) has none.
        device, dtype: where and in what precision it ran.
        seconds: what the run took: a target that the model wrote first, then the forward pass.
        arrays: the recorded sites, in the order of computation.
    """

    model: str
    blueprint: Blueprint
    config: Any
    catalogue: Catalogue
    streams: Mapping[str, Stream]
    masks: Mapping[str, Mask]
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
        array = self.arrays.get(name)
        if array is not None:
            return array
        prefix, dot, last = name.rpartition(".")
        is_known = last in DERIVED and name in self.catalogue  # additive attention has no dots
        if not is_known or any(part not in self.arrays for part in made_from(name)):
            raise UnknownSiteError.near_to(name, self.arrays)
        return DERIVED[last][0](self, prefix + dot)

    def __iter__(self) -> Iterator[str]:
        return iter(self.arrays)

    def __len__(self) -> int:
        return len(self.arrays)

    def __eq__(self, other: object) -> bool:
        return self is other  # a run is what it is, whatever its numbers; a mapping would compare

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        """A line: its arrays would fill pages."""
        n_bytes = sum(array.nbytes for array in self.arrays.values())
        streams = ", ".join(f"{n} {name}" for name, n in self.lengths.items())
        sites = f"{len(self)} of {len(self.catalogue)} sites"
        return f"Trace({self.model!r}, {streams}: {sites}, {round(n_bytes / 1e6)} MB)"

    def __copy__(self) -> Trace:
        return self  # nothing in it changes

    def __getstate__(self) -> dict[str, Any]:
        """What is stored of it: all but the model's weights, which are 28 times as much."""
        return {**self.__dict__, "weights": LeftOut(self.model)}

    @property
    def lengths(self) -> dict[str, int]:
        """The positions of each stream, padding included."""
        return {name: len(stream.units) for name, stream in self.streams.items()}

    @property
    def main(self) -> Stream:
        """The stream that the model's answer is read from; the only one of most models."""
        return self.streams[self.blueprint.stream]

    @property
    def units(self) -> tuple[Unit, ...]:
        """What stands at the positions of the main stream."""
        return self.main.units

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens of the main stream.

        Raises:
            NoPartError: it has others, see ``Stream.tokens``.
        """
        return self.main.tokens

    @property
    def ids(self) -> tuple[int, ...]:
        """The tokens of the main stream as vocabulary ids.

        Raises:
            NoPartError: it has no tokens, see ``Stream.tokens``.
        """
        return self.main.ids

    @property
    def mask(self) -> Mask:
        """The mask of the main stream's attention to itself, ``(T, T)``, or to another stream."""
        return self.masks[self.attention("").name]

    def attention(self, name: str) -> Attention:
        """A kind of attention by its name; errors as ``Blueprint.attention``."""
        return self.blueprint.attention(name)

    def mask_at(self, prefix: str) -> Mask:
        """The mask in force where an attention's sites stand: "blocks.0.attn."."""
        return self.masks[self.blueprint.attention_at(prefix).name]

    def site(self, name: str) -> Site:
        """What the catalogue says of a site.

        Raises:
            UnknownSiteError: the model has no such site.
        """
        return find(self.catalogue, name)

    def source(self, name: str) -> SourceLine:
        """The line of code that computed a site.

        Raises:
            UnknownSiteError: the model has no such site.
        """
        return source_line(self.site(name))

    @property
    def nbytes(self) -> int:
        """What the recorded values take."""
        return sum(value.nbytes for value in self.arrays.values())
