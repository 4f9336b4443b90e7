"""Back and Forward over selections, two tabs, a connection that drops, clicks during a run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.browser.conftest import Watch, new_page, settle
from tests.browser.test_state import FIELD, query

TEXT = "The cat sat on the mat"


def attention(page: Page, server: str, **more: str) -> None:
    rest = "".join(f"&{name}={value}" for name, value in more.items())
    page.goto(f"{server}/attention?text={TEXT.replace(' ', '+')}{rest}")
    settle(page)


def chip(page: Page, at: int):
    return page.locator(".st-key-attention-row .chip").nth(at)


def choose(page: Page, at: int) -> None:
    """Select a token, and point elsewhere: what is pointed at would be shown instead."""
    chip(page, at).click()
    page.mouse.move(720, 895)
    expect(page).to_have_url(re.compile(f"token={at}"))


def shown(page: Page) -> tuple[str, str, str]:
    """The token that is selected in the strip, in the arithmetic, and in the link."""
    own = page.locator(".st-key-attention-row .chip[aria-selected=true] .label").first.inner_text()
    how = page.locator(".st-key-attention-steps .how h2, .st-key-attention-steps .how .title")
    return own, how.first.inner_text(), query(page).get("token", "")


def test_three_selections_three_times_back_then_forward(server, watched):
    page, _ = watched
    attention(page, server)
    seen = [shown(page)]
    for at in (1, 2, 4):
        choose(page, at)
        settle(page)
        seen.append(shown(page))
    assert len(set(seen)) == 4
    assert [token for _own, _how, token in seen[1:]] == ["1", "2", "4"]
    for expected in reversed(seen[:-1]):
        page.go_back()
        expect(page).to_have_url(
            re.compile(f"token={expected[2]}") if expected[2] else re.compile(r"mat$")
        )
        settle(page)
        assert shown(page) == expected
    for expected in seen[1:]:
        page.go_forward()
        expect(page).to_have_url(re.compile(f"token={expected[2]}"))
        settle(page)
        assert shown(page) == expected


def test_two_tabs_have_a_state_each(server, watched, browser):
    page, _ = watched
    attention(page, server)
    other = new_page(browser)
    watch = Watch(other)
    attention(other, server)
    choose(page, 1)
    choose(other, 3)
    other.locator(FIELD).fill("A small dog ran home")
    other.keyboard.press("Control+Enter")
    expect(other).to_have_url(re.compile("text=A"))
    settle(other)
    settle(page)
    assert page.locator(FIELD).input_value() == TEXT
    assert (query(page)["text"], query(page)["token"]) == (TEXT, "1")
    assert chip(page, 1).get_attribute("aria-selected") == "true"
    assert query(other)["text"] == "A small dog ran home"
    other.context.close()
    assert not watch.problems
    choose(page, 2)  # a tab that was closed takes nothing along
    settle(page)
    assert shown(page)[2] == "2"


@contextmanager
def dropping(browser: Browser) -> Iterator[tuple[Page, list[WebSocketRoute]]]:
    """A page whose connections can be closed, as by a laptop that sleeps."""
    page = new_page(browser)
    open_ones: list[WebSocketRoute] = []

    def through(route: WebSocketRoute) -> None:
        route.connect_to_server()
        open_ones.append(route)

    page.route_web_socket(re.compile("_stcore/stream"), through)
    yield page, open_ones
    page.context.close()


def test_a_connection_that_drops_comes_back_and_nothing_is_lost(server, browser):
    """Select something without a connection, and go on once there is one again."""
    with dropping(browser) as (page, connections):
        attention(page, server, layer="2")
        choose(page, 2)
        settle(page)
        before = shown(page)
        n = len(connections)
        connections[-1].close()
        chip(page, 4).click()  # the browser answers alone
        page.mouse.move(720, 895)
        assert chip(page, 4).get_attribute("aria-selected") == "true"
        expect(page).to_have_url(re.compile("token=4"), timeout=30_000)
        assert len(connections) > n
        settle(page)
        assert query(page) == {"text": TEXT, "layer": "2", "token": "4"}
        assert page.locator(FIELD).input_value() == TEXT
        after = shown(page)
        assert after != before
        page.locator(FIELD).fill("A small dog")
        expect(page).to_have_url(re.compile("text=A"))
        settle(page)
        labels = page.locator(".st-key-attention-row .chip .label").all_inner_texts()
        assert "dog" in labels[-1]


def test_what_is_clicked_while_a_text_still_runs_is_kept(server, watched):
    page, _ = watched
    attention(page, server)
    page.locator(FIELD).fill("A small dog ran home")
    page.keyboard.press("Control+Enter")
    chip(page, 2).click()  # at once: of the text before, or of this one
    page.get_by_role("radiogroup", name="Layer").get_by_role("radio").nth(3).click()
    page.mouse.move(720, 895)
    expect(page).to_have_url(re.compile("layer=3"))
    settle(page)
    assert query(page) == {"text": "A small dog ran home", "token": "2", "layer": "3"}
    labels = page.locator(".st-key-attention-row .chip .label").all_inner_texts()
    assert "home" in labels[-1]
    assert chip(page, 2).get_attribute("aria-selected") == "true"
