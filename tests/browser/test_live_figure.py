"""A live figure from a disk and in a notebook: it answers without the app and asks nobody."""

from __future__ import annotations

import re

import nbformat
import pytest
from nbclient import NotebookClient
from playwright.sync_api import Browser, FrameLocator, Locator, Page, expect

from core.figures.text import number
from core.language import use_language
from core.show import show
from tests.browser.conftest import ROOT, Open

TEXT = "The cat sat on the mat and the dog sat on the log because it was warm there in the sun"


def texts(page: Page | FrameLocator) -> Locator:
    return page.locator("#figures")


def test_a_cell_says_its_arithmetic_and_the_steps_go_on(from_disk: Open):
    figure = show("attention.steps", text=TEXT, layer=1, head=1, token=9, key=3)
    assert len(figure.html().encode()) < 1_000_000
    page = from_disk(figure.html())
    run = figure.record
    for key in ("ArrowUp", "ArrowLeft"):
        page.locator("canvas").first.press(key)
    expect(texts(page)).to_contain_text("How the weight of “·cat” for “·the” is computed")
    expect(texts(page)).to_contain_text(f"≈ {number(float(run('weights')[8, 2]))}")
    expect(texts(page)).to_contain_text("computed by weights = masked.softmax(dim=-1)")
    page.get_by_role("button", name="Next step").click()
    expect(page.get_by_role("heading", name="Weighted sum of values z")).to_be_visible()
    expect(texts(page)).to_contain_text("How component 0 for “·the” is computed")
    expect(texts(page)).to_contain_text(f"≈ {number(float(run('z')[8, 0]))}")
    page.get_by_role("button", name="Play").click()
    last = page.get_by_role("heading", name="What this head adds to the residual stream")
    expect(last).to_be_visible(timeout=5000)


def test_a_file_keeps_the_signs_of_the_language_it_was_saved_in(from_disk: Open):
    use_language("fr")
    try:
        figure = show("attention.steps", text=TEXT, layer=1, head=1, token=9, key=3)
        page = from_disk(figure.html())
        said = number(float(figure.record("weights")[8, 2]))
    finally:
        use_language("en")
    for key in ("ArrowUp", "ArrowLeft"):
        page.locator("canvas").first.press(key)
    assert "," in said
    expect(texts(page)).to_contain_text(f"≈ {said}")


def test_pointing_says_the_number(from_disk: Open):
    page = from_disk(show("attention.weights", text=TEXT).html())
    box = page.locator("canvas").first.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.5)
    tip = page.locator(".tip").first
    expect(tip).to_be_visible()
    expect(tip).to_have_text(re.compile(r"^.+ → .+: (masked|[0-9.·⁻−]+)"))


def test_two_parts_of_a_figure_share_one_selection_and_two_files_do_not(browser: Browser, tmp_path):
    content = show("attention.steps", text="The cat sat").html()
    (tmp_path / "figure.html").write_text(content, encoding="utf-8")
    frames = "".join(f"<iframe src='figure.html' id='f{i}' width='900'></iframe>" for i in "ab")
    (tmp_path / "both.html").write_text(f"<!doctype html>{frames}", encoding="utf-8")
    page = browser.new_page()
    page.goto((tmp_path / "both.html").as_uri())
    first, second = (page.frame_locator(f"#f{i}") for i in "ab")
    first.get_by_role("button", name="Next step").click()
    expect(first.get_by_role("heading", name="Weighted sum of values z")).to_be_visible()
    expect(second.get_by_role("heading", name="Attention weights", exact=True)).to_be_visible()
    page.close()


def test_what_was_typed_is_text_in_a_file(from_disk: Open):
    nasty = (
        "</script><script>window.hit = 1</script> <img src=x onerror='window.hit = 1'> \u2028 ' \""
    )
    page = from_disk(show("attention.steps", text=nasty).html())
    expect(page.locator("header")).to_contain_text("</script>")
    expect(texts(page)).to_contain_text("Attention weights")
    assert page.evaluate("() => window.hit") is None


def test_it_takes_light_and_dark_from_whoever_reads_it(from_disk: Open):
    page = from_disk(show("attention.weights", text=TEXT).html())
    ground = "() => getComputedStyle(document.body).backgroundColor"
    page.emulate_media(color_scheme="light")
    light = page.evaluate(ground)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(ground) != light


CELLS = (
    "from core.show import show",
    f"figure = show('attention.steps', text={TEXT!r}, layer=1, head=1, token=9, key=3)\nfigure",
    "print(figure); print(figure.values['weights'].value)",
)


@pytest.mark.slow
def test_a_notebook_that_was_run_shows_it(from_disk: Open):
    """As a student opens it: executed by a kernel of its own, its output put on a page."""
    cells = [nbformat.v4.new_code_cell(code) for code in CELLS]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(ROOT)}}).execute()
    shown = notebook.cells[1].outputs[0]["data"]["text/html"]
    words = notebook.cells[2].outputs[0]["text"]
    assert "of its attention to" in words
    page = from_disk(f"<!doctype html><meta charset='utf-8'><body>{shown}</body>")
    frame = page.frame_locator("iframe")
    expect(texts(frame)).to_contain_text(f"≈ {number(float(words.splitlines()[1]))}")
    frame.get_by_role("button", name="Next step").click()
    expect(frame.get_by_role("heading", name="Weighted sum of values z")).to_be_visible()
