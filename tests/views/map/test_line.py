"""The line that matters most: what is said of it, and what a click on its button sets."""

from __future__ import annotations

import pytest

from core import views
from core.models import what_if
from core.runs.store import Runs
from core.views.params import OnText

VIEW = views.get("map.line")


@pytest.fixture(scope="module")
def runs() -> Runs:
    return Runs()


def record(runs: Runs, text: str):
    params = OnText(text=text)
    return VIEW.compute([runs.get(one, "cpu") for one in VIEW.requests(params)], params)


def test_it_names_the_line_and_its_button_cuts_it(runs):
    found = record(runs, OnText().text)
    assert str(VIEW.describe(found)) == (
        "One line matters most: in layer 5, head 0, “his” takes 63 % from “hungry”. Does the "
        "model need it for “food”?"
    )
    header = VIEW.panel(found).header
    change = what_if.read(header["off"])
    assert change is not None
    assert (change.kind, change.value) == ("weight", 0.0)
    assert found.tokens[change.key].spoken == "hungry"
    said = "".join(text for text, _role in header["after"])
    assert said.endswith("“food” falls from 46 % to 31 %.")


def test_where_none_matters_it_says_so_and_offers_none(runs):
    found = record(runs, "a")
    assert str(VIEW.describe(found)).startswith("No single line matters much here")
    assert VIEW.panel(found).header["off"] == ""
