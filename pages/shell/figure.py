"""Figures that ask for themselves: the page says which."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import streamlit as st

from core import views
from core.answers.app import FIGURE_FILES
from core.answers.names import PageNames
from core.experiments import EVERY
from core.figures.payload import Payload
from core.language import _, language
from core.runs.request import Job
from core.views.params import declared
from pages.parts import state
from pages.parts.components import mount
from pages.parts.page import model_here
from pages.parts.prefix import prefix
from pages.parts.runs import device, shared_runs

_SCOPE: ContextVar[str] = ContextVar("scope", default="")
_WHEN: ContextVar[Mapping[str, Sequence[str]]] = ContextVar("when", default=MappingProxyType({}))


@contextmanager
def in_scope(scope: str) -> Iterator[None]:
    """The figures within have a selection and parameters of their own, but the page's text.

    Args:
        scope: stands before their names in an address; one of those of the page's row.
    """
    token = _SCOPE.set(scope)
    try:
        yield
    finally:
        _SCOPE.reset(token)


@contextmanager
def only(name: str, *values: str, place: str) -> Iterator[None]:
    """What stands within is there while a parameter has one of these values; a figure is in it.

    Args:
        name: of the parameter.
        values: as a link says them; empty for one that nobody chose.
        place: keeps it there from run to run, with the last of the values.
    """
    token = _WHEN.set({name: values})
    try:
        with st.container(key=f"only-{place}-{values[-1]}"):
            yield
    finally:
        _WHEN.reset(token)


NOTHING: Mapping[str, Any] = {
    "drawn": False, "controls": [], "below": [], "says": [], "notes": [],
    "follows": [], "saves": False, "height": 0, "title": "", "when": {}, "more": {},
}  # fmt: skip
Says = Literal[
    "reading", "facts", "source", "changes", "letters", "problem", "cut", "steps", "job", "panel",
    "outcome",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Field:
    """How a page shows a control, where that is not as its parameter is declared.

    Attributes:
        name: of the parameter.
        kind: "number", a field in place of a slider; "lines", of several in place of one;
            "menu" in place of buttons side by side, "many" of them, which are a menu where there
            is little room; "button" in place of a switch. Empty for the usual one.
        step: of a number, from one value to the next.
        placeholder: of a text, while it is empty.
        again: on a button beside a number, which goes on to the next one.
        labels: of a button, while it is off and while it is on.
        first: it says what is looked at, so it stands above the figure on a phone, too.
        options: of a choice, where the page offers not all of them: as a link says each, and as
            it is called.
    """

    name: str
    kind: Literal["", "number", "lines", "menu", "many", "button"] = ""
    step: float | None = None
    placeholder: str = ""
    again: str = ""
    labels: tuple[str, str] | None = None
    first: bool = False
    options: Sequence[tuple[str, str]] = ()


def _fields(controls: Sequence[str | Field]) -> list[dict[str, Any]]:
    fields = [Field(control) if isinstance(control, str) else control for control in controls]
    return [
        {name: value for name, value in dataclasses.asdict(field).items() if value}
        for field in fields
    ]


def figure(
    view: str,
    *,
    controls: Sequence[str | Field] = (),
    below: Sequence[str | Field] = (),
    says: Sequence[Says] = (),
    notes: Sequence[str] = (),
    follows: Sequence[str] = (),
    save: bool = True,
    height: int = 0,
    title: str = "",
    fixed: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """A figure, asked for where it is near what is seen, and again when what it reads changes.

    Args:
        view: its name.
        controls: parameters that may be changed above it, in this order.
        below: those that may be changed below it.
        says: what stands around it: how its jobs stand, the steps through it, its sentence, what
            the model changes in the text and what it leaves out of it; where details are open,
            what is selected and what it cost, and the line of code that computed it.
        notes: the kinds of its notes that are said.
        follows: what is selected in it that its sentence speaks of.
        save: offer its files.
        height: pixels that are kept for it until it is there.
        title: above it, and only where there is something to show.
        fixed: parameters that are the same whatever the page shows, as a link says them.
    """
    _mount(view, _key(view, *fixed.values()), {
        **NOTHING, "drawn": True, "controls": _fields(controls), "below": _fields(below),
        "says": list(says), "notes": list(notes), "follows": list(follows), "saves": save,
        "height": height, "title": title,
    }, fixed)  # fmt: skip


def in_turn(
    name: str, shown: Mapping[str, str], *, says: Sequence[Says] = (), height: int = 0
) -> None:
    """Figures that stand in one place, the one that a parameter says.

    Args:
        name: of the parameter.
        shown: by each of its values the view; the first one's also while nothing is chosen.
        says: below each, as of ``figure``.
        height: pixels that are kept for the first one until it is there.
    """
    first = next(iter(shown))
    for value, view in shown.items():
        values = ["", value] if value == first else [value]
        _mount(view, view, {
            **NOTHING, "drawn": True, "says": list(says), "saves": True, "when": {name: values},
            "height": height if value == first else 0,
        })  # fmt: skip


def drawing(
    view: str,
    more: Mapping[str, Any],
    *,
    controls: Sequence[str | Field] = (),
    save: bool = True,
    height: int = 0,
    fixed: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """A figure whose component reads ``more``, which only the page knows, beside its data.

    ``hosted`` says that another one draws it, so that it takes no room. The further arguments are
    those of ``figure``.
    """
    _mount(view, _key(view, *fixed.values()), {
        **NOTHING, "drawn": True, "controls": _fields(controls), "saves": save, "height": height,
        "more": dict(more),
    }, fixed)  # fmt: skip


def prose(
    view: str,
    *,
    controls: Sequence[str | Field] = (),
    says: Sequence[Says] = (),
    notes: Sequence[str] = (),
    follows: Sequence[str] = (),
    fixed: Mapping[str, str] = MappingProxyType({}),
    when: Mapping[str, Sequence[str]] = MappingProxyType({}),
    more: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """What a view says of a run, and what can be changed of it, beside its drawing.

    The arguments are those of ``figure``; ``when`` has parameters, and those of their values with
    which it is there; ``more`` is what a panel (``View.panel``) reads besides.
    """
    shown: dict[str, Any] = {
        "controls": _fields(controls), "says": list(says), "notes": list(notes),
        "follows": list(follows), "more": dict(more),
        "when": {name: list(values) for name, values in when.items()},
    }  # fmt: skip
    names = [field["name"] for field in shown["controls"]]
    key = _key(view, *fixed.values(), *names, *says, *notes)
    _mount(view, key, {**NOTHING, **shown}, fixed)


def files(view: str) -> None:
    """The files of a figure that is shown without them, elsewhere on the page."""
    _mount(view, f"save-{view}", {**NOTHING, "saves": True})


def definitions(view: str, names: Sequence[str], model: str) -> None:
    """What the tensors on this page are and how large, folded away. No lecture shows it.

    Args:
        view: whose run has their lengths.
        names: of their sites.
        model: that computes them.
    """
    if state.lecture():
        return
    with st.expander(_("What every name on this page means")):
        catalogue = shared_runs().model(model, device()).catalogue
        # What a machine has no part for is not defined: a recurrent one has no values of heads.
        sites = [name for name in names if name in catalogue]
        asks = {"_sites": ",".join(sites), "model": model}
        _mount(view, f"{view}-letters", {**NOTHING, "says": ["letters"]}, asks)
        for site in (catalogue[name] for name in sites):
            of = " × ".join(site.axes)
            st.markdown(f"`{site.pattern}` ({of}) $\\;{site.symbol}$ — {site.sentence()}")


def _key(*parts: str) -> str:
    return "-".join(filter(None, parts))


def _mount(
    view: str, key: str, shown: Mapping[str, Any], asks: Mapping[str, str] | None = None
) -> None:
    """Put a figure on the page.

    Args:
        view: that it asks for.
        key: keeps it there from run to run.
        shown: of it (``NOTHING`` says of what).
        asks: what else it asks with.
    """
    read, scope = _read(view), _SCOPE.get()
    query = _asks(view, [name for name in read if not _in_browser(view, name)])
    params = state.read(views.get(view).Params, scope)  # what is wrong in the link is said
    job = any(isinstance(request, Job) for request in views.get(view).requests(params))
    when = {name: list(values) for name, values in _WHEN.get().items()} | shown["when"]
    header = {**query, **shown, "when": when, "asks": {**_model(read), **(asks or {})}, "job": job}
    mount("figure", Payload(header), key=_key(scope, key), scope=scope)


def _model(read: Sequence[str]) -> dict[str, str]:
    """The model that the page shows, where that is not the one that was chosen."""
    model = model_here()
    return {"model": model} if "model" in read and model != state.read(PageNames).model else {}


def _asks(view: str, read: Sequence[str]) -> dict[str, Any]:
    """Where a figure is asked for, and the names of the state that stand in the question."""
    tried = ["experiment"] if any(experiment.place == view for experiment in EVERY) else []
    return {
        "view": view,
        "path": prefix() + FIGURE_FILES,
        "reads": [*read, "device", *tried],
        "speaks": language(),
        "labels": {
            "lost": _("No answer. What is shown stays, and it is asked again."),
            "empty": _("Type a word or two above. The last run is still shown."),
            "computed": _("computed by"),
            "pause": _("Pause"),
            "continue": _("Continue"),
            "step": _("Step"),
            "stop": _("Stop"),
            "again": _("Start again"),
        },
    }


def _read(view: str) -> list[str]:
    return [field.name for field in dataclasses.fields(views.get(view).Params)]


def _in_browser(view: str, name: str) -> bool:
    return declared(views.get(view).Params, name).lives == "browser"
