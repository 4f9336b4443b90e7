"""The ten clicks on the home page: begun, guessed, done, left, and called back."""

from __future__ import annotations

from typing import Any

import pytest

from core.lessons import Lesson, lesson
from core.lessons.answered import Answered
from core.lessons.study import Study
from pages.parts.study import STUDY
from pages.parts.tour import LESSON
from tests.app.answered import figure
from tests.app.test_pages import check, headers, opened
from tests.app.test_state import values, visited

CLICKS = 10
DOG = "The dog was hungry, so he ate all of his"
OWN = "I like my cat because"  # a head of the last layer picks "like" out of it
BARE = "Hello"  # nothing in it can be picked out


def the_lesson() -> Lesson:
    found = lesson(LESSON)
    assert isinstance(found, Lesson)
    return found


def flow(app) -> dict[str, Any]:
    (found,) = headers(app, "flow")
    return found


def shown(app) -> dict[str, Any]:
    """The whole run, of the page that asks nothing."""
    found = figure(app, "map.flow")
    assert found.answer is not None
    return found.answer.header | found.spec["more"]


def begun(app) -> dict[str, str | None]:
    """What the way into the clicks sets."""
    (row,) = headers(app, "presets")
    (button,) = row["buttons"]
    assert button["label"] == "Ten clicks through the model"
    return button["sets"]


def asked(app) -> list[dict[str, Any]]:
    return headers(app, "question")


def guessed(app, at: int, idea: str = "") -> None:
    """The question of a click has been answered, wrong; ``idea``: that which it shows."""
    question = the_lesson().steps[at - 1].question
    assert question is not None
    study = app.session_state[STUDY] if STUDY in app.session_state else Study()
    study.answers[LESSON, question.id] = Answered(tries=1, given=0, idea=idea)
    app.session_state[STUDY] = study
    app.run()


def button(app, key: str):
    return next(one for one in app.button if one.key == key)


def has(app, key: str) -> bool:
    return any(one.key == key for one in app.button)


def said(app) -> str:
    return " ".join(one.value for one in app.markdown) + " ".join(
        one.proto.body for one in app.get("html")
    )


def test_the_lesson_has_a_click_for_each_part_and_half_of_them_are_done():
    steps = the_lesson().steps
    assert len(steps) == CLICKS
    for n, one in enumerate(steps, 1):
        (figure,) = one.figures
        assert (figure.view, figure.params["reached"], figure.cover) == ("map.flow", n, "ahead")
        assert figure.own
        assert (one.question is None) != (one.click is None)
        if one.question is not None:
            assert one.question.at_once
    assert sum(one.click is not None for one in steps) >= CLICKS // 3


@pytest.mark.parametrize("at", range(1, CLICKS + 1))
def test_each_screen_shows_what_was_told_and_asks_for_one_click(at):
    app = opened("home.py", tour=str(at))
    check(app)
    assert flow(app)["told"]["reached"] == at - 1
    step = the_lesson().steps[at - 1]
    assert len(asked(app)) == (step.question is not None)
    assert has(app, "tour-next") == (step.click is not None)
    assert has(app, "tour-back") == (at > 1)
    if step.click is not None:
        button(app, "tour-next").click().run()
        check(app)
        assert app.query_params["tour"] in (str(at + 1), [str(at + 1)])
    else:  # whoever comes back to it goes on without a guess
        guessed(app, at)
        check(app)
        assert has(app, "tour-next")


def test_a_wrong_guess_is_called_wrong_before_the_idea_is_answered():
    app = opened("home.py", tour="3")
    guessed(app, 2, "dictionary")
    check(app)
    assert "That is not it. Nobody gave it a dictionary." in said(app)


def test_the_fifth_click_opens_the_head_and_the_last_one_switches_one_off():
    app = opened("home.py", tour="6")
    check(app)
    assert flow(app)["selection"]["place"] == "layer5.head3"
    (inside,) = headers(app, "inside")
    assert inside["told"]
    columns = " ".join(one["name"] for one in inside["columns"])
    assert columns == "q k dots scores weights v z"
    assert len(inside["rows"]) == len(flow(app)["towers"][0]["tokens"])
    app = opened("home.py", tour=str(CLICKS + 1))
    check(app)
    (off,) = flow(app)["off"]
    assert off.startswith("layer5.head")


def test_the_ninth_click_makes_a_second_word():
    app = opened("home.py", tour="10")
    check(app)
    assert [one["born"]["label"] for one in flow(app)["passes"]] == ["·food", "·and"]
    assert "With “food” after the text, “and” is most likely." in said(app)


def test_at_the_end_all_is_summed_up_and_the_open_model_is_one_click_away():
    app = opened("home.py", tour=str(CLICKS + 1))
    check(app)
    assert flow(app)["told"]["reached"] == CLICKS
    assert len(the_lesson().sums_up) == 3
    assert all(one in said(app) for one in the_lesson().sums_up)
    assert "Nobody wrote these 7.0 million numbers" in said(app)
    button(app, "tour-leave").click().run()
    check(app)
    assert "told" not in shown(app)
    assert "tour" not in app.query_params


def test_the_clicks_are_on_her_own_sentence_and_say_so():
    for at in (1, 6, 8):
        app = opened("home.py", tour=str(at), text=OWN)
        check(app)
        assert "".join(flow(app)["lines"][0]) == OWN
        assert "your own sentence" in said(app)
    (own,) = headers(app, "question")
    assert "“I”" in "".join(words for words, _style in own["ask"])


def test_a_click_that_her_sentence_cannot_show_says_why_and_takes_the_lessons_one():
    app = opened("home.py", tour="5", text=BARE)
    check(app)
    assert "".join(flow(app)["lines"][0]) == BARE
    assert "no head of the last layer picks out one word clearly" in said(app)
    assert f"this click takes the sentence “{DOG}”" in said(app)
    app = opened("home.py", tour="6", text=BARE)
    check(app)
    assert "".join(flow(app)["lines"][0]) == DOG
    assert "the sentence of the tour" in said(app)


def test_gpt_tells_the_clicks_on_what_it_can_read_and_says_which_model_it_is():
    app = opened("home.py", tour="1", model="bert", text="My sister loves [MASK], so she sings.")
    check(app)
    assert "These clicks are about GPT. Your choice is kept." in said(app)
    assert f"GPT cannot read [MASK]. So this click takes the sentence “{DOG}”." in said(app)


def test_they_begin_on_the_model_as_it_is_and_the_name_of_the_app_leads_to_all_of_it():
    app = opened("home.py", place="layer5.head3", off="layer5.head3")
    assert begun(app) == {"tour": "1", "place": None, "off": None, "swap": None}
    app = opened("home.py", tour="1")
    app = visited(visited(app, "shelf.py", "{}"), "home.py", "{}")
    check(app)
    assert "tour" not in values(app)


def test_the_home_page_begins_with_the_run_and_asks_nothing():
    app = opened("home.py")
    check(app)
    assert shown(app)["tells"]
    assert [one["born"]["label"] for one in shown(app)["passes"]] == ["·food", "·and"]
    assert not has(app, "tour-next")


def test_the_ten_clicks_can_be_skipped():
    app = opened("home.py", tour="1")
    assert flow(app)["told"]["reached"] == 0
    assert headers(app, "link")[0]["live"] is None
    button(app, "tour-skip").click().run()
    check(app)
    assert "told" not in shown(app)
    app.run()
    assert "told" not in shown(app)
    assert headers(app, "link")[0]["live"]


def test_called_back_it_asks_anew():
    app = opened("home.py")
    guessed(app, 2)
    app = visited(app, "shelf.py", "{}")
    app.switch_page("home.py")
    app.query_params["tour"] = "1"
    app.run()
    check(app)
    assert flow(app)["told"]["reached"] == 0
    button(app, "tour-next").click().run()
    assert not has(app, "tour-next")
    guessed(app, 2)
    button(app, "tour-back").click().run()
    button(app, "tour-next").click().run()
    assert has(app, "tour-next")  # within them her guess stays


def test_a_wrong_number_of_a_click_is_said():
    app = opened("home.py", tour="99")
    check(app)
    assert app.warning
