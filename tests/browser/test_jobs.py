"""A job in a browser: how far it is moves by itself, and it is not asked for when it is over."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import threading
import time
from collections.abc import Iterator

import psutil
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PHONE, WIDE, settle

ROW = ".st-key-stream-gradient .jobs"
LONGEST = 200_000  # ms; it gives way to all else that the machine does


STANDS, GOES = 0.2, 0.05  # seconds at a time: a job of one second takes five


@pytest.fixture(autouse=True)
def slowed() -> Iterator[threading.Event]:
    """Jobs last long enough to be looked at on any machine: mostly, their processes stand still.

    Set, they go on at full speed.
    """
    over = threading.Event()

    def brake() -> None:
        found: set[psutil.Process] = set()
        while not over.wait(GOES):
            found |= set(filter(works_in_spare_time, psutil.Process().children(recursive=True)))
            send(found, signal.SIGSTOP)
            over.wait(STANDS)
            send(found, signal.SIGCONT)

    thread = threading.Thread(target=brake)
    thread.start()
    yield over
    over.set()
    thread.join()


def works_in_spare_time(process: psutil.Process) -> bool:
    try:
        return os.sched_getscheduler(process.pid) == os.SCHED_IDLE
    except ProcessLookupError:
        return False


def send(processes: set[psutil.Process], what: signal.Signals) -> None:
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.send_signal(what)


def opened(page: Page, server: str, text: str, depth: int) -> None:
    """The page, where the job is: one that nobody has asked for before."""
    page.goto(f"{server}/layernorm?text={text}&model=gpt&depth={depth}")
    settle(page)
    page.locator(".st-key-stream-gradient").scroll_into_view_if_needed()
    expect(page.locator(f"{ROW} .job")).to_be_visible()


def shares(page: Page) -> list[int]:
    """How far it was said to be, each once, until it is over or three were seen."""
    seen: list[int] = []
    ends = time.monotonic() + LONGEST / 1000
    while len(seen) < 3 and time.monotonic() < ends:
        said = page.locator(ROW).inner_text()
        if "finished" in said:
            break
        found = re.search(r"(\d+) % done", said)
        if found and int(found[1]) not in seen:
            seen.append(int(found[1]))
        page.wait_for_timeout(50)
    return seen


def height(row: Locator) -> float:
    """That of a row at rest: while a run of its part replaces what is in it, both are there."""
    seen: list[float] = []
    while len(seen) < 3 or len(set(seen[-3:])) > 1:
        assert len(seen) < 100, seen
        seen.append(row.bounding_box()["height"])
        row.page.wait_for_timeout(100)
    return seen[-1]


def test_progress_is_seen_while_it_runs_and_nothing_is_asked_for_afterwards(
    server, watched, slowed
):
    page, _ = watched
    sent: list[float] = []
    page.on("websocket", lambda one: one.on("framesent", lambda _: sent.append(time.monotonic())))
    page.on("request", lambda one: "/figure/" in one.url and sent.append(time.monotonic()))
    opened(page, server, "A+job+is+watched+by+a+learner", 24)
    seen = shares(page)
    assert len(seen) >= 2
    assert seen == sorted(seen)
    slowed.set()
    expect(page.locator(ROW)).to_contain_text("finished in", timeout=LONGEST)
    expect(page.locator(f"{ROW} button")).to_have_count(0)
    reading = page.get_by_text("Compared with the top, the gradient at layer 0")
    expect(reading.first).to_be_visible()
    settle(page)
    over = time.monotonic()
    page.wait_for_timeout(2000)  # four times as long as from one look to the next
    assert [one for one in sent if one > over + 0.5] == []


def test_a_learner_pauses_goes_on_and_stops(server, watched):
    page, _ = watched
    opened(page, server, "A+job+is+paused+by+a+learner", 24)
    row = page.locator(ROW)
    row.get_by_role("button", name="Pause").click()
    expect(row).to_contain_text("paused at")
    expect(row.get_by_role("button", name="Pause")).to_have_count(0)  # nor beside it
    held = row.inner_text()
    page.wait_for_timeout(3000)  # longer than from one look to the next
    assert row.inner_text() == held
    row.get_by_role("button", name="Continue").click()
    expect(row).not_to_contain_text("paused at")
    row.get_by_role("button", name="Stop").click()
    expect(row).to_contain_text(re.compile("stopped at|finished in"))
    settle(page)


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_nothing_below_it_moves_when_it_is_over(server, watched, size, language, slowed):
    page, _ = watched
    page.set_viewport_size(size)
    opened(page, server, f"{language}+{size['width']}&language={language}", 24)
    row = page.locator(ROW)
    first = row.get_by_role("button").first
    first.click()  # pause
    expect(first).to_contain_text("Contin")
    tall = height(row)
    slowed.set()
    first.click()  # continue
    expect(row.get_by_role("button")).to_have_count(0, timeout=LONGEST)
    assert height(row) == pytest.approx(tall, abs=1)
    settle(page)
