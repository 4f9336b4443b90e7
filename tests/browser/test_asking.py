"""A page whose state is the browser's and whose figures ask for themselves."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import ours, severe
from tests.browser.conftest import PHONE, new_page, settle

PAGE = "attention"
FIELD = "textarea.text"
ANSWERS = re.compile(r"/figure/[a-z.]+\.bin")


class Messages:
    """What a page has said to the server by its socket."""

    def __init__(self, page: Page) -> None:
        self.n = 0
        page.on("websocket", lambda one: one.on("framesent", lambda _data: self._count()))

    def _count(self) -> None:
        self.n += 1


def query(page: Page) -> dict[str, str]:
    return {name: value[0] for name, value in parse_qs(urlsplit(page.url).query).items()}


def control(page: Page, label: str, value: str) -> Locator:
    return page.get_by_role("radiogroup", name=label).get_by_role("radio", name=value, exact=True)


UNDER_WAY = """() => {
  const all = (root) => [...root.querySelectorAll("*")].flatMap(
    (one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])]);
  return all(document).some((one) => one.matches(".glass[aria-busy]"));
}"""


def drawn(page: Page) -> None:
    """Wait until every figure has the answer that it has asked for."""
    for _look in range(300):
        if not page.evaluate(UNDER_WAY):
            return
        page.wait_for_timeout(50)
    raise AssertionError("a figure waits for its answer")


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    settle(page)
    expect(page.locator(".st-key-attention-row .chip").first).to_be_visible()
    drawn(page)
    return page


def shares(page: Page) -> list[str]:
    """What the selected token gives the others."""
    drawn(page)
    return page.locator(".st-key-attention-row .chip").all_inner_texts()


def test_a_click_says_nothing_to_the_script_and_everything_to_the_address(server, watched):
    page, _ = watched
    messages = Messages(page)
    opened(page, f"{server}/{PAGE}?text=The+cat+sat")
    before, n = shares(page), messages.n
    for label, value, name in (("Layer", "2", "layer"), ("Head", "1", "head")):
        control(page, label, value).click()
        expect(control(page, label, value)).to_have_attribute("aria-checked", "true")
        assert query(page)[name] == value
    assert shares(page) != before
    page.locator(".st-key-attention-row .chip").nth(2).click()
    expect(page).to_have_url(re.compile("token=2"))
    page.locator(FIELD).fill("All day the cat sat")  # what is looked at follows its word
    expect(page).to_have_url(re.compile("token=4"))
    expect(page.locator(".st-key-attention-row .chip").nth(4)).to_contain_text("cat")
    drawn(page)
    assert query(page) == {"text": "All day the cat sat", "layer": "2", "head": "1", "token": "4"}
    assert messages.n == n


def test_a_link_opens_what_was_shown_and_back_and_forward_go_through_it(server, watched):
    page, _ = watched
    messages = Messages(page)
    opened(page, f"{server}/{PAGE}?text=The+cat+sat&layer=1&head=2&token=2")
    expect(control(page, "Layer", "1")).to_have_attribute("aria-checked", "true")
    expect(control(page, "Head", "2")).to_have_attribute("aria-checked", "true")
    expect(page.locator(".st-key-attention-row .chip").nth(2)).to_have_attribute(
        "aria-selected", "true"
    )
    first, n = shares(page), messages.n
    control(page, "Layer", "4").click()
    page.locator(FIELD).fill("A dog ran")
    expect(page).to_have_url(re.compile("A\\+dog\\+ran"))
    last = shares(page)
    page.go_back()
    page.go_back()
    expect(control(page, "Layer", "1")).to_have_attribute("aria-checked", "true")
    assert shares(page) == first
    assert page.locator(FIELD).input_value() == "The cat sat"
    page.go_forward()
    page.go_forward()
    expect(page.locator(FIELD)).to_have_value("A dog ran")
    assert shares(page) == last
    assert messages.n == n


def test_undo_holds_after_a_reload_and_in_its_own_tab_alone(server, watched):
    page, _ = watched
    opened(page, f"{server}/{PAGE}?text=The+cat+sat&layer=1")
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()
    control(page, "Layer", "3").click()
    page.locator(FIELD).press_sequentially(" on the mat", delay=20)
    expect(page).to_have_url(re.compile("mat"))
    page.reload()
    settle(page)
    drawn(page)
    other = page.context.new_page()
    other.goto(f"{server}/{PAGE}?text=The+cat+sat&layer=1")
    expect(other.locator(".st-key-attention-row .chip").first).to_be_visible()
    expect(other.get_by_role("button", name="Undo")).to_be_disabled()
    other.close()
    undo.click()
    expect(page.locator(FIELD)).to_have_value("The cat sat")
    assert query(page) == {"text": "The cat sat", "layer": "3"}
    undo.click()
    expect(control(page, "Layer", "1")).to_have_attribute("aria-checked", "true")
    expect(undo).to_be_disabled()


def test_another_model_is_a_page_of_its_own_and_undo_brings_back_the_first(server, watched):
    page, _ = watched
    opened(page, f"{server}/{PAGE}?text=The+cat+sat&layer=1")
    model = page.locator("select.model")
    expect(model.locator("option")).to_have_text(
        [
            re.compile(r"^GPT, 6"),
            re.compile(r"^BERT, "),
            re.compile(r"^Transformer"),
            "More models …",
        ]
    )
    model.select_option("More models …")
    assert model.locator("option").count() > 10
    model.select_option("t5")
    expect(page.get_by_role("heading", name="Why do other models divide")).to_be_visible()
    settle(page)
    drawn(page)
    assert query(page) == {"text": "The cat sat", "layer": "1", "model": "t5"}
    expect(page.get_by_role("radiogroup", name="Attention")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", name="Why divide by")).to_be_visible()
    settle(page)
    expect(page.locator("select.model")).to_have_value("gpt")
    assert query(page) == {"text": "The cat sat", "layer": "1"}


def test_controls_and_steps_are_worked_with_keys_alone(server, watched):
    page, _ = watched
    opened(page, f"{server}/{PAGE}?text=The+cat+sat&layer=1&step=6")
    control(page, "Layer", "1").focus()
    page.keyboard.press("ArrowRight")
    expect(control(page, "Layer", "2")).to_be_focused()
    drawn(page)
    expect(control(page, "Layer", "2")).to_be_focused()
    assert query(page)["layer"] == "2"
    page.keyboard.press("Tab")
    expect(control(page, "Head", "3")).to_be_focused()
    page.get_by_role("slider", name="Step").focus()
    page.keyboard.press("Home")
    expect(page.get_by_text("Queries: what each token looks for", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile("step=0"))
    # The weights that this step's sums need come now.
    expect(page.get_by_text("Multiply the token's vector by a row of the matrix")).to_be_visible()


def test_a_lost_server_is_said_and_the_figure_comes_when_it_is_back(server, watched):
    page, log = watched
    opened(page, f"{server}/{PAGE}?text=The+cat+sat&layer=1")
    before = shares(page)
    page.route(ANSWERS, lambda route: route.abort())
    control(page, "Layer", "3").click()
    page.mouse.move(0, 0)  # what is said moves the page under it
    expect(page.get_by_text("No answer. What is shown stays").first).to_be_visible()
    assert page.locator(".st-key-attention-row .chip").all_inner_texts() == before
    page.unroute(ANSWERS)
    expect(control(page, "Layer", "3")).to_have_attribute("aria-checked", "true")
    expect(page.get_by_text("No answer. What is shown stays")).to_have_count(0)
    assert shares(page) != before
    log.problems.clear()  # what was cut off is in it


def test_an_experiment_is_a_change_of_the_state_and_says_what_it_moved(server, watched):
    page, _ = watched
    opened(page, f"{server}/{PAGE}?text=The+cat+sat")
    page.get_by_role("button", name="Repeat a word").click()
    expect(page.locator(".outcome .side b").first).to_be_visible()
    assert query(page)["experiment"] == "attention.repeat"
    assert query(page)["hers"] == "The cat sat"
    settle(page)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(FIELD)).to_have_value("The cat sat")


def test_the_state_goes_along_to_other_pages_and_back(server, watched):
    page, _ = watched
    opened(page, f"{server}/{PAGE}?text=The+cat+sat")
    control(page, "Layer", "2").click()
    page.locator(FIELD).fill("A dog ran home")
    expect(page).to_have_url(re.compile("ran"))
    page.locator('.st-key-strip a[href^="/next-token"]').first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("What comes next?")
    settle(page)
    expect(page.locator(FIELD)).to_have_value("A dog ran home")
    page.go_back()
    settle(page)
    drawn(page)
    expect(page.locator(FIELD)).to_have_value("A dog ran home")
    expect(control(page, "Layer", "2")).to_have_attribute("aria-checked", "true")


def test_an_empty_text_keeps_the_last_run(server, watched):
    page, _ = watched
    opened(page, f"{server}/{PAGE}?text=The+cat+sat")
    before = shares(page)
    page.locator(FIELD).fill("")
    page.wait_for_timeout(600)
    assert shares(page) == before
    page.locator(FIELD).fill("Go")
    expect(page.locator(".st-key-attention-row .chip").nth(1)).to_contain_text("Go")


def test_on_a_phone_it_all_fits_and_the_steps_come_before_the_figure(server, browser):
    with new_page(browser, viewport=PHONE) as page:
        opened(page, f"{server}/{PAGE}?text=The+cat+sat")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        play = page.get_by_role("button", name="Play").bounding_box()
        canvas = page.locator(".st-key-attention-steps canvas").first.bounding_box()
        layer = control(page, "Layer", "5").bounding_box()
        assert play
        assert canvas
        assert layer
        assert play["y"] < canvas["y"] < layer["y"]


@pytest.mark.parametrize("value", ["99", "abc", "-3"])
def test_a_link_that_asks_for_too_much_is_said(server, watched, value):
    page, _ = watched
    opened(page, f"{server}/{PAGE}?text=The+cat+sat&layer={value}")
    expect(page.get_by_text("The link asks for").first).to_be_visible()


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_axe_finds_nothing_on_it(server, browser, mode):
    with new_page(browser, color_scheme=mode) as page:
        opened(page, f"{server}/{PAGE}?text=The+cat+sat")
        page.get_by_role("heading", name="Why divide by").scroll_into_view_if_needed()
        drawn(page)
        assert ours(severe(page)) == []


def test_what_is_wrong_in_a_link_is_said_until_something_is_changed(server, watched):
    page, _ = watched
    opened(page, f"{server}/{PAGE}?text=The+cat+sat&layer=abc")
    notice = page.get_by_text("The link asks for")
    expect(notice).to_be_visible()
    control(page, "Head", "1").click()
    expect(notice).to_be_hidden()
    assert query(page) == {"text": "The cat sat", "head": "1"}


def test_a_text_that_is_too_long_for_an_address_is_read_all_the_same(server, watched):
    page, _ = watched
    opened(page, f"{server}/{PAGE}")
    page.locator(FIELD).fill("猫" * 9000)
    expect(page.locator(".st-key-attention-row .chip").nth(20)).to_be_visible()
    drawn(page)
    assert page.get_by_text("No answer").count() == 0


def test_without_a_text_it_is_said_what_to_do(server, watched):
    page, _ = watched
    opened(page, f"{server}/{PAGE}?text=The+cat+sat")
    page.locator(FIELD).fill("")
    expect(page.get_by_text("Type a word or two above")).to_be_visible()
    page.locator(FIELD).fill("A dog")
    expect(page.get_by_text("Type a word or two above")).to_be_hidden()
