"""What is shown: one module for each topic, or a package where a topic has several ideas.

``get("norm.steps")`` is a view of core/views/norm.py.
"""

from core.views.controls import Control
from core.views.view import Note, View, all_views, get

__all__ = ["Control", "Note", "View", "all_views", "get"]
