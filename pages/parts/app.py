"""The app as its answers and the screens of its lessons know it."""

from __future__ import annotations

from core.answers.app import App
from pages.parts.prefix import prefix
from pages.parts.runs import ahead, shared_runs
from pages.parts.table import page_of


def app() -> App:
    """The app for the request at hand, with its runs and addresses."""
    return App(shared_runs(), ahead(), prefix(), page_of)
