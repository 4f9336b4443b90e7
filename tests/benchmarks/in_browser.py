"""How long a learner waits in Chromium: from a click to finished drawing, and for a first picture.

    python -m tests.benchmarks.in_browser [--checkout DIR] [--rounds 10]

Drawing has finished when all that was asked for is answered and nothing in sight has been painted
for 250 ms (``drawn.js``). Animations are off, as for people who do not want them. Beside a page
that is opened, with all its code in the browser's cache, an empty Streamlit page is.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Locator, Page, sync_playwright

from tests.benchmarks.clicks import sentence
from tests.benchmarks.race import Goal, Result
from tests.benchmarks.serving import HERE, ROOT, both

ROUNDS, WARM_UP = 10, 2
QUIET = 0.25  # seconds
PATIENCE = 30.0  # seconds
PAGE = "attention"
LAYER, TEXT, OPENED = 150, 300, 1.5  # ms from a click; ratio to the empty page
BUTTONS, FIELD = '[data-name="layer"] [role="radio"]', "textarea.text"
PICTURE, SLIDER = "canvas", '[data-testid="stSlider"]'  # in whichever shadow root


def results(checkout: Path = ROOT, rounds: int = ROUNDS) -> Iterator[Goal | Result]:
    """Click, type and open, and give the median of each."""
    draw = random.Random(0)
    with both(checkout) as (app, empty), sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        context = browser.new_context(
            viewport={"width": 1440, "height": 900}, reduced_motion="reduce"
        )
        context.add_init_script(path=HERE / "drawn.js")
        page, address = context.new_page(), f"{app.address}/{PAGE}"
        opened(page, address, BUTTONS)
        turns = itertools.cycle(range(page.locator(BUTTONS).count()))
        layers = [timed(page, pointing(page, page.locator(BUTTONS).nth(next(turns))))
                  for _ in range(WARM_UP + rounds)]  # fmt: skip
        texts = [timed(page, typing(page, page.locator(FIELD).first, sentence(draw)))
                 for _ in range(WARM_UP + rounds)]  # fmt: skip
        for what, limit, found in (("another layer", LAYER, layers), ("a new text", TEXT, texts)):
            ms, server = (statistics.median(one[name] for one in found[WARM_UP:])
                          for name in ("drawn", "answered"))  # fmt: skip
            yield Goal(f"{PAGE}: {what} (answered in {server:.0f})", ms, limit, "ms")
        pairs = [(first_picture(context, address, PICTURE),
                  first_picture(context, f"{empty.address}/", SLIDER))
                 for _ in range(WARM_UP + rounds)][WARM_UP:]  # fmt: skip
        browser.close()
    ours, theirs = (statistics.median(times) for times in zip(*pairs, strict=True))
    ratio = statistics.median(a / b for a, b in pairs)
    yield Result(f"{PAGE}: opened, to its picture / an empty page", ours, theirs, ratio, OPENED)


# The driver itself looks for an element only twice a second.
LOOKS = """{
  const has = (root) => root.querySelector(WHAT)
    || [...root.querySelectorAll("*")].some((one) => one.shadowRoot && has(one.shadowRoot));
  const look = () => {
    if (has(document)) globalThis.glassSeen = performance.now();
    else setTimeout(look, 10);
  };
  look();
}"""


def first_picture(context: BrowserContext, address: str, what: str) -> float:
    """Seconds from opening a page in a new tab until something stands on it."""
    page = context.new_page()
    page.add_init_script(LOOKS.replace("WHAT", json.dumps(what)))
    page.goto(address, wait_until="commit")
    ms: float = until(page, "globalThis.glassSeen")
    page.close()
    return ms / 1000


def pointing(page: Page, at: Locator) -> Callable[[], None]:
    """Point at an element, wait until that is drawn, then click."""
    at.scroll_into_view_if_needed()
    at.hover()
    page.wait_for_timeout(150)

    def click() -> None:
        page.mouse.down()
        page.mouse.up()

    return click


def typing(page: Page, field: Locator, text: str) -> Callable[[], None]:
    """Type a text, then press Enter, which runs it at once."""
    field.focus()

    def enter() -> None:
        field.select_text()
        page.keyboard.insert_text(text)
        page.keyboard.press("Enter")

    return enter


def timed(page: Page, act: Callable[[], None]) -> dict[str, float]:
    """Milliseconds from a click to finished drawing, and to the last answer of the server."""
    page.bring_to_front()
    page.evaluate("glassDrawn.arm()")
    act()
    said: dict[str, float] = until(page, f"glassDrawn.finished({1000 * QUIET})")
    return said


def until(page: Page, said: str) -> Any:
    """What an expression is in the page, once it is something; its policy lets no page wait so.

    Raises:
        TimeoutError: it never is.
    """
    ends = time.perf_counter() + PATIENCE
    while time.perf_counter() < ends:
        if found := page.evaluate(said):
            return found
        page.wait_for_timeout(40)
    raise TimeoutError(said)


def opened(page: Page, address: str, where: str) -> None:
    """Open a page and wait until what is clicked there is drawn and it stands still."""
    page.goto(address)
    page.locator(where).first.wait_for(state="attached")
    settled(page)


def settled(page: Page) -> None:
    """Wait until all is answered and drawn."""
    page.wait_for_timeout(200)  # what was done just now may not have been sent yet
    until(page, "glassDrawn.still(700)")


def chromium() -> str:
    """The program that the browser tests drive."""
    finder = ROOT / "tests" / "browser" / "find-chromium"
    return os.environ.get("CHROMIUM") or subprocess.check_output([finder], text=True).strip()


def main() -> int:
    """Print what a learner waits for, and whether each goal is held."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("--checkout", type=Path, default=ROOT)
    arguments.add_argument("--rounds", type=int, default=ROUNDS)
    given = arguments.parse_args()
    held = True
    for goal in results(given.checkout.resolve(), given.rounds):
        print(goal, flush=True)
        held &= goal.held
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
