"""What stands at a position is plain data."""

from __future__ import annotations

import dataclasses
import pickle

import pytest

from core.units import Token


def test_a_token_is_plain_data():
    one = Token(5, "##ing", b"ing", 4, 7, continues=True)
    assert pickle.loads(pickle.dumps(one)) == one
    assert hash(one) == hash(dataclasses.replace(one))
    assert not one.special
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.id = 6
