"""The panel "What if": each kind of change by hand, shown before and after, and undone."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import ours, severe
from tests.browser.conftest import settle

LONGEST = 20_000  # ms, on a machine that has other things to do


def button(page: Page, name: str | re.Pattern[str]) -> Locator:
    return page.get_by_role("button", name=name, exact=isinstance(name, str))


def said(page: Page) -> Locator:
    return page.locator(".st-key-flow-said .told").first


def test_a_head_and_a_way_round_are_closed_and_undone_one_by_one_and_together(server, watched):
    page, _ = watched
    page.goto(f"{server}/?place=layer5.head3")
    settle(page)
    button(page, "What if head 3 of layer 5 were off?").click()
    expect(said(page)).to_contain_text("Head 3 of layer 5 off", timeout=LONGEST)
    expect(page).to_have_url(re.compile("off=layer5.head3"))
    settle(page)
    page.goto(f"{server}/?place=layer5&off=layer5.head3")
    settle(page)
    button(page, "What if the attention of layer 5 replaced the row, not added to it?").click()
    expect(said(page)).to_contain_text("One at a time", timeout=LONGEST)
    expect(page.locator(".panel .effect")).to_contain_text("Together: ")
    expect(page.locator(".panel [role=status]")).to_contain_text("Their effects ")
    settle(page)
    assert ours(severe(page)) == []
    button(page, "Undo: head 3 of layer 5 off").click()
    expect(said(page)).not_to_contain_text("One at a time", timeout=LONGEST)
    expect(page).to_have_url(re.compile("off=layer5.attn.sum(&|$)"))
    settle(page)
    button(page, "Undo: the attention of layer 5 replaces the row").click()
    expect(page).not_to_have_url(re.compile("off="), timeout=LONGEST)
    settle(page)


def test_a_weight_is_dragged_by_its_slider_and_where_it_is_written_and_the_rest_by_keyboard(
    server, watched
):
    page, _ = watched
    page.goto(f"{server}/?place=layer5.head3")
    settle(page)
    weight = page.get_by_role("slider", name="Weights of “dog”")
    weight.scroll_into_view_if_needed()
    box = weight.bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.7 * box["width"], y)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.3 * box["width"], y, steps=4)
    page.mouse.up()
    expect(page).to_have_url(
        re.compile(r"off=layer5.head3.row11.key2.weight0\.\d"), timeout=LONGEST
    )
    expect(said(page)).to_contain_text("from “his” to “dog” in head 3 of layer 5")
    settle(page)
    expect(weight).to_be_focused()  # the next key is for it, although chips have come above it
    after = weight.bounding_box()
    assert after is not None
    assert abs(after["y"] - box["y"]) < 3  # and it is under the pointer
    button(page, "Scores").click()
    score = page.get_by_role("slider", name="Scores of “dog”")
    score.focus()
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"row11.key2.score-?\d"), timeout=LONGEST)
    expect(page).not_to_have_url(re.compile("weight"))  # one of a cell
    settle(page)
    expect(score).to_be_focused()
    page.goto(f"{server}/?place=layer5.head3")
    mark = page.locator(".st-key-flow").get_by_role("button", name=re.compile("weight, “dog”"))
    expect(mark).to_be_attached(timeout=LONGEST)
    settle(page)
    box = mark.bounding_box()
    assert box is not None
    x, y = box["x"] + 6, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y, steps=4)
    page.mouse.up()
    set_to = re.compile(r"off=layer5.head3.row11.key2.weight0\.\d+")
    expect(page).to_have_url(set_to, timeout=LONGEST)
    settle(page)
    expect(said(page)).to_contain_text("from “his” to “dog” in head 3 of layer 5")
    page.goto(server)
    settle(page)
    heat = page.get_by_role("slider", name="Temperature")
    expect(page.get_by_text("It acts after the last layer")).to_be_visible()
    heat.focus()
    page.keyboard.press("Home")
    expect(said(page)).to_contain_text("Temperature 0.1", timeout=LONGEST)
    settle(page)
    expect(button(page, "Undo: temperature 0.1")).to_be_visible()
    for _step in range(9):
        heat.press("ArrowRight")
    expect(page).not_to_have_url(re.compile("off="), timeout=LONGEST)
    settle(page)


def test_on_a_phone_a_word_is_swapped_a_head_switched_off_and_a_wipe_sets_nothing(server, visitor):
    page = visitor(phone=True, reduced_motion="reduce")
    page.goto(server)
    settle(page)
    page.locator(".st-key-flow").get_by_role("button", name="dog", exact=True).click(force=True)
    word = page.get_by_label("Swap the word")
    expect(word).to_have_value("1")
    field = page.get_by_label("for", exact=True)
    field.fill("cat")
    field.press("Enter")
    expect(said(page)).to_contain_text("“cat” in the place of “dog”", timeout=LONGEST)
    expect(page).to_have_url(re.compile("swap=1%7Edog%7Ecat|swap=1~dog~cat"))
    expect(page).not_to_have_url(re.compile("token="))
    settle(page)
    assert ours(severe(page)) == []
    button(page, "Undo: “cat” in the place of “dog”").click()
    expect(page).not_to_have_url(re.compile("swap="), timeout=LONGEST)
    settle(page)
    expect(button(page, "Skip")).to_have_count(0)  # it is not told again
    page.goto(f"{server}/?place=layer5")
    settle(page)
    head = button(page, "head 3").last
    head.click()
    expect(page).to_have_url(re.compile("off=layer5.head3"), timeout=LONGEST)
    expect(head).to_have_attribute("aria-pressed", "true")
    effect = page.locator(".panel .effect")
    expect(effect).to_contain_text(re.compile(r"“food” goes from 46\s% to 36\s%\."))
    for place in (head, page.get_by_role("slider", name="Temperature")):
        place.scroll_into_view_if_needed()
        expect(effect).to_be_in_viewport()
    head.click()
    expect(page).not_to_have_url(re.compile("off="), timeout=LONGEST)
    expect(effect).to_be_hidden()
    settle(page)
    # A wipe that scrolls over a slider sets nothing.
    heat = page.get_by_role("slider", name="Temperature")
    before = heat.input_value()
    heat.evaluate("(one) => one.scrollIntoView({ block: 'center' })")
    box = heat.bounding_box()
    x, y = box["x"] + 0.8 * box["width"], box["y"] + box["height"] / 2
    touch = page.context.new_cdp_session(page)
    for kind, moved in (("touchStart", 0), *(("touchMove", 20 * i) for i in range(1, 11))):
        points = [{"x": x, "y": y - moved}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    settle(page)
    after = heat.bounding_box()
    assert after["y"] < box["y"] - 50  # it has scrolled
    assert heat.input_value() == before
    assert "off=" not in page.url
    # A click on it sets it.
    heat.evaluate("(one) => one.scrollIntoView({ block: 'center' })")
    heat.click()
    expect(page).to_have_url(re.compile("off=temperature"), timeout=LONGEST)
    settle(page)
