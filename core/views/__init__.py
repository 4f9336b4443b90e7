"""What is shown: one folder for each topic, one file for each view.

``get("attention.weights")`` is the view of core/views/attention/weights.py.
"""

from core.views.controls import Control
from core.views.view import Note, View, all_views, get, register

__all__ = ["Control", "Note", "View", "all_views", "get", "register"]
