"""Masks as a few characters of a link: there and back, and nothing a stranger writes breaks it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core.errors import ParameterError
from core.runs.mask_spec import MaskSpec

WRITTEN = ["own", "none", "causal", "padding", "prefix:0", "prefix:3", "window:2", "window:999999"]


@pytest.mark.parametrize("text", WRITTEN)
def test_what_is_written_is_read_back(text):
    assert str(MaskSpec.parse(text)) == text


@given(arrays.arrays(bool, st.integers(1, 40).map(lambda n: (n, n))))
def test_a_painted_mask_survives_the_link(cells):
    text = str(MaskSpec.painted(cells))
    assert text.isascii()
    assert not set(text) & set(" /+=&?#%")  # stands in a link as it is
    found = MaskSpec.parse(text)
    assert found == MaskSpec.painted(cells)
    assert (found.cells() == cells).all()


def test_a_painted_mask_fits_a_link_up_to_200_tokens():
    assert len(str(MaskSpec.painted(np.ones((200, 200), bool)))) < 8000


HOSTILE = [
    "", ":", "::", "owner", "opposite", "own:3", "prefix", "prefix:", "prefix:-1", "prefix:1.5",
    "prefix:1e3", "prefix:٣", "prefix:3:AA", "window:²", "painted", "painted:3", "painted:3:",
    "painted:3:!!", "painted:3:A", "painted:0:", "painted:3:AAAAAAAA", "painted:99999:AAAA",
    "painted:3:é", "painted:3:\ud800", "prefix:" + "9" * 5000, "<script>", "own\x00", "none ",
    "painted:1000000:" + "A" * 100_000,
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_anything_else_is_an_error_that_says_what_may_stand_there(text):
    with pytest.raises(ParameterError, match="it must be own, none, causal, padding, prefix:N"):
        MaskSpec.parse(text)


@given(st.text(max_size=60))
def test_random_text_is_read_or_refused_and_never_breaks(text):
    for written in (text, f"painted:{text}", f"painted:4:{text}", f"prefix:{text}"):
        try:
            spec = MaskSpec.parse(written)
        except ParameterError:
            continue
        assert MaskSpec.parse(str(spec)) == spec


def test_bits_that_fill_no_square_are_no_cells():
    assert MaskSpec("painted", 4, "AA").cells() is None
    assert MaskSpec("painted", 0, "").cells() is None
    assert MaskSpec("own").cells() is None
