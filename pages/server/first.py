"""The picture that the home page begins with, put into its document.

Streamlit needs a second before it draws anything. What stands there until then is drawn by the
same code from the same bytes (``assets/components/first``).
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass

from core import views
from core.answers.drawings import drawing_of
from core.answers.link import unpack
from core.answers.names import PageNames
from core.answers.titles import reading_html, title_html
from core.errors import CoreError
from core.figures.payload import Payload
from core.language import _, language, spoken, use_language
from core.shelf.abilities import model_for
from core.shelf.machines import working
from core.views.given import readable
from core.views.map.story import FlowParams
from core.views.params import at_rest, parse
from pages.parts.looks import looks
from pages.parts.runs import shared_runs
from pages.parts.table import TABLE, example

VIEW = "map.flow"
# A link that says more than this opens on another picture than the whole run's.
NAMES = frozenset({"text", "model", "language"})


@dataclass(frozen=True, eq=False)
class First:
    """What is put into the document: styles and the picture, with all that stands above it."""

    html: str

    @property
    def nbytes(self) -> int:
        return len(self.html)


def first_picture(query: Mapping[str, str], browsers: str) -> str:
    """It as HTML; empty where the page opens on something else, or would wait for a run.

    Args:
        query: of the page's link.
        browsers: the language that it asks for.
    """
    values, _problems = unpack(query)
    text = values.get("text")
    if not values.keys() <= NAMES or (text is not None and not text.strip()):
        return ""
    use_language(spoken(values.get("language", ""), browsers))
    try:
        params, runs = _opens_on(values), shared_runs()
        requests = views.get(VIEW).requests(params)
        if text is not None and not all(runs.ready(request) for request in requests):
            return ""
        keys = tuple(runs.key(request) for request in requests)
        first: First = runs.kept(("first", params, keys, language()), lambda: _draw_first(params))
    except CoreError:  # which the page says
        return ""
    return first.html


def _opens_on(values: Mapping[str, str]) -> FlowParams:
    """What the page shows for a link's values."""
    row = next(row for row in TABLE if not row.address)
    model = model_for(parse(PageNames, values)[0].model, row.needs)
    text = example(row, model)
    inputs = {"text": text} if text else {}
    params, _problems = parse(FlowParams, {**inputs, **values, "model": model})
    return at_rest(readable(params, shared_runs().model(model).encoders))


def _draw_first(params: FlowParams) -> First:
    """The picture, its title and what it says."""
    runs, view = shared_runs(), views.get(VIEW)
    record = view.compute([runs.get(request) for request in view.requests(params)], params)
    payload = drawing_of(runs, view, params, record, "auto").payload()
    header = {**payload.header, "figure": VIEW, "tells": True, "ahead": True}
    packed = base64.b64encode(Payload(header, payload.arrays).pack()).decode()
    intro = working(runs.model(params.model).blueprint)
    return First(
        f'<div id="glass-first" aria-hidden="true" inert data-picture="{packed}">'
        f"<style>{looks('page.css', 'first.css')}</style><div>"
        f"{title_html(_(record.whole.question), '', _(intro.claim), intro.terms)}"
        f'{reading_html(view.describe(record))}<div class="picture"></div></div></div>'
    )
