"""The list of keys that do something on a page, and what each does."""

from __future__ import annotations

from core.language import _
from core.names import LESSONS, Touring
from pages.parts import state
from pages.parts.table import Row

# What must be on the page for a key to do something (assets/components/runbar/runbar.js).
WALKS, PLAYS, ASKS = "walks", "plays", "asks"


def shortcuts(row: Row, *, text: bool) -> list[list[str]]:
    """Keys of a page, what each does, and perhaps what must be on the page for it.

    Args:
        row: the page.
        text: there is a field for a text.
    """
    found = [["Ctrl+K", _("search for a page, a lesson or a word")]]
    if text:
        found += [["/", _("go to the text")], [_("Enter"), _("in the text: run it now")]]
    if not row.address:
        found += _of_the_tour() if state.read(Touring).tour else _of_the_picture()
    else:
        found += _of_figures(row)
    return [
        *found,
        ["u", _("undo the last change")],
        ["Ctrl+Z", _("undo the last change")],
        ["c", _("copy the link to this view")],
        ["l", _("lecture view on and off")],
        ["?", _("this list")],
    ]


def _of_the_tour() -> list[list[str]]:
    return [
        ["1 2 3", _("give the answer with this number")],
        [_("Enter"), _("press the blue button")],
        ["← →", _("one click back or on")],
        [_("Space"), _("while the picture moves: pause it, or go on")],
    ]


def _of_the_picture() -> list[list[str]]:
    return [
        ["← →", _("previous or next token")],
        ["↑ ↓ ← →", _("in the picture: from one part to the next")],
        [_("Enter"), _("in the picture: open the part")],
        [_("Esc"), _("in the picture: one step back")],
    ]


def _of_figures(row: Row) -> list[list[str]]:
    steps = _("play or pause the steps: on their slider, or where the page cannot scroll")
    found = [
        ["← →", _("next token, next step, next cell"), WALKS],
        [_("Space"), steps, PLAYS],
    ]
    if row.address == LESSONS:
        found.append(["1 2 3", _("give the answer with this number"), ASKS])
    if state.lecture():
        turn = _("in lecture view: previous or next section, at the end of this one")
        found.append(["PgUp PgDn", turn])
        found.append([_("Esc"), _("leave lecture view")])
    if state.lecture() and row.address == LESSONS:
        found.append(["a", _("in lecture view: show the answer to the question"), ASKS])
    return found
