"""What a view is, and the registry where pages, lessons, links and exports find it by name."""

from __future__ import annotations

import importlib  # noqa: TID251 (each module of a package of ours, by its name)
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, TypeVar

from core.errors import ParameterError
from core.figures.components.base import Component, Selected
from core.figures.components.stepper import Stepper
from core.figures.payload import Payload
from core.figures.text import Sentence
from core.figures.values import Values
from core.models.needs import ANY, Needs
from core.runs.request import Request
from core.views.controls import Control

P = TypeVar("P")
R = TypeVar("R")

_VIEWS: dict[str, View[Any, Any]] = {}


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence that belongs to a figure.

    Attributes:
        kind: what it is for: something to know, something to beware of, a mistake that lecture
            notes make, one more thing that the numbers say, what the learner is asked, or a line
            of code.
        text: translated.
    """

    kind: Literal["info", "warning", "erratum", "more", "question", "code"]
    text: Sentence


class View(ABC, Generic[P, R]):
    """Something that is shown: data in, object out.

    Subclasses set the class variables. Those that say a name are found by it.

    Attributes:
        name: stable, dotted: topic and view.
        Params: frozen dataclass, fields made with ``params.param``.
        needs: what a model must have.
        kept: what is drawn takes long, and is kept for all who look at the same.
    """

    name: ClassVar[str]
    Params: ClassVar[type[Any]]
    needs: ClassVar[Needs] = ANY
    kept: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        """Put one instance of a view with a name into the registry."""
        super().__init_subclass__()
        if "name" in vars(cls):
            if cls.name in _VIEWS:
                raise ValueError(f"two views are called {cls.name!r}")
            _VIEWS[cls.name] = cls()

    def requests(self, params: P) -> tuple[Request, ...]:
        """The runs it is computed from."""
        return ()

    def soon(self, params: P) -> Sequence[Request]:
        """The runs that are likely to be asked for next, in this order."""
        return ()

    @abstractmethod
    def compute(self, runs: Sequence[Any], params: P) -> R:
        """From the runs' results to the record: numbers, no words."""

    @abstractmethod
    def values(self, record: R) -> Mapping[str, Values]:
        """The numbers by name, all of them."""

    @abstractmethod
    def draw(self, record: R) -> Component:
        """What is drawn, as one component; what every one needs is added by ``show``."""

    @abstractmethod
    def describe(self, record: R) -> Sentence:
        """The reading: one or two sentences from the numbers; also the text alternative."""

    def selection(self, record: R) -> Selected:
        """What is selected, by the names of the parameters."""
        return {}

    def show(self, record: R) -> Component:
        """What is drawn, with its text alternative and what is selected in it."""
        drawn = self.draw(record)
        return drawn.completed(drawn.alt or str(self.describe(record)), self.selection(record))

    def steps(self, record: R) -> Stepper | None:
        """The steps through what is shown, where it has some."""
        return None

    def notes(self, record: R) -> Sequence[Note]:
        """What else is to be said of it."""
        return ()

    def controls(self, record: R) -> Sequence[Control]:
        """What may be changed of it otherwise than was declared (``core.views.controls``)."""
        return ()

    def absent(self, record: R) -> bool:
        """Whether there is nothing to show of it, so that a page leaves it out."""
        return False

    def otherwise(self, params: P) -> P | None:
        """What a page shows where the parameters ask for what cannot be had; None for nothing."""
        return None

    def texts(self, params: P) -> Sequence[str]:
        """What it gives its model to read, of which a page says what the model changes in it."""
        text = getattr(params, "text", "")
        return [text] if text else []

    def site(self, record: R) -> str:
        """The site whose line of code computed it; empty where that is no single one."""
        return ""

    def line(self, record: R) -> tuple[str, str] | None:
        """The file whose line computed it and what stands in that line, where no site says it."""
        return None

    def acts(self, record: R) -> Mapping[str, Mapping[str, Mapping[str, str | None]]]:
        """What a click in its drawing changes.

        By what that says, and by its value (``*`` for any, which stands in place of ``{}``): names
        and values as a link says them; None takes one back to its default.
        """
        return {}

    def panel(self, record: R) -> Payload | None:
        """What is offered beside it for what is selected; its header names the component's folder.

        It goes along with the words that follow a selection; None where nothing is offered.
        """
        return None

    def facts(self, record: R) -> Sequence[str]:
        """What is selected and what it cost, in a few words each."""
        return ()


def all_views() -> dict[str, View[Any, Any]]:
    """Every view by name; imports the files that define them."""
    import core.views as package

    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
    return dict(sorted(_VIEWS.items()))


def get(name: str) -> View[Any, Any]:
    """The view of that name.

    Raises:
        ParameterError: there is none.
    """
    if name not in _VIEWS:
        all_views()
    if name not in _VIEWS:
        raise ParameterError.near_to("view", name, _VIEWS)
    return _VIEWS[name]
