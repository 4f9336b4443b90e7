"""Whether thirty learners who generate text feel that others watch jobs.

    python -m tests.benchmarks.jobs [--checkout DIR] [--seconds 20] [--rounds 4] [--watchers 4]

They type texts that GPT continues and change how it chooses, so that every click generates one.
Some others type on another page. In every second stretch of time they also look at a figure there
that sends gradients through deep stacks, for each text a job of its own: one is nearly always
worked on, the rest wait in line, and their pages follow them.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch
import uvloop

from core.runs.jobs import GRACE
from tests.benchmarks.classroom import Level, Room
from tests.benchmarks.clicks import CLICKS, sentence
from tests.benchmarks.learner import Learner
from tests.benchmarks.pupil import Course, Pupil
from tests.benchmarks.race import Goal
from tests.benchmarks.serving import ROOT, Server, serve

LEVEL = Level(30, 6.0, 0)  # the class: to read twenty tokens and choose what is next takes a while
LONGER = 1.2  # times as long it may wait
WATCHERS, TYPES, DEPTH = 4, 6.0, 24  # TYPES: seconds from text to text
SECONDS, ROUNDS = 20.0, 4


class Writer(Pupil):
    """A learner whose every click has a text written."""

    kinds, shares = ("text", "ask"), (1, 1)

    def __init__(self, number: int, learner: Learner) -> None:
        super().__init__(number, learner)
        (self.clicks,) = (clicks for clicks in CLICKS if clicks.page == "spans")
        self.place = self.clicks.page


@dataclass
class Watched:
    """What came of the jobs: how many were finished, and the seconds of each look at one."""

    finished: int = 0
    looks: list[float] = field(default_factory=list)


async def watch(server: Server, draw: random.Random, watched: Watched | None) -> None:
    """Type one text after the other; watch its job, unless the figure of it is not looked at."""
    async with Learner(server.address, scrolls=watched is not None) as learner:
        await learner.open("layernorm", {"depth": str(DEPTH), "text": sentence(draw)})
        while True:
            due = time.perf_counter() + TYPES * draw.uniform(0.5, 1.5)
            if watched is not None:
                while learner.asking.waits and time.perf_counter() < due:
                    watched.looks.append((await learner.look()).seconds)
                watched.finished += not learner.asking.waits
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            await learner.change({"text": sentence(draw)})


@contextlib.asynccontextmanager
async def beside(server: Server, n: int, seed: str, watched: Watched | None) -> AsyncIterator[None]:
    """While some others type, and watch the jobs of what they typed or not."""
    draws = [random.Random(f"{seed} {number}") for number in range(n)]
    tasks = [asyncio.create_task(watch(server, draw, watched)) for draw in draws]
    try:
        yield
    finally:
        for one in tasks:
            one.cancel()
        for said in await asyncio.gather(*tasks, return_exceptions=True):
            if not isinstance(said, asyncio.CancelledError):
                raise said
        await asyncio.sleep(GRACE + 1)  # until their jobs have ended


async def compared(
    server: Server, level: Level, seconds: float, rounds: int, n: int
) -> tuple[list[Course], list[Course], Watched]:
    """The class without jobs and with them, in turn; and what came of the jobs."""
    without, jobs, watched = [], [], Watched()
    async with contextlib.AsyncExitStack() as stack:
        room = Room(server, stack, Writer)
        await room.fill(level.n)
        for turn in range(rounds):
            async with beside(server, n, f"{turn} without", None):
                without.append(await room.hold(level.pause, seconds))
            async with beside(server, n, f"{turn} with", watched):
                jobs.append(await room.hold(level.pause, seconds))
            for what, course in (("without", without[-1]), ("with jobs", jobs[-1])):
                print(f"  {what}: p50 {course.p(0.5):.0f} ms, p95 {course.p(0.95):.0f} ms; others "
                      f"{others(course):.0%} of a core", flush=True)  # fmt: skip
    return without, jobs, watched


def others(course: Course) -> float:
    """How much of a core other programs took meanwhile."""
    lasted, theirs, own, busy = course.worked
    return (busy - theirs - own) / lasted


def together(courses: Sequence[Course]) -> Course:
    """All stretches of a kind as one."""
    whole = Course()
    for course in courses:
        for kind, seconds in course.seconds.items():
            whole.seconds[kind] += seconds
        whole.wrong += course.wrong
    return whole


def results(
    checkout: Path = ROOT,
    level: Level = LEVEL,
    seconds: float = SECONDS,
    rounds: int = ROUNDS,
    n: int = WATCHERS,
) -> Iterator[Goal]:
    """Let the class write, without jobs and with them, and give what came of it."""
    torch.set_num_threads(1)
    with serve(checkout / "app.py", checkout) as server, asyncio.Runner(
        loop_factory=uvloop.new_event_loop
    ) as runner:  # fmt: skip
        *both, watched = runner.run(compared(server, level, seconds, rounds, n))
    without, jobs = map(together, both)
    looks = sorted(watched.looks)
    print(f"{level} who generate text: p50 {without.p(0.5):.0f} ms, p95 {without.p(0.95):.0f} ms; "
          f"while {n} watch jobs: p50 {jobs.p(0.5):.0f} ms, p95 {jobs.p(0.95):.0f} ms; "
          f"{watched.finished} jobs finished in {rounds * seconds:.0f} s, {len(looks)} looks, half "
          f"of them within {1000 * looks[len(looks) // 2]:.0f} ms", flush=True)  # fmt: skip
    clicks = sum(map(len, jobs.seconds.values()))
    # Not round by round: the p95 of fifty clicks is two of them.
    yield Goal(f"{level} who generate text: p95 of {clicks} clicks with jobs ÷ without, "
               f"{rounds} rounds", jobs.p(0.95) / without.p(0.95), LONGER, "times")  # fmt: skip
    yield Goal("of that class: wrong", len(without.wrong + jobs.wrong), 0, "mistakes")
    yield Goal("no job was finished", int(not watched.finished), 0, "times")


def main() -> int:
    """Print what the class waits for, with and without jobs, and whether the goal is held."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("--checkout", type=Path, default=ROOT)
    arguments.add_argument("--seconds", type=float, default=SECONDS, help="of each stretch")
    arguments.add_argument("--rounds", type=int, default=ROUNDS)
    arguments.add_argument("--watchers", type=int, default=WATCHERS)
    arguments.add_argument("--pause", type=float, default=LEVEL.pause, help="between two clicks")
    given = arguments.parse_args()
    held, level = True, replace(LEVEL, pause=given.pause)
    for goal in results(
        given.checkout.resolve(), level, given.seconds, given.rounds, given.watchers
    ):
        print(goal, flush=True)
        held &= goal.held
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
