"""The glossary: every term of the app, searched while typing."""

from core.answers.names import LookedUpTerm
from pages.parts import state
from pages.parts.components import mount
from pages.parts.page import heading
from pages.parts.words import listing


def words() -> None:
    """The terms, and how they are explained on the other pages."""
    state.read(LookedUpTerm)  # the link names the term that is looked up
    heading()
    mount("glossary", listing(), key="glossary")


words()
