"""How long a learner waits in Chromium, from a stroke on the page about pictures to new bars.

    python -m tests.benchmarks.strokes [--checkout DIR] [--rounds 40]

A stroke ends when the pen is lifted; what counts is when the bars have changed for the last time.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.benchmarks.in_browser import chromium, settled, until
from tests.benchmarks.race import Goal
from tests.benchmarks.serving import HERE, ROOT, serve

ROUNDS, WARM_UP = 40, 4
LIMIT = 250  # ms, 95 of 100 strokes
SETTLED = 700  # ms without a change of the bars, after which no other will come
BARS = ".st-key-vision-answer-vit .chart"
SHEET = ".st-key-vision-picture canvas"
CLEAR = ".st-key-vision-picture .tools button:nth-child(3)"
# When the bars changed last, and when the pen was lifted.
WATCH = """(bars) => {
  window.glassStrokes = { changed: 0, lifted: 0 };
  new MutationObserver(() => { window.glassStrokes.changed = performance.now(); }).observe(
    bars, { subtree: true, childList: true, characterData: true, attributes: true });
  addEventListener("pointerup", () => { window.glassStrokes.lifted = performance.now(); }, true);
}"""
WAITED = f"""(() => {{
  const {{ changed, lifted }} = window.glassStrokes;
  return performance.now() - Math.max(changed, lifted) > {SETTLED} && changed > 0
    ? {{ ms: Math.max(0, changed - lifted) }} : false;
}})()"""


def results(checkout: Path = ROOT, rounds: int = ROUNDS) -> Iterator[Goal]:
    """Draw strokes on an empty sheet, one after the other."""
    draw = random.Random(0)
    with serve(checkout / "app.py", checkout) as app, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        context = browser.new_context(
            viewport={"width": 1440, "height": 900}, reduced_motion="reduce"
        )
        context.add_init_script(path=HERE / "drawn.js")
        page = context.new_page()
        page.goto(f"{app.address}/vision")
        settled(page)
        page.locator(BARS).first.evaluate(WATCH)
        times = [stroke(page, draw) for _ in range(WARM_UP + rounds)][WARM_UP:]
        browser.close()
    yield Goal(
        f"vision: a stroke to new bars, 95 of 100 (median {statistics.median(times):.0f})",
        sorted(times)[int(0.95 * (len(times) - 1))], LIMIT, "ms",
    )  # fmt: skip


def stroke(page: Page, draw: random.Random) -> float:
    """Draw a line across an empty sheet; milliseconds until the bars stand still."""
    page.locator(CLEAR).click()
    settled(page)
    box = page.locator(SHEET).bounding_box()
    assert box is not None
    page.evaluate("() => { window.glassStrokes.changed = 0; }")
    ends = [(box["x"] + box["width"] * draw.uniform(0.2, 0.8), box["y"] + box["height"] * share)
            for share in (0.2, 0.8)]  # fmt: skip
    page.mouse.move(*ends[0])
    page.mouse.down()
    page.mouse.move(*ends[1], steps=12)
    page.mouse.up()
    return float(until(page, WAITED)["ms"])


def main() -> int:
    """Print it, and whether the goal is held."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("--checkout", type=Path, default=ROOT)
    arguments.add_argument("--rounds", type=int, default=ROUNDS)
    given = arguments.parse_args()
    goals = list(results(given.checkout.resolve(), given.rounds))
    print(*goals, sep="\n")
    return 0 if all(goal.held for goal in goals) else 1


if __name__ == "__main__":
    sys.exit(main())
