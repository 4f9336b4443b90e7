"""The page about pictures in a browser: drawing moves the bars, a click chooses what is seen."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, settle


def figure(page: Page, name: str):
    return page.locator(f".st-key-{name.replace('.', '-')}")


def stroke(page: Page, *places: tuple[float, float]) -> None:
    """Press the mouse at the first place, counted in shares of the sheet, and go on."""
    box = figure(page, "vision.picture").locator("canvas").bounding_box()
    assert box is not None
    for n, (x, y) in enumerate(places):
        page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"], steps=6)
        if not n:
            page.mouse.down()
    page.mouse.up()


def test_the_prediction_follows_pen_and_keys_and_a_link_opens_what_was_drawn(server, watched):
    page, _ = watched
    page.goto(f"{server}/vision")
    settle(page)
    vit, cnn = (figure(page, f"vision.answer-{one}") for one in ("vit", "cnn"))
    chosen, told = vit.locator(".row.chosen .word"), vit.locator(".told")
    expect(chosen).to_have_text("7")
    sheet = figure(page, "vision.picture").locator("canvas")
    small = sheet.bounding_box()["width"]
    for draw in (lambda: stroke(page, (0.5, 0.2), (0.5, 0.8)), lambda: keyed(page)):
        page.get_by_role("button", name="Clear").click()
        settle(page)
        for model in ("ViT", "CNN"):
            said = f"The picture is empty. {model} must name a label all the same"
            expect(page.get_by_text(said).first).to_be_visible()
        draw()
        expect(chosen).to_have_text("1")
        expect(cnn.locator(".row.chosen .word")).to_have_text("1")
        settle(page)
        said = told.inner_text()
        page.goto(page.url)
        settle(page)
        expect(told).to_have_text(said)
    tiles = figure(page, "vision.samples-28x28").locator("canvas")
    box = tiles.bounding_box()
    tiles.click(position={"x": 1.5 * box["width"] / 13, "y": 20})  # a sample
    expect(chosen).to_have_text("2")
    expect(page).to_have_url(re.compile("picture=ours-2"))
    page.get_by_role("button", name="Undo").click()
    expect(chosen).to_have_text("1")
    page.goto(f"{server}/vision?view=lecture")
    settle(page)
    assert sheet.bounding_box()["width"] > 1.2 * small
    page.set_viewport_size({"width": 1280, "height": 720})
    settle(page)
    tools = page.get_by_role("button", name="Clear").bounding_box()
    assert tools["y"] + tools["height"] < 720


def keyed(page: Page) -> None:
    """A stroke from above, by the arrow keys."""
    figure(page, "vision.picture").locator("canvas").focus()
    for key in (*["ArrowUp"] * 8, *["Shift+ArrowDown"] * 16):
        page.keyboard.press(key)


def test_on_a_phone_each_stroke_is_undone_by_itself(server, watched):
    page, _ = watched
    page.set_viewport_size(PHONE)
    page.goto(f"{server}/vision")
    settle(page)
    chosen = figure(page, "vision.answer-vit").locator(".row.chosen .word")
    figure(page, "vision.picture").scroll_into_view_if_needed()
    page.get_by_role("button", name="Clear").click()
    settle(page)
    stroke(page, (0.5, 0.2), (0.5, 0.8))
    expect(chosen).to_have_text("1")
    for _ in range(2):  # the stroke, and the empty sheet
        page.get_by_role("button", name="Undo").click()
        settle(page)
    expect(chosen).to_have_text("7")


def test_a_head_and_a_patch_are_chosen_and_an_experiment_leaves_picture_and_bars_level(
    server, watched
):
    page, _ = watched
    page.goto(f"{server}/vision")
    settle(page)
    tiles = figure(page, "vision.attention-vit").locator("canvas")
    tiles.scroll_into_view_if_needed()
    box = tiles.bounding_box()
    tiles.click(position={"x": box["width"] - 30, "y": 50})  # the last head of layer 0
    settle(page)
    large = figure(page, "vision.looks-vit")
    expect(large).to_contain_text("layer 0, head 3")
    sheet = large.locator("canvas")
    side = sheet.bounding_box()["width"] / 7
    sheet.click(position={"x": 3.5 * side, "y": 2.5 * side})
    expect(large).to_contain_text("The strongest attention of the patch in row 3, column 4 goes to")
    settle(page)
    expect(page).to_have_url(re.compile("patch=18"))
    page.get_by_role("button", name="Shuffle the patches").click()
    moved = figure(page, "vision.answer-outcome").locator(".outcome")
    expect(moved).to_contain_text("shuffled")
    settle(page)
    names = ("vision.picture", "vision.answer-vit", "vision.answer-cnn")
    assert not any(figure(page, name).locator(".outcome").inner_text() for name in names)
    tops = {figure(page, name).bounding_box()["y"] for name in names}  # fmt: skip
    assert len(tops) == 1
