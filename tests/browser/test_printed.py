"""A lesson on paper and a step from a disk, in a real browser: from the player's links."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from core.lessons import lesson_ids
from tests.browser.conftest import KEY, Open, keep, settle

# An A4 page at 96 dots an inch without its margins, and one of Letter, which is lower.
WIDTH, HEIGHT = 680, 925
PATIENCE = 120_000  # ms for a handout that nobody has asked for: another process makes it
OWN = "The old cat sleeps in the warm sun"
TOO_LARGE = """(height) => [...document.querySelectorAll(".step, figure, .question")]
  .filter((one) => one.getBoundingClientRect().height > height)
  .map((one) => one.id || one.textContent.slice(0, 60))"""
CUT = """() => [...document.querySelectorAll("main, section, figure, svg, .question, li, p, dl")]
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
  .map((one) => `${one.tagName} ${one.textContent.slice(0, 60)}`)"""


def printed(page: Page) -> Page:
    """The page as it is on paper."""
    page.emulate_media(media="print")
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    return page


def pages_of(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@pytest.mark.slow
def test_the_player_leads_to_a_handout_that_prints(server, watched):
    page, watch = watched
    page.goto(f"{server}/lessons?lesson=attention&lesson_at=3&text={quote(OWN)}")
    settle(page)
    page.get_by_text("For teachers: handout, file").click()
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Handout A", exact=True).click()
    n, more = {}, page.context.new_page()
    more.goto(f"{server}/lesson/answers/{KEY}/attention.html?text={quote(OWN)}", timeout=PATIENCE)
    for name, paper in (("Handout A", opened.value), ("answers A", more)):
        paper.on("console", watch._console)
        paper.reload()  # with somebody who listens
        expect(
            paper.get_by_role("heading", name="How a token looks at the others").first
        ).to_be_visible()
        expect(paper.get_by_text(f"On your own sentence: “{OWN}”")).to_be_visible()
        assert paper.get_by_text("For the teacher").count() == (name != "Handout A")
        printed(paper)
        expect(paper.locator(".on-screen")).to_be_hidden()
        keep(paper, name.replace(" ", "-").lower())
        for size in ("A4", "Letter"):
            n[name, size] = pages_of(paper.pdf(format=size))
        paper.close()
    assert all(1 < n[name, "A4"] < 25 for name in ("Handout A", "answers A"))
    assert n["Handout A", "Letter"] > 1


LONG = "attention"  # the longest of them


@pytest.mark.parametrize("ident", [
    one if one == LONG else pytest.param(one, marks=pytest.mark.slow) for one in lesson_ids()
])  # fmt: skip
def test_nothing_is_cut_and_all_that_stays_together_fits_a_page(server, watched, ident):
    """In the language that needs more room."""
    page, _watch = watched
    page.goto(f"{server}/lesson/answers/{KEY}/{ident}.html?_language=fr", timeout=PATIENCE)
    printed(page)
    assert page.evaluate(CUT) == []
    assert page.evaluate(TOO_LARGE, HEIGHT) == []
    assert page.locator("math").count() == page.locator("math:visible").count()
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def downloaded(page: Page, folder: Path) -> str:
    """The file of the step that is open."""
    page.get_by_text("For teachers: handout, file").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="This step as a file").click()
    path = folder / "step.html"
    download.value.save_as(path)
    return path.read_text(encoding="utf-8")


def test_a_step_answers_from_a_disk(server, watched, from_disk: Open, tmp_path):
    page, _watch = watched
    page.goto(f"{server}/lessons?lesson=attention&lesson_at=3")
    settle(page)
    file = from_disk(downloaded(page, tmp_path))
    expect(file.get_by_role("heading", name="From the dot product to the score")).to_be_visible()
    expect(file.locator("#a-before canvas").first).to_be_visible()
    answer = file.locator("details.reveal")
    expect(answer.get_by_text("Answer: ")).to_be_hidden()
    file.get_by_text("Show the answer").click()
    expect(answer.get_by_text("Answer: ")).to_be_visible()
    canvas = answer.locator("canvas").first
    expect(canvas).to_be_visible()
    said = answer.locator("#a-after")
    expect(said).to_contain_text("How the weight of “·all” for “·his” is computed")
    canvas.press("ArrowUp")
    expect(said).to_contain_text("for “·of” is computed")
    box = canvas.bounding_box()
    canvas.click(position={"x": box["width"] * 0.5, "y": box["height"] * 0.3})
    expect(said).not_to_contain_text("for “·of” is computed")
    answer.get_by_role("button", name="Next step").click()
    expect(said).to_contain_text("mask")
    file.get_by_text("Words of this step").click()
    expect(file.locator("details.terms dd").first).to_be_visible()


def test_plots_and_the_map_are_drawn_from_a_disk(server, watched, from_disk: Open, tmp_path):
    page, _watch = watched
    for ident, at in (("attention", 5), ("first", 9)):
        page.goto(f"{server}/lessons?lesson={ident}&lesson_at={at}")
        settle(page)
        file = from_disk(downloaded(page, tmp_path))
        if ident == "attention":
            file.get_by_text("Show the answer").click()
        figure = file.locator(".slot").first
        expect(figure.locator("canvas, svg").first).to_be_visible()
        assert figure.bounding_box()["height"] > 150
