"""Few heaps: what one learner's thread has freed serves the next one."""

from __future__ import annotations

import ctypes

ARENA_MAX = -8  # mallopt(3)
HEAPS = 2


def keep_few_heaps() -> None:
    """Let all threads of this process share so many heaps.

    The GNU C library gives threads up to eight a core, and what was freed in one serves no thread
    of another: a further learner took 8 to 9 MB, with two heaps she takes 3 to 4, and a click no
    longer. Elsewhere this does nothing.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(ARENA_MAX, HEAPS)
