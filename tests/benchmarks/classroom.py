"""A class on one server: learners who click at the same time, each with own sentences.

    python -m tests.benchmarks.classroom [--checkout DIR] [--levels 100:3,300:10] [--seconds 30]
    python -m tests.benchmarks.classroom --minutes 10      # the memory must not grow
    python -m tests.benchmarks.classroom --lessons --levels 100:3

They speak the real protocol and share the machine with the server. Half of the clicks are
selections, three in ten another layer, head or step, two in ten a new text. After a selection the
link must say it; after every other click no other learner's sentence may be in what arrived, and
the numbers that did are compared, afterwards, with those of a run of the own sentence. In lessons
they go on, answer wrong and right, ask for other numbers and type; each answer must be marked so.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import itertools
import math
import os
import random
import secrets
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import torch
import uvloop

from core.lessons import lesson_ids
from pages.parts.visiting import COOKIE
from tests.benchmarks.in_lesson import LessonPupil, answers
from tests.benchmarks.learner import Learner
from tests.benchmarks.pupil import Course, Pupil, compare
from tests.benchmarks.race import Goal
from tests.benchmarks.serving import ROOT, Server, serve

PER_LEARNER, GROWTH = 5, 5  # MB; per cent in the second half of the time
SECONDS = 30.0
CORES = os.cpu_count() or 1


@dataclass(frozen=True)
class Level:
    """How many learners there are, how often each clicks, and how long 95 % of clicks may take.

    Attributes:
        n: learners.
        pause: seconds from a learner's click to his next.
        limit: ms.
    """

    n: int
    pause: float
    limit: float

    @classmethod
    def read(cls, said: str) -> Level:
        """From "100:3"; a class for which there is no goal has no limit."""
        n, pause = int(said.partition(":")[0]), float(said.partition(":")[2])
        limits = {(level.n, level.pause): level.limit for level in LEVELS}
        return cls(n, pause, limits.get((n, pause), math.inf))

    def __str__(self) -> str:
        return f"{self.n} learners every {self.pause:g} s"


LEVELS = (Level(30, 3.0, 250), Level(100, 3.0, 250), Level(300, 10.0, 500))
TOGETHER, WITHIN = 100, 3.0  # learners who open the same page within so many seconds


@dataclass
class Room:
    """A server and who learns on it; a larger class has the learners of the smaller one in it."""

    server: Server
    stack: contextlib.AsyncExitStack
    kind: type[Pupil] = Pupil
    pupils: list[Pupil] = field(default_factory=list)

    async def fill(self, n: int) -> float:
        """Let learners in, a few at a time, until there are ``n``; seconds until they all sat."""
        began, gate = time.perf_counter(), asyncio.Semaphore(4)

        async def enter(number: int) -> Pupil:
            async with gate:
                own = f"{COOKIE}={secrets.token_hex(16)}"  # as the app gives each browser one
                learner = await self.stack.enter_async_context(
                    Learner(self.server.address, cookie=own)
                )
                pupil = self.kind(number, learner)
                await pupil.sit_down()
                return pupil

        self.pupils += await asyncio.gather(*(enter(i) for i in range(len(self.pupils), n)))
        gc.collect()
        gc.freeze()  # what they hold need not be looked at again while they click
        return time.perf_counter() - began

    async def hold(self, pause: float, seconds: float) -> Course:
        """A level, after a start that does not count."""
        course = Course()
        for scene, lasts in ((Course(), pause), (course, seconds)):
            until = time.perf_counter() + lasts
            watch = asyncio.create_task(self._watch(scene))
            before = self._worked()
            await asyncio.gather(*(pupil.work(scene, pause, until) for pupil in self.pupils))
            scene.worked = tuple(b - a for a, b in zip(before, self._worked(), strict=True))
            watch.cancel()
            course.wrong += scene.wrong if scene is not course else []
        return course

    def _worked(self) -> tuple[float, ...]:
        """The clock; seconds of processor of the server, of the learners, and of everybody."""
        all_of_it = psutil.cpu_times()
        busy = sum(all_of_it) - all_of_it.idle - getattr(all_of_it, "iowait", 0.0)
        return time.perf_counter(), self.server.cpu_of_all, time.process_time(), busy

    async def _watch(self, course: Course) -> None:
        while True:
            course.memory.append(self.server.memory)
            await asyncio.sleep(1)


async def arrive(server: Server, n: int, within: float) -> None:
    """Let a class open the same page at about the same time, and say how long each one waited."""
    draw = random.Random(0)
    began, worked = time.perf_counter(), server.cpu_of_all

    async def enter(stack: contextlib.AsyncExitStack, after: float) -> float:
        await asyncio.sleep(after)
        came = time.perf_counter()
        learner = await stack.enter_async_context(Learner(server.address))
        await learner.open("attention")
        return time.perf_counter() - came

    async with contextlib.AsyncExitStack() as stack:
        waits = sorted(
            await asyncio.gather(*(enter(stack, within * draw.random()) for _ in range(n)))
        )
        lasted, ms = time.perf_counter() - began, 1000 * (server.cpu_of_all - worked) / n
    print(f"{n} learners open a page within {within:g} s: p50 {1000 * waits[n // 2]:.0f} ms, "
          f"p95 {1000 * waits[int(0.95 * n)]:.0f} ms; all have it after {lasted:.1f} s; "
          f"processor: server {ms:.1f} ms each", flush=True)  # fmt: skip


async def classes(
    server: Server, levels: Sequence[Level], seconds: float, kind: type[Pupil]
) -> list[Course]:
    """One level after the other."""
    courses = []
    async with contextlib.AsyncExitStack() as stack:
        room = Room(server, stack, kind)
        for level in levels:
            filled = await room.fill(level.n)
            course = await room.hold(level.pause, seconds)
            n, (lasted, theirs, own, busy) = sum(map(len, course.seconds.values())), course.worked
            print(f"{level}: opened in {filled:.0f} s; {n / seconds:.1f} clicks a second; "
                  f"p50 {course.p(0.5):.0f} ms, p95 {course.p(0.95):.0f} ms ("
                  + ", ".join(f"{one} {course.p(0.95, [one]):.0f}" for one in kind.kinds)
                  + f"); {course.n_bytes / max(1, n) / 1000:.1f} kB a click; "
                  f"processor: server {theirs / lasted:.0%}, {1000 * theirs / max(1, n):.1f} ms "
                  f"a click; learners {own / lasted:.0%}, others "
                  f"{(busy - theirs - own) / lasted:.0%}; "
                  f"server {course.memory[-1] / 2**20:.0f} MB", flush=True)  # fmt: skip
            courses.append(course)
    return courses


def results(
    checkout: Path = ROOT,
    levels: Sequence[Level] = LEVELS,
    seconds: float = SECONDS,
    *,
    flat: bool = False,
    lessons: bool = False,
    workers: int = CORES,
) -> Iterator[Goal]:
    """Teach each class, and give what came out.

    Args:
        checkout: whose app serves it.
        levels: the classes, the smallest first.
        seconds: that each lasts.
        flat: they last so long that the memory must not grow any more.
        lessons: all are in lessons.
        workers: processes that serve them.
    """
    if lessons:
        for ident in lesson_ids():
            answers(ident)  # worked out before the clock runs
    kind = LessonPupil if lessons else Pupil
    torch.set_num_threads(1)
    with serve(checkout / "app.py", checkout, workers) as server:  # those who leave are remembered
        asyncio.run(arrive(server, TOGETHER, WITHIN))
    with serve(checkout / "app.py", checkout, workers) as server, asyncio.Runner(
        loop_factory=uvloop.new_event_loop
    ) as runner:  # fmt: skip
        courses = runner.run(classes(server, levels, seconds, kind))
        if any(course.wrong for course in courses):
            print(server.said())
    for level, course in zip(levels, courses, strict=True):
        course.wrong += compare(course.received)
        for what in course.wrong[:5]:
            print(f"  {what}")
        n = sum(map(len, course.seconds.values()))
        yield Goal(f"{level}: 95 % of {n} clicks are answered within", course.p(0.95),
                   level.limit, "ms")  # fmt: skip
        yield Goal(f"{level}: wrong, of {n} clicks and {len(course.received)} figures compared",
                   len(course.wrong), 0, "mistakes")  # fmt: skip
        if flat:
            half, end = course.memory[len(course.memory) // 2], course.memory[-1]
            yield Goal(f"{level}: memory grows in the second half by", 100 * (end - half) / half,
                       GROWTH, "%")  # fmt: skip
    for (small, few), (large, many) in itertools.pairwise(zip(levels, courses, strict=True)):
        more = (many.memory[-1] - few.memory[-1]) / 2**20 / (large.n - small.n)
        yield Goal(f"memory of each further learner, {small.n} to {large.n}", more, PER_LEARNER,
                   "MB")  # fmt: skip


def main() -> int:
    """Print what a class waits for, and whether each goal is held."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("--checkout", type=Path, default=ROOT)
    arguments.add_argument("--levels", default="", help="learners:seconds between clicks, ...")
    arguments.add_argument("--seconds", type=float, default=SECONDS)
    arguments.add_argument("--lessons", action="store_true", help="all learners are in lessons")
    arguments.add_argument("--minutes", type=float, default=0, help="for the memory: the first")
    arguments.add_argument("--workers", type=int, default=CORES, help="processes of the server")
    given = arguments.parse_args()
    levels = [Level.read(one) for one in given.levels.split(",") if one] or list(LEVELS)
    seconds = 60 * given.minutes or given.seconds
    held = True
    for goal in results(
        given.checkout.resolve(), levels[: 1 if given.minutes else None], seconds,
        flat=bool(given.minutes), lessons=given.lessons, workers=given.workers,
    ):  # fmt: skip
        print(goal, flush=True)
        held &= goal.held
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
