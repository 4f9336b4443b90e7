"""A plot for a page whose figures ask: what the browser gives to Plotly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.figures.components.base import PLAIN
from core.figures.components.plot.page import described
from core.figures.payload import Payload
from core.figures.theme import BY_ROLE

if TYPE_CHECKING:
    from core.figures.components.plot.plot import Plot


def payload(plot: Plot) -> Payload:
    """What the browser gives to Plotly.

    The header has ``plot`` (data and layout): a colour in it is ``role:`` and what it means, and
    an array ``{"array": name}``; the arrays stand beside it.
    """
    arrays: dict[str, NDArray[Any]] = {}
    whole = _without_arrays(described(plot, BY_ROLE), arrays)
    return Payload(plot.header(alt=plot.alt, panels=len(plot.panels), plot=whole), arrays)


def _without_arrays(value: Any, arrays: dict[str, NDArray[Any]]) -> Any:
    """What JSON can say of a value; its arrays go into ``arrays``."""
    if type(value) in PLAIN:
        return value
    if isinstance(value, Mapping):
        return {name: _without_arrays(item, arrays) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [item if type(item) in PLAIN else _without_arrays(item, arrays) for item in value]
    if isinstance(value, np.ndarray):
        with np.errstate(over="ignore"):
            arrays[name := str(len(arrays))] = value.astype(np.float32)
        return {"array": name}
    return value.item() if isinstance(value, np.generic) else value
