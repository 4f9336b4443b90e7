"""The learner's state: a flat set of names and short texts, read and changed by name."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from core.views.params import Problem, declared, parse, to_query, written
from pages.parts.limits import bounded, declared_only, newest
from pages.parts.link import clean
from pages.parts.names import BAR_MODEL, Came, as_selected, selectable
from pages.parts.session import ASIDE, Part, Session, own_session

P = TypeVar("P")

UNDO_STEPS = 50
UNDO_KEPT = 100_000  # characters
TYPED = {"text", "hers", "back_text", "abroad"}  # what typing on changes (pages/parts/sentence.py)
# Where she is and what she speaks, not what she did there.
KEPT_BY_RESET = frozenset(
    {"lesson", "lesson_at", "path", "tour", "language", *to_query(Came(), whole=True)}
)


def selection(said: Any) -> dict[str, int | str | None]:
    """What of a browser's message names a selection; everything else it says is left out."""
    if not isinstance(said, dict):
        return {}
    return {
        name: value
        for name, value in declared_only(said).items()
        if name.rpartition(".")[2] in selectable() and (value is None or type(value) in (int, str))
    }


def in_scope(name: str, scope: str) -> str:
    """A name as the state has it: a page's own plain, those of a further scope with a prefix."""
    return f"{scope}.{name}" if scope else name


@contextlib.contextmanager
def drawing(name: str) -> Iterator[Part]:
    """While a part of the page is run: what is read then is noted as its own."""
    session = own_session()
    own, before = session.parts[name], session.drawing
    own.reads, own.names, session.drawing = set(), set(), name
    had, own.hears = own.hears, {}
    try:
        yield own
        had = {}
    finally:  # a run that is cut short leaves what has not been drawn anew
        own.hears = had | own.hears
        session.drawing = before


@contextlib.contextmanager
def aside() -> Iterator[None]:
    """While a callback acts: no part of the page shows what it reads."""
    session = own_session()
    session.drawing, before = ASIDE, session.drawing
    try:
        yield
    finally:
        session.drawing = before


def read(
    cls: type[P], scope: str = "", *, follow: Collection[str] = (), leave: Collection[str] = ()
) -> P:
    """The state as the parameters of a page or view; wrong values become defaults and are noted.

    The part that is run shows every change of them but those that live in the browser.

    Args:
        cls: the parameters.
        scope: of the figures; in a further scope text and model are the page's, if not its own.
        follow: names that live in the browser and whose changes this part shows all the same.
        leave: names that live on the server and whose changes it does not show.
    """
    session = own_session()
    names = [field.name for field in dataclasses.fields(cls)]  # type: ignore[arg-type]
    full = {name: in_scope(name, scope) for name in names}
    values = {name: session.values[at] for name, at in full.items() if at in session.values}
    for name in ("text", "model"):
        if name in names and name not in values and name in session.values:
            values[name] = session.values[name]
    params, found = parse(cls, values)
    problems = [dataclasses.replace(one, name=full[one.name]) for one in found]
    if session.drawing != ASIDE:
        in_link(full.values())
        session.parts[session.drawing].reads |= {
            at
            for name, at in full.items()
            if name in follow or (declared(cls, name).lives == "server" and name not in leave)
        }
    for problem in problems:
        if problem not in session.problems:
            session.problems.append(problem)
    # What was wrong must not stand in the link any longer.
    if problems:
        said = to_query(params)
        for own, problem in zip(found, problems, strict=True):
            session.values.pop(problem.name, None)
            if own.name in said:
                session.values[problem.name] = said[own.name]
    return params


def note(problems: Iterable[Problem], scope: str = "") -> None:
    """What a new link asks for and is not there: it is said, and the link has what is used.

    What the learner has chosen for another model stays as it is.
    """
    session = own_session()
    for one in problems:
        name = in_scope(one.name, scope)
        if name in session.found and session.values.get(name) == one.got:
            session.problems.append(dataclasses.replace(one, name=name))
            del session.values[name]
            if one.used:
                session.values[name] = one.used


def in_link(names: Iterable[str]) -> None:
    """The part that is run stands for these names in the link."""
    session = own_session()
    session.parts[session.drawing].names.update(names)


def shown_names() -> set[str]:
    """The names that the link of this page says."""
    return {name for part in own_session().parts.values() for name in part.names}


def looked_for() -> bool:
    """Whether the link leads to a figure that may lie below the fold: all is drawn at once."""
    return "back_to" in own_session().found


def as_of_this_page(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Changes that are made on a page: a model among them is not the one of the bar.

    It goes along to other pages, but home gives back what the bar had (``give_back_model``).
    """
    if "model" not in changes:
        return dict(changes)
    session = own_session()
    before = session.values.get("model", "")
    if "model" not in session.found and session.opened.get("model") == before:
        before = ""  # the page has put it there
    return {**changes, BAR_MODEL: session.values.get(BAR_MODEL, before)}


def give_back_model() -> None:
    """Run the model of the bar again, if a page has put another one in its place."""
    values = own_session().values
    if BAR_MODEL in values:
        own = values.pop(BAR_MODEL)
        values.pop("model", None)
        if own:
            values["model"] = own


def begin_with(name: str, value: Any) -> None:
    """What the page opens on by itself: no change of the learner's, which she could undo."""
    own_session().values[name] = as_text(value)


def update(
    changes: Mapping[str, Any], *, scope: str = "", goes_on: bool = False, looks: bool = False
) -> None:
    """Change values by name; None takes a value back to its default.

    Args:
        changes: names and new values.
        scope: whose names they are.
        goes_on: with the last change, if that changed the same: a stroke that is drawn.
        looks: they say where she looks, which is no change that she would undo.
    """
    session = own_session()
    texts = {
        in_scope(name, scope): None if value is None else as_text(value)
        for name, value in changes.items()
    }
    changed = tuple(sorted(n for n, text in texts.items() if session.values.get(n) != text))
    if not changed:
        return
    same = changed == session.last_change
    types = "text" in changed and "text" in session.last_change
    types = types and TYPED.issuperset(changed + session.last_change)
    if not (types or looks or (same and goes_on)):
        _keep_for_undo(session)
    session.last_change = changed
    session.changed |= set(changed)
    for name, text in texts.items():
        if text is None:
            session.values.pop(name, None)
        else:
            session.values[name] = text
    session.values = bounded(session.values)


def _keep_for_undo(session: Session) -> None:
    """Keep the state as it is now, and as many of those before it as there is room for."""
    states = [*session.undo[-UNDO_STEPS:], dict(session.values)]
    session.undo = states[-max(1, newest(reversed(states), UNDO_KEPT)) :]


def as_text(value: Any) -> str:
    """A value as the state and the link have it."""
    return clean(written(value))


def in_browser() -> dict[str, int | str]:
    """What is selected, by the names that the browser has for it; defaults are left out."""
    values = own_session().values
    found = {name: as_selected(name, text) for name, text in values.items()}
    return {name: value for name, value in found.items() if value is not None}


def follow(name: str) -> None:
    """The part that is run shows something that is in no link; ``touch`` says that it changed."""
    session = own_session()
    if session.drawing != ASIDE:
        session.parts[session.drawing].reads.add(name)


def touch(name: str) -> None:
    """Something that is in no link has changed."""
    own_session().changed.add(name)


def chosen(name: str) -> bool:
    """Whether a value was chosen, by the learner or by a link, or is just the default."""
    return name in own_session().values


def lecture() -> bool:
    """Whether the page is projected; when that changes all of it is drawn again (``frame``)."""
    return own_session().values.get("view") == "lecture"


def undo() -> None:
    """Take back the last change."""
    session = own_session()
    if session.undo:
        _replace(session, session.undo.pop())


def reset() -> None:
    """Back to the first example of this page, everything as it was at the start."""
    session = own_session()
    _keep_for_undo(session)
    kept = session.values.keys() - (shown_names() - KEPT_BY_RESET) - {BAR_MODEL}
    session.opened = {name: at for name, at in session.opens.items() if name not in kept}
    _replace(session, {name: session.values[name] for name in kept})


def _replace(session: Session, values: dict[str, str]) -> None:
    """Put other values in place of all; the next change is no typing on."""
    example = {}
    if session.example and "text" not in values:
        example = {"text": session.example, "hers": ""}
    before, now = session.values, session.opened | example | values
    session.values = now
    names = before.keys() | now.keys()
    session.changed |= {name for name in names if before.get(name) != now.get(name)}
    session.last_change = ()


def can_undo() -> bool:
    """Whether there is a change to take back."""
    return bool(own_session().undo)


def problems() -> list[Problem]:
    """What was wrong in the link, found so far in this run."""
    return own_session().problems
