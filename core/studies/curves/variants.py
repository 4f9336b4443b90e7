"""Which small models are trained for their curves, and with what budget: plain data.

Nothing but what a variant names differs from the others of its kind: the same first weights where
the shapes agree, the same rows in the same order, the same steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.shaped.shapes import SHAPES, BlockShape

VOCABULARY, LENGTH = 512, 64
DEEP = 12  # layers


@dataclass(frozen=True, slots=True)
class Budget:
    """What every variant gets.

    Attributes:
        steps: of AdamW.
        rows: of each.
        rate: of learning, after the warm-up.
        warmup: steps in which the rate grows.
        every: so many steps a loss is measured.
    """

    steps: int = 500
    rows: int = 16
    rate: float = 2e-3
    warmup: int = 50
    every: int = 25


@dataclass(frozen=True, slots=True)
class SmallGPTVariant:
    """A decoder of 64 components that learns to continue stories.

    Attributes:
        shape: of its blocks.
        n_layers: how many.
        scaled, positions, wrong_axis: as of ``SmallGPTConfig``.
        causal: each position sees none after it.
    """

    shape: BlockShape
    n_layers: int = 4
    scaled: bool = True
    positions: bool = True
    wrong_axis: bool = False
    causal: bool = True


@dataclass(frozen=True, slots=True)
class SmallTranslatorVariant:
    """A Transformer with two layers on each side that learns to translate short sentences.

    Attributes:
        smoothing: of the expected token's probability, the share that all tokens get alike.
        masked: the padding of the source may not be attended to.
    """

    smoothing: float = 0.0
    masked: bool = True


_GPT = SmallGPTVariant(SHAPES["a"])
VARIANTS: Mapping[str, SmallGPTVariant | SmallTranslatorVariant] = {
    **{name: replace(_GPT, shape=shape) for name, shape in SHAPES.items()},
    "deep": replace(_GPT, n_layers=DEEP),
    "deep_post": replace(_GPT, n_layers=DEEP, shape=SHAPES["post"]),
    "no_residual": replace(_GPT, shape=BlockShape(residual=False)),
    "unscaled": replace(_GPT, scaled=False),
    "no_positions": replace(_GPT, positions=False),
    "leak": replace(_GPT, causal=False),
    "wrong_axis": replace(_GPT, wrong_axis=True),
    "translator": SmallTranslatorVariant(),
    "smoothed": SmallTranslatorVariant(smoothing=0.1),
    "no_padding_mask": SmallTranslatorVariant(masked=False),
}
