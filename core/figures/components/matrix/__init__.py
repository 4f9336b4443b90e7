"""A matrix: sheets of numbers that share a selection, each with its arithmetic."""

from core.figures.components.matrix.matrix import Matrix
from core.figures.components.matrix.sheet import (
    Axis,
    Category,
    How,
    Paint,
    Scale,
    Sheet,
    signed_limit,
)

__all__ = ["Axis", "Category", "How", "Matrix", "Paint", "Scale", "Sheet", "signed_limit"]
