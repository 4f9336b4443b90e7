"""What an answer knows of the app that asks for it: its runs, its addresses, its pages."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from core.language import _, language
from core.runs.prefetching import Prefetcher
from core.runs.store import Runs
from core.views import View
from core.views.params import declared, to_query

FIGURE_FILES = "/figure"  # the address of figures, and of their files
LESSON_FILES = "/lesson"  # that of the screens of lessons, and of their files
REMARKS = "/remarks"  # that of what is said of a text
NEAREST = "_nearest"  # in an address: what the page shows, which is the nearest that its model has


class AppPage(Protocol):
    """A page of the app: its address, its section of the menu, and its title there."""

    @property
    def address(self) -> str: ...
    @property
    def section(self) -> str: ...
    @property
    def title(self) -> str: ...


@dataclass(frozen=True)
class App:
    """The app.

    Attributes:
        runs: carry requests out, for all who look at the same.
        ahead: works out what will be asked for soon.
        prefix: all its addresses begin with it.
        page_of: by a view and a model, the page that shows both; a KeyError where none does.
    """

    runs: Runs
    ahead: Prefetcher
    prefix: str
    page_of: Callable[[str, str], AppPage]

    def at(self, address: str) -> str:
        """Where a browser finds one of its pages."""
        return f"{self.prefix}/{address}"

    def files_of(self, view: View[Any, Any], params: Any, on: str) -> dict[str, Any]:
        """What the menu under a figure needs to ask for its files."""
        fields = [f.name for f in dataclasses.fields(params)]
        chosen = to_query(params) | {"_device": on, "_language": language(), NEAREST: "1"}
        return {
            "view": view.name,
            "path": self.prefix + FIGURE_FILES,
            "params": chosen,
            "fields": [name for name in fields if declared(params, name).lives == "browser"],
            "labels": {
                "save": _("Save"),
                "svg": _("Drawing (SVG)"),
                "png": _("Picture (PNG)"),
                "csv": _("Data (CSV)"),
                "html": _("Live figure (HTML)"),
                "text": _("Text description"),
                "table": _("Table"),
                "failed": _("The file did not arrive. Check the connection and try again."),
            },
        }
