"""Figures on a page: run what a view needs, show its component, offer its files."""

# Longer than 300 lines: how a view becomes a figure on a page is one idea.

from __future__ import annotations

import dataclasses
import html
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from core import views
from core.errors import CoreError
from core.figures.components import Plot
from core.figures.components.plot.digest import digest
from core.figures.payload import Payload
from core.figures.text import harmless
from core.figures.theme import Mode
from core.language import _, language
from core.runs.requests import Request
from core.views import View
from core.views.params import at_rest, declared, to_query
from core.views.positions.curves import Curves
from pages.parts import state
from pages.parts.components import mount
from pages.parts.drawings import Drawing, drawing_of, drawn_plot
from pages.parts.messages import dim_while_empty, say, show_error, wait_for_models
from pages.parts.outcome import outcome_at
from pages.parts.prefix import prefix
from pages.parts.runs import device, shared_runs

FILES = "/figure"  # the address of files that are made when they are asked for
NEAREST = "_nearest"  # in it: what the page shows, which is the nearest that its model has
Handlers = dict[str, Callable[[Any], None]]
LARGER = 1.2  # times as large as elsewhere, a plot on the smallest screen of a lecture
LECTURED, LECTURED_PANEL = 420, 155  # pixels that it has there at most, and each of its panels


def mode() -> Mode:
    """Light or dark, as the browser shows it."""
    return "dark" if st.context.theme.type == "dark" else "light"


def record_of(name: str, params: Any, *, selected: bool = False) -> Any:
    """Run what a view needs and compute its record.

    Args:
        name: of the view.
        params: what it shows.
        selected: with what is selected in the browser; a figure needs no more than the record at
            rest, and follows the selection by itself.

    Raises:
        CoreError: a run cannot be carried out.
    """
    view, params = views.get(name), params if selected else at_rest(params)
    return view.compute([result_of(request) for request in view.requests(params)], params)


def result_of(request: Request) -> Any:
    """What a request gives; that it takes a while is said: a model is loaded.

    Raises:
        CoreError: it cannot be carried out.
    """
    wait_for_models(request)
    return shared_runs().get(request, device())


def show(
    name: str,
    params: Any,
    *,
    key: str | None = None,
    scope: str = "",
    on: Handlers | None = None,
    record: Any = None,
    save: bool = True,
    more: Mapping[str, Any] | None = None,
) -> Any:
    """Show a view: run, compute, draw, and offer its files. Gives the record.

    A user's mistake is shown in place of the figure; nothing typed is lost.

    Args:
        name: of the view.
        params: what it shows.
        key: keeps the figure mounted from run to run; the view's name when None.
        scope: whose selection it follows; the page's own when empty.
        on: for each further event the component sends, what to do with it.
        record: of the view, where the page has it already.
        save: offer its files.
        more: what only the page knows, for the component.
    """
    view, key, params = views.get(name), key or name, at_rest(params)
    if not scope:  # an experiment changes the page's own
        outcome_at((name, key), result_of)
    reads_text = hasattr(params, "text") and not getattr(params, "picture", "")
    if reads_text and any(one.models for one in view.requests(params)):
        dim_while_empty(key)
    try:
        if record is None:
            record = view.compute([result_of(one) for one in view.requests(params)], params)
        component = drawing_of(view, params, record, device())
    except CoreError as problem:
        show_error(problem)
        return None
    put(view, component, params, key, scope=scope, on=on, save=save, more=more)
    return record


def save_menu(name: str, params: Any) -> None:
    """The files of a figure that was shown without them, elsewhere on the page."""
    header = {"figure": name, "save": files_of(views.get(name), at_rest(params), device())}
    mount("save", Payload(header), key=f"save-{name}")


def show_steps(name: str, record: Any, *, key: str, scope: str = "", keys: bool = True) -> None:
    """The steps through a view, where it has some.

    Args:
        name: of the view.
        record: of it.
        key: keeps the stepper mounted from run to run.
        scope: whose selection it moves; the page's own when empty.
        keys: the page's arrow keys move it; on a page with two, the main one's.
    """
    steps = views.get(name).steps(record)
    if steps is not None:
        steps = dataclasses.replace(steps, keys=keys)
        mount(steps.folder, steps.payload(), key=key, scope=scope)


def show_notes(name: str, record: Any, kind: str) -> None:
    """What else a view says of its numbers, one kind of it."""
    for note in views.get(name).notes(record):
        if note.kind != kind:
            continue
        if kind == "info":
            say("info", str(note.text), icon=":material/info:")
        elif kind == "warning":
            say("warning", str(note.text), icon=":material/visibility:")
        else:
            st.markdown(("- " if kind == "erratum" else "") + harmless(str(note.text)))


def reading(name: str, record: Any, more: str = "") -> None:
    """A view's reading, each marked word in its colour; nothing for a view that could not run.

    Args:
        name: of the view.
        record: of it.
        more: what the page adds.
    """
    if record is not None:
        st.html(reading_html(name, record, more))


def reading_html(name: str, record: Any, more: str = "") -> str:
    """The same as HTML."""
    words = "".join(
        html.escape(part.text)
        if part.role == "plain"
        else f"<span class='role-{part.role}'>{html.escape(part.text)}</span>"
        for part in views.get(name).describe(record).parts
    )
    whole = (words + (f" {html.escape(more)}" if more else "")).replace(" %", "\u00a0%")  # unbroken
    return f"<p class='glass-reading'>{whole}</p>"


def put(
    view: View[Any, Any],
    component: Drawing,
    params: Any,
    key: str,
    *,
    scope: str = "",
    on: Handlers | None = None,
    about: int | None = None,
    save: bool = True,
    more: Mapping[str, Any] | None = None,
) -> None:
    """Mount what a view has drawn, as it is; the arguments are those of ``show`` and ``mount``."""
    files = files_of(view, params, device()) if save else None
    if (draw := BY_ITSELF.get(component.folder)) is not None:
        draw(component, key)
        if files is not None:
            mount("save", Payload({"save": files}), key=f"save-{key}", scope=scope)
        return
    payload = component.payload()
    header = {**payload.header, **(more or {}), "figure": key}
    header |= {} if files is None else {"save": files}
    mount(
        component.folder, Payload(header, payload.arrays), key=key, scope=scope, on=on, about=about
    )


def files_of(view: View[Any, Any], params: Any, on: str) -> dict[str, Any]:
    """What the menu under a figure needs to ask for its files."""
    fields = [f.name for f in dataclasses.fields(params)]
    chosen = to_query(params) | {"_device": on, "_language": language(), NEAREST: "1"}
    return {
        "view": view.name,
        "path": prefix() + FILES,
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


def _plot(plot: Plot, key: str) -> None:
    """Mount a plot; Plotly takes 20 ms to build one, so it is kept for all learners."""
    projected = state.lecture()
    if projected:
        most = max(LECTURED, LECTURED_PANEL * len(plot.panels))
        plot = dataclasses.replace(plot, height=round(min(plot.height, most) / LARGER))
    what = ("plot", digest(plot), mode(), language(), projected)
    kept = shared_runs().kept(what, lambda: drawn_plot(plot, mode(), projected=projected))
    # Plotly's own buttons would lie over the title on a phone; a double click resets the plot.
    config = {"displayModeBar": False}
    st.plotly_chart(kept.figure, key=key, width="stretch", config=config)
    st.html(
        f"<p class='visually-hidden'>{html.escape(plot.alt)}</p>"
        f"<div class='glass-plot-room' style='--height: {plot.height}px'></div>"
    )


# How a component is mounted that is no module of ours on a page, by its folder.
BY_ITSELF: Mapping[str, Callable[[Any, str], None]] = {Plot.folder: _plot}


def warm_plots() -> None:
    """Find all views and draw one plot.

    Plotly brings pandas along with its first plot; two learners' threads may not both do that.
    """
    views.all_views()
    view = Curves()
    params = view.Params()
    runs = [shared_runs().get(request) for request in view.requests(params)]
    view.show(view.compute(runs, params)).figure("light").to_json()


__all__ = [
    "FILES",
    "NEAREST",
    "mode",
    "reading",
    "reading_html",
    "record_of",
    "result_of",
    "save_menu",
    "show",
    "show_notes",
    "show_steps",
    "state",
    "warm_plots",
]
