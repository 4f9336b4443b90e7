"""The ten clicks on the home page: played, skipped, called back, drawn."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Page, expect

from core.lessons import Lesson, lesson
from core.lessons.screen.tour import LESSON
from tests.browser.axe import ours, severe
from tests.browser.conftest import PHONE, settle

FLOW = ".lesson-figure"
TOLD = f"{FLOW} .glass[data-told]"
SKIP = "Skip, just look around"
BEGIN = "Ten clicks, with questions"
CLICKS = 10
LONGEST = 20_000  # ms in which a part is told, on a machine that has other things to do


def steps():
    found = lesson(LESSON)
    assert isinstance(found, Lesson)
    return found.steps


def next_button(page: Page):
    return page.locator("[data-key=tour-next]")


def click(page: Page, at: int) -> None:
    """The one click of a screen."""
    if steps()[at - 1].question is None:
        next_button(page).click()
    else:
        page.locator("section.question .option").first.click()


def picture(page: Page) -> str:
    """What is drawn, as one text."""
    drawn: str = page.locator(f"{FLOW} canvas").first.evaluate("(one) => one.toDataURL()")
    return drawn


def test_ten_clicks_are_ten_and_nothing_moves_below_the_picture(server, visitor):
    page = visitor()
    page.goto(f"{server}/?tour=1")
    drawn, tops = [], set()
    for at in range(1, CLICKS + 1):
        expect(page.get_by_text(f"{at} of 10")).to_be_visible()
        expect(page.locator(TOLD)).to_be_attached(timeout=LONGEST)
        settle(page)
        drawn.append(picture(page))
        box = page.locator(f"{FLOW} .sheet").first.bounding_box()
        if steps()[at - 1].question is not None:  # picture and click are seen together
            for one in (box, page.locator("section.question").first.bounding_box()):
                assert 0 <= one["y"] <= one["y"] + one["height"] <= 900
        if at > 1:  # before it is the text alone, with the button below it
            tops.add((round(box["y"]), round(box["height"])))
        if at in (1, 6):
            assert ours(severe(page)) == []
        click(page, at)
    expect(page.get_by_role("heading", name="From a text to the next word")).to_be_visible()
    expect(page.locator(TOLD)).to_be_attached(timeout=LONGEST)
    settle(page)
    assert len(set(drawn)) == CLICKS
    assert len(tops) == 1, tops
    assert ours(severe(page)) == []
    page.get_by_role("button", name="Look around in the open model").click()
    expect(page.get_by_text("What happens between a sentence and its next word?")).to_be_visible()
    settle(page)


def test_the_clicks_are_called_skipped_and_called_back(server, visitor):
    page = visitor()
    page.goto(f"{server}/?tour=1")
    bar = page.get_by_role("textbox", name="The text that runs through the model")
    page.set_viewport_size(PHONE)
    expect(bar).to_be_hidden()
    page.get_by_role("button", name=SKIP).click()
    expect(bar).to_be_visible()  # a phone that was led has it back
    begin = page.get_by_role("button", name=BEGIN)
    expect(begin).to_be_visible()
    settle(page)
    page.goto(server)
    settle(page)
    expect(page.get_by_role("button", name=SKIP)).to_have_count(0)
    begin.click()
    expect(page).to_have_url(re.compile(r"\?tour=1"))
    expect(next_button(page)).to_be_visible()
    settle(page)  # while a click still runs, an older link is taken for one that comes late
    page.go_back()
    expect(begin).to_be_visible()
    page.goto(f"{server}/?tour=3")
    expect(page.get_by_text("3 of 10")).to_be_visible()
    settle(page)


def test_by_keyboard_each_screen_begins_at_what_comes_next(server, visitor):
    page = visitor(reduced_motion="reduce")
    page.goto(server)
    settle(page)
    page.get_by_role("button", name=BEGIN).press("Enter")
    for at, key in enumerate(("Enter", "1", "Tab Enter", "Enter"), 1):
        title = page.get_by_role("heading", name=steps()[at - 1].title)
        expect(title).to_be_focused()
        settle(page)
        if at == 3:  # with it is read out what was said to the guess
            said = re.compile(r"^(Right\.|Not that:)")  # the options stand in any order
            expect(title).to_have_accessible_description(said)
        if at == 2:  # before the guess nothing goes on
            page.keyboard.press("ArrowRight")
            settle(page)
            expect(page.get_by_text("2 of 10")).to_be_visible()
        for one in key.split():
            page.keyboard.press(one)
    expect(page.get_by_role("heading", name=steps()[4].title)).to_be_focused()
    settle(page)
    page.locator("section.question .option").first.click()  # a pointer leaves no frame
    expect(page.get_by_text("6 of 10")).to_be_visible()
    settle(page)
    expect(page.locator("h1:focus")).to_have_count(0)
    weight = page.get_by_role("button", name=re.compile(r"weight, “dog”: 72\s%"))
    expect(weight).to_be_attached()  # the head is there at once
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("5 of 10")).to_be_visible()
    expect(next_button(page)).to_be_enabled()  # her browser has kept the answer
    settle(page)
    page.reload()
    expect(page.get_by_text("5 of 10")).to_be_visible()
    settle(page)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("6 of 10")).to_be_visible()
    settle(page)
    page.goto(f"{server}/lessons?lesson=attention&lesson_at=1")
    settle(page)
    page.locator(".lesson-next").press("Enter")
    expect(page).to_have_url(re.compile("lesson_at=2"))
    expect(page.locator("h1.glass-title")).to_be_focused()
    settle(page)


def test_the_head_is_told_column_by_column(server, visitor):
    page = visitor()
    page.goto(f"{server}/?tour=6")
    expect(page.locator(TOLD)).to_be_attached(timeout=LONGEST)
    first = picture(page)
    page.get_by_role("button", name="Watch it again").click()  # it may be over by now
    until = time.monotonic() + LONGEST / 1000
    while picture(page) == first:
        assert time.monotonic() < until
    settle(page)


def test_each_screen_shows_its_own_picture_whatever_was_clicked_before(server, visitor):
    page = visitor(reduced_motion="reduce")
    page.goto(f"{server}/?tour=5")
    click(page, 5)
    marks = page.locator(f"{FLOW} .marks")
    weight = marks.get_by_role("button", name=re.compile(r"weight, “dog”: 72\s%"))
    expect(weight).to_be_attached(timeout=LONGEST)
    weight.dispatch_event("click")  # what lies deeper is not told: it leads nowhere
    expect(weight).to_be_attached()
    marks.get_by_role("button", name="head 1: ").dispatch_event("click")
    expect(weight).to_have_count(0)
    next_button(page).click()
    alone = marks.get_by_role("button", name="feed-forward").first
    expect(alone).to_be_attached(timeout=LONGEST)
    page.locator("[data-key=tour-back]").click()
    expect(weight).to_be_attached(timeout=LONGEST)
    settle(page)


@pytest.mark.parametrize("at", [2, 6, 9])
def test_on_a_phone_picture_and_click_are_reached_without_sideways(server, visitor, at):
    page = visitor(phone=True, reduced_motion="reduce")
    page.goto(f"{server}/?tour={at}")
    settle(page)
    box = page.locator(f"{FLOW} .sheet").first.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["width"]
    assert box["y"] < PHONE["height"] / 2
    title = page.locator("h1.glass-title:visible")  # what it asks for follows what was told
    expect(title).to_have_text(steps()[at - 1].title)
    asks = title.bounding_box()
    assert asks["y"] > box["y"] + box["height"]
    if at < 9:  # before the words stand below the rows
        asked = page.locator("section.question, [data-key=tour-next]").first.bounding_box()
        assert asked["y"] < 1.4 * PHONE["height"]
    click(page, at)
    expect(page.get_by_text(f"{at + 1} of 10")).to_be_visible()
    settle(page)
