"""A machine that no file of the house knows: it looks at pictures, and no tokenizer is near.

Squares of a picture become vectors by one matrix, with nothing before them and no word of where
they stood; blocks whose norms stand after the sums let them exchange information, and the mean of
all of them says which label it is. Its names are its own. Random weights; it is here to see that
nobody asks which machine it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from core.encoders import Encoders
from core.inputs import Batch, Input, Picture, Shuffled
from core.language import N_
from core.models.abilities import Ability
from core.models.blueprint import ONE_STREAM, Blueprint, Head, Stack
from core.models.picture_parts import PatchStem
from core.models.prepared import Prepared, batched
from core.nn.attention import MultiHeadAttention
from core.nn.blocks import PostNormBlock, stack_sites
from core.nn.feedforward import FeedForward
from core.nn.norms import LayerNorm
from core.reading import BatchRow, rows_of
from core.reading.shuffled import shuffled
from core.tracing.sites import Site, declared, within
from core.tracing.tap import NO_TAP, Tap
from core.tracing.trace import Stream
from core.units import Patch


@dataclass(frozen=True, slots=True)
class SeerConfig:
    """The sizes, under names of its own; pictures are as wide as they are high."""

    width: int
    height: int
    square: int
    size: int
    depth: int
    heads: int
    kinds: tuple[str, ...]
    channels: int = 1


class Squares(nn.Module):
    """A picture cut into squares, each projected by one matrix."""

    def __init__(self, config: SeerConfig) -> None:
        super().__init__()
        self.side = config.square
        self.project = nn.Linear(config.channels * config.square**2, config.size)

    def cut(self, pixels: Tensor) -> Tensor:
        """``(B, C, height, width) -> (B, N, C, side, side)``."""
        squares = pixels.unfold(2, self.side, self.side).unfold(3, self.side, self.side)
        return squares.permute(0, 2, 3, 1, 4, 5).flatten(1, 2)

    def forward(self, squares: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """``(B, N, C, side, side) -> (B, N, D)``."""
        return tap("patches", self.project(squares.flatten(2)))

    def sites(self) -> tuple[Site, ...]:
        """What it taps."""
        said = N_("Each square's pixels, multiplied by one matrix.")
        return declared(type(self), Site("patches", ("T", "D"), "W x", said))


class Seer(nn.Module):
    """The machine; ``forward`` gives logits ``(B, L)``."""

    abilities: frozenset[Ability] = frozenset({"classify_image"})
    takes: frozenset[type[Input]] = frozenset({Picture, Shuffled, Batch})

    def __init__(self, config: SeerConfig, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.sees = Squares(config)
        self.blocks = nn.ModuleList(
            PostNormBlock(
                attn=MultiHeadAttention(config.size, config.heads),
                ffn=FeedForward(config.size, 2 * config.size, "relu"),
                ln_1=LayerNorm(config.size),
                ln_2=LayerNorm(config.size),
            )
            for _ in range(config.depth)
        )
        self.decide = nn.Linear(config.size, len(config.kinds))
        for parameter in self.parameters():
            if parameter.ndim > 1 and not parameter.is_meta:
                nn.init.normal_(parameter, 0.0, 0.3, generator=generator)

    @property
    def blueprint(self) -> Blueprint:
        config, n = self.config, self.config.width // self.config.square
        stack = Stack(
            name="blocks", prefix="blocks", stream=ONE_STREAM, n_layers=config.depth,
            d_model=config.size, n_heads=config.heads, d_head=config.size // config.heads,
            d_ff=2 * config.size, norm="layer", eps=1e-5, arrangement="post", activation="relu",
            gated=False, causal=False, cross=None,
        )  # fmt: skip
        squares = PatchStem(
            "sees", ONE_STREAM, config.square, n, n, config.channels, "", None, None
        )
        head = Head("classify_image", "verdict", ONE_STREAM, stack.output, labels=config.kinds)
        return Blueprint((squares, stack, head))

    def prepare(self, given: Input, encoders: Encoders) -> Prepared:
        rows = [{ONE_STREAM: self._placed(row)} for row in rows_of(given, encoders)]
        device = self.decide.weight.device
        return batched(rows, self.blueprint.attentions, pad_id=0, device=device)

    def _placed(self, row: BatchRow) -> BatchRow:
        n = self.config.width // self.config.square
        units = tuple(Patch(*divmod(at, n)) for at in range(n * n))
        if row.shuffle is None:
            return replace(row, stream=Stream(units))
        assert row.pixels is not None
        order = shuffled(units, row.shuffle)
        squares = self.sees.cut(row.pixels[None])[0, list(order)]
        joined = squares.unflatten(0, (n, n)).permute(2, 0, 3, 1, 4).flatten(3).flatten(1, 2)
        stream = Stream(tuple(units[at] for at in order), order=order)
        return replace(row, stream=stream, pixels=joined)

    def observe(self, prepared: Prepared, tap: Tap) -> None:
        self(prepared.tensors[ONE_STREAM], mask=prepared.mask("self"), tap=tap)

    def forward(self, pixels: Tensor, *, mask: Tensor | None = None, tap: Tap = NO_TAP) -> Tensor:
        x = self.sees(self.sees.cut(pixels.to(self.decide.weight)), tap.at("sees"))
        for i, block in enumerate(self.blocks):
            x = block(x, mask=mask, tap=tap.at("blocks", i))
        return tap("verdict", self.decide(x.mean(dim=1)))

    def sites(self) -> Iterator[Site]:
        yield from within("sees", self.sees.sites())
        yield from stack_sites(self.blocks, ONE_STREAM)
        said = N_("One number for each kind, from the mean of all squares.")
        yield from declared(
            type(self), Site("verdict", ("L",), r"\ell", said), letters={"L": N_("L labels")}
        )
