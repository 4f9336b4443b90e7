"""The ten clicks on the home map: played, skipped, called back, drawn."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from core.lessons import Lesson, lesson
from core.lessons.posing import Posed, pose
from core.lessons.world import world_of
from core.runs.store import Runs
from pages.parts.tour import LESSON
from tests.browser.axe import ours, severe
from tests.browser.conftest import PHONE, keep, settle

LINE = ".walk .way .line"
SKIP = "Skip, just look around"
BEGIN = "Ten clicks through the model"


@pytest.fixture(scope="module")
def questions() -> list[Posed]:
    """The questions of the ten clicks, as somebody is asked them who was never here."""
    runs, found = Runs(), lesson(LESSON)
    assert isinstance(found, Lesson)
    worlds = [(one.question, world_of(one, runs.get)) for one in found.steps]
    return [pose(question, world.names, 0) for question, world in worlds if question is not None]


def long(page: Page) -> int:
    """The length of the line on the map."""
    return int(page.locator(LINE).get_attribute("data-length") or 0)


def next_button(page: Page):
    return page.locator(".st-key-tour-next button")


def test_the_ten_clicks_are_played(server, visitor, questions):
    page = visitor()
    page.goto(f"{server}/?tour=1")
    lengths = [0]
    for at, posed in enumerate(questions, 1):
        expect(page.get_by_text(f"{at} of 10")).to_be_visible()
        settle(page)
        there = {".walked": at > 2, ".next-part": at < len(questions)}
        for part, shown in there.items():
            expect(page.locator(part).first).to_be_attached(attached=shown)
        expect(next_button(page)).to_be_disabled()
        wrong = next(iter(posed.wrong.values()))
        answer = posed.right if at % 2 else wrong
        page.locator("section.question .option").nth(answer).click()
        said = page.locator("section.question .said")
        expect(said).to_contain_text("Right" if at % 2 else posed.say(posed.question.solution))
        settle(page)
        lengths.append(long(page))
        if at in (1, 5):
            assert ours(severe(page)) == []
        next_button(page).click()
    assert all(before < after for before, after in pairwise(lengths)), lengths
    expect(page.get_by_text("From a text to the next word")).to_be_visible()
    settle(page)
    keep(page, "tour-end")
    assert long(page) == lengths[-1]
    expect(page.locator(".covered")).to_have_count(0)
    assert ours(severe(page)) == []
    page.get_by_role("button", name="Look around on the open map").click()
    expect(page.get_by_text("What happens between a sentence and its next word?")).to_be_visible()


def test_the_clicks_are_called_skipped_and_called_back(server, visitor):
    page = visitor()
    page.goto(f"{server}/?tour=1")
    page.get_by_role("button", name=SKIP).click()
    begin = page.get_by_role("button", name=BEGIN)
    expect(begin).to_be_visible()
    settle(page)
    page.goto(server)
    settle(page)
    expect(page.get_by_role("button", name=SKIP)).to_have_count(0)
    begin.click()
    expect(page).to_have_url(re.compile(r"\?tour=1"))
    expect(page.locator("section.question .option").first).to_be_visible()
    settle(page)  # while a click still runs, an older link is taken for one that comes late
    page.go_back()
    expect(begin).to_be_visible()
    page.goto(f"{server}/?tour=3")
    expect(page.get_by_text("3 of 10")).to_be_visible()


def test_keys_choose_and_go_on_and_a_reload_keeps_the_place(server, visitor):
    page = visitor()
    page.goto(f"{server}/?tour=1")
    settle(page)
    page.keyboard.press("ArrowRight")  # not before the guess
    page.keyboard.press("2")
    expect(next_button(page)).to_be_enabled()
    settle(page)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("2 of 10")).to_be_visible()
    settle(page)
    page.reload()
    expect(page.get_by_text("2 of 10")).to_be_visible()
    settle(page)
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("1 of 10")).to_be_visible()
    expect(next_button(page)).to_be_enabled()  # her browser has kept the answer
    said = page.locator("[aria-live] li")
    expect(said).to_have_count(2)


def dashes(page: Page) -> list[float]:
    """How much of the line is drawn, and a gap."""
    drawn = page.locator(LINE).evaluate("(line) => line.style.strokeDasharray")
    return [float(one) for one in re.findall(r"[\d.]+", drawn)]


def test_the_line_runs_on_or_is_there_at_once(server, visitor):
    for motion in ("no-preference", "reduce"):
        page = visitor(reduced_motion=motion)
        page.goto(f"{server}/?tour=4")
        settle(page)
        before = long(page)
        page.keyboard.press("1")
        while long(page) == before:
            page.wait_for_timeout(5)
        first = dashes(page)[0]
        while abs(dashes(page)[0] - long(page)) >= 2:  # until it has come to its end
            page.wait_for_timeout(20)
        assert (first < long(page) - 2) == (motion == "no-preference")


@pytest.mark.parametrize("at", [2, 5, 9])
def test_on_a_phone_the_part_that_is_reached_is_in_sight(server, visitor, at):
    page = visitor(phone=True, reduced_motion="reduce")
    page.goto(f"{server}/?tour={at}")
    settle(page)
    page.keyboard.press("1")
    expect(next_button(page)).to_be_enabled()
    settle(page)
    keep(page, f"tour-phone-{at}")
    tag = page.locator(".carried").bounding_box()
    assert tag is not None
    assert tag["x"] >= 0
    assert tag["x"] + tag["width"] <= PHONE["width"]
    assert tag["y"] + tag["height"] <= PHONE["height"]


def test_on_a_wide_screen_question_and_map_are_seen_together(server, visitor):
    page = visitor()
    page.goto(f"{server}/?tour=6")
    settle(page)
    page.keyboard.press("1")
    expect(next_button(page)).to_be_enabled()
    settle(page)
    for found in (".st-key-tour-question", ".st-key-tour-map .sheet", ".st-key-tour-next"):
        box = page.locator(found).bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 900, found
