"""What a page and the server's answers say of a figure: its files, its sentence, its run."""

from __future__ import annotations

import dataclasses
import html
from typing import Any

from core import views
from core.language import _, language
from core.runs.requests import Request
from core.views import View
from core.views.params import at_rest, declared, to_query
from pages.parts.messages import wait_for_models
from pages.parts.prefix import prefix
from pages.parts.runs import device, shared_runs

FILES = "/figure"  # the address of files that are made when they are asked for
NEAREST = "_nearest"  # in it: what the page shows, which is the nearest that its model has


def record_of(name: str, params: Any) -> Any:
    """Run what a view needs and compute its record, at rest.

    Args:
        name: of the view.
        params: what it shows.

    Raises:
        CoreError: a run cannot be carried out.
    """
    view, params = views.get(name), at_rest(params)
    return view.compute([result_of(request) for request in view.requests(params)], params)


def result_of(request: Request) -> Any:
    """What a request gives; that it takes a while is said: a model is loaded.

    Raises:
        CoreError: it cannot be carried out.
    """
    wait_for_models(request)
    return shared_runs().get(request, device())


def reading_html(name: str, record: Any) -> str:
    """A view's reading as HTML, each marked word in its colour.

    Args:
        name: of the view.
        record: of it.
    """
    words = "".join(
        html.escape(part.text)
        if part.role == "plain"
        else f"<span class='role-{part.role}'>{html.escape(part.text)}</span>"
        for part in views.get(name).describe(record).parts
    )
    whole = words.replace(" %", "\u00a0%")  # unbroken
    return f"<p class='glass-reading'>{whole}</p>"


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
