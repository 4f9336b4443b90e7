"""Payloads: one bytes value that the browser can read without copying."""

from __future__ import annotations

import json
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core.figures.payload import LONG, VERSION, Payload, as_bytes, as_shares, unpack
from core.figures.text import percent

HEADERS = st.dictionaries(
    st.text(max_size=5).filter(lambda name: name not in ("arrays", "version")),
    st.one_of(st.text(), st.integers(), st.none()),
)
ARRAYS = st.dictionaries(
    st.text(min_size=1, max_size=8),
    st.one_of(
        *(
            arrays.arrays(kind, arrays.array_shapes(max_dims=3, min_side=0, max_side=5))
            for kind in (np.float32, np.uint8, np.int32, np.uint16)
        )
    ),
    max_size=4,
)


@given(header=HEADERS, found=ARRAYS)
def test_there_and_back(header, found):
    back = unpack(Payload(header, found).pack())
    assert back.header == header
    assert back.arrays.keys() == found.keys()
    for name, array in found.items():
        assert back.arrays[name].dtype == array.dtype
        np.testing.assert_array_equal(back.arrays[name], array)


@given(found=ARRAYS)
def test_arrays_lie_where_a_typed_array_may_start(found):
    """JavaScript's Float32Array wants its offset to be a multiple of 4."""
    data = Payload({"label": "ünï"}, found).pack()
    (length,) = struct.unpack_from("<I", data)
    header = json.loads(data[4 : 4 + length])
    assert header["version"] == VERSION
    for entry in header["arrays"].values():
        assert (4 + length + entry["offset"]) % 8 == 0
    assert len(data) % 4 == 0


@pytest.mark.parametrize("last", [1.5, -0.0, np.inf, np.nan, 1 / 3])
def test_a_long_array_is_halved_only_if_nothing_is_lost(last):
    array = np.full((LONG // 2, 2), -2.75, np.float32)
    array[-1, -1] = last
    data = Payload({}, {"a": array}).pack()
    assert unpack(data).arrays["a"].tobytes() == array.tobytes()
    halved = len(data) < array.nbytes / 2 + 100
    assert halved == (last != 1 / 3)
    assert len(Payload({}, {"a": array[1:]}).pack()) > array[1:].nbytes


def test_numbers_are_little_endian_rows_first():
    data = Payload({}, {"a": np.array([[1, 2], [3, 4]], np.uint16).T}).pack()
    assert data.endswith(b"\x01\0\x03\0\x02\0\x04\0")


@pytest.mark.parametrize("kind", [np.float64, np.int64, bool, object])
def test_other_kinds_of_numbers_are_a_bug(kind):
    with pytest.raises(TypeError, match="array 'a' has dtype"):
        Payload({}, {"a": np.zeros(2, kind)}).pack()


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_header_without_a_number_is_a_bug(value):
    """JSON has no NaN: a browser would refuse the whole payload."""
    with pytest.raises(ValueError, match="JSON"):
        Payload({"share": value}).pack()


def test_pictures_take_a_byte_a_cell():
    values = np.array([-1.0, 0.0, 0.5, 1.0, 2.0, np.nan, np.inf])
    assert as_bytes(values, 0, 1).tolist() == [0, 0, 128, 255, 255, 0, 255]
    assert as_bytes(np.array([-2.0, 0.0, 2.0]), -2, 2).tolist() == [0, 128, 255]
    assert as_bytes(np.array([3.0]), 3, 3).tolist() == [0]


@pytest.mark.parametrize("share", [0.5, 0.99999, 1 - 1e-9, np.nextafter(1.0, 0.0)])
def test_a_share_below_one_is_never_written_as_all(share):
    assert as_shares(np.array([share])) == pytest.approx(share, rel=1e-6)
    assert percent(as_shares(np.array([share]))[0]) == percent(share) != "100 %"


def test_shares_that_are_none_or_all_stay_what_they_are():
    shares = as_shares(np.array([0, 1, 2, -1, np.nan]))
    np.testing.assert_array_equal(shares, np.array([0, 1, 2, -1, np.nan], np.float32))
    assert shares.dtype == np.float32
