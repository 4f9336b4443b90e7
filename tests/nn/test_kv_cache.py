"""The cache appends, counts and refuses what does not fit."""

from __future__ import annotations

import pytest
import torch

from core.errors import InputTooLongError
from core.nn.kv_cache import KVCache


def test_what_was_appended_comes_back_in_order():
    cache = KVCache.empty(n_layers=2, n_heads=3, d_head=4, n_ctx=6)
    parts = [torch.randn(1, 3, n, 4) for n in (3, 1, 2)]
    for end, part in zip((3, 4, 6), parts, strict=True):
        k, v = cache.layers[1].append(part, -part)
        assert k.shape == (1, 3, end, 4)
        assert cache.length == end
    assert k.equal(torch.cat(parts, dim=2))
    assert v.equal(-torch.cat(parts, dim=2))
    assert cache.layers[0].length == 0


def test_memory_is_taken_once_and_what_comes_back_is_a_view():
    cache = KVCache.empty(n_layers=1, n_heads=2, d_head=4, n_ctx=8)
    first, _ = cache.layers[0].append(torch.ones(1, 2, 3, 4), torch.ones(1, 2, 3, 4))
    k, v = cache.layers[0].append(torch.ones(1, 2, 5, 4), torch.ones(1, 2, 5, 4))
    assert k.data_ptr() == first.data_ptr()
    assert v.untyped_storage().data_ptr() == k.untyped_storage().data_ptr()
    assert k.untyped_storage().nbytes() == 2 * 2 * 8 * 4 * 4


def test_it_says_what_its_filled_part_takes():
    cache = KVCache.empty(n_layers=3, n_heads=2, d_head=4, n_ctx=8, batch=5, dtype=torch.float64)
    assert cache.nbytes == 0
    for layer in cache.layers:
        layer.append(*torch.zeros(2, 5, 2, 3, 4))
    assert cache.nbytes == 3 * 2 * 5 * 2 * 3 * 4 * 8  # layers, k and v, B, H, T, Dh, bytes


def test_a_full_cache_says_how_much_it_holds():
    cache = KVCache.empty(n_layers=1, n_heads=1, d_head=2, n_ctx=4)
    cache.layers[0].append(torch.zeros(1, 1, 3, 2), torch.zeros(1, 1, 3, 2))
    cache.check_room(1)
    with pytest.raises(InputTooLongError, match="5 tokens and the model's context holds 4"):
        cache.check_room(2)


def filled(*parts):
    cache = KVCache.empty(n_layers=1, n_heads=2, d_head=4, n_ctx=3, batch=len(parts[0]))
    for part in parts:
        cache.layers[0].append(part, -part)
    return cache


def test_forks_go_on_from_one_text_and_leave_it_as_it_is():
    trunk = torch.randn(1, 2, 3, 4)
    cache = filled(trunk)
    for _ in range(2):
        fork = cache.fork([0] * 5, room=2)
        new = torch.randn(5, 2, 2, 4)
        k, v = fork.layers[0].append(new, -new)
        assert k.equal(torch.cat([trunk.expand(5, -1, -1, -1), new], dim=2))
        assert v.equal(-k)
        assert (fork.length, cache.length) == (5, 3)
        assert cache.layers[0].stored()[0].equal(trunk)
        assert fork.nbytes == (trunk.nbytes + new.nbytes) * 2  # what all go on from, once
    again = cache.fork([0] * 5, room=2)
    again.check_room(2)
    with pytest.raises(InputTooLongError, match="6 tokens and the model's context holds 5"):
        again.check_room(3)


def test_forks_go_on_from_rows_in_any_order_and_from_forks():
    """As a beam does: rows are kept, doubled and dropped."""
    texts = torch.randn(3, 2, 2, 4)
    cache = filled(texts)
    first = cache.fork([2, 0, 2, 1], room=2)
    new = torch.randn(4, 2, 1, 4)
    first.layers[0].append(new, -new)
    second = first.fork([3, 0], room=1)
    newest = torch.randn(2, 2, 1, 4)
    k, v = second.layers[0].append(newest, -newest)
    assert k.equal(torch.cat([texts[[1, 2]], new[[3, 0]], newest], dim=2))
    assert v.equal(-k)
    assert (cache.length, first.length, second.length) == (2, 3, 4)
    assert first.layers[0].stored()[0].equal(torch.cat([texts[[2, 0, 2, 1]], new], dim=2))
