"""Masks, cell by cell: True = this query may attend to this key."""

from __future__ import annotations

import pytest
import torch

from core.errors import ParameterError
from core.nn.masks import causal_mask, full_mask, padding_mask, prefix_mask, sliding_window_mask


def cells(rows: list[str]) -> torch.Tensor:
    return torch.tensor([[cell == "x" for cell in row] for row in rows])


def test_full_mask_lets_everybody_see_everybody():
    assert full_mask(2, 3).equal(cells(["xxx", "xxx"]))


def test_causal_mask_hides_later_keys():
    assert causal_mask(4, 4).equal(cells(["x...", "xx..", "xxx.", "xxxx"]))


def test_causal_mask_with_a_cache_belongs_to_the_last_positions():
    assert causal_mask(2, 5).equal(cells(["xxxx.", "xxxxx"]))
    assert causal_mask(1, 5).all()


def test_prefix_sees_itself_both_ways_and_the_rest_is_causal():
    assert prefix_mask(4, 2).equal(cells(["xx..", "xx..", "xxx.", "xxxx"]))
    assert prefix_mask(3, 0).equal(causal_mask(3, 3))
    assert prefix_mask(3, 3).all()


def test_window_keeps_the_last_keys_its_own_among_them():
    assert sliding_window_mask(4, 2).equal(cells(["x...", "xx..", ".xx.", "..xx"]))
    assert sliding_window_mask(4, 1).equal(torch.eye(4, dtype=torch.bool))
    assert sliding_window_mask(3, 99).equal(causal_mask(3, 3))


def test_padding_is_seen_by_nobody():
    mask = padding_mask([3, 1], 3)
    assert mask.shape == (2, 1, 1, 3)
    assert mask[:, 0, 0].equal(cells(["xxx", "x.."]))


@pytest.mark.parametrize("n_prefix", [-1, 4])
def test_a_prefix_outside_the_text_is_an_error(n_prefix):
    with pytest.raises(ParameterError, match=r"n_prefix is -?\d; it must be between 0 and 3"):
        prefix_mask(3, n_prefix)


def test_a_window_of_nothing_is_an_error():
    with pytest.raises(ParameterError, match="window is 0; it must be at least 1"):
        sliding_window_mask(3, 0)
