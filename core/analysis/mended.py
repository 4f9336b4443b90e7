"""How a text that was written stands to the one that was meant."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray


def aligned(text: Sequence[int], written: Sequence[int]) -> NDArray[np.int64]:
    """For each token that was written, its place in the text; -1 for what does not stand there.

    What is written in its order counts: the longest stretches that both have in common, as
    ``difflib`` finds them (Ratcliff and Metzener 1988).

    Args:
        text, written: ids.
    """
    places = np.full(len(written), -1)
    for a, b, n in SequenceMatcher(None, text, written, autojunk=False).get_matching_blocks():
        places[b : b + n] = np.arange(a, a + n)
    return places


def runs_of(origin: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """Which stretch of a text each of its ``n`` tokens belongs to, once stretches changed places.

    Args:
        origin: where each token that is left stood; those that stay neighbours are one stretch.
        n: tokens of the text.

    Returns:
        ``(n,)``: stretches are counted in the order of the text; -1 for tokens that are gone.
    """
    there = origin[origin >= 0]
    begins = np.zeros(n, bool)
    begins[there[:1]] = True
    begins[there[1:][np.diff(there) != 1]] = True
    number = np.cumsum(begins) - 1
    gone = np.ones(n, bool)
    gone[there] = False
    number[gone] = -1
    return number.astype(np.int64)
