"""One visitor who asks for forty of the most expensive files at once, while thirty learners click.

    python -m tests.benchmarks.visitor [--checkout DIR] [--seconds 30] [--only files|attacks]

First he is alone, for what the server holds a minute later; then a class sits there. Who is told
to come again does so when he was told, until the time is over.

Then another one attacks (tests/benchmarks/attacks.py) a few learners who click, ask for files that
are ready, and train: with one cookie, and with a fresh one each time.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import math
import random
import re
import string
import sys
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import torch
import uvloop

from tests.benchmarks.attacks import COOKIES, attacking
from tests.benchmarks.classroom import Level, Room
from tests.benchmarks.learner import Learner
from tests.benchmarks.pupil import Course, Pupil, compare
from tests.benchmarks.race import Goal
from tests.benchmarks.serving import ROOT, Server, serve

FILES = 40
LEVEL = Level(30, 3.0, 500)
KEPT = 150  # MB that may still be held a minute later: 64 of them are results for files
MINUTE = 60.0
EXPENSIVE = (
    ("/figure/attention.lines.csv", {"every": "1"}),
    ("/figure/stream.gradient.csv", {"depth": "24"}),
    ("/figure/attention.lines.csv", {"every": "1", "layer": "1"}),
    ("/lesson/gpt.html", {}),
)

FEW = Level(5, 1.0, 250)
READY, SOON = "attention", 300  # a page that is open, so that its files are ready; ms
BEFORE = 10.0  # seconds of an attack until one looks
EVERY = 0.5  # seconds from one such file to the next
TRAINS = ("training", {"practising": "1", "seed": "4711"})
BEGUN_IN = 40.0  # seconds: a turn of who is at work, and what a process takes to begin


@dataclass
class Asked:
    """What became of the visitor's questions.

    Attributes:
        sent: files that came whole.
        refused: times that he was told to come again.
        without: of them those that said no time.
    """

    sent: int = 0
    refused: int = 0
    without: int = 0
    bytes: list[int] = field(default_factory=list)


def addresses(draw: random.Random) -> list[str]:
    """Forty files, no two of the same text."""
    found = []
    for n in range(FILES):
        path, query = EXPENSIVE[n % len(EXPENSIVE)]
        text = "".join(draw.choices(string.ascii_letters, k=1500))
        found.append(f"{path}?{urlencode({**query, 'text': text})}")
    return found


async def once(server: Server, path: str) -> tuple[int, int | None, int]:
    """Status, the seconds that one is told to wait, and the length of one answer."""
    at = urlsplit(server.address)
    reader, writer = await asyncio.open_connection(at.hostname, at.port)
    try:
        writer.write(
            f"GET {path} HTTP/1.1\r\nHost: {at.netloc}\r\nConnection: close\r\n\r\n".encode()
        )
        head = await reader.readuntil(b"\r\n\r\n")
        length = 0
        while piece := await reader.read(2**18):
            length += len(piece)
    finally:
        writer.close()
    told = re.search(rb"retry-after: (\d+)", head, re.I)
    return int(head.split()[1]), int(told[1]) if told else None, length


async def ask(server: Server, path: str, asked: Asked) -> None:
    """One of the files, until it has come."""
    while True:
        status, told, length = await once(server, path)
        if status != 429:
            asked.sent += status == 200
            asked.bytes.append(length)
            return
        asked.refused += 1
        asked.without += told is None
        await asyncio.sleep(told or 1)


@contextlib.asynccontextmanager
async def visiting(server: Server, asked: Asked, seed: int) -> AsyncIterator[None]:
    """While the visitor asks."""
    asking = [asyncio.create_task(ask(server, one, asked)) for one in
              addresses(random.Random(seed))]  # fmt: skip
    try:
        yield
    finally:
        for one in asking:
            one.cancel()
        await asyncio.gather(*asking, return_exceptions=True)


async def alone(server: Server, seconds: float) -> tuple[Asked, float, float, float]:
    """What he gets; MB that the server holds more at most, and in the end; seconds until then."""
    asked, before, most = Asked(), server.memory, 0
    until = time.perf_counter() + seconds
    async with visiting(server, asked, 0):
        while time.perf_counter() < until:
            most = max(most, server.memory)
            await asyncio.sleep(0.2)
    began = time.perf_counter()
    while (more := server.memory - before) > KEPT * 2**20:
        most = max(most, server.memory)
        if time.perf_counter() - began > MINUTE:
            break
        await asyncio.sleep(1)
    waited = time.perf_counter() - began
    return asked, (most - before) / 2**20, more / 2**20, waited


async def beside(server: Server, seconds: float) -> tuple[Asked, Course]:
    """What he gets, and how the class fares."""
    asked = Asked()
    async with contextlib.AsyncExitStack() as stack:
        room = Room(server, stack, Pupil)
        await room.fill(LEVEL.n)
        async with visiting(server, asked, 1):
            course = await room.hold(LEVEL.pause, seconds)
    return asked, course


@dataclass
class Served:
    """How some learners fare.

    Attributes:
        clicks: of theirs.
        files: seconds until each of the files that were ready had come.
        begun: seconds until a training was at work; infinite if it was not by the end.
    """

    clicks: Course
    files: list[float]
    begun: float = math.inf

    def __str__(self) -> str:
        clicks = self.clicks
        kinds = ", ".join(f"{kind} {clicks.p(0.95, [kind]):.0f}" for kind in Pupil.kinds)
        return (f"click p50 {clicks.p(0.5):.0f} ms, p95 {clicks.p(0.95):.0f} ms ({kinds}); "
                f"ready file p50 {within(self.files, 0.5):.0f} ms, "
                f"p95 {within(self.files, 0.95):.0f} ms; "
                f"training begun after {self.begun:.0f} s")  # fmt: skip


def within(seconds: list[float], share: float) -> float:
    """Milliseconds that a share of them stays under."""
    if not seconds:
        return math.inf
    return 1000 * sorted(seconds)[min(len(seconds) - 1, int(share * len(seconds)))]


async def served(server: Server, seconds: float) -> Served:
    """Learners who click, one who asks for a file that is ready, and one who trains."""

    async def ask_for_files() -> None:
        async with Learner(server.address) as learner:
            await learner.open(READY)
            view, params = next(iter(learner.asking.asked.items()))
        path = f"/figure/{view}.csv?{urlencode(params)}"
        while True:
            began = time.perf_counter()
            status, _told, _length = await once(server, path)
            found.files.append(time.perf_counter() - began if status == 200 else math.inf)
            await asyncio.sleep(EVERY)

    async def train() -> None:
        began = time.perf_counter()
        async with Learner(server.address, scrolls=True) as learner:
            await learner.open(*TRAINS)
            while learner.asking.waits and not learner.asking.works:
                await learner.look()
        found.begun = time.perf_counter() - began

    async with contextlib.AsyncExitStack() as stack:
        room = Room(server, stack, Pupil)
        await room.fill(FEW.n)
        found = Served(Course(), [])
        beside = [asyncio.create_task(one()) for one in (ask_for_files, train)]
        found.clicks = await room.hold(FEW.pause, seconds)
        await asyncio.wait(beside[1:], timeout=max(1.0, BEGUN_IN - seconds))
        for one in beside:
            one.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
    return found


def attacked(checkout: Path, seconds: float, workers: int) -> Iterator[Goal]:
    """Some learners, without and with an attack."""
    for kind in ("", *COOKIES):
        with serve(checkout / "app.py", checkout, workers) as server, contextlib.ExitStack() as on:
            if kind:
                on.enter_context(attacking(server, kind))
                time.sleep(BEFORE)
            now = asyncio.run(served(server, seconds))
        print(f"{FEW}, {f'beside an attack with {kind}' if kind else 'alone'}: {now}", flush=True)
        if kind:
            n = sum(map(len, now.clicks.seconds.values()))
            yield Goal(f"attack with {kind}: 95 % of {n} clicks are answered within",
                       now.clicks.p(0.95), FEW.limit, "ms")  # fmt: skip
            yield Goal(f"attack with {kind}: 95 % of {len(now.files)} ready files have come within",
                       within(now.files, 0.95), SOON, "ms")  # fmt: skip
            yield Goal(f"attack with {kind}: a learner's training has begun within", now.begun,
                       BEGUN_IN, "s")  # fmt: skip
            yield Goal(f"attack with {kind}: wrong", len(now.clicks.wrong), 0, "mistakes")


def results(checkout: Path = ROOT, seconds: float = 30.0, workers: int = 1) -> Iterator[Goal]:
    """Let him come, and give what came of it."""
    torch.set_num_threads(1)
    with serve(checkout / "app.py", checkout, workers) as server, asyncio.Runner(
        loop_factory=uvloop.new_event_loop
    ) as runner:  # fmt: skip
        first, most, more, waited = runner.run(alone(server, seconds))
        print(f"one visitor alone, {FILES} files at once for {seconds:g} s: {first.sent} came, "
              f"refused {first.refused} times; {most:.0f} MB more at most, {more:.0f} MB more "
              f"{waited:.0f} s after he left", flush=True)  # fmt: skip
        second, course = runner.run(beside(server, seconds))
        print(f"beside {LEVEL}: {second.sent} came, refused {second.refused} times; "
              f"p50 {course.p(0.5):.0f} ms", flush=True)  # fmt: skip
        course.wrong += compare(course.received)
    n = sum(map(len, course.seconds.values()))
    yield Goal(f"one visitor beside {LEVEL}: 95 % of {n} clicks are answered within",
               course.p(0.95), LEVEL.limit, "ms")  # fmt: skip
    yield Goal("of that class: wrong", len(course.wrong), 0, "mistakes")
    untold = first.without + second.without + (not first.refused) + (not second.refused)
    yield Goal("the visitor is not refused, or without a time", untold, 0, "times")
    yield Goal("memory held a minute after the visitor left", more, KEPT, "MB")


PARTS = {"files": results, "attacks": attacked}


def main() -> int:
    """Print what a class waits for beside such a visitor, and whether each goal is held."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("--checkout", type=Path, default=ROOT)
    arguments.add_argument("--seconds", type=float, default=30.0)
    arguments.add_argument("--workers", type=int, default=1)
    arguments.add_argument("--only", choices=PARTS, help="one part of it")
    given = arguments.parse_args()
    held, how = True, (given.checkout.resolve(), given.seconds, given.workers)
    parts = [PARTS[given.only]] if given.only else PARTS.values()
    for goal in itertools.chain.from_iterable(part(*how) for part in parts):
        print(goal, flush=True)
        held &= goal.held
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
