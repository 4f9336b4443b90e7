"""What stands on the home page before Streamlit does, and how its own picture takes the place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.browser.conftest import PHONE, WIDE, ColorScheme, keep, new_page, settle

FIRST = "#glass-first"
LONGEST = 20_000  # ms, on a machine that has other things to do
DRAWN = """() => {
  const root = document.querySelector('#glass-first .picture')?.shadowRoot;
  const { width, height } = root?.querySelector('canvas') ?? { width: 0, height: 0 };
  if (!width) return false;
  const pen = root.querySelector('canvas').getContext('2d');
  return pen.getImageData(0, 0, width, height).data.some(Boolean);
}"""
PLACES = """(all) => Object.fromEntries(all.map(([name, one, within]) => {
  const roots = [...document.querySelectorAll(one)].map((root) => within
    ? root.shadowRoot?.querySelector(within) : root);
  const { left, top, width } = roots.find(Boolean).getBoundingClientRect();
  return [name, [left, top, width]];
}))"""
ABOVE = [["title", "h1.glass-title"], ["claim", "p.glass-claim"]]
# What is said under the picture while it is told, one caption after the other.
CAPTIONS = """() => {
  globalThis.captions = [];
  setInterval(() => {
    const roots = [...document.querySelectorAll('#glass-first .picture, .st-key-flow *')];
    const within = roots.flatMap((one) => [one, ...one.shadowRoot?.querySelectorAll('*') ?? []]);
    const said = within.map((one) => one.shadowRoot?.querySelector('.caption')).find(Boolean);
    const now = said?.hidden ? '' : said?.textContent;
    if (now && now !== captions.at(-1)) captions.push(now);
  }, 10);
}"""


@pytest.fixture
def unheard(browser: Browser, server: str) -> Iterator[Callable[..., Page]]:
    """Opens the home page where Streamlit's own code runs and never hears from its server."""
    opened = []

    def opens(**how: Any) -> Page:
        page = new_page(browser, **how)
        opened.append(page)
        page.route_web_socket("**/_stcore/stream", lambda _socket: None)
        page.goto(server)
        page.wait_for_function(DRAWN)
        return page

    yield opens
    for page in opened:
        page.context.close()


@pytest.mark.parametrize("phone", [False, True], ids=["wide", "phone"])
def test_it_stands_before_streamlit_does_and_where_its_own_will_stand(
    server, visitor, unheard, phone
):
    mode: ColorScheme = "dark" if phone else "light"
    page = visitor(phone=phone, reduced_motion="reduce", color_scheme=mode)
    page.goto(server)
    expect(page.locator(".st-key-flow-said .told")).to_be_visible()
    settle(page)
    own = page.evaluate(
        PLACES,
        [*ABOVE, ["reading", ".st-key-flow-said *", "p.told"], ["picture", ".st-key-flow"]],
    )
    expect(page.locator(FIRST)).to_have_count(0)
    page = unheard(viewport=PHONE if phone else WIDE, reduced_motion="reduce", color_scheme=mode)
    keep(page, f"first-picture-{'phone' if phone else 'wide'}")
    first = page.evaluate(
        PLACES, [*ABOVE, ["reading", "p.glass-reading"], ["picture", f"{FIRST} .picture"]]
    )
    for name, place in own.items():
        assert first[name] == pytest.approx(place, abs=2), name
    assert page.locator(f"{FIRST}[inert][aria-hidden=true]").count() == 1


def test_what_is_told_of_it_goes_on_in_the_page_where_a_key_has_led(server, visitor):
    page = visitor()
    page.add_init_script(f"({CAPTIONS})()")
    page.goto(server, wait_until="commit")
    page.wait_for_function(DRAWN)
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => globalThis.captions.length > 3", timeout=LONGEST)
    expect(page.locator(FIRST)).to_have_count(0)
    said = page.evaluate("() => globalThis.captions")
    assert len(said) == len(set(said))  # nothing is told twice
    page.keyboard.press("Escape")
    settle(page)


def test_who_has_skipped_it_is_not_told_it_by_the_page(server, visitor):
    page = visitor()
    page.goto(server, wait_until="commit")
    page.wait_for_function(DRAWN)
    page.keyboard.press("Escape")
    expect(page.locator(FIRST)).to_have_count(0, timeout=LONGEST)
    expect(page.get_by_role("button", name="Watch it again", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Skip", exact=True)).to_have_count(0)
    settle(page)


def test_who_went_elsewhere_before_it_was_told_is_told_all_of_it(visitor, server):
    page, sockets = visitor(), []

    def late(socket: WebSocketRoute) -> None:
        """The first connection hears nothing; when it is lost, the next one is real."""
        sockets.append(socket)
        if len(sockets) > 1:
            socket.connect_to_server()

    page = page.context.new_page()
    page.route_web_socket("**/_stcore/stream", late)
    page.goto(server)
    page.wait_for_function(DRAWN)
    page.evaluate("() => history.replaceState({}, '', '/attention')")
    expect(page.locator(FIRST)).to_have_count(0)
    page.evaluate("() => history.replaceState({}, '', '/')")
    sockets[0].close()
    expect(page.get_by_role("button", name="Skip", exact=True)).to_be_visible()
    page.close()


def test_the_page_is_seen_whatever_goes_wrong_with_it(browser, server):
    page = new_page(browser, reduced_motion="reduce")
    page.route("**/all.js", lambda route: route.abort())
    page.goto(server)
    expect(page.locator(".st-key-flow")).to_be_attached()
    expect(page.locator(FIRST)).to_have_css("visibility", "hidden", timeout=LONGEST)
    page.context.close()
