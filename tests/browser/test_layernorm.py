"""The LayerNorm page in a browser: steps and cells answer at once, mistakes can be mended."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import settle


def test_the_worked_vector_walks_step_by_step_and_a_mistake_in_it_is_mended(server, watched):
    page, _ = watched
    page.goto(f"{server}/layernorm?norm_step=0")
    settle(page)
    stepper = page.locator(".controls").first
    text = page.locator(".step-text").first
    how = page.locator(".how").first
    expect(how).to_contain_text("x[1] = 200")
    stepper.get_by_role("button", name="Next step").click()
    expect(text).to_contain_text("100")
    expect(how).to_contain_text("(100 + 200 + 100 + 0) / 4 = 100")
    page.locator("h1").click()  # the keys belong to the page now
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(how).to_contain_text("100² = 10,000")
    page.keyboard.press("ArrowRight")
    expect(how).to_contain_text("(0 + 10,000 + 0 + 10,000) / 4 = 5,000")
    page.keyboard.press("ArrowRight")
    expect(how).to_contain_text("(200 − 100) / √(5,000 + 10⁻⁵) ≈ 1.41")
    expect(page).to_have_url(re.compile("norm_step=5"))
    # A click on another component shows its arithmetic.
    canvas = page.locator("canvas[role=application]").first
    box = canvas.bounding_box()
    canvas.click(position={"x": box["width"] - 20, "y": 5.5 * 44})
    expect(how).to_contain_text("(0 − 100) / √(5,000 + 10⁻⁵) ≈ −1.41")
    field = page.get_by_role("textbox", name="Vector x")
    field.fill("1, two")
    field.press("Enter")
    problem = page.locator(".problem", has_text="numbers separated by commas")
    expect(problem.first).to_be_visible()
    assert field.input_value() == "1, two"
    field.fill("3, 4")
    field.press("Enter")
    expect(problem).to_have_count(0)
    settle(page)
    expect(page.get_by_role("heading", name="LayerNorm of 2 numbers")).to_be_visible()


def test_a_token_of_the_text_has_its_own_numbers(server, watched):
    page, _ = watched
    page.goto(f"{server}/layernorm?source=text&text=The+cat+sat&norm_step=5&model=gpt")
    settle(page)
    reading = page.locator(".reading").first
    expect(reading).to_contain_text("“sat”")
    page.locator(".chip", has_text="cat").first.click()
    expect(reading).to_contain_text("“cat”")
    expect(page).to_have_url(re.compile("token=2"))
    settle(page)
    expect(page.get_by_role("heading", name="LayerNorm of “cat”")).to_be_visible()
    expect(page.locator(".how").first).to_contain_text("core/nn/norms.py")
    page.goto(f"{server}/layernorm?token=5&text=The+dog+was+hungry+and+he+ate+all+of+his+food")
    settle(page)
    page.get_by_role("radio", name="a token of your text").click()  # the mouse rests there
    expect(page.locator(".chip").first).to_be_visible()
    settle(page)
    expect(page.locator(".reading").first).to_contain_text("“and”")


def test_on_a_phone_every_step_is_in_sight_and_numbers_stand_off_their_bars(server, visitor):
    page = visitor(phone=True)
    page.goto(f"{server}/layernorm?norm_step=0")
    settle(page)
    switch = page.get_by_role("radio", name="a token of your text")
    assert switch.bounding_box()["y"] < page.get_by_role("button", name="Play").bounding_box()["y"]
    canvas = page.locator("canvas[role=application]").first.bounding_box()
    assert canvas["y"] + 8 * 35 <= page.viewport_size["height"]
