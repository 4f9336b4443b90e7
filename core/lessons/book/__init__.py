"""The course as files that need no server: what the player does while one answers, prepared.

``python -m core.lessons book OUT --languages en,fr`` writes it.
"""

from core.lessons.book.job import in_turn
from core.lessons.book.site import write

__all__ = ["in_turn", "write"]
