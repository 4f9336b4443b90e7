"""The ten clicks on the home page: begun, guessed, done, left, and called back."""

from __future__ import annotations

from typing import Any

import pytest

from core.lessons.screen.tour import LESSON
from pages.parts.table import offered
from tests.app.answered import figure
from tests.app.played import Played, of_page, plain, the_lesson
from tests.app.test_pages import check, headers, opened

CLICKS = 10
DOG = "The dog was hungry, so he ate all of his"
OWN = "I like my cat because"  # a head of the last layer picks "like" out of it
BARE = "Hello"  # nothing in it can be picked out
STEPS = the_lesson(LESSON).steps


def toured(at: int, **state: str) -> Played:
    """The home page at a click."""
    return Played(tour=at, **state).ask()


def flow(her: Played) -> dict[str, Any]:
    (found,) = her.figures("flow")
    return found


def shown(app) -> dict[str, Any]:
    """The whole run, of the page that asks nothing."""
    found = figure(app, "map.flow")
    assert found.answer is not None
    return found.answer.header | found.spec["more"]


def begun(app) -> dict[str, str | None]:
    """What the way into the clicks sets."""
    (button,) = [one["more"]["tour"] for one in headers(app, "figure") if "tour" in one["more"]]
    assert button["label"] == "Ten clicks, with questions"
    return button["sets"]


def test_the_lesson_has_a_click_for_each_part_and_half_of_them_are_done():
    assert len(STEPS) == CLICKS
    for n, one in enumerate(STEPS, 1):
        (drawn,) = one.figures
        assert (drawn.view, drawn.params["reached"], drawn.cover) == ("map.flow", n, "ahead")
        assert drawn.own
        assert (one.question is None) != (one.click is None)
        if one.question is not None:
            assert one.question.at_once
    assert sum(one.click is not None for one in STEPS) >= CLICKS // 3


@pytest.mark.parametrize("at", range(1, CLICKS + 1))
def test_each_screen_shows_what_was_told_and_asks_for_one_click(at):
    her, step = toured(at), STEPS[at - 1]
    assert flow(her)["told"]["reached"] == at - 1
    assert len(her.questions) == (step.question is not None)
    assert ("tour-next" in her.buttons) == (step.click is not None)
    assert ("tour-back" in her.buttons) == (at > 1)
    if step.click is not None:
        assert her.screen["walk"]["1"] == {"tour": str(at + 1)}
        her.press("tour-next")
        assert her.state["tour"] == str(at + 1)
        return
    assert her.screen["walk"]["1"] is None
    assert not {"answer", "solution"} & her.question.keys()
    her.answer(0)  # the guess is the click
    assert (her.state["tour"], her.screen["turns"]) == (str(at + 1), True)
    assert flow(her)["told"]["reached"] == at
    assert her.blocks("told")
    her.press("tour-back")  # whoever comes back to it goes on without a guess
    assert "tour-next" in her.buttons


def test_a_wrong_guess_is_called_wrong_before_the_idea_is_answered():
    question = STEPS[1].question
    assert question is not None
    for value in range(len(question.wrong) + 1):
        her = toured(2).answer(value)
        if "dictionary" in her.kept().ideas:
            assert "Not that: Nobody gave it a dictionary." in her.said
            return
    pytest.fail("nobody thinks of a dictionary")


def test_the_fifth_click_opens_the_head_and_the_last_one_switches_one_off():
    her = toured(6)
    assert flow(her)["selection"]["place"] == "layer5.head3"
    (inside,) = her.figures("inside")
    assert inside["told"]
    columns = " ".join(one["name"] for one in inside["columns"])
    assert columns == "q k dots scores weights v z"
    assert len(inside["rows"]) == len(flow(her)["towers"][0]["tokens"])
    (off,) = flow(toured(CLICKS + 1))["off"]
    assert off.startswith("layer5.head")


def test_at_the_end_all_is_summed_up_and_the_open_model_is_one_click_away():
    her = toured(CLICKS + 1)
    assert flow(her)["told"]["reached"] == CLICKS
    sums = the_lesson(LESSON).sums_up
    assert len(sums) == 3
    assert str(her.blocks("words")).count("'li'") == 3
    assert "Nobody wrote these 7.0 million numbers" in her.said
    assert her.buttons["tour-leave"]["sets"] == {"tour": None}
    assert her.screen["walk"]["on"] == {"tour": None}
    (links,) = her.blocks("links")
    read = links["links"][0]["to"]  # the page with the model's card, and the model
    assert read == "/models?model=gpt"
    assert any(f"/{row.address}" == "/models" and row.file == "shelf.py" for row in offered())


def test_the_clicks_are_on_her_own_sentence_and_say_so():
    for at in (1, 6, 8):
        her = toured(at, text=OWN)
        assert "".join(flow(her)["lines"][0]) == OWN
        assert "your own sentence" in her.screen["what"]
        assert (her.screen["bar"]["text"], her.screen["bar"]["note"]) == (OWN, "")
    assert "“I”" in plain(her.question["ask"])


def test_a_click_that_her_sentence_cannot_show_says_why_and_takes_the_lessons_one():
    her = toured(5, text=BARE)
    assert "".join(flow(her)["lines"][0]) == BARE
    assert "no head of the last layer picks out one word clearly" in her.said
    assert f"this click takes the sentence “{DOG}”" in her.said
    her = toured(6, text=BARE)
    assert "".join(flow(her)["lines"][0]) == DOG
    assert "the sentence of the tour" in her.screen["what"]
    assert her.screen["bar"]["note"] == "The sentence of the tour. Yours is kept."


def test_gpt_tells_the_clicks_on_what_it_can_read_and_says_which_model_it_is():
    her = toured(1, model="bert", text="My sister loves [MASK], so she sings.")
    assert "These clicks are about GPT. Your choice is kept." in her.said
    assert f"GPT cannot read [MASK]. So this click takes the sentence “{DOG}”." in her.said


def test_they_begin_on_the_model_as_it_is():
    app = opened("home.py", place="layer5.head3", off="layer5.head3")
    assert begun(app) == {"tour": "1", "place": None, "off": None, "swap": None}


def test_the_home_page_begins_with_the_run_and_asks_nothing():
    app = opened("home.py")
    check(app)
    assert shown(app)["tells"]
    assert [one["born"]["label"] for one in shown(app)["passes"]] == ["·food", "·and"]
    assert not headers(app, "lesson")


def test_the_home_page_shows_them_where_its_link_says_so_and_they_can_be_skipped():
    app = opened("home.py", tour="1")
    check(app)
    (player,) = headers(app, "lesson")
    assert player["anew"]
    her = of_page(app)
    assert flow(her)["told"]["reached"] == 0
    assert her.buttons["tour-skip"]["sets"] == {"tour": None}
    assert "told" not in shown(opened("home.py"))


def test_called_back_it_asks_anew():
    her = toured(2).answer(0)
    her.set(tour=1).ask("anew")
    assert flow(her)["told"]["reached"] == 0
    her.press("tour-next")
    assert "tour-next" not in her.buttons
    assert not her.question["done"]
    her.answer(0)
    assert her.state["tour"] == "3"
    her.press("tour-back")
    assert "tour-next" in her.buttons  # within them her guess stays
    her.set(tour=CLICKS + 1).press("tour-again")
    assert her.state["tour"] == "1"
    assert "tour-next" not in her.press("tour-next").buttons


def test_a_wrong_number_of_a_click_is_said():
    app = opened("home.py", tour="99")
    check(app)
    assert app.warning
    assert toured(99).screen["at"] <= CLICKS + 1
