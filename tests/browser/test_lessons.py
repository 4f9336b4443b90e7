"""Lessons in a real browser: played to the end, right and wrong; progress; a broken step."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from core.lessons import Lesson, lesson, misconceptions
from core.lessons.posing import Posed, pose
from core.lessons.world import world_of
from core.runs.store import Runs
from tests.browser.conftest import settle

PLAYED = ("first", "attention")


@pytest.fixture(scope="module")
def runs():
    return Runs()


def whole(ident: str) -> Lesson:
    found = lesson(ident)
    assert isinstance(found, Lesson)
    return found


def give(page: Page, posed: Posed, value: Any) -> None:
    """Answer as a learner does."""
    field = page.locator("section.question .field")
    match posed.question.kind:
        case "number":
            field.locator("input").fill(f"{value:.6g}")
        case "choice":
            field.locator("label, .option").nth(value).click()
            if posed.question.at_once:
                return
        case "tokens":
            pressed = field.locator(".chip")
            for n in range(pressed.count()):
                chosen = pressed.nth(n).get_attribute("aria-pressed") == "true"
                if chosen != (n in value):
                    pressed.nth(n).click()
        case "order":
            _order(field, posed, list(value))
        case "bet":
            for n in range(len(posed.options)):
                field.locator("input").nth(n).fill("100" if n == value else "0")
    page.get_by_role("button", name="Check").click()


def _order(field: Locator, posed: Posed, wanted: list[int]) -> None:
    """Move each item up to its place."""
    rows = field.locator("li")
    for at, option in enumerate(wanted):
        texts = [text.strip() for text in field.locator("li span").all_inner_texts()]
        for n in range(texts.index(posed.options[option]), at, -1):
            rows.nth(n).get_by_role("button").first.click()


@pytest.mark.parametrize("ident", PLAYED)
def test_a_lesson_is_played_to_its_end(server, watched, runs, ident):
    page, _ = watched
    found = whole(ident)
    first = int(bool(found.probe))
    page.goto(f"{server}/lessons?lesson={ident}&lesson_at={first}")
    for at, step in enumerate(found.steps, first):
        expect(page.locator("h1.glass-title")).to_have_text(step.title)
        settle(page)
        question = step.question
        if question is not None:
            posed = pose(question, world_of(step, runs.get).names, 0)
            said = page.locator("section.question .said")
            idea = next(iter(posed.wrong))
            one_try = question.kind == "bet" or question.at_once
            if not one_try or at % 2:
                give(page, posed, posed.wrong[idea])
                own = question.wrong[idea].says
                says = posed.say(own) if own else misconceptions()[idea]
                expect(said).to_contain_text(says)
            if not one_try or not at % 2:
                give(page, posed, posed.right)
                expect(said).to_contain_text("Right")
            settle(page)
        page.get_by_role("button", name="Next", exact=True).click()
        expect(page).to_have_url(re.compile(f"lesson_at={at + 1}"))
    expect(page.locator("h1.glass-title")).to_have_text("After")
    expect(page.get_by_text("You can now:")).to_be_visible()


def test_progress_stays_and_can_be_saved_loaded_and_wiped(server, watched, runs, tmp_path):
    page, _ = watched
    found = whole("attention")
    at, step = next((n, one) for n, one in enumerate(found.steps, 1)
                    if one.question is not None and one.question.kind == "number")  # fmt: skip
    assert step.question is not None
    page.goto(f"{server}/lessons?lesson=attention&lesson_at={at}")
    settle(page)
    posed = pose(step.question, world_of(step, runs.get).names, 0)
    give(page, posed, posed.right)
    said = page.locator("section.question .said")
    expect(said).to_contain_text("Right")
    settle(page)
    page.reload()  # another session on the server
    settle(page)
    expect(said).to_contain_text("Right")
    page.goto(f"{server}/lessons")
    settle(page)
    of = sum(one.question is not None for one in found.steps)
    right = page.get_by_text(f"1 of {of} questions right")
    expect(right).to_have_count(1)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save my progress").click()
    path = tmp_path / "progress.json"
    download.value.save_as(path)
    assert json.loads(path.read_text())["answers"][0][:2] == ["attention", step.question.id]
    wipe = page.get_by_role("button", name="Delete my progress")
    wipe.click()
    page.get_by_role("button", name="Really delete all of it?").click()
    expect(right).to_have_count(0)
    page.locator("input[type=file]").set_input_files(path)
    expect(right).to_have_count(1)
    (tmp_path / "other.json").write_text("[1, 2]")
    page.locator("input[type=file]").set_input_files(tmp_path / "other.json")
    expect(page.get_by_text("This is no file of saved progress")).to_be_visible()


def test_an_own_sentence_is_another_question_and_a_short_one_says_what_is_needed(server, watched):
    page, _ = watched
    at = 1 + next(n for n, one in enumerate(whole("attention").steps) if one.id == "row-sum")
    page.goto(f"{server}/lessons?lesson=attention&lesson_at={at}")
    settle(page)
    page.get_by_role("button", name="Show the answer").click()
    solution = page.locator("section.question .solution")
    expect(solution).to_be_visible()
    field = page.locator("textarea.text")
    field.fill("The old cat sleeps in the sun")
    field.press("Enter")
    expect(solution).to_have_count(0)
    settle(page)
    expect(page.get_by_text("This step uses your own sentence")).to_be_visible()
    field.fill("A")
    field.press("Enter")
    settle(page)
    expect(page.get_by_text("at least four words")).to_be_visible()
    assert page.locator('[data-testid="stException"]').count() == 0
