"""The generator: a small U-Net that reads a text by cross-attention from places of the picture.

Ho et al. 2020 ("Denoising diffusion probabilistic models") for the U-Net that is told the time,
Saharia et al. 2022 ("Photorealistic text-to-image diffusion models with deep language
understanding", Imagen), section 2.1 and appendix, for the states of a frozen T5 encoder that
every level attends to, a LayerNorm before. What it learns is the velocity of a straight way from
noise to a picture (Lipman et al. 2023, "Flow matching for generative modeling", equation 22 with
no noise left at the end; Liu et al. 2023, "Flow straight and fast").
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.models.limits import check_sizes
from core.nn.attention import MultiHeadAttention
from core.nn.norms import LayerNorm
from core.tracing.tap import NO_TAP, Tap

FOLD = 2  # a square of so many pixels is one place of the finest level
SIDE = 28  # rows and columns of a picture
# The places at which the text is read, in the order of computation, and the rows of each.
READINGS = {"before": SIDE // FOLD, "coarse": SIDE // FOLD // 2, "after": SIDE // FOLD}


@dataclass(frozen=True, slots=True)
class DrawerConfig:
    """The sizes of a generator.

    Attributes:
        d_text: width of the text encoder's states.
        fine, coarse: channels at 14 x 14 and at 7 x 7 places; multiples of ``groups`` and of their
            heads.
        fine_heads, coarse_heads: of the cross-attention there.
        d_time: width of the vector that says the time.
        groups: of channels that are normalised together.
    """

    d_text: int
    fine: int
    coarse: int
    fine_heads: int
    coarse_heads: int
    d_time: int
    groups: int = 8

    def __post_init__(self) -> None:
        check_sizes(self, "d_text", "fine", "coarse", "fine_heads", "coarse_heads", "d_time",
                    "groups")  # fmt: skip


class Residual(nn.Module):
    """Two convolutions whose result is added to what came in, told the time between them.

    He et al. 2016; the time is a gain and a shift of each channel (Perez et al. 2018, FiLM).
    """

    def __init__(self, n_in: int, n_out: int, d_time: int, groups: int) -> None:
        super().__init__()
        self.norm_1 = nn.GroupNorm(groups, n_in)
        self.conv_1 = nn.Conv2d(n_in, n_out, 3, padding=1)
        self.time = nn.Linear(d_time, 2 * n_out)
        self.norm_2 = nn.GroupNorm(groups, n_out)
        self.conv_2 = nn.Conv2d(n_out, n_out, 3, padding=1)
        self.skip = nn.Conv2d(n_in, n_out, 1) if n_in != n_out else nn.Identity()

    def forward(self, x: Tensor, time: Tensor) -> Tensor:
        """``(B, n_in, rows, columns)`` and ``(B, d_time)`` to ``(B, n_out, rows, columns)``."""
        gain, shift = self.time(time)[:, :, None, None].chunk(2, dim=1)
        inner = self.conv_1(F.silu(self.norm_1(x)))
        inner = self.conv_2(F.silu(self.norm_2(inner) * (1 + gain) + shift))
        added: Tensor = self.skip(x) + inner
        return added


class Reads(nn.Module):
    """Cross-attention: every place of the picture is a query, every token of the text a key."""

    def __init__(self, channels: int, n_heads: int, d_text: int, groups: int) -> None:
        super().__init__()
        self.norm = nn.GroupNorm(groups, channels)
        self.text = nn.Linear(d_text, channels)
        self.attn = MultiHeadAttention(channels, n_heads)

    def forward(self, x: Tensor, text: Tensor, mask: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """``(B, C, rows, columns)`` and the text's states ``(B, S, d_text)`` to the former."""
        places = self.norm(x).flatten(2).mT  # (B, P, C)
        read = self.attn(places, self.text(text), mask=mask, tap=tap)
        return x + read.mT.unflatten(2, x.shape[-2:])


class Drawer(nn.Module):
    """The network; ``forward`` gives the velocity ``(B, 1, 28, 28)``.

    Args:
        config: its sizes.
        generator: draws the initial weights; without one they come from the global state of
            torch.
    """

    def __init__(self, config: DrawerConfig, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        fine, coarse, groups, d_time = config.fine, config.coarse, config.groups, config.d_time
        self.text_norm = LayerNorm(config.d_text)
        self.time_1 = nn.Linear(d_time, d_time)
        self.time_2 = nn.Linear(d_time, d_time)
        self.begin = nn.Conv2d(FOLD**2, fine, 3, padding=1)
        self.fine_1 = Residual(fine, fine, d_time, groups)
        self.reads_before = Reads(fine, config.fine_heads, config.d_text, groups)
        self.down = nn.Conv2d(fine, coarse, 3, stride=2, padding=1)
        self.coarse_1 = Residual(coarse, coarse, d_time, groups)
        self.reads_coarse = Reads(coarse, config.coarse_heads, config.d_text, groups)
        self.coarse_2 = Residual(coarse, coarse, d_time, groups)
        self.up = nn.Conv2d(coarse, 4 * fine, 1)
        self.fine_2 = Residual(2 * fine, fine, d_time, groups)
        self.reads_after = Reads(fine, config.fine_heads, config.d_text, groups)
        self.end_norm = nn.GroupNorm(groups, fine)
        self.end = nn.Conv2d(fine, FOLD**2, 3, padding=1)
        if not self.end.weight.is_meta:
            self._init_weights(generator)

    @torch.no_grad()
    def _init_weights(self, generator: torch.Generator | None) -> None:
        """From N(0, 1 / inputs); what is added to a sum begins at 0, so that the sum does."""
        for module in self.modules():
            if isinstance(module, nn.Conv2d | nn.Linear):
                spread = 1 / math.sqrt(module.weight[0].numel())
                module.weight.normal_(0.0, spread, generator=generator)
                assert module.bias is not None
                module.bias.zero_()
        for module in self.modules():
            if isinstance(module, Residual):
                module.conv_2.weight.zero_()
                module.time.weight.mul_(0.1)
        self.end.weight.zero_()

    def forward(
        self, pictures: Tensor, time: Tensor, text: Tensor, mask: Tensor, tap: Tap = NO_TAP
    ) -> Tensor:
        """Where each pixel goes from here, per unit of time.

        Args:
            pictures: between noise and a picture from -1 to 1, ``(B, 1, 28, 28)``.
            time: ``(B,)`` from 0, all noise, to 1, the picture.
            text: states of the text encoder, padded, ``(B, S, d_text)``.
            mask: ``(B, S)`` bool, True = a token, not padding.
            tap: shows ``before.weights``, ``coarse.weights`` and ``after.weights`` among others:
                attention ``(B, H, places, S)``.
        """
        text, mask = self.text_norm(text), mask[:, None, None, :]
        when = self.time_2(F.silu(self.time_1(sinusoids(time, self.config.d_time))))
        when = F.silu(when)
        x = self.begin(F.pixel_unshuffle(pictures, FOLD))
        fine = self.reads_before(self.fine_1(x, when), text, mask, tap.at("before"))
        x = self.coarse_1(self.down(fine), when)
        x = self.coarse_2(self.reads_coarse(x, text, mask, tap.at("coarse")), when)
        x = torch.cat([F.pixel_shuffle(self.up(x), 2), fine], dim=1)
        x = self.reads_after(self.fine_2(x, when), text, mask, tap.at("after"))
        return F.pixel_shuffle(self.end(F.silu(self.end_norm(x))), FOLD)


def sinusoids(time: Tensor, width: int) -> Tensor:
    """The time as waves of frequencies from 1 to 1000 a unit, ``(B,) -> (B, width)``."""
    n = width // 2
    frequencies = torch.exp(torch.arange(n, device=time.device) * (math.log(1000.0) / (n - 1)))
    angles = time[:, None] * frequencies.to(time)
    return torch.cat([angles.sin(), angles.cos()], dim=1)
