"""A payload that Python packed arrives in the browser."""

from __future__ import annotations

import numpy as np
import pytest

from core.figures.payload import Payload


def test_arrays_arrive_whatever_their_type_and_place(call):
    """Odd lengths in a row: each array must still start where its type can be read."""
    arrays = {
        "a": np.arange(3, dtype=np.uint8), "b": np.arange(5, dtype=np.float32) / 3,
        "c": np.arange(7, dtype=np.uint16), "d": -np.arange(6, dtype=np.int32).reshape(2, 3),
    }  # fmt: skip
    (found,) = call("shared/payload.js", "unpack", [(Payload({"text": "häß🙂"}, arrays).pack(),)])
    assert found["text"] == "häß🙂"
    for name, array in arrays.items():
        assert found["arrays"][name]["values"] == pytest.approx(list(map(float, array.ravel())))
        assert found["arrays"][name]["shape"] == list(array.shape)


def test_stored_weights_arrive_whole_in_half_the_bytes(call):
    weights = np.random.default_rng(0).normal(size=(64, 40)).astype(np.float32)
    weights = (weights.view(np.uint32) & 0xFFFF0000).view(np.float32)
    data = Payload({}, {"w": weights, "n": np.arange(3, dtype=np.uint8)}).pack()
    assert len(data) < weights.nbytes / 2 + 300
    (found,) = call("shared/payload.js", "unpack", [(data,)])
    np.testing.assert_array_equal(found["arrays"]["w"]["values"], weights.ravel())
    assert found["arrays"]["n"]["values"] == [0, 1, 2]


def test_no_data_is_a_payload_without_arrays(call):
    assert call("shared/payload.js", "unpack", [(None,)]) == [{"arrays": {}}]


def test_another_version_of_the_payload_is_refused(call):
    packed = Payload({}).pack().replace(b'"version":1', b'"version":9')
    with pytest.raises(AssertionError, match="payload version 9"):
        call("shared/payload.js", "unpack", [(packed,)])
