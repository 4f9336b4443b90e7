"""One set of numbers: a figure is the same on its page, in its files, a notebook and the book."""

from __future__ import annotations

import base64
import html
import re
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from core import views
from core.answers.question import LATER, WHOLE, Address, FigureQuestion
from core.figures.components import Plot
from core.figures.payload import Payload, unpack
from core.lessons.screen.blocks import Parts
from core.runs.request import Job
from core.shelf.abilities import model_for
from core.show import show
from core.views.params import declared
from pages.parts.app import app
from tests.app import asked

TEXT = "The little dog saw the sea"
SVG = "{http://www.w3.org/2000/svg}"
PACKED = re.compile(r"\"([A-Za-z0-9+/]{60,}=*)\"")
NAMES = sorted(views.all_views())
MEASURED = {
    "cost.times",
    "translate.second",
    "stops.pace",
    "which.probe",
}  # by a clock, anew in each place
STOPS = "stops"  # names of models, in one text


def opened(name: str) -> dict[str, str]:
    """What a figure is asked for with: a text, if it reads one."""
    view = views.get(name)
    fields = view.Params.__dataclass_fields__
    said = {} if view.needs.no_model else {"model": model_for("gpt", view.needs)}
    return said | ({"text": TEXT} if "text" in fields and view.needs.ability == "any" else {})


def answered(name: str, kind: str, query: dict[str, str]) -> Payload:
    """What the page's browser is given."""
    return unpack(FigureQuestion(Address.of(name, kind, query), app()).answer().body)


def file(save: dict[str, Any], kind: str) -> str:
    """The file that the figure on the page offers."""
    status, content, _headers = asked.asked(f"/figure/{save['view']}.{kind}", save["params"])
    assert status == 200, content
    return content


def drawn(document: str) -> list[Payload]:
    """The components of a file that is one figure."""
    return [unpack(base64.b64decode(one)) for one in PACKED.findall(document)]


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_has_the_same_numbers_wherever_it_stands(name):
    query, fields = opened(name), views.get(name).Params.__dataclass_fields__
    question = FigureQuestion(Address.of(name, WHOLE, query), app())
    if name in MEASURED or any(
        isinstance(one, Job) for one in question.view.requests(question.params)
    ):
        pytest.skip("it is trained or measured where one asks")
    page = answered(name, WHOLE, query)
    if "save" not in page.header:
        pytest.skip("nothing of this model is to be shown in it")
    save = page.header["save"]
    # A page asks further models of the shelf beside its own; whoever writes code names them.
    beside = {n: v for n, v in save["params"].items()
              if n == STOPS or (n in fields and declared(question.params, n).model)}  # fmt: skip
    notebook = show(name, **(query | beside))
    # sentence
    said = "".join(text for text, _role in page.header["answer"]["reading"])
    assert said == str(notebook) == file(save, "txt")
    # numbers
    assert notebook.csv() == file(save, "csv")
    # drawing
    picture = file(save, "svg")
    assert picture == notebook.svg()
    assert ElementTree.fromstring(picture).findtext(f"{SVG}desc") == said
    # what moves: the page, the file and the notebook's frame, the book
    document = file(save, "html")
    assert document == notebook.html()
    assert html.escape(document, quote=True) in notebook._repr_html_()
    (*_steps, alive) = drawn(document)
    book = Parts()
    held = book.add(notebook.component)
    same = {own: book.arrays[name] for own, name in held["arrays"].items()}
    assert alive.arrays.keys() == same.keys()
    for own, array in same.items():
        np.testing.assert_array_equal(alive.arrays[own], array)
    shown = {**page.arrays}
    if "later" in page.header:
        shown |= answered(name, LATER, query).arrays
    if isinstance(notebook.component, Plot):  # which Plotly draws on a page, from the same
        same = notebook.component.on_page().arrays
    assert shown.keys() == same.keys()
    for own, array in shown.items():
        np.testing.assert_array_equal(array, same[own])
