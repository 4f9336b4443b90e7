"""What a page and the server's answers say of a figure: its files, its sentence, its run."""

from __future__ import annotations

import html
from typing import Any

from core import views
from core.runs.requests import Request
from core.views.params import at_rest
from pages.parts.messages import wait_for_models
from pages.parts.runs import device, shared_runs


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
