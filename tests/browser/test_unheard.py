"""What a page says where its connection cannot be had, and the page that looks at a network."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import FIND
from tests.browser.conftest import PHONE, WIDE, Watch, keep, new_page

SAID = "#glass-unheard"
SOON, LATE = 8_000, 25_500  # ms, from when a page was opened
# As behind a network that blocks them: WebSockets go to a port of which nothing comes back.
ELSEWHERE = """{
  const Own = WebSocket;
  globalThis.WebSocket = class extends Own {
    constructor(address, kinds) {
      const there = new URL(address);
      there.port = PORT;
      super(there.href, kinds);
    }
  };
}"""
OF_TEXT = "() => document.fonts.ready.then(() => document.documentElement.scrollWidth)"
Opens = Callable[..., Page]


@pytest.fixture(scope="module")
def silent() -> Iterator[int]:
    """A port that takes a connection and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


@pytest.fixture
def opens(browser: Browser) -> Iterator[Opens]:
    """Opens a page whose WebSockets go to a port, and whose clock can be set on."""
    opened = []

    def opens(address: str, port: int | None, **how: Any) -> Page:
        page = new_page(browser, **how)
        opened.append(page)
        page.clock.install()
        if port is not None:
            page.add_init_script(ELSEWHERE.replace("PORT", str(port)))
        page.goto(address)
        return page

    yield opens
    for page in opened:
        page.context.close()


def go_on_to(page: Page, ms: int) -> None:
    """Let time pass until the page was opened so long ago."""
    page.clock.fast_forward(max(0, ms - page.evaluate("() => Math.ceil(performance.now())")))


@pytest.mark.parametrize("answers", [False, True], ids=["hangs", "refused"])
def test_without_a_connection_one_sentence_is_said_and_the_picture_stays(
    server, opens, silent, answers
):
    port = 1 if answers else silent  # 1: the machine itself refuses
    how: dict[str, Any] = {"viewport": PHONE, "color_scheme": "dark"} if answers else {}
    page = opens(server, port, reduced_motion="reduce", **how)
    page.wait_for_selector("[data-test-connection-state]")
    expect(page.locator(SAID)).to_be_hidden()
    page.wait_for_timeout(500)
    go_on_to(page, SOON)
    expect(page.get_by_role("alert")).to_contain_text("cannot reach its server")
    for ms in (SOON, 60_000):
        go_on_to(page, ms)
        expect(page.get_by_role("alert")).to_have_count(1)
        expect(page.locator("#glass-first .picture")).to_be_visible()
    keep(page, f"unheard-{'phone' if answers else 'wide'}")
    page.goto(f"{server}/attention?language=fr")
    page.wait_for_selector("[data-test-connection-state]")
    page.wait_for_timeout(500)
    go_on_to(page, SOON)
    expect(page.get_by_role("alert")).to_contain_text("n’atteint pas son serveur")
    for point in (40, 300, 600):  # there is nothing else to be seen: no skeleton
        seen = "y => document.elementFromPoint(30, y).closest('#glass-unheard') !== null"
        assert page.evaluate(seen, point)


def test_it_is_not_said_of_a_slow_line_nor_of_a_slow_server(server, browser):
    slow, busy = new_page(browser), new_page(browser)
    slow.route("**/static/js/index.*.js", lambda _route: None)
    busy.route_web_socket("**/_stcore/stream", lambda _socket: None)  # it opens, and says nothing
    for page in (slow, busy):
        page.clock.install()
        page.goto(server, wait_until="commit")
    busy.wait_for_selector("[data-test-connection-state=CONNECTED]")
    for page in (slow, busy):
        page.wait_for_timeout(500)
        go_on_to(page, SOON)
        page.wait_for_timeout(500)
        expect(page.locator(SAID)).to_be_hidden()
        go_on_to(page, LATE)
        expect(page.locator(SAID)).to_be_visible()
        page.context.close()


def severe(page: Page) -> list[dict[str, Any]]:
    page.evaluate(AXE_SCRIPT)
    found: list[dict[str, Any]] = page.evaluate(FIND, {})
    return found


def test_a_network_is_looked_at_in_ticks(server, browser):
    page = new_page(browser, viewport=PHONE, color_scheme="dark")
    watch = Watch(page)
    page.goto(f"{server}/check?language=fr")
    verdict = page.locator("#verdict")
    expect(verdict).to_have_attribute("data-state", re.compile("good|fair"), timeout=60_000)
    for name in ("socket", "storage"):
        expect(page.locator(f"[data-check={name}]")).to_have_attribute("data-state", "good")
    for name in ("trip", "figure", "load"):
        expect(page.locator(f"[data-check={name}] p:visible")).to_have_text(re.compile(r"\d"))
    assert "{" not in page.locator("main").inner_text()
    assert severe(page) == []
    assert page.evaluate(OF_TEXT) <= PHONE["width"]
    keep(page, "check-phone")
    assert not watch.problems, watch.problems
    page.context.close()


def test_what_is_blocked_is_marked_with_a_cross(server, opens):
    page = opens(f"{server}/check", 1)
    expect(page.locator("#verdict")).to_have_attribute("data-state", "bad", timeout=60_000)
    expect(page.locator("[data-check=socket] p:visible")).to_contain_text("No WebSocket opened")
    assert severe(page) == []
    assert page.evaluate(OF_TEXT) <= WIDE["width"]
    keep(page, "check-blocked")
