"""What a view is, and the registry where pages, lessons, links and exports find them."""

from __future__ import annotations

import csv
import importlib
import io
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

import plotly.graph_objects as go

from core.errors import ParameterError
from core.figures.payload import Payload
from core.figures.text import Sentence
from core.figures.theme import Mode
from core.language import N_, Phrase
from core.requests import Request

P = TypeVar("P")
R = TypeVar("R")
# Rows up to which an export holds all of them, beyond that the selected one: it travels with the
# page.
WHOLE_TABLE = 64


@dataclass(frozen=True)
class Table:
    """Rows for the CSV export and for readers that cannot see the picture.

    A view makes it in the current language, as it makes its title: a column may be called
    after a token, and a token is never translated. Only who writes the name can tell.
    """

    columns: tuple[str, ...]
    rows: Sequence[Sequence[Any]]

    def to_csv(self) -> str:
        """Comma-separated, a header line first; no cell or name starts a spreadsheet formula."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(map(_harmless, self.columns))
        writer.writerows([[_harmless(cell) for cell in row] for row in self.rows])
        return out.getvalue()


def _harmless(cell: Any) -> Any:
    """Texts that a spreadsheet would run as a formula get an apostrophe in front."""
    if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return "'" + cell
    return cell


class View(ABC, Generic[P, R]):
    """Something the app shows.

    Subclasses set ``name``, ``title`` and ``Params`` and are registered by
    ``@register``. Everything here is data in, object out.

    Attributes:
        name: stable, dotted: "attention.weights".
        Params: frozen dataclass, fields made with ``params.param``.
        needs: the ability a model must have: "causal", "masked", "any", or "none" (no model).
        sites: patterns of the sites it reads.
    """

    name: ClassVar[str]
    Params: ClassVar[type[Any]]
    needs: ClassVar[str] = "any"
    sites: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def title(self, record: R) -> str:
        """The figure's title, translated."""

    def requests(self, params: P) -> tuple[Request, ...]:
        """The runs it is computed from."""
        return ()

    @abstractmethod
    def compute(self, runs: Sequence[Any], params: P) -> R:
        """From the runs' results to the numbers that are shown."""

    @abstractmethod
    def describe(self, record: R) -> Sentence:
        """The reading: one or two sentences from the numbers; also the text alternative."""

    @abstractmethod
    def table(self, record: R) -> Table:
        """The same numbers as a table, translated."""


class PlotView(View[P, R]):
    """A view that is a Plotly figure."""

    @abstractmethod
    def figure(self, record: R, mode: Mode) -> go.Figure:
        """The plot, with title and named axes."""


class ComponentView(View[P, R]):
    """A view that is one of our components, with a static drawing for handouts.

    Attributes:
        component: folder in ``assets/components``.
    """

    component: ClassVar[str]

    @abstractmethod
    def payload(self, record: R) -> Payload:
        """What the component is given."""

    @abstractmethod
    def svg(self, record: R, mode: Mode) -> str:
        """The drawing."""


_VIEWS: dict[str, View[Any, Any]] = {}
V = TypeVar("V", bound=type[View[Any, Any]])


def register(cls: V) -> V:
    """Class decorator: put one instance of the view into the registry."""
    if cls.name in _VIEWS:
        raise ValueError(f"two views are called {cls.name!r}")
    _VIEWS[cls.name] = cls()
    return cls


def all_views() -> dict[str, View[Any, Any]]:
    """Every view by name; imports the modules that define them."""
    import core.figures as package

    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return dict(sorted(_VIEWS.items()))


def get(name: str) -> View[Any, Any]:
    """The view of that name.

    Raises:
        ParameterError: there is none.
    """
    if name not in _VIEWS:
        all_views()
    if name not in _VIEWS:
        raise ParameterError(
            "view", name, Phrase(N_("one of {choices}"), choices=", ".join(sorted(_VIEWS)))
        )
    return _VIEWS[name]
