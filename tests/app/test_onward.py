"""From a lesson's figure to the page that shows it, and back to the step."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core import views
from core.lessons import Lesson, lesson, lesson_ids
from core.views.params import parse
from pages.parts.table import names, page_of
from tests.app.played import Played, given_up, of_page
from tests.app.played import opened as played
from tests.app.test_pages import check, headers, opened
from tests.app.test_state import link

LESSONS = "learn/lessons.py"
STEPS = "attention/step_by_step.py"
CAME = {"back_to": "attention", "back_at": "3", "back_from": "attention.steps"}


def answered(ident: str, at: int, **query: str) -> Played:
    """A step of a lesson whose answer was asked for."""
    return played(ident, at, given_up(ident), **query)


def ways(app: AppTest) -> list[dict[str, Any]]:
    """The ways of a page; those of a screen of a lesson are among its figures."""
    return headers(app, "way")


def test_a_covered_figure_has_no_way_and_an_open_one_has():
    assert not played("attention", 3).figures("way")
    (way,) = answered("attention", 3).figures("way")
    assert way["say"] == "Open on the page “Inside a layer: Attention, step by step”"
    assert way["page"] == "/attention"
    assert way["query"] | CAME == way["query"]
    assert way["scope"] == "attention.3a"
    assert {"token", "key", "step"} <= set(way["names"])


@pytest.mark.parametrize("ident", lesson_ids())
def test_every_figure_of_a_lesson_is_the_same_on_its_page(ident):
    """All that it shows is in the link, and the page reads all of it."""
    n_ways = 0
    found = lesson(ident)
    assert isinstance(found, Lesson)
    first = found.first
    for at, step in enumerate(found.steps, first):
        if not step.figures:
            continue
        her = answered(ident, at)
        offered = {control["name"] for control in her.controls}
        assert offered >= {name for one in step.figures for name in one.offers}
        for way, figure in zip(her.figures("way"), step.figures, strict=True):
            row = page_of(figure.view, str(figure.params.get("model", "")))
            assert way["page"] == f"/{row.address}"
            cls = views.get(figure.view).Params
            params, problems = parse(cls, way["query"])
            assert not problems
            hands = step.question.hands if step.question is not None else {}  # she changes
            for name in figure.params.keys() - figure.select.keys() - hands.keys():
                assert getattr(params, name) == figure.params[name], (step.id, name)
            assert {f for f in cls.__dataclass_fields__ if f in way["query"]} <= names(row)
            n_ways += 1
    assert n_ways >= len(found.steps) - 1


def test_the_own_sentence_and_a_variation_go_along():
    her = answered("attention", 3, text="A cat sat on the mat", **{"attention.3a.token": "2"})
    (way,) = her.figures("way")
    assert way["query"]["text"] == way["query"]["back_text"] == "A cat sat on the mat"
    assert way["query"]["attention.3a.token"] == "2"
    (way,) = answered("attention", 1, **{"attention.1a.head": "2"}).figures("way")
    assert (way["query"]["head"], way["query"]["attention.1a.head"]) == ("2", "2")


def test_the_way_back_is_there_for_those_who_came_from_a_lesson():
    assert not ways(opened(STEPS))
    assert not ways(opened(STEPS, lesson="attention", lesson_at="3"))
    assert not ways(opened(STEPS, back_to="no-such"))
    app = opened(
        STEPS, text="The lesson's", back_text="A cat", **CAME,
        **{"attention.3a.token": "2", "attention.4a.token": "1"},
    )  # fmt: skip
    check(app)
    (way,) = ways(app)
    assert way["say"] == "Back to the lesson: How a token looks at the others, step 3"
    assert way["page"] == "/lessons"
    kept = {"attention.3a.token": "2"}
    assert way["query"] == {"lesson": "attention", "lesson_at": "3", **kept}
    # For a reload; what is typed meanwhile goes back as well.
    assert (kept | CAME | {way["text"]: "A cat"}).items() <= link(app).items()
    assert "attention.4a.token" not in link(app)


def test_a_link_of_before_still_says_what_is_chosen_in_its_lesson():
    her = of_page(opened(LESSONS, lesson="attention", lesson_at="1", **{"1a.head": "2"}))
    assert her.state["attention.1a.head"] == "2"
    (way,) = ways(opened(STEPS, **CAME, **{"3a.token": "2", "4a.token": "1"}))
    assert way["query"]["attention.3a.token"] == "2"
    assert "attention.4a.token" not in way["query"]


def test_what_is_chosen_in_one_lesson_reaches_no_other():
    her = answered("attention", 1, **{"attention.1a.head": "0", "attention.1a.token": "3"})
    her.set(lesson=None, lesson_at=None).press("open-masks")  # at its first step
    (matrix,) = her.figures("matrix")
    (untouched,) = played("masks", 1).figures("matrix")
    assert matrix == untouched


def test_a_page_that_is_looked_for_opens_what_is_folded():
    app = opened(
        "text/positions.py", back_to="vectors", back_at="9", back_from="positions.curves"
    )  # fmt: skip
    check(app)
    waves = next(one for one in app.expander if one.label.startswith("Order as a picture"))
    assert waves.proto.expanded
    assert link(app)["back_from"] == "positions.curves"  # the browser goes there


def test_the_way_back_can_be_damaged():
    check(opened(STEPS, back_to="../x", back_at="-1", back_from="<b>", back_text="\x00"))
    app = opened(STEPS, back_to="attention", back_at="40")
    check(app)
    assert len(ways(app)) == 1
