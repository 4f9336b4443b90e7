"""The learner's own sentence, and the texts that stand in its place for a while.

``text`` is what a page runs. While that is the text of an experiment or of a lesson, hers waits
under ``hers``, which is empty while she has typed none. From page to page the browser brings
``hers``, and under ``abroad`` what she has typed where a model translates: it runs wherever one
does, while hers, which all other models read, waits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.spelling import composed
from core.views.params import OnText
from pages.parts import state

TEXT, HERS, ABROAD = "text", "hers", "abroad"
COMMON = OnText().text  # the one example of all pages


def opens_on(
    example: str, *, cannot: Callable[[str], bool], translates: bool, more: Mapping[str, str]
) -> None:
    """Decide which text the page runs, and what else it opens on.

    Args:
        example: of the page; empty for the one that every page has.
        cannot: whether the model cannot read a text; what an address says is run all the same.
        translates: the model does, and runs what was typed for such models.
        more: further values by their names.
    """
    page = state.current_page()
    values, typed = page.values, page.values.get(HERS, "").strip()
    page.opened = {name: value for name, value in more.items() if name not in values}
    if TEXT in values:
        if values.get(HERS) == values[TEXT]:
            del values[HERS]
        elif values[TEXT] == COMMON:  # which nobody has typed
            values.setdefault(HERS, "")
        if values[TEXT] == (example or COMMON):
            _open_on(values[TEXT])
    elif translates and values.get(ABROAD, "").strip():
        values[TEXT] = values[ABROAD]
        values.pop(HERS, None)
    elif example and (not typed or cannot(typed)):
        _open_on(example)
    elif typed:
        values[TEXT] = values.pop(HERS)


def _open_on(example: str) -> None:
    """Run an example, which no link need say; hers waits if she has typed another one."""
    page = state.current_page()
    page.values.pop(TEXT, None)
    page.opened[TEXT] = example
    if not page.values.get(HERS):
        page.values.pop(HERS, None)


def as_typed(text: str) -> str:
    """What was typed of a text that is read: its letters may have come apart (``composed``)."""
    values = state.current_page().values
    sentences = (values.get(name, "") for name in (TEXT, HERS, ABROAD))
    return next((sentence for sentence in sentences if composed(sentence) == text), text)


def of_a_lesson(text: str) -> None:
    """The page shows the sentence of a figure in a lesson, which is none of hers.

    Args:
        text: her own in the lesson; empty for none.
    """
    values = state.current_page().values
    if TEXT in values and values[TEXT] != text:
        values.setdefault(HERS, text)
