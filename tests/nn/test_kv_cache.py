"""The cache appends, counts and refuses what does not fit."""

from __future__ import annotations

import pytest
import torch

from core.errors import InputTooLongError
from core.nn.kv_cache import KVCache


def test_what_was_appended_comes_back_in_order():
    cache = KVCache(n_layers=2, n_heads=3, d_head=4, n_ctx=6)
    parts = [torch.randn(1, 3, n, 4) for n in (3, 1, 2)]
    for end, part in zip((3, 4, 6), parts, strict=True):
        k, v = cache.layers[1].append(part, -part)
        assert k.shape == (1, 3, end, 4)
        assert cache.length == end
    assert k.equal(torch.cat(parts, dim=2))
    assert v.equal(-torch.cat(parts, dim=2))
    assert cache.layers[0].length == 0


def test_memory_is_taken_once_and_what_comes_back_is_a_view():
    cache = KVCache(n_layers=1, n_heads=2, d_head=4, n_ctx=8)
    k, _ = cache.layers[0].append(torch.ones(1, 2, 3, 4), torch.ones(1, 2, 3, 4))
    assert k.data_ptr() == cache.layers[0].keys.data_ptr()
    assert cache.nbytes == 2 * 2 * 8 * 4 * 4


def test_a_full_cache_says_how_much_it_holds():
    cache = KVCache(n_layers=1, n_heads=1, d_head=2, n_ctx=4)
    cache.layers[0].append(torch.zeros(1, 1, 3, 2), torch.zeros(1, 1, 3, 2))
    cache.check_room(1)
    with pytest.raises(InputTooLongError, match="5 tokens, but the model's context holds 4"):
        cache.check_room(2)


def test_branches_go_on_from_one_text_and_leave_it_as_it_is():
    cache = KVCache(n_layers=1, n_heads=2, d_head=4, n_ctx=3)
    trunk = torch.randn(1, 2, 3, 4)
    cache.layers[0].append(trunk, -trunk)
    branches = cache.branches(room=2)
    for _ in range(2):  # nothing is kept from call to call
        new = torch.randn(5, 2, 2, 4)
        k, v = branches.layers[0].append(new, -new)
        assert k.equal(torch.cat([trunk.expand(5, -1, -1, -1), new], dim=2))
        assert v.equal(-k)
        assert branches.length == cache.length == 3
    branches.check_room(2)
    with pytest.raises(InputTooLongError):
        branches.check_room(3)
