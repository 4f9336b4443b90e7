"""Positions against the formulas, value by value."""

from __future__ import annotations

import math

import pytest
import torch

from core.errors import ParameterError
from core.nn.positions import (
    RelativePositions,
    Sinusoids,
    binary_positions,
    relative_buckets,
    rotary_angles,
    rotate,
    sinusoidal_positions,
)
from core.tracing import Recorder


def test_sinusoids_are_the_papers_formula():
    table = sinusoidal_positions(7, 6)
    for position in range(7):
        for pair in range(3):
            angle = position / 10000 ** (2 * pair / 6)
            assert table[position, 2 * pair].item() == pytest.approx(math.sin(angle), abs=1e-6)
            assert table[position, 2 * pair + 1].item() == pytest.approx(math.cos(angle), abs=1e-6)


def test_sinusoids_far_out_are_still_exact():
    """Angles are computed in double precision: in float32 sin(100,000) is off in its digits."""
    assert sinusoidal_positions(100_001, 2)[100_000, 0].item() == pytest.approx(
        math.sin(100_000), abs=1e-6
    )


@pytest.mark.parametrize(("n", "d_model"), [(0, 4), (3, 5), (3, 0)])
def test_sinusoids_of_impossible_sizes_are_an_error(n, d_model):
    with pytest.raises(ParameterError):
        sinusoidal_positions(n, d_model)


def test_binary_positions_count():
    assert binary_positions(5, 3).int().tolist() == [
        [0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [1, 0, 0]
    ]  # fmt: skip
    assert binary_positions(8, 3).sum() == 12
    with pytest.raises(ParameterError, match="bits is 3; it must be enough to count to 8"):
        binary_positions(9, 3)


def test_rotation_turns_each_pair_by_its_angle():
    x = torch.tensor([[1.0, 0.0, 1.0, 0.0]], dtype=torch.float64)
    turned = rotate(x, rotary_angles(torch.tensor([3]), 4))
    # Pair 0 turns by 3 radians, pair 1 by 3 / 10000^(1/2) = 0.03.
    expected = [math.cos(3), math.sin(3), math.cos(0.03), math.sin(0.03)]
    torch.testing.assert_close(turned[0], torch.tensor(expected, dtype=torch.float64))


def test_rotation_keeps_lengths_and_depends_on_the_difference_only():
    q, k = torch.randn(2, 8, dtype=torch.float64)

    def dot(at: int, other: int) -> float:
        turned = rotate(torch.stack([q, k]), rotary_angles(torch.tensor([at, other]), 8))
        assert turned.norm(dim=-1).tolist() == pytest.approx([q.norm().item(), k.norm().item()])
        return float(turned[0] @ turned[1])

    assert dot(5, 2) == pytest.approx(dot(105, 102))
    assert dot(5, 2) != pytest.approx(dot(2, 5))


def test_rotation_needs_pairs():
    for d_head in (5, 0, -2):
        wanted = f"d_head is {d_head}; it must be an even number, at least 2"
        with pytest.raises(ParameterError, match=wanted):
            rotary_angles(torch.arange(2), d_head)


def test_buckets_are_exact_when_near_and_shared_when_far():
    distances = torch.tensor([0, -1, -7, -8, -15, -16, -127, -128, -5000])
    one_sided = relative_buckets(distances, bidirectional=False)
    assert one_sided.tolist() == [0, 1, 7, 8, 15, 16, 31, 31, 31]
    both = relative_buckets(distances)
    assert both.tolist()[:5] == [0, 1, 7, 8, 9]
    assert both.max() == 15
    # Later keys have the other half to themselves, or share bucket 0.
    assert relative_buckets(torch.tensor([1, 7, 5000])).tolist() == [17, 23, 31]
    assert relative_buckets(torch.tensor([1, 7]), bidirectional=False).tolist() == [0, 0]


@pytest.mark.parametrize("n_buckets", [-4, 0, 1, 2, 3, 5, 31, 33])
def test_buckets_that_two_sides_cannot_share_are_an_error(n_buckets):
    wanted = f"n_buckets is {n_buckets}; it must be an even number, at least 4"
    with pytest.raises(ParameterError, match=wanted):
        relative_buckets(torch.arange(-3, 4), n_buckets)


@pytest.mark.parametrize("n_buckets", [2, 3, 5, 31, 32])
def test_one_side_may_have_any_number_of_buckets(n_buckets):
    found = relative_buckets(-torch.arange(5000), n_buckets, bidirectional=False)
    assert found[0] == 0
    assert found[-1] == n_buckets - 1
    assert found.unique().tolist() == list(range(n_buckets))
    assert (found.diff() >= 0).all()
    with pytest.raises(ParameterError, match="n_buckets is 1; it must be at least 2"):
        relative_buckets(torch.arange(3), 1, bidirectional=False)


@pytest.mark.parametrize("n_buckets", [4, 6, 10, 32])
def test_the_sides_share_an_even_number_of_buckets(n_buckets):
    found = relative_buckets(torch.arange(-5000, 5001), n_buckets)
    assert found.unique().tolist() == [n for n in range(n_buckets) if n != n_buckets // 2]


@pytest.mark.parametrize("max_distance", [-1, 0, 8])
def test_where_all_is_near_there_is_nothing_to_share(max_distance):
    with pytest.raises(ParameterError, match=f"max_distance is {max_distance}; it must be above 8"):
        relative_buckets(torch.arange(3), 32, max_distance)
    assert relative_buckets(torch.tensor([-8, -9, -99]), 32, 9).tolist() == [8, 15, 15]


@pytest.mark.parametrize("bits", [-1, 0, 64, 70])
def test_bits_that_no_whole_number_has_are_an_error(bits):
    with pytest.raises(ParameterError, match=f"bits is {bits}; it must be between 1 and 63"):
        binary_positions(1, bits)
    assert binary_positions(3, 63)[2].tolist() == [0] * 61 + [1, 0]


def test_sinusoids_of_a_model_are_the_table_and_not_a_parameter():
    part = Sinusoids(7, 6)
    assert part.weight.equal(sinusoidal_positions(7, 6))
    assert list(part.parameters()) == []
    assert part.state_dict() == {}


def test_sinusoids_are_there_when_a_model_is_made_without_memory():
    """A checkpoint holds no table to put in their place."""
    with torch.device("meta"):
        part = Sinusoids(7, 6)
    assert part.weight.equal(sinusoidal_positions(7, 6))


@pytest.mark.parametrize("bidirectional", [False, True])
def test_a_relative_bias_is_the_row_of_the_distance(bidirectional):
    relative = RelativePositions(3, 8, 16, bidirectional=bidirectional).double()
    tap = Recorder()
    bias = relative(4, 6, tap)
    assert bias.shape == (1, 3, 4, 6)
    assert tap.values["bias"] is bias
    for query in range(4):
        for key in range(6):
            distance = torch.tensor(key - (query + 2))  # the queries are the last four
            bucket = relative_buckets(distance, 8, 16, bidirectional=bidirectional)
            assert bias[0, :, query, key].equal(relative.table.weight[bucket])
    # It knows distances alone: the last query's row holds those of every earlier one.
    assert relative(1, 6)[..., 2:].equal(relative(4, 4)[:, :, 3:])


def test_a_relative_bias_of_impossible_buckets_is_an_error():
    with pytest.raises(ParameterError):
        RelativePositions(2, 3)
