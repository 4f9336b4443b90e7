"""What a learner has answered: kept, saved, wiped, loaded; her own sentence in a question."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from core.runs.store import Runs
from tests.browser.conftest import settle
from tests.browser.playing import asked, give, whole

UNREADABLE = "This is no file of saved progress"
PARTLY = "part of the file could not be read"


def answered(server: str, page: Page) -> tuple[Locator, str]:
    """Answer one question of a lesson; where the list says so, and the question's id."""
    found = whole("attention")
    at, step = next((n, one) for n, one in enumerate(found.steps, 1)
                    if one.question is not None and one.question.kind == "number")  # fmt: skip
    assert step.question is not None
    page.goto(f"{server}/lessons?lesson=attention&lesson_at={at}")
    settle(page)
    posed = asked(step, Runs())
    give(page.locator("section.question"), posed, posed.right)
    expect(page.locator("section.question .said")).to_contain_text("Right")
    settle(page)
    of = sum(one.question is not None for one in found.steps)
    return page.get_by_text(f"1 of {of} right at the first try"), step.question.id


def saved(server: str, page: Page, path: Path) -> None:
    page.goto(f"{server}/lessons")
    settle(page)
    page.get_by_role("button", name="More", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save my progress").click()
    download.value.save_as(path)


def loaded(page: Page, path: Path, said: str) -> None:
    path.write_text(said)
    page.locator("input[type=file]").set_input_files(path)


def test_progress_stays_counts_in_other_tabs_and_can_be_saved_wiped_and_loaded(
    server, watched, tmp_path
):
    page, _ = watched
    other = page.context.new_page()
    other.goto(f"{server}/lessons")
    expect(other.get_by_role("button", name="Load saved progress")).to_be_visible()
    right, ident = answered(server, page)
    expect(other.get_by_text(re.compile(r"· 1 of \d+ right at the first try"))).to_be_visible()
    other.close()
    page.reload()  # another session on the server
    settle(page)
    expect(page.locator("section.question .said")).to_contain_text("Right")
    path = tmp_path / "progress.json"
    saved(server, page, path)
    expect(right).to_have_count(1)
    kept = json.loads(path.read_text())
    assert kept["answers"][0][:2] == ["attention", ident]
    damaged = {**kept, "answers": [*kept["answers"], ["attention", "<b>", 0]]}
    for said, told in ((kept, "Loaded."), (damaged, PARTLY)):
        page.get_by_role("button", name="Delete my progress").click()
        page.locator(".wipe").click()  # really all of it
        expect(right).to_have_count(0)
        page.reload()
        settle(page)
        expect(right).to_have_count(0)  # nor does the browser have it any more
        for _ in range(2):  # once more, and it is said of this time, too
            loaded(page, path, json.dumps(said))
            expect(page.get_by_text(told, exact=told != PARTLY)).to_be_visible()
            expect(right).to_have_count(1)
        page.get_by_role("button", name="More", exact=True).click()
    for said in ("[1, 2]", "{broken", '{"a": 1}', '{"answers": 3, "ideas": []}'):
        loaded(page, path, said)
        expect(page.get_by_text(UNREADABLE)).to_be_visible()
    expect(right).to_have_count(1)


def test_an_own_sentence_is_another_question_and_a_short_one_leaves_the_lessons(server, watched):
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
    expect(page.get_by_text("Your own sentence.", exact=True)).to_be_visible()
    field.fill("A")
    field.press("Enter")
    settle(page)
    expect(page.get_by_text("So this step takes the sentence of the lesson")).to_be_visible()
    expect(page.locator("section.question")).to_be_visible()
    assert page.locator('[data-testid="stException"]').count() == 0
