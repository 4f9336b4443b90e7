"""The masks page: the kinds, their sizes, the warning, and a mask no one can read."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.answered import figures
from tests.app.test_pages import check, opened

FILE = "attention/masks.py"


def controls(app: AppTest) -> dict[str, dict[str, Any]]:
    """What can be changed of the prediction, by its name."""
    (found,) = [one for one in figures(app) if one.spec["view"] == "masks.prediction"]
    assert not found.refused
    return {one["name"]: one for one in found.said["controls"]}


def notes(app: AppTest, kind: str) -> list[str]:
    """What the figures say of their numbers, where the page wants it said."""
    return [
        "".join(text for text, _role in said)
        for one in figures(app)
        for found, said in one.said.get("notes", ())
        if found == kind and kind in one.spec["notes"]
    ]


def of_kind(app: AppTest, kind: str) -> str:
    """What a link says of a kind of mask that is chosen."""
    (said,) = [said for said, _called in controls(app)["mask"]["options"] if said.startswith(kind)]
    return said


def test_it_opens_on_the_models_own_mask_without_a_warning():
    for model, own in (("gpt", "causal"), ("bert", "none")):
        app = opened(FILE, model=model)
        check(app)
        assert notes(app, "warning") == []
        assert controls(app)["mask"]["value"] == own


def test_the_batch_can_be_edited_where_there_is_one():
    batch = controls(opened(FILE, mask="padding", sentence="1"))["batch"]
    assert batch["value"] == "The cat sat on the mat.\nStop!"
    assert "batch" not in controls(opened(FILE))
    app = opened(FILE, mask="padding", batch="One dog\nA much longer sentence about dogs")
    check(app)
    assert "longer" in controls(app)["batch"]["value"]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"mask": "padding", "batch": "\n".join("abcdef")}, "the last 2 lines are left out"),
        ({"mask": "padding", "batch": "Short.\n" + "word " * 2000}, "sentence 2 was cut"),
        ({"mask": "painted:3:AAA"}, "the model's own mask holds"),
        ({"mask": "painted:3:AAA", "text": "a"}, "is left out"),
    ],
)
def test_what_is_not_shown_as_it_was_asked_for_is_said(query, said):
    app = opened(FILE, **query)
    check(app)
    assert any(said in notice for notice in notes(app, "info"))


def test_there_is_nothing_to_say_of_a_mask_and_a_batch_that_fit():
    assert not notes(opened(FILE, mask="padding"), "info")
    painted = of_kind(opened(FILE, mask="window:2", text="The cat sat"), "painted")
    assert not notes(opened(FILE, mask=painted, text="The cat sat"), "info")


# --- a model of two streams ----


def test_a_mask_from_elsewhere_is_said_and_the_models_own_shown():
    """It was chosen where rows and columns are the same tokens."""
    app = opened(FILE, model="transformer", text="le chat", attention="cross", mask="window:2")
    check(app)
    said = [one.said["problem"] for one in figures(app) if "problem" in one.spec["says"]]
    assert [one for one in said if "where one sequence attends to another" in one] == said != []
    assert controls(app)["mask"]["value"] == "none"
