"""A learner whose worker ends goes on with another one, and has what she had."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Iterator

import psutil
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import new_page, settle, start_server, stop
from tests.browser.test_progress import answered
from tests.browser.test_state import FIELD, attention, chip, choose, query

PATIENCE = 60.0  # seconds


@pytest.fixture(scope="module")
def two() -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """The app with two workers."""
    process, address = start_server("-m", "pages.server", "--workers", "2")
    yield process, address
    stop(process)


@pytest.fixture
def page(browser) -> Iterator[Page]:
    page = new_page(browser)
    yield page
    page.context.close()


def kill_her_worker(process: subprocess.Popen[bytes], address: str) -> None:
    """End the worker that a lonely learner speaks to, without a word."""
    port = int(address.rpartition(":")[2])

    def speaking() -> list[psutil.Process]:
        """Who has a connection; those for files are closed after some seconds."""
        return [
            one
            for one in psutil.Process(process.pid).children()
            for each in one.net_connections("tcp")
            if each.laddr.port == port and each.status == psutil.CONN_ESTABLISHED
        ]

    until = time.monotonic() + PATIENCE
    while len(found := speaking()) != 1:
        assert time.monotonic() < until, found
        time.sleep(0.1)
    found[0].kill()
    while not ended(found[0]):
        assert time.monotonic() < until, found
        time.sleep(0.1)


def ended(worker: psutil.Process) -> bool:
    """Whether it does nothing any more."""
    try:
        return worker.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_page_link_and_text_stay_and_she_goes_on(two, page):
    process, address = two
    attention(page, address, layer="2")
    choose(page, 2)
    settle(page)
    kill_her_worker(process, address)
    page.locator(FIELD).fill("A small dog")  # typed while nobody hears it
    chip(page, 1).click()
    page.mouse.move(720, 895)
    expect(page).to_have_url(re.compile("text=A"), timeout=1000 * PATIENCE)
    expect(page).to_have_url(re.compile("token=1"))
    settle(page)
    assert query(page) == {"text": "A small dog", "layer": "2", "token": "1"}
    assert page.locator(FIELD).input_value() == "A small dog"
    labels = page.locator(".st-key-attention-row .chip .label").all_inner_texts()
    assert "dog" in labels[-1]
    page.get_by_role("radiogroup", name="Layer").get_by_role("radio").nth(3).click()
    expect(page).to_have_url(re.compile("layer=3"))
    settle(page)


@pytest.mark.slow
def test_progress_stays(two, page):
    """The other worker hears of it without a page that is loaded anew."""
    process, address = two
    answered(address, page)
    before, connections = query(page)["lesson_at"], page.evaluate("() => __connections")
    kill_her_worker(process, address)
    page.locator(".lesson-next").click()  # nobody hears it, or one who knows nothing
    page.wait_for_function("(n) => __connections > n", arg=connections, timeout=1000 * PATIENCE)
    expect(page).not_to_have_url(re.compile(f"lesson_at={before}(&|$)"), timeout=1000 * PATIENCE)
    settle(page)
    page.locator(".lesson-back").click()
    expect(page.locator("section.question .said")).to_contain_text("Right")
