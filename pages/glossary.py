"""The glossary: every term of the app, searched while typing."""

from core.language import _
from core.names import Word
from pages.parts import state
from pages.parts.components import mount
from pages.parts.page import heading
from pages.parts.words import listing


def words() -> None:
    """The terms, and how they are explained on the other pages."""
    state.read(Word)  # the link names the term that is looked up
    heading(
        _("What does this word mean?"),
        claim=_(
            "Every term of this app, in a sentence or two. On the other pages, "
            "words such as [[softmax]] are underlined with dots: point at one, tap it, or reach it "
            "with the Tab key, and its meaning appears."
        ),
    )
    mount("glossary", listing(), key="glossary")


words()
