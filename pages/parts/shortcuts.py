"""The list of keys that do something on a page, and what each does."""

from __future__ import annotations

from dataclasses import dataclass

from core.answers.names import LESSONS, Touring
from core.language import _
from core.yaml_files import read_rows
from pages.parts import state
from pages.parts.table import PageRow


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A key.

    Attributes:
        does: what it does (translate with ``_``).
        where: of what all a page must have for it.
        keys: as they are written.
        called: in place of them, a key that has a name in each language.
        needs: what must be on the page for it (assets/components/runbar/runbar.js).
    """

    does: str
    where: str
    keys: str = ""
    called: str = ""
    needs: str = ""


SHORTCUTS = read_rows("shortcuts.yaml", Shortcut)


def shortcuts(row: PageRow, *, text: bool) -> list[list[str]]:
    """Keys of a page, what each does, and perhaps what must be on the page for it.

    Args:
        row: the page.
        text: there is a field for a text.
    """
    home = "tour" if state.read(Touring).tour else "picture"
    has = {"page", "figures" if row.address else home}
    has |= {"text"} if text else set()
    has |= {"lecture"} if state.lecture() else set()
    has |= {"lesson"} if row.address == LESSONS else set()
    return [
        [key.keys or _(key.called), _(key.does), *([key.needs] if key.needs else [])]
        for key in SHORTCUTS
        if has.issuperset(key.where.split())
    ]
