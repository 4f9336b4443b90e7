"""From noise to pictures: small steps along the velocity, with guidance by the text."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from core.digits.network import SIDE, Drawer
from core.digits.reading import padded
from core.seeds import checked_seed
from core.tracing.tap import NO_TAP, Recorder, Tap

STEPS = 24  # of one drawing


@dataclass(frozen=True, eq=False)
class PicturesSoFar:
    """Pictures on their way.

    Attributes:
        frames: from noise to picture, ``(steps + 1, N, 28, 28)``; black is -1 and white 1.
        weights: by the name of the reading (``core.digits.network.READINGS``): attention of each
            step, ``(steps, N, heads, places, S)``; empty where it was not asked for.
    """

    frames: Tensor
    weights: dict[str, Tensor]


def guided(text: Tensor, empty: Tensor, guidance: float) -> Tensor:
    """Classifier-free guidance: empty + g (text - empty).

    Ho & Salimans 2022; as Saharia et al. 2022 (Imagen), equation (2), write it.

    Args:
        text, empty: what the network says with the text and without it.
        guidance: g; 0 goes by no text, 1 by the text as it was learned, more exaggerates it.
    """
    return empty + guidance * (text - empty)


def noise(n: int, seed: int, dtype: torch.dtype = torch.float32) -> Tensor:
    """What pictures begin as, ``(n, 1, 28, 28)``: the same for a seed.

    Raises:
        ParameterError: the seed is none.
    """
    generator = torch.Generator().manual_seed(checked_seed(seed))
    return torch.randn(n, 1, SIDE, SIDE, generator=generator).to(dtype)


@torch.inference_mode()
def draw(
    drawer: Drawer, begin: Tensor, texts: list[Tensor], empty: Tensor, guidance: float, *,
    steps: int = STEPS, watched: bool = False,
) -> PicturesSoFar:  # fmt: skip
    """Follow the velocity from the noise in equal steps (Euler's method).

    Args:
        drawer: the generator.
        begin: noise ``(N, 1, 28, 28)``.
        texts: the encoder's states ``(S, D)`` for each picture.
        empty: those of the empty text.
        guidance: see ``guided``.
        steps: how many.
        watched: the attention weights are kept.
    """
    n = len(begin)
    states, mask = padded([*texts, *[empty] * n])
    states = states.to(begin)
    x, frames, taps = begin, [begin], []
    for step in range(steps):
        tap = Recorder(_is_weights) if watched else NO_TAP
        velocity = _velocity(drawer, x, step / steps, (states, mask), tap)
        x = x + guided(velocity[:n], velocity[n:], guidance) / steps
        frames.append(x)
        taps.append({name: value[:n] for name, value in _values(tap).items()})
    names = taps[0]
    return PicturesSoFar(
        torch.stack(frames)[:, :, 0],
        {
            name.removesuffix(".weights"): torch.stack([values[name] for values in taps])
            for name in names
        },
    )


def _velocity(
    drawer: Drawer, x: Tensor, moment: float, text: tuple[Tensor, Tensor], tap: Tap
) -> Tensor:
    """That of each picture with its text, and then of each without."""
    time = x.new_full((2 * len(x),), moment)
    velocity: Tensor = drawer(torch.cat([x, x]), time, *text, tap=tap)
    return velocity


def _values(tap: Tap) -> dict[str, Tensor]:
    return tap.values if isinstance(tap, Recorder) else {}


def _is_weights(name: str) -> bool:
    return name.endswith("weights")


def as_pixels(pictures: Tensor) -> Tensor:
    """From -1 to 1 to bytes, as files of pictures hold them; what is beyond is cut off."""
    return ((pictures.clamp(-1, 1) + 1) * 127.5).round().to(torch.uint8)
