"""Sites that follow from recorded ones: made when asked for, so they cost a run nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from core.tracing.trace import Array, Trace


def dots(trace: Trace, prefix: str) -> Array:
    """The dot product of each query with each key, ``(H, Tq, Tk)``."""
    return np.matmul(trace[prefix + "q"], trace[prefix + "k"].swapaxes(-1, -2))


def scores_masked(trace: Trace, prefix: str) -> Array:
    """The scores, -inf where the mask in force lets nobody look, ``(H, Tq, Tk)``."""
    return np.where(trace.mask_at(prefix), trace[prefix + "scores"], np.float32(-np.inf))


# By the last part of their name: the function, and the sites it needs.
DERIVED: dict[str, tuple[Callable[[Trace, str], Array], tuple[str, ...]]] = {
    "dots": (dots, ("q", "k")),
    "scores_masked": (scores_masked, ("scores",)),
}


def made_from(name: str) -> tuple[str, ...]:
    """The recorded sites that a site follows from; a recorded one's own name."""
    prefix, dot, last = name.rpartition(".")
    return tuple(prefix + dot + part for part in DERIVED[last][1]) if last in DERIVED else (name,)
