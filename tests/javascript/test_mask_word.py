"""A painted mask as a word: what the browser writes, Python reads, and the other way round."""

from __future__ import annotations

import numpy as np
import pytest

from core.runs.mask_spec import MaskSpec


@pytest.mark.parametrize("shape", [(1, 1), (4, 4), (5, 5), (3, 6), (6, 3), (11, 11)])
def test_python_reads_what_the_browser_writes(call, shape):
    may = np.random.default_rng(sum(shape)).integers(0, 2, shape, dtype=np.uint8)
    (word,) = call(
        "matrix/mask_word.js", "maskWord", [({"values": may.tobytes(), "shape": list(shape)},)]
    )
    read = MaskSpec.parse(word).cells()
    side = max(shape)
    square = np.ones((side, side), bool)
    square[: shape[0], : shape[1]] = may  # what is beyond the mask is open
    np.testing.assert_array_equal(read, square)
    assert str(MaskSpec.painted(square)) == word
