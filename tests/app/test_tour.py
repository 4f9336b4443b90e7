"""The ten clicks on the home page: begun, guessed, left, and called back."""

from __future__ import annotations

from typing import Any

import pytest

from core.lessons import Lesson, lesson
from core.lessons.study import Answered, Study
from pages.parts.study import STUDY
from pages.parts.tour import LESSON
from tests.app.test_pages import check, headers, opened

CLICKS = 10


def the_lesson() -> Lesson:
    found = lesson(LESSON)
    assert isinstance(found, Lesson)
    return found


def shown_map(app) -> dict[str, Any]:
    (found,) = (one for one in headers(app, "map") if one["mode"] == "map")
    return found


def guessed(app, at: int) -> None:
    """The question of a click has been answered, wrong."""
    asked = the_lesson().steps[at - 1].question
    assert asked is not None
    study = app.session_state[STUDY] if STUDY in app.session_state else Study()
    study.answers[LESSON, asked.id] = Answered(tries=1, given=0)
    app.session_state[STUDY] = study
    app.run()


def button(app, key: str):
    return next(one for one in app.button if one.key == key)


def test_the_lesson_has_a_click_for_each_part_of_the_way():
    steps = the_lesson().steps
    assert len(steps) == CLICKS
    for n, one in enumerate(steps, 1):
        (figure,) = one.figures
        assert (figure.view, figure.params["reached"], figure.cover) == ("map.run", n, "ahead")
        assert one.question is not None
        assert one.question.at_once


@pytest.mark.parametrize("at", range(1, CLICKS + 1))
def test_each_click_opens_one_part_after_the_guess(at):
    app = opened("home.py", tour=str(at))
    check(app)
    assert shown_map(app)["way"]["reached"] == at - 1
    assert button(app, "tour-next").disabled
    guessed(app, at)
    check(app)
    assert shown_map(app)["way"]["reached"] == at
    if at == CLICKS:  # AppTest knows no other page in a part that is run by itself
        return
    button(app, "tour-next").click().run()
    check(app)
    assert app.query_params["tour"] in (str(at + 1), [str(at + 1)])


def test_at_the_end_all_is_open_and_summed_up_and_the_map_is_one_click_away():
    app = opened("home.py", tour=str(CLICKS + 1))
    check(app)
    assert shown_map(app)["way"]["reached"] == CLICKS
    said = " ".join(one.value for one in app.markdown)
    assert len(the_lesson().sums_up) == 3
    assert all(one in said for one in the_lesson().sums_up)
    button(app, "tour-leave").click().run()
    check(app)
    assert "way" not in shown_map(app)
    assert "tour" not in app.query_params


def test_the_home_page_begins_with_the_run_and_asks_nothing():
    app = opened("home.py")
    check(app)
    assert "way" not in shown_map(app)
    (flow,) = headers(app, "flow")
    assert flow["tells"]
    assert [one["born"]["label"] for one in flow["passes"]] == ["·food", "·and"]
    assert not any(one.key == "tour-next" for one in app.button)


def test_the_ten_clicks_can_be_skipped():
    app = opened("home.py", tour="1")
    assert shown_map(app)["way"]["reached"] == 0
    button(app, "tour-skip").click().run()
    check(app)
    assert "way" not in shown_map(app)
    app.run()
    assert "way" not in shown_map(app)


def test_called_back_it_asks_anew():
    app = opened("home.py")
    guessed(app, 1)
    button(app, "tour-begin").click().run()
    check(app)
    assert shown_map(app)["way"]["reached"] == 0
    assert button(app, "tour-next").disabled
    assert app.query_params["tour"] in ("1", ["1"])


def test_a_wrong_number_of_a_click_is_said():
    app = opened("home.py", tour="99")
    check(app)
    assert app.warning
