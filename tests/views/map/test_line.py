"""The line that matters most: what is said of it, and what a click on its button sets."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from core import views
from core.models import what_if
from core.runs.store import Runs
from core.views.map.run import OnSwapped
from core.views.params import OnText
from tests.views.map.test_flow import plain

VIEW = views.get("map.line")
LINE = "layer5.head0.row11.key4.weight0"


@pytest.fixture(scope="module")
def runs() -> Runs:
    return Runs()


def record(runs: Runs, text: str = OnText().text, **changed: str):
    params = OnSwapped(text=text, model="gpt", **changed)
    return VIEW.compute([runs.get(one, "cpu") for one in VIEW.requests(params)], params)


def test_it_names_the_line_and_its_button_cuts_it(runs):
    found = record(runs)
    assert plain(VIEW.describe(found)) == (
        "One line matters most: in layer 5, head 0, “his” takes 63 % from “hungry”. Does the "
        "model need it for “food”?"
    )
    header = VIEW.panel(found).header
    change = what_if.read(header["off"])
    assert change is not None
    assert change.cuts
    assert found.tokens[change.key].spoken == "hungry"
    assert header["lit"] == header["off"] == LINE
    cut = record(runs, off=LINE)
    assert plain(VIEW.describe(cut)) == (
        "The line from “hungry” is cut. Does the model need it? Partly: without it, “food” falls "
        "from 46 % to 31 %, and is still first. A stronger line, 81 % from “ate” (layer 4, "
        "head 1), works against it: with that one cut instead, “food” "
        "has 49 %."
    )
    header = VIEW.panel(cut).header
    assert (header["off"], header["is_cut"], header["lit"]) == (LINE, True, "")


def test_after_a_swap_it_speaks_of_the_text_that_is_read(runs):
    swap = "3~hungry~thirsty"
    found = record(runs, swap=swap)
    said = plain(VIEW.describe(found))
    assert "hungry" not in said
    header = VIEW.panel(found).header
    row, key = _positions(header["lit"])
    assert found.tokens[row].spoken == "his"  # the row that is drawn, which has moved by one
    assert f"“his” takes 62 % from “{found.tokens[key].spoken}”" in said
    cut = record(runs, swap=swap, off=header["off"])
    said = plain(VIEW.describe(cut))
    assert "Partly: without it, “food” falls from 32 % to 23 %, and is still first." in said


def _positions(name: str) -> tuple[int, int]:
    change = what_if.read(name)
    assert change is not None
    return change.query, change.key


def test_a_cut_that_another_text_has_another_line_for_leaves_it_to_be_asked(runs):
    found = record(runs, swap="3~hungry~thirsty", off=LINE)
    assert not found.is_cut
    assert "from 34 %" not in plain(VIEW.describe(found))
    assert VIEW.panel(found).header["off"] not in ("", LINE)


def test_the_shares_are_those_of_the_temperature_that_is_shown(runs):
    assert plain(VIEW.describe(record(runs, FOUND))) == (
        "No single line matters much here: whichever of the 24 strongest into “little” is cut, "
        "“girl” never falls below 69 % (from 73 %)."
    )
    warm = plain(VIEW.describe(record(runs, FOUND, off="temperature2")))
    assert "(from 73 %)" not in warm
    assert warm.startswith("No single line matters much here")


FOUND = "Once upon a time there was a little"


@pytest.mark.parametrize(("left", "other", "said"), [
    (0.31, False, "Partly: without it, “food” falls from 46 % to 31 %, and is still first."),
    (0.31, True, "Yes: without it, “food” falls from 46 % to 31 %, and “The” comes first."),
    (0.06, True, "Yes: without it, “food” falls from 46 % to 6.0 %, and “The” comes first."),
    (0.2, False, "Yes: without it, “food” falls from 46 % to 20 %, though it is still first."),
    (0.44, False, "Hardly: without it, “food” goes from 46 % to 44 %, and is still first."),
    (0.44, True, "Yes: without it, “food” falls from 46 % to 44 %, and “The” comes first."),
])  # fmt: skip
def test_whether_the_model_needs_it_is_answered_by_what_is_lost(runs, left, other, said):
    found = record(runs, off=LINE)
    then = found.tokens[1] if other else found.word
    changed = dataclasses.replace(
        found,
        left=np.full_like(found.left, left),
        before=0.46,
        then=then,
        kept=np.full_like(found.kept, left / 0.46),
    )
    assert plain(VIEW.describe(changed)).endswith(f"Does the model need it? {said}")


@pytest.mark.parametrize(("weight", "left", "is_said"), [
    (0.9, 0.44, True),
    (0.7, 0.44, False),  # hardly stronger
    (0.9, 0.32, False),  # matters as much
])  # fmt: skip
def test_a_much_stronger_line_that_matters_less_is_named(runs, weight, left, is_said):
    found = record(runs, off=LINE)
    weights, lefts = np.full_like(found.weights, 0.1), np.full_like(found.left, 0.46)
    weights[found.most], lefts[found.most] = 0.63, 0.31
    keys = found.keys.copy()
    weights[2, 1], lefts[2, 1], keys[2, 1] = weight, left, 1
    said = plain(VIEW.describe(
        dataclasses.replace(
            found, weights=weights, left=lefts, kept=lefts / 0.46, keys=keys, before=0.46
        )
    ))  # fmt: skip
    assert ("A stronger line, 90 % from “The” (layer 2, head 1), matters less" in said) is is_said


def test_where_none_matters_it_says_so_and_offers_none(runs):
    found = record(runs, "a")
    assert str(VIEW.describe(found)).startswith("No single line matters much here")
    assert VIEW.panel(found).header["off"] == ""
