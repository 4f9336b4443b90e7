"""From page to page and back, however quickly, and through a connection that breaks."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect

from tests.browser.conftest import Watch, draw_all, new_page, rest, settle
from tests.browser.test_asking import ANSWERS
from tests.browser.test_positions import unfold
from tests.browser.test_state import FIELD, TITLE, opened, query

ROUTES = [("attention", "translate"), ("translate", "feed-forward"), ("heads", "translate")]
DELAYS = (0, 50, 150, 300)  # ms from the click on the menu to the browser's Back

# The menu's link is clicked and the way back is gone by the page itself: at once is at once.
THERE_AND_BACK = """([path, delay]) => {
  document.querySelector(`a[data-testid="stTopNavDropdownLink"][href$="/${path}"]`).click();
  setTimeout(() => history.back(), delay);
}"""


def there_and_back(page: Page, server: str, start: str, to: str, delay: int) -> None:
    """Open a page, go to another by the menu, and press Back after a while."""
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
    expect(page.locator(TITLE)).to_have_text(title)


@pytest.mark.parametrize("delay", [
    one if one in (0, 150) else pytest.param(one, marks=pytest.mark.slow) for one in DELAYS
])  # fmt: skip
def test_back_soon_after_the_menu_never_leaves_a_white_page(server, watched, delay):
    page, _ = watched
    there_and_back(page, server, *ROUTES[DELAYS.index(delay) % len(ROUTES)], delay)
    draw_all(page)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("delay", DELAYS)
def test_no_fresh_browser_in_ten_shows_a_white_page(server, browser: Browser, delay):
    for at in range(10):
        page = new_page(browser)
        watch = Watch(page)
        there_and_back(page, server, *ROUTES[at % len(ROUTES)], delay)
        draw_all(page)
        assert watch.problems == []
        page.context.close()


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
    page.wait_for_timeout(500)
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
    page.wait_for_timeout(300)  # until it is told
    page.locator(".strip").first.locator(".chip").nth(2).click()
    page.wait_for_timeout(400)
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
    opened(watched, f"{server}/next-token?text=The+cat")
    page.context.set_offline(True)
    break_connection(page)
    expect(page.get_by_text("Connection lost")).to_be_visible()
    field = page.locator(FIELD)
    field.focus()
    page.keyboard.press("End")
    page.keyboard.type(" sat")
    page.locator(".strip").first.locator(".chip").nth(2).click()
    page.wait_for_timeout(400)  # it is said, and finds no way
    page.context.set_offline(False)
    mended(page, watch)
    assert query(page) == {"text": "The cat sat", "token": "2"}
    assert field.input_value() == "The cat sat"
    chips = page.locator(".strip").first.locator(".chip .label").all_inner_texts()
    assert "".join(chips[1:4]).replace("·", " ") == "The cat sat"


@pytest.mark.parametrize("delay", [0, 75, pytest.param(225, marks=pytest.mark.slow)])
def test_a_click_counts_once_wherever_the_connection_breaks(server, watched, delay):
    page, watch = watched
    opened(watched, f"{server}/lessons?lesson=vectors&lesson_at=1")
    for at in (2, 3):
        page.locator(".lesson-next").click()
        page.wait_for_timeout(delay)
        break_connection(page)
        mended(page, watch)
        assert query(page)["lesson_at"] == str(at)
        title = page.locator(TITLE)
        assert title.get_attribute("data-about") == str(at)


def test_quick_clicks_on_next_leave_the_step_that_was_seen_once(server, watched):
    page = opened(watched, f"{server}/lessons?lesson=vectors&lesson_at=1")
    page.evaluate("""() => {
      const next = document.querySelector(".lesson-next");
      for (let at = 0; at < 5; at += 1) next.click();
    }""")
    expect(page).to_have_url(re.compile("lesson_at=2"))
    settle(page)
    assert query(page)["lesson_at"] == page.locator(TITLE).get_attribute("data-about") == "2"


def test_french_learners_read_of_a_lost_connection_in_french(server, watched):
    page, watch = watched
    opened(watched, f"{server}/next-token?language=fr")
    break_connection(page)
    expect(page.get_by_text("Connexion perdue")).to_be_visible()
    mended(page, watch)
