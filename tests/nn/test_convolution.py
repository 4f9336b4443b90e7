"""Kernels that slide over maps."""

from __future__ import annotations

import pytest
import torch

from core.nn.convolution import Convolution
from core.tracing.tap import Recorder


def by_hand(layer: Convolution, maps: torch.Tensor) -> torch.Tensor:
    """Every number by itself: the kernel times what lies under it, zeros around the maps."""
    kernel, bias = layer.conv.weight, layer.conv.bias
    n_out, _n_in, size, _ = kernel.shape
    reach = size // 2
    padded = torch.nn.functional.pad(maps, (reach,) * 4)
    found = torch.empty(len(maps), n_out, *maps.shape[2:], dtype=maps.dtype)
    for k in range(n_out):
        for i in range(maps.shape[2]):
            for j in range(maps.shape[3]):
                under = padded[:, :, i : i + size, j : j + size]
                found[:, k, i, j] = (under * kernel[k]).sum(dim=(1, 2, 3)) + bias[k]
    return found


@pytest.mark.parametrize("kernel", [1, 3, 5])
def test_a_map_is_what_its_kernel_finds_at_each_place(kernel):
    layer = Convolution(2, 3, kernel, pooled=True).double().requires_grad_(False)
    maps = torch.randn(2, 2, 6, 4, dtype=torch.float64)
    tap = Recorder()
    out = layer(maps, tap)
    found = by_hand(layer, maps)
    torch.testing.assert_close(tap.values["pre"], found)
    torch.testing.assert_close(tap.values["maps"], found.clamp(min=0))
    squares = found.clamp(min=0).unflatten(2, (3, 2)).unflatten(4, (2, 2))
    torch.testing.assert_close(out, squares.amax(dim=(3, 5)))
    assert tap.values["pooled"].equal(out)


def test_maps_that_are_not_pooled_keep_their_size():
    layer = Convolution(1, 2, 3, pooled=False).requires_grad_(False)
    tap = Recorder()
    assert layer(torch.randn(1, 1, 5, 7), tap).shape == (1, 2, 5, 7)
    assert [site.name for site in layer.sites()] == list(tap.values) == ["pre", "maps"]
