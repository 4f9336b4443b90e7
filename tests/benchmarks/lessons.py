"""How long a step of a lesson takes to open in Chromium: from Next to its finished drawing.

    python -m tests.benchmarks.lessons [--checkout DIR] [--lessons attention,masks]

Every lesson is gone through twice by a new learner: first in the process, then once more, when its
runs are kept. Drawing has finished as ``in_browser`` says.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from core.lessons import Lesson, lesson, lesson_ids
from tests.benchmarks.in_browser import chromium, opened, pointing, timed
from tests.benchmarks.race import Goal
from tests.benchmarks.serving import HERE, ROOT, serve

LIMIT = 300  # ms until a step is drawn, once its runs are there
NEXT = ".lesson-next"
TIMES = ("first", "again")


def results(checkout: Path = ROOT, chosen: Sequence[str] = ()) -> Iterator[Goal]:
    """Go through every lesson, and give the worst step of each, opened again."""
    with serve(checkout / "app.py", checkout) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        print(f"{'ms':12} {'first':>14} {'again':>14}   over {LIMIT} again")
        print(f"{'':12} {'median':>7}{'worst':>7} {'median':>7}{'worst':>7}")
        for ident in chosen or lesson_ids():
            found = lesson(ident)
            assert isinstance(found, Lesson)
            turns = [walked(browser, server.address, found) for _time in TIMES]
            said = " ".join(
                f"{statistics.median(one.values()):7.0f}{max(one.values()):7.0f}" for one in turns
            )
            over = {name: ms for name, ms in turns[-1].items() if ms > LIMIT}
            slow = ", ".join(f"{name} {ms:.0f}" for name, ms in over.items())
            print(f"{ident:12} {said}   {slow or 'none'}", flush=True)
            yield Goal(f"{ident}: the slowest step, opened again", max(turns[-1].values()),
                       LIMIT, "ms")  # fmt: skip
        browser.close()


def walked(browser: Browser, address: str, found: Lesson) -> dict[str, float]:
    """Milliseconds until each step was drawn, after a click on Next."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    context.add_init_script(path=HERE / "drawn.js")
    page = context.new_page()
    first = int(bool(found.probe))
    page.set_default_timeout(90_000)
    opened(page, f"{address}/lessons?lesson={found.id}", NEXT)
    times = {}
    for step in found.steps[1 - first :]:
        times[step.id] = timed(page, pointing(page, page.locator(NEXT)))["drawn"]
    context.close()
    return times


def main() -> int:
    """Print what a learner waits for at each step, and whether each goal is held."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("--checkout", type=Path, default=ROOT)
    arguments.add_argument("--lessons", default="", help="their ids, with commas between them")
    given = arguments.parse_args()
    chosen = [name for name in given.lessons.split(",") if name]
    goals = [*results(given.checkout.resolve(), chosen)]
    for goal in goals:
        print(goal)
    return 0 if all(goal.held for goal in goals) else 1


if __name__ == "__main__":
    sys.exit(main())
