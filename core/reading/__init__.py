"""From what a model is given to the rows it computes with, one file for each kind of input.

A kind says how it is read (``rows_of``) and how it is cut to a model's room (``fitted``), and may
give an ``example``.
"""

from core.reading import batch, ids, padded, pair, picture, shuffled, source_target, text
from core.reading.kinds import Fitted, Room, TruncatedTexts, example, fitted, rows_of
from core.reading.row import BatchRow

__all__ = [
    "TruncatedTexts",
    "Fitted",
    "Room",
    "BatchRow",
    "batch",
    "example",
    "fitted",
    "ids",
    "padded",
    "pair",
    "picture",
    "rows_of",
    "shuffled",
    "source_target",
    "text",
]
