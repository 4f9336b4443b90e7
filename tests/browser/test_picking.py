"""Picking on the figure itself, and two figures that belong together, in a real browser."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from core.lessons.posing import pose
from core.lessons.world import world_of
from tests.browser.axe import ours, severe
from tests.browser.conftest import settle
from tests.browser.playing import pick, whole

SECTION = "section.question"


def test_what_is_picked_in_a_figure_costs_no_run_and_stays_beside_the_answer(server, watched, runs):
    page, _ = watched
    step = whole("masks").steps[0]
    assert step.question is not None
    posed = pose(step.question, world_of(step, runs.get).names, 0)
    sent: list[Any] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    page.goto(f"{server}/lessons?lesson=masks&lesson_at=1")
    settle(page)
    before = len(sent)
    pick(page.locator(SECTION), posed, {1, 3})
    page.evaluate("() => __hurry(600)")  # a selection is told within that
    assert len(sent) == before
    assert amiss(page) == []
    page.get_by_role("button", name="Check").click()
    expect(page.locator("section.question .said")).to_contain_text("hint says where to look")
    page.get_by_role("button", name="Show the answer").click()
    expect(page.locator(".pick.good:visible")).to_have_count(3)
    expect(page.locator(".pick.hers:visible")).to_have_count(2)
    assert amiss(page) == []
    kept = "(name) => (localStorage.getItem('glassformer.lessons') ?? '').includes(name)"
    page.wait_for_function(kept, arg=step.question.id)
    page.reload()  # another session on the server
    settle(page)
    expect(page.locator(".pick.hers:visible")).to_have_count(2)


def test_two_figures_that_are_compared_stand_side_by_side_and_can_be_picked_in_in_the_dark(
    server, watched, runs
):
    page, _ = watched
    step = whole("masks").steps[5]
    assert step.question is not None
    posed = pose(step.question, world_of(step, runs.get).names, 0)
    page.emulate_media(color_scheme="dark")
    page.goto(f"{server}/lessons?lesson=masks&lesson_at=6")
    settle(page)
    figures = page.locator(".figure")
    expect(figures).to_have_count(2)
    wide = [figures.nth(n).bounding_box() for n in range(2)]
    assert abs(wide[0]["y"] - wide[1]["y"]) < 60
    assert wide[1]["x"] > wide[0]["x"] + wide[0]["width"]
    above = page.locator("section.question").bounding_box()
    assert above["y"] + above["height"] < wide[0]["y"]
    pick(page.locator(SECTION), posed, {0, 7})
    assert amiss(page) == []
    page.get_by_role("button", name="Show the answer").click()
    expect(page.locator(".hers:visible")).to_have_count(2)
    assert amiss(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    settle(page)
    slim = [figures.nth(n).bounding_box() for n in range(2)]
    assert slim[1]["y"] > slim[0]["y"] + slim[0]["height"] - 1


def test_a_figure_that_follows_another_marks_what_is_selected_there(server, watched):
    page, _ = watched
    at = next(n for n, one in enumerate(whole("bert").steps, 1) if one.id == "give-away")
    page.goto(f"{server}/lessons?lesson=bert&lesson_at={at}")
    settle(page)
    page.get_by_role("button", name="Show the answer").click()
    settle(page)
    row = page.locator(".mark.row").first
    tops = []
    for word in ("king", "throne"):
        page.locator(".chip", has_text=word).click()
        settle(page)
        tops.append(row.bounding_box())
    assert tops[1]["y"] == pytest.approx(tops[0]["y"] + tops[0]["height"], abs=2)


def amiss(page: Page) -> list[Any]:
    """In what a lesson draws itself: the button to the next step is Streamlit's."""
    return [one for one in ours(severe(page)) if one["where"] != "<p>Next</p>"]
