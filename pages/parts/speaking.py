"""Which language the page is written in: the chosen one, or else the browser's."""

from __future__ import annotations

import streamlit as st

from core.language import language, spoken, use_language


def greet() -> None:
    """Before the link is read: speak as it seems to ask.

    The menu says which page the link belongs to, and it has words already.
    """
    use_language(_spoken(st.query_params.get("language", "")))


def speak(chosen: str) -> bool:
    """From now on speak as the learner wants.

    Args:
        chosen: the language; empty for the browser's.

    Returns:
        Whether what was said before was said in another one.
    """
    before, now = language(), _spoken(chosen)
    use_language(now)
    return before != now


def _spoken(chosen: str) -> str:
    """A language that we have."""
    browsers = (st.context.locale or "").replace("_", "-").split("-")[0].lower()
    return spoken(chosen, browsers)
