"""Pictures cut into patches: every pixel in its place."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from core.nn.patches import Patches
from core.tracing.tap import Recorder


def made(channels: int = 1) -> Patches:
    patches = Patches(4, 6, channels, 16).double().requires_grad_(False)
    for parameter in patches.parameters():
        parameter.normal_(generator=torch.Generator().manual_seed(0))
    return patches


def test_patches_are_cut_row_by_row_and_laid_out_row_by_row():
    picture = torch.arange(96.0).reshape(1, 1, 8, 12)
    cut = made().cut(picture)
    assert cut.shape == (1, 6, 16)
    assert cut[0, 0].tolist()[:5] == [0, 1, 2, 3, 12]
    assert cut[0, 1, 0] == 4  # to the right of the first
    assert cut[0, 3, 0] == 48  # below it


def test_the_projection_is_a_convolution_that_takes_a_patch_at_a_time():
    """As checkpoints elsewhere store it: channel, row, column of a patch are one row of numbers."""
    patches, pixels = made(channels=3), torch.rand(2, 3, 8, 12, dtype=torch.float64)
    kernel = patches.w_p.weight.unflatten(1, (3, 4, 4))
    by_convolution = F.conv2d(pixels, kernel, patches.w_p.bias, stride=4).flatten(2).mT
    tap = Recorder()
    patches(pixels, tap)
    torch.testing.assert_close(tap.values["patches"][:, 1:], by_convolution)


def test_the_mark_stands_first_and_each_place_adds_its_own():
    patches, pixels = made(), torch.rand(2, 1, 8, 12, dtype=torch.float64)
    out = patches(pixels)
    assert out.shape == (2, 7, 16)
    torch.testing.assert_close(out[1, 0], patches.cls + patches.positions.weight[0])
    torch.testing.assert_close(
        out[1, 5], patches.w_p(patches.cut(pixels)[1, 4]) + patches.positions.weight[5]
    )


def test_what_is_moved_is_cut_in_that_order():
    patches, pixels = made(channels=3), torch.rand(3, 8, 12, dtype=torch.float64)
    order = [5, 0, 3, 1, 4, 2]
    moved = patches.moved(pixels, order)
    assert moved.shape == pixels.shape
    torch.testing.assert_close(patches.cut(moved[None]), patches.cut(pixels[None])[:, order])
