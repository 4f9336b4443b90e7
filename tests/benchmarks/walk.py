"""One learner walks through all pages, half a minute after the start: times, and memory after it.

    python -m tests.benchmarks.walk [--checkout DIR]

Memory is the proportional share of all processes of the app: what two of them share counts once.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from pages.parts.table import offered
from tests.benchmarks.clicks import CLICKS
from tests.benchmarks.learner import Learner
from tests.benchmarks.race import Goal
from tests.benchmarks.serving import ROOT, Server, serve

START, REST = 30.0, 75.0  # seconds; within the second all processes give back what nobody needs
UP, FIRST, HELD = 10.0, 400.0, 1500.0  # s, ms, MB


def results(checkout: Path = ROOT) -> Iterator[Goal]:
    """How long the server takes to start, each page to open, and what is held in the end."""
    began = time.perf_counter()
    with serve(checkout / "app.py", checkout) as server:
        yield Goal("the server answers", time.perf_counter() - began, UP, "s")
        time.sleep(START)
        for name, seconds in asyncio.run(_walk(server)):
            yield Goal(f"{name}: opened {START:g} s after the start", 1000 * seconds, FIRST, "ms")
        most = shares(server)
        time.sleep(REST)
        each = shares(server)
        print(f"MB by process: {', '.join(f'{one:.0f}' for one in each)}; "
              f"right after the last page {sum(most):.0f}")  # fmt: skip
        yield Goal("memory of all processes after all pages", sum(each), HELD, "MB")


async def _walk(server: Server) -> list[tuple[str, float]]:
    there = {row.address for row in offered()}
    found = []
    for clicks in CLICKS:
        if clicks.page not in there:
            continue
        async with Learner(server.address) as learner:
            answer = await learner.open(clicks.page, clicks.query)
        found.append((clicks.page or "home", answer.seconds))
    return found


def shares(server: Server) -> list[float]:
    """MB that each process holds; where a system tells no shares, what is resident."""
    found = []
    for process in server.processes:
        try:
            told = process.memory_full_info()
        except psutil.Error:  # it has ended
            continue
        found.append(getattr(told, "pss", told.rss) / 1e6)
    return found


def main() -> int:
    """Print what was measured, and whether each goal is held."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("--checkout", type=Path, default=ROOT)
    held = True
    for goal in results(arguments.parse_args().checkout.resolve()):
        print(goal, flush=True)
        held &= goal.held
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
