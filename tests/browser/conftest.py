"""A real server and a real Chromium, and what must never happen in them."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Error, Page, expect, sync_playwright

ColorScheme = Literal["light", "dark"]
ReducedMotion = Literal["no-preference", "reduce"]
Open = Callable[[str], Page]
ROOT = Path(__file__).resolve().parent.parent.parent
ARTEFACTS = ROOT / "tests" / "artefacts"
WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
# On a deep link Streamlit's front end probes these two under the page's address and gets 404.
PROBES = re.compile(r"/[\w-]+/_stcore/(health|host-config)$")

expect.set_options(timeout=15_000)  # ms; a machine may have other things to do


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Each test here gets the marker."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


KEY = "key-of-the-tests"  # to the answers of the handouts


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start_server(*command: str, health: str = "") -> tuple[subprocess.Popen[bytes], str]:
    """A fresh server, ready to answer; its output is kept beside the screenshots.

    Args:
        command: of Python, that starts it; with one process when there is none.
        health: the path below which it answers.
    """
    ARTEFACTS.mkdir(exist_ok=True)
    port = free_port()
    log = (ARTEFACTS / f"server-{port}.log").open("wb")
    process = subprocess.Popen(
        [sys.executable, *(command or ("-m", "streamlit", "run", "app.py")),
         "--server.port", str(port), "--server.address", "127.0.0.1",
         "--client.showErrorDetails", "full"],
        env={**os.environ, "GLASSFORMER_KEY": KEY}, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT,
    )  # fmt: skip
    log.close()
    address = f"http://127.0.0.1:{port}"
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended; see {log.name}")
        try:
            with urllib.request.urlopen(f"{address}{health}/_stcore/health", timeout=2):
                return process, address
        except OSError:
            time.sleep(0.2)
    process.kill()
    raise RuntimeError("the server did not answer within 90 s")


def stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def found() -> str:
    """The browser that the Makefile would name."""
    script = Path(__file__).parent / "find-chromium"
    return subprocess.run([script], capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM") or found(),
            args=["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
                  "--disable-background-networking", "--disable-component-update",
                  "--disable-smooth-scrolling",
                  # Code runs too shortly here to be worth the optimising compilers, and a page
                  # lives too shortly to be worth collecting its garbage (15 % of its time).
                  "--js-flags=--no-opt --no-maglev --min-semi-space-size=128 "
                  "--max-semi-space-size=128"],
        )  # fmt: skip
        yield chromium
        chromium.close()


# What every browser has in which the first seconds were told, so that the home page is at rest; and
# the seed that questions are posed by here.
BEEN_HERE = """
localStorage.setItem('glassformer.told', '1');
localStorage['glassformer.lessons'] ??= '{"answers": [], "ideas": {}, "era": 0, "seed": 0}';
"""


def been_here(page: Page) -> None:
    """Make it the page of somebody who has met the app before."""
    page.evaluate(f"() => {{ {BEEN_HERE} }}")


def new_page(browser: Browser, *, known: bool = True, **how: Any) -> Page:
    """A wide page of its own, of which ``settle`` knows what it still waits for.

    Args:
        browser: where it is opened.
        known: as one that was here before.
        how: of the browser's context.
    """
    page = browser.new_context(**{"viewport": WIDE, **how}).new_page()
    if known:
        page.add_init_script(BEEN_HERE)
    page.add_init_script(path=Path(__file__).parent / "under_way.js")
    return page


class Watch:
    """What a page did that it must not do."""

    def __init__(self, page: Page) -> None:
        self.problems: list[str] = []
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("request", self._request)
        page.on("response", self._response)

    def _console(self, message) -> None:
        expected = "status of 404" in message.text and PROBES.search(message.location["url"])
        if message.type == "error" and not expected:
            self.problems.append(f"console: {message.text} {message.location['url']}")

    def _request(self, request) -> None:
        local = ("http://127.0.0.1", "ws://127.0.0.1", "data:", "blob:")
        if not request.url.startswith(local):
            self.problems.append(f"left the machine: {request.url}")

    def _response(self, response) -> None:
        if response.status >= 400 and not PROBES.search(response.url):
            self.problems.append(f"{response.status}: {response.url}")


class Tab:
    """A page that one test after another has, each as if it were new.

    In one that is really new Chromium compiles all of the app's code again, for a second or two.

    Args:
        browser: where it is opened.
        script: what runs before the code of every document.
    """

    def __init__(self, browser: Browser, script: str = "") -> None:
        self.page = new_page(browser, known=False)
        self.page.add_init_script(script)
        self.watch = Watch(self.page)
        self._devtools = self.page.context.new_cdp_session(self.page)

    def renew(
        self, address: str, *, phone: bool = False, color_scheme: ColorScheme = "light",
        reduced_motion: ReducedMotion = "no-preference", permissions: Sequence[str] = (),
        first_visit: bool = False,
    ) -> None:  # fmt: skip
        """Forget what was before, at an address that holds nothing which remembers it."""
        self.page.set_viewport_size(PHONE if phone else WIDE)
        self.page.emulate_media(color_scheme=color_scheme, reduced_motion=reduced_motion)
        self.page.mouse.move(-1, -1)
        self.page.goto(address)
        self.page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        context = self.page.context
        context.clear_cookies()
        if not first_visit:
            been_here(self.page)
        context.clear_permissions()
        if permissions:
            context.grant_permissions(permissions)
        self._devtools.send("Page.resetNavigationHistory")
        self.watch.problems.clear()


@pytest.fixture(scope="session")
def tab(browser: Browser) -> Tab:
    """The page on which all tests of the app are."""
    return Tab(browser)


@pytest.fixture
def watched(tab: Tab, server: str) -> Iterator[tuple[Page, Watch]]:
    """A wide page as if it were new; the test fails if anything went wrong in it."""
    nowhere = f"{server}/_stcore/health"
    tab.renew(nowhere)
    yield tab.page, tab.watch
    tab.page.goto(nowhere)  # the learner's session ends with the test
    assert not tab.watch.problems, tab.watch.problems


Visitor = Callable[..., Page]


@pytest.fixture
def visitor(tab: Tab, server: str) -> Iterator[Visitor]:
    """The page of somebody who was never here; nothing may go wrong on it."""
    nowhere = f"{server}/_stcore/health"

    def comes(**how: Any) -> Page:
        tab.renew(nowhere, first_visit=True, **how)
        return tab.page

    yield comes
    tab.page.goto(nowhere)
    assert not tab.watch.problems, tab.watch.problems


@pytest.fixture
def from_disk(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Opens an HTML text as a file; the test fails if it asks for anything else."""
    context = browser.new_context(viewport={"width": 1000, "height": 900})
    page, wrong = context.new_page(), []
    page.on("console", lambda m: wrong.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda r: wrong.append(r.url) if not r.url.startswith("file://") else None)

    def opened(content: str) -> Page:
        file = tmp_path / "figure.html"
        file.write_text(content, encoding="utf-8")
        page.goto(file.as_uri())
        return page

    yield opened
    context.close()
    assert wrong == []


def draw_all(page: Page) -> None:
    """Wait until the whole page is drawn, as one that is printed is, and nothing is to come."""
    settle(page)
    page.evaluate("() => globalThis.dispatchEvent(new Event('beforeprint'))")
    settle(page)


def settle(page: Page) -> None:
    """Wait until what is on the screen is drawn, and nothing is to come."""
    rest(page)
    assert page.locator('[data-testid="stException"]').count() == 0


def rest(page: Page) -> None:
    """Wait until the script has run, every component has drawn, and nothing is to come of it."""
    ends, what = time.monotonic() + 30, "the page goes elsewhere"
    while time.monotonic() < ends:
        page.wait_for_function("() => globalThis.__rested")
        try:
            what = page.evaluate("(ms) => __rested(ms)", 1000 * (ends - time.monotonic()))
        except Error as left:
            if "context was destroyed" not in left.message:
                raise
        else:
            break
    assert what == "", f"{what}; the page says: {page.locator('body').inner_text()[:500]}"


def keep(page: Page, name: str) -> None:
    """Keep a screenshot for people to look at."""
    page.screenshot(path=ARTEFACTS / f"{name}.png")
