"""A lesson on a projector: large type, a step on the screen, keys, and what is covered stays so."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from core.runs.store import Runs
from tests.browser.conftest import rest, settle
from tests.browser.playing import TITLE, asked, give, go_on, whole

# How far the page can be scrolled, in pixels.
BEYOND = """() => Math.max(...[document.scrollingElement,
    ...document.querySelectorAll('[data-testid="stMain"]')]
    .map((one) => one.scrollHeight - one.clientHeight))"""

# What is amiss with how it is read from the last row: paler than the page's text, or out of sight.
READABLE = """(one) => {
  const { top, bottom } = one.getBoundingClientRect(), own = getComputedStyle(one);
  let solid = 1;
  for (let at = one; at; at = at.parentElement) solid *= Number(getComputedStyle(at).opacity);
  const text = getComputedStyle(one.getRootNode().host).color;
  return [own.color !== text && `${own.color}, not ${text}`, solid < 1 && `opacity ${solid}`,
          (top < 0 || bottom > innerHeight) && `${top} to ${bottom}`].filter(Boolean);
}"""


def at_step(server: str, page: Page, at: int) -> None:
    page.goto(f"{server}/lessons?lesson=attention&lesson_at={at}&view=lecture")
    settle(page)


@pytest.mark.parametrize("ident", ["attention"])
def test_a_step_is_large_and_whole_before_the_answer(server, watched, ident):
    page, _ = watched
    found = whole(ident)
    page.goto(f"{server}/lessons?lesson={ident}&view=lecture")
    settle(page)
    size = "() => parseFloat(getComputedStyle(document.documentElement).fontSize)"
    assert page.evaluate(size) >= 20
    beyond = {}
    # The picture of a whole run puts its words below itself, where it has half of a screen.
    for at, step in enumerate(found.steps, 1):
        go_on(page, at, step.title)
        runs = any(one.view == "map.flow" for one in step.figures)
        if step.question is not None and not runs and page.evaluate(BEYOND) > 0:
            beyond[step.id] = page.evaluate(BEYOND)
    assert beyond == {}


def test_keys_turn_the_steps(server, watched):
    page, _ = watched
    titles = [one.title for one in whole("attention").steps]
    at_step(server, page, 1)
    for key, at in (("ArrowRight", 2), ("PageDown", 3), ("PageUp", 2), ("ArrowLeft", 1)):
        page.keyboard.press(key)
        expect(page).to_have_url(re.compile(f"lesson_at={at}"))
        expect(page.locator(TITLE)).to_have_text(titles[at - 1])
        rest(page)


def test_what_is_covered_is_shown_when_it_is_asked_for(server, watched):
    page, _ = watched
    found = whole("attention")
    at = [one.id for one in found.steps].index("scale") + 1
    at_step(server, page, at)
    posed = asked(found.steps[at - 1], Runs())
    section = page.locator("section.question")
    figure = page.locator(".lesson-figure", has=page.locator("canvas"))
    page.set_viewport_size({"width": 1280, "height": 720})
    expect(section.locator(".solution")).to_have_count(0)
    expect(figure.locator("details.save")).to_have_count(0)  # nor has it files
    page.keyboard.press("a")
    expect(section.locator(".solution")).to_contain_text(posed.say(posed.question.solution))
    expect(figure.locator("details.save")).to_have_count(1)
    assert section.locator(".solution").evaluate(READABLE) == []
    assert section.locator(".field input, .right").first.evaluate(READABLE) == []


def test_the_link_says_what_a_class_is_asked_and_escape_leaves_the_lecture(server, watched):
    page, _ = watched
    at_step(server, page, 3)
    expect(page).to_have_url(re.compile("study_seed=0"))  # of this browser
    page.keyboard.press("Escape")
    expect(page).not_to_have_url(re.compile("view=lecture"))
    page.goto(f"{server}/lessons?lesson=attention&lesson_at=3&study_seed=7")
    settle(page)
    posed = asked(whole("attention").steps[2], Runs(), 7)
    expect(page.locator("section.question .ask")).to_have_text(posed.say(posed.question.ask))
    assert page.evaluate("() => JSON.parse(localStorage['glassformer.lessons']).seed") == 7


def test_in_a_field_the_arrows_stay_in_the_field(server, watched):
    page, _ = watched
    found = whole("attention")
    at = [one.id for one in found.steps].index("scale") + 1
    at_step(server, page, at)
    posed = asked(found.steps[at - 1], Runs())
    field = page.locator("section.question .field input")
    field.fill("12")
    field.press("ArrowLeft")
    page.wait_for_timeout(300)
    assert f"lesson_at={at}" in page.url
    give(page.locator("section.question"), posed, posed.right)
    expect(page.locator("section.question .said")).to_contain_text("Right")
