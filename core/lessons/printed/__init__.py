"""A lesson without the app: a handout for paper, and any step as one live HTML file."""

from core.lessons.printed.handout import handout
from core.lessons.printed.live_step import live_step

__all__ = ["handout", "live_step"]
