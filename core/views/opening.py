"""What a view opens on where nothing is given and only the model says what would fit."""

from __future__ import annotations

from typing import Protocol, Self, TypeVar, runtime_checkable

from core.encoders import Encoders

P = TypeVar("P")


@runtime_checkable
class Opening(Protocol):
    """Parameters that open on another example for each model."""

    def opened(self, encoders: Encoders) -> Self:
        """The same with an example that this model can read, where they name none."""
        ...


def opened(params: P, encoders: Encoders) -> P:
    """Parameters with what they open on, for a model that reads through these encoders."""
    return params.opened(encoders) if isinstance(params, Opening) else params
