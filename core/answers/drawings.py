"""What figures are drawn from, kept for all learners who look at the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from core.figures.payload import Payload
from core.language import language
from core.runs.store import Runs
from core.sizes import held
from core.views import View


class Drawable(Protocol):
    """What can be put on a page: a component, or what was kept of one."""

    @property
    def folder(self) -> str:
        """The folder of its script in ``assets/components``."""

    @property
    def drawn_by(self) -> str:
        """The folder of what draws it on a page, where that is another."""

    def payload(self) -> Payload:
        """What the browser is given."""

    def on_page(self) -> Payload:
        """What it is given by a page whose figures ask."""


@dataclass(frozen=True, eq=False)
class KeptDrawing:
    """What is left of a component when it has been drawn.

    Attributes:
        folder: in ``assets/components``.
        made: what the browser is given.
        nbytes: that it takes in memory.
    """

    folder: str
    made: Payload
    nbytes: int
    drawn_by: str = ""

    def payload(self) -> Payload:
        """What the browser is given."""
        return self.made

    on_page = payload


def drawing_of(runs: Runs, view: View[Any, Any], params: Any, record: Any, on: str) -> Drawable:
    """What a view draws: as it was drawn before, if it is one that takes long (``View.kept``).

    Args:
        runs: keep it.
        view: is shown.
        params: of it, at rest; together with the models they decide all of it.
        record: of the view.
        on: the device that it was run on.
    """
    if not view.kept:
        return view.show(record)
    keys = tuple(runs.key(request, on) for request in view.requests(params))
    what = ("drawing", view.name, params, keys, language())
    drawing: KeptDrawing = runs.kept(what, lambda: _draw(view, record))
    return drawing


def _draw(view: View[Any, Any], record: Any) -> KeptDrawing:
    component = view.show(record)
    payload = component.payload()
    return KeptDrawing(component.folder, payload, held(payload))
