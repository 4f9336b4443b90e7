"""From page to page and back, however quickly, and through a connection that breaks."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect

from tests.browser.conftest import Watch, draw_all, new_page, rest, settle
from tests.browser.test_positions import unfold
from tests.browser.test_state import ANSWERS, FIELD, TITLE, opened, query

ROUTES = (("attention", "translate", 0), ("heads", "translate", 150))

# The menu's link is clicked and the way back is gone by the page itself: at once is at once.
THERE_AND_BACK = """([path, delay]) => {
  document.querySelector(`a[data-testid="stTopNavDropdownLink"][href$="/${path}"]`).click();
  setTimeout(() => history.back(), delay);
}"""


@pytest.mark.parametrize(("start", "to", "delay"), ROUTES)
def test_back_soon_after_the_menu_never_leaves_a_white_page(server, watched, start, to, delay):
    page, _ = watched
    page.goto(f"{server}/{start}")
    expect(page.locator(TITLE)).to_be_visible()
    title = page.locator(TITLE).inner_text()
    page.wait_for_function("() => globalThis.__glassformer?.live")  # it has the menu in its hands
    for section in page.get_by_test_id("stTopNavSection").all():
        section.click()
        if page.locator(f'a[data-testid="stTopNavDropdownLink"][href$="/{to}"]').count():
            break
        page.keyboard.press("Escape")
    page.evaluate(THERE_AND_BACK, [to, delay])
    expect(page).to_have_url(re.compile(f"/{start}"))
    expect(page.locator(TITLE)).to_have_text(title)
    rest(page)
    assert page.url.startswith(f"{server}/{start}")
    draw_all(page)


def test_a_page_that_an_error_took_away_is_loaded_again(server, watched):
    page = opened(watched, f"{server}/next-token?text=The+cat")
    page.evaluate("""() => {
      document.getElementById("root").remove();
      setTimeout(() => { throw new Error("as if Streamlit had failed"); });
    }""")
    expect(page.locator(TITLE)).to_be_visible()
    settle(page)
    assert query(page) == {"text": "The cat"}
    watched[1].problems.clear()


def test_a_figure_that_was_seen_is_shown_again_on_a_slow_line(server, watched):
    page = opened(watched, f"{server}/attention?layer=1")
    layers = page.get_by_role("radiogroup", name="Layer").get_by_role("radio")
    chips = page.locator(".st-key-attention-row .chip")
    seen, held = chips.all_inner_texts(), list[Route]()
    page.route(ANSWERS, lambda route: held.append(route))
    for layer in (2, 3, 4, 1):  # no answer has come to any before the next
        n = len(held)
        layers.nth(layer).click()
        expect(layers.nth(layer)).to_have_attribute("aria-checked", "true")
        while len(held) == n and layer != 1:
            page.wait_for_timeout(20)
    for route in held:
        route.continue_()
    page.unroute(ANSWERS)
    settle(page)
    assert query(page)["layer"] == "1"
    assert chips.all_inner_texts() == seen


def test_each_quick_press_of_an_arrow_counts_on_a_slow_line(server, watched):
    page = opened(watched, f"{server}/positions?shuffle_seed=2")
    unfold(page)
    field = page.get_by_role("spinbutton", name="Shuffle number")
    expect(field).to_have_value("2")
    held = list[Route]()
    page.route(ANSWERS, lambda route: held.append(route))
    for _ in range(3):
        field.press("ArrowUp")
    expect(field).to_have_value("5")
    while not held:
        page.wait_for_timeout(20)
    for route in held:
        route.continue_()
    page.unroute(ANSWERS)
    settle(page)
    assert query(page)["shuffle_seed"] == "5"
    expect(field).to_have_value("5")


class SlowLine:
    """The connection of a page, on which what the server sends can be held up."""

    def __init__(self, page: Page) -> None:
        self._held: list[str | bytes] | None = None
        page.route_web_socket(re.compile("_stcore/stream"), self._connect)

    def _connect(self, browser: WebSocketRoute) -> None:
        self._browser = browser
        server = browser.connect_to_server()
        server.on_message(self._arrive)
        browser.on_message(server.send)

    def _arrive(self, message: str | bytes) -> None:
        if self._held is None:
            self._browser.send(message)
        else:
            self._held.append(message)

    def hold(self) -> None:
        self._held = []

    def release(self) -> None:
        while self._held:  # what arrives meanwhile comes after it
            self._browser.send(self._held.pop(0))
        self._held = None


def test_what_is_done_while_another_page_is_on_its_way_is_done_there(server, browser: Browser):
    page = new_page(browser)
    watch, line = Watch(page), SlowLine(page)
    start = f"{server}/next-token?text=The+cat&temperature=1.5"
    page.goto(start)
    settle(page)
    line.hold()
    page.get_by_role("link", name="weights").click()
    expect(page).to_have_url(re.compile("/attention"))
    page.locator(FIELD).press_sequentially(" ran home", delay=20)
    page.evaluate("() => __hurry(300)")  # until it is told
    page.locator(".strip").first.locator(".chip").nth(2).click()
    page.evaluate("() => __hurry(400)")
    line.release()
    expect(page).to_have_url(re.compile("token=2"))
    settle(page)
    assert query(page) == {"text": "The cat ran home", "token": "2"}
    assert page.locator(FIELD).input_value() == "The cat ran home"
    page.go_back()
    settle(page)
    assert query(page) == {"text": "The cat"}
    page.go_back()
    expect(page.locator(TITLE)).to_have_text("What comes next?")
    settle(page)
    assert page.url == start
    assert watch.problems == []
    page.context.close()


# --- a connection that breaks --------------------------------------------------------------------


def break_connection(page: Page) -> None:
    page.evaluate("() => __disconnect()")
    app = '[data-testid="stApp"][data-test-connection-state="CONNECTED"]'
    expect(page.locator(app)).to_have_count(0)


def mended(page: Page, watch: Watch) -> None:
    """Wait until it is back; what a browser says of a broken one is no problem."""
    expect(page.locator(".st-key-link p.lost")).to_be_hidden()
    settle(page)
    lost = re.compile("WebSocket|ERR_INTERNET_DISCONNECTED|_stcore|disconnected from server")
    watch.problems[:] = [one for one in watch.problems if not lost.search(one)]


def test_what_is_done_while_the_connection_is_gone_is_kept(server, watched):
    page, watch = watched
    opened(watched, f"{server}/next-token?text=The+cat&language=fr")
    page.context.set_offline(True)
    break_connection(page)
    expect(page.get_by_text("Connexion perdue")).to_be_visible()
    field = page.locator(FIELD)
    field.focus()
    page.keyboard.press("End")
    page.keyboard.type(" sat")
    page.locator(".strip").first.locator(".chip").nth(2).click()
    page.evaluate("() => __hurry(400)")  # it is said, and finds no way
    page.context.set_offline(False)
    mended(page, watch)
    assert query(page) == {"text": "The cat sat", "token": "2", "language": "fr"}
    assert field.input_value() == "The cat sat"
    chips = page.locator(".strip").first.locator(".chip .label").all_inner_texts()
    assert "".join(chips[1:4]).replace("·", " ") == "The cat sat"
    page.locator(".strip").first.locator(".chip").nth(1).click()
    expect(page).to_have_url(re.compile("token=1"))


def test_a_click_on_next_counts_once_wherever_the_connection_breaks(server, watched):
    page, watch = watched
    opened(watched, f"{server}/lessons?lesson=vectors&lesson_at=1")
    title = page.locator(TITLE)
    page.evaluate("""() => {
      const next = document.querySelector(".lesson-next");
      for (let at = 0; at < 5; at += 1) next.click();
    }""")
    expect(page).to_have_url(re.compile("lesson_at=2"))
    settle(page)
    assert query(page)["lesson_at"] == title.get_attribute("data-about") == "2"
    for at, delay in ((3, 0), (4, 75)):
        page.locator(".lesson-next").click()
        page.wait_for_timeout(delay)
        break_connection(page)
        mended(page, watch)
        assert query(page)["lesson_at"] == title.get_attribute("data-about") == str(at)
