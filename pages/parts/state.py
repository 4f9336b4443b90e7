"""What the address of a page says, read by name while its script runs.

The state is the browser's (assets/components/shared/state.js); a script sees what of it stands in
the address, and what it finds wrong or opens on goes back with the page (``pages.shell.live``).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeVar

from core.answers.link import clean, read_link
from core.views.params import Problem, between, parse, to_query, written

P = TypeVar("P")

ALONG = "along"  # in the query of a click inside the app: its values come from another page


@dataclass
class PageState:
    """What the address of the page says that is open.

    Attributes:
        address: in the table of pages.
        values: by name.
        along: they come from another page of the app, so that nothing in them is a mistake.
        problems: what was wrong in them.
        opened: what the page opens on where they say nothing.
    """

    address: str
    values: dict[str, str]
    along: bool = False
    problems: list[Problem] = field(default_factory=list)
    opened: dict[str, str] = field(default_factory=dict)


_HERE: ContextVar[PageState] = ContextVar("page")


def open_at(address: str, query: Mapping[str, str]) -> None:
    """Begin the run of a page's script.

    Args:
        address: of the page.
        query: of its link, a stranger's.
    """
    along = ALONG in query
    values, problems = read_link({name: value for name, value in query.items() if name != ALONG})
    _HERE.set(PageState(address, values, along, problems))


def current_page() -> PageState:
    """The page whose script runs."""
    return _HERE.get()


def in_scope(name: str, scope: str) -> str:
    """A name as an address has it: a page's own plain, those of a further scope with a prefix."""
    return f"{scope}.{name}" if scope else name


def read(cls: type[P], scope: str = "") -> P:
    """The state as the parameters of a page or view; wrong values become defaults and are noted.

    Args:
        cls: the parameters.
        scope: of the figures; in a further scope text and model are the page's, if not its own.
    """
    page = current_page()
    values_ = page.opened | page.values
    names = [field.name for field in dataclasses.fields(cls)]  # type: ignore[arg-type]
    full = {name: in_scope(name, scope) for name in names}
    values = {name: values_[place] for name, place in full.items() if place in values_}
    for name in ("text", "model"):
        if name in names and name not in values and name in values_:
            values[name] = values_[name]
    params, problems = parse(cls, values)
    query = to_query(params) if problems else {}
    for problem_ in problems:  # what was wrong must not stand in the link any longer
        problem = dataclasses.replace(problem_, name=full[problem_.name])
        if problem not in page.problems:
            page.problems.append(problem)
        page.values.pop(problem.name, None)
        if problem_.name in query:
            page.values[problem.name] = query[problem_.name]
    return params


def note(problems: Iterable[Problem]) -> None:
    """What a link asks for and is not there: it is said, and the link has what is used.

    What the learner has chosen for another model stays as it is.
    """
    page = current_page()
    for problem in problems:
        if not page.along and page.values.get(problem.name) == problem.got:
            page.problems.append(problem)
            del page.values[problem.name]
            if problem.used:
                page.values[problem.name] = problem.used


def within(most: Mapping[str, int]) -> None:
    """Set right what a link says beyond the size of the model that is shown.

    What the learner chose in a larger model is kept for it; the pages show the nearest there is.

    Args:
        most: names and the largest values the model has.
    """
    values = current_page().values
    numbers = {name: values[name] for name in sorted(values.keys() & most.keys())}
    note(
        Problem(name, value, between(0, most[name]), str(most[name]))
        for name, value in numbers.items()
        if value.isdecimal() and int(value) > most[name]
    )


def chosen(name: str) -> bool:
    """Whether the address says a value; what the page opens on by itself is none."""
    return name in current_page().values


def lecture() -> bool:
    """Whether the page is projected."""
    return current_page().values.get("view") == "lecture"


def as_text(value: Any) -> str:
    """A value as the state and the link have it."""
    return clean(written(value))
