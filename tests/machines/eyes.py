"""A machine that no file of the house knows: convolutions and a mean, nothing else.

Kernels of five by five over the picture, then over their maps, none made smaller; the mean of each
last map is all that its answer is made of. Its names are its own. Random weights; it is here to
see that nobody asks which machine it is.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.encoders import Encoders
from core.inputs import Batch, Input, Picture
from core.language import N_
from core.models.abilities import Ability
from core.models.blueprint import ONE_STREAM, Blueprint, Head
from core.models.picture_parts import ConvolutionalStem
from core.models.prepared import Prepared, batched
from core.reading import rows_of
from core.tracing.sites import Site, declared, within
from core.tracing.tap import NO_TAP, Tap


@dataclass(frozen=True, slots=True)
class EyesConfig:
    """The sizes, under names of its own."""

    width: int
    height: int
    kernels: tuple[int, ...]
    kinds: tuple[str, ...]
    side: int = 5
    channels: int = 1


class Eye(nn.Module):
    """Kernels that give a map each."""

    def __init__(self, n_in: int, n_out: int, side: int) -> None:
        super().__init__()
        self.kernels = nn.Conv2d(n_in, n_out, side, padding=side // 2, bias=False)

    def forward(self, maps: Tensor, tap: Tap = NO_TAP) -> Tensor:
        return tap("maps", F.gelu(self.kernels(maps)))

    def sites(self) -> tuple[Site, ...]:
        """What it taps."""
        letters = {"C": N_("C maps, one per kernel"), "Y": N_("Y rows"), "X": N_("X columns")}
        said = N_("What each kernel finds at each place.")
        return declared(type(self), Site("maps", ("C", "Y", "X"), "K x", said), letters=letters)


class Eyes(nn.Module):
    """The machine; ``forward`` gives logits ``(B, L)``."""

    abilities: frozenset[Ability] = frozenset({"classify_image"})
    takes: frozenset[type[Input]] = frozenset({Picture, Batch})

    def __init__(self, config: EyesConfig, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        sizes = (config.channels, *config.kernels)
        self.eyes = nn.ModuleList(
            Eye(n_in, n_out, config.side) for n_in, n_out in itertools.pairwise(sizes)
        )
        self.decide = nn.Linear(config.kernels[-1], len(config.kinds))
        for parameter in self.parameters():
            if parameter.ndim > 1 and not parameter.is_meta:
                nn.init.normal_(parameter, 0.0, 0.3, generator=generator)

    @property
    def blueprint(self) -> Blueprint:
        config = self.config
        n = len(config.kernels)
        eyes = ConvolutionalStem("eyes", ONE_STREAM, config.kernels, config.side, (1,) * n)
        head = Head("classify_image", "verdict", ONE_STREAM, eyes.output, labels=config.kinds)
        return Blueprint((eyes, head))

    def prepare(self, given: Input, encoders: Encoders) -> Prepared:
        rows = [{ONE_STREAM: row} for row in rows_of(given, encoders)]
        return batched(rows, (), pad_id=0, device=self.decide.weight.device)

    def observe(self, prepared: Prepared, tap: Tap) -> None:
        self(prepared.tensors[ONE_STREAM], tap=tap)

    def forward(self, pixels: Tensor, *, tap: Tap = NO_TAP) -> Tensor:
        maps = pixels.to(self.decide.weight)
        for i, eye in enumerate(self.eyes):
            maps = eye(maps, tap.at("eyes", i))
        return tap("verdict", self.decide(maps.mean(dim=(2, 3))))

    def sites(self) -> Iterator[Site]:
        for i, eye in enumerate(self.eyes):
            yield from within(f"eyes.{i}", eye.sites())  # type: ignore[operator]
        said = N_("One number for each kind, from the mean of each last map.")
        yield from declared(
            type(self), Site("verdict", ("L",), r"\ell", said), letters={"L": N_("L labels")}
        )
