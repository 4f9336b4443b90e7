"""The line under the text box: what was typed, or the machine that reads it."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest

from core import zoo
from core.data.introductions import INTRODUCTIONS
from tests.app.answered import figures
from tests.app.test_pages import check, headers, opened

NEXT, HOME, FILL = "predictions/next_token.py", "home.py", "predictions/masked_word.py"


def under(file: str, **link: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """What stands under the box of a page: remarks, and the machine."""
    app = opened(file, **link)
    check(app)
    (bar,) = headers(app, "runbar")
    return bar["remarks"], bar["machine"]


def words(remark: dict[str, Any]) -> str:
    return "".join(text for text, _role in remark["said"])


def test_a_blank_and_a_mark_are_said_with_what_a_click_puts_in_their_place():
    (blank,), _machine = under(NEXT, text="Once upon a ")
    assert "ends with a space" in words(blank)
    assert (blank["mend"], blank["mended"]) == ("Remove the space", "Once upon a")
    (mark,), _machine = under(FILL, text="He ate his ___.")
    assert (mark["mend"], mark["mended"]) == ("Write [MASK]", "He ate his [MASK].")


def test_letters_that_came_apart_are_said_although_the_box_has_them_composed():
    (remark,), _machine = under(HOME, text=unicodedata.normalize("NFD", "un café"))
    assert "put together: “é”" in words(remark)
    assert remark["mended"] == ""


def test_letters_that_came_apart_are_said_at_the_strip_of_their_tokens():
    app = opened("text/tokenization.py", text=unicodedata.normalize("NFD", "un café"))
    check(app)
    (shown,) = (one for one in figures(app) if "changes" in one.spec["says"])
    ((said, _role),) = shown.said["changes"]
    assert "“é” was typed as several characters" in said


@pytest.mark.parametrize("name", ["gpt", "bert_sentiment", "transformer", "vit"])
def test_a_machine_introduces_itself_where_one_types(name):
    remarks, machine = under(HOME, model=name)
    assert remarks == []
    millions = zoo.load(name, "cpu").n_parameters / 1e6
    size = f"{millions:.1f}".removesuffix(".0") if millions >= 1 else f"{1000 * millions:.0f}"
    assert f"{size} {'m' if millions >= 1 else 't'}" in machine["said"]
    offered = [one.text for one in INTRODUCTIONS[name].sentences]
    assert machine["tries"] == offered
    assert ("often wrong" in machine["said"]) == (name == "transformer")


def test_where_no_one_model_runs_none_introduces_itself():
    assert under("labs/training.py") == ([], {})
    assert under("learn/lessons.py", lesson="gpt")[1] == {}
