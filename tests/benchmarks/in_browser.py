"""How long a learner waits in Chromium, from a click to finished drawing.

    python -m tests.benchmarks.in_browser [--checkout DIR] [--pages attention] [--rounds 20]

Beside each click stands one in an empty app that writes the number of its slider. Drawing has
finished when nothing in sight has been painted for 250 ms and the server has nothing to say any
more (``drawn.js``). Animations are off, as for people who do not want them.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Locator, Page, sync_playwright

from tests.benchmarks.clicks import sentence
from tests.benchmarks.race import Goal
from tests.benchmarks.serving import HERE, ROOT, both

ROUNDS, WARM_UP = 20, 2
QUIET = 250  # ms
# kind of click -> ms from the click to finished drawing
LIMITS = {"select": 50, "ask": 150, "text": 300, "visit": 400}
WORDS = {"select": "a selection", "ask": "another layer, head or step", "text": "a new text"}


@dataclass(frozen=True)
class Act:
    """Something that a learner does again and again.

    Attributes:
        page: its address, with the link's query.
        kind: of click, in ``LIMITS``.
        what: is clicked, in words.
        where: selector of the elements that are clicked in turn; of one that is a canvas,
            places in it; of a slider, which is moved by a key.
        n: the most of them.
    """

    page: str
    kind: str
    what: str
    where: str
    n: int = 6


def figure(key: str, inside: str) -> str:
    """The selector of a part of a figure."""
    return f".st-key-{key.replace('.', '-')} {inside}"


def control(name: str, inside: str = "button") -> str:
    """The selector of a part of a control."""
    return f'.control[data-name="{name}"] {inside}'


def strip(address: str) -> str:
    """The selector of the link to a page in the strip at the top."""
    return figure("strip", f'a[href^="/{address}"]')


ACTS = (
    Act("attention", "select", "a token", figure("attention.row", ".chip")),
    Act("attention", "select", "a step", figure("attention.steps", 'input[type="range"]')),
    Act("heads", "select", "a cell", figure("attention.weights", "canvas")),
    Act("masks", "select", "a token", figure("masks.strip", ".chip")),
    Act("masks", "select", "a cell", figure("masks.grid", "canvas")),
    Act("positions", "select", "a token", figure("embed.tokens", ".chip")),
    Act("next-token", "select", "a step", figure("predict.next", 'input[type="range"]')),
    Act("attention", "ask", "another layer", control("layer")),
    Act("attention", "ask", "another head", control("head")),
    Act("words-in-context", "ask", "another layer", control("layer")),
    Act("heads", "ask", "another head", figure("attention.heads", "canvas")),
    Act("masks", "ask", "another head", control("head")),
    Act("layernorm?source=text", "ask", "another token", figure("norm.strip", ".chip")),
    Act("feed-forward", "ask", "another token", figure("ffn.strip", ".chip")),
    Act("next-token", "ask", "another temperature", '.control[data-name="temperature"] input'),
    Act("positions", "ask", "another d_model", control("d_model", 'input[type="range"]')),
    Act(
        "positions?positions=600",
        "ask",
        "more than 600 positions",
        control("positions", 'input[type="range"]'),
    ),
    Act("", "text", "a new text", "textarea.text"),
    Act("attention", "text", "a new text", "textarea.text"),
    Act("heads", "text", "a new text", "textarea.text"),
    Act("next-token", "text", "a new text", "textarea.text"),
    Act("masked-word", "text", "a new text", "textarea.text"),
    Act("attention", "visit", "positions", strip("positions")),
    Act("attention", "visit", "tokenization", strip("tokenization")),
    Act("attention", "visit", "layernorm", strip("layernorm")),
    Act("attention", "visit", "feed-forward", strip("feed-forward")),
    Act("attention", "visit", "next-token", strip("next-token")),
)
EMPTY = Act("?said=1", "", "its slider", 'input[type="range"]')


def results(
    checkout: Path = ROOT, chosen: Sequence[str] = (), rounds: int = ROUNDS
) -> Iterator[Goal]:
    """Click everything, and give the median of each kind of click on each page."""
    acts = [act for act in ACTS if not chosen or act.page.partition("?")[0] in chosen]
    draw = random.Random(0)
    with both(checkout) as (app, empty), sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        context = browser.new_context(
            viewport={"width": 1440, "height": 900}, reduced_motion="reduce"
        )
        context.add_init_script(path=HERE / "drawn.js")
        other = context.new_page()
        opened(other, f"{empty.address}/{EMPTY.page}", EMPTY.where)
        beside = clicks(other, EMPTY, draw)
        for act in acts:
            page = context.new_page()
            opened(page, f"{app.address}/{act.page}", act.where)
            turns = clicks(page, act, draw)
            ours, theirs, answered = [], [], []
            for i in range(WARM_UP + rounds):
                theirs.append(timed(other, next(beside))["drawn"])
                said = timed(page, next(turns))
                ours.append(said["drawn"])
                answered.append(said["answered"])
                if act.kind == "visit" and i < WARM_UP + rounds - 1:
                    page.go_back()
                    settled(page)
            page.close()
            ms, server, empty_ms = (
                statistics.median(times[WARM_UP:]) for times in (ours, answered, theirs)
            )
            on = f"{act.page.partition('?')[0] or 'home'}: {act.what}"
            yield Goal(f"{on} (last message {server:.0f}, empty app {empty_ms:.0f})",
                       ms, LIMITS[act.kind], "ms")  # fmt: skip
        browser.close()


def clicks(page: Page, act: Act, draw: random.Random) -> Iterator[Callable[[], None]]:
    """One click after the other: makes everything ready, and gives what does it."""
    found, key = page.locator(act.where), "ArrowRight"
    for i in itertools.count(1):
        if act.kind == "text":
            yield typing(page, found.first, sentence(draw))
        elif act.kind == "visit":
            yield pointing(page, found.first)
        elif act.where.endswith('[type="range"]'):
            at, low, high = found.first.evaluate("(n) => [n.value, n.min, n.max].map(Number)")
            key = "ArrowLeft" if at == high else "ArrowRight" if at == low else key
            yield pressing(page, found.first, key)
        elif act.where.endswith("canvas"):
            x, y = 0.25 + 0.5 * (i % 3) / 3, 0.3 + 0.5 * (i // 3 % 3) / 3
            yield pointing(page, found.first, x, y)
        else:
            found.first.wait_for()  # a whole page may be drawn anew
            yield pointing(page, found.nth(i % min(act.n, found.count())))


def pointing(page: Page, at: Locator, x: float = 0.5, y: float = 0.5) -> Callable[[], None]:
    """Point at a place of an element, wait until that is drawn, then click."""
    at.scroll_into_view_if_needed()
    box = at.bounding_box()
    if box is None:
        raise AssertionError(f"{at} is not to be seen")
    page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"])
    page.wait_for_timeout(150)

    def click() -> None:
        page.mouse.down()
        page.mouse.up()

    return click


def pressing(page: Page, field: Locator, key: str) -> Callable[[], None]:
    """Press a key on a field."""
    field.focus()
    return lambda: page.keyboard.press(key)


def typing(page: Page, field: Locator, text: str) -> Callable[[], None]:
    """Type a text, then press Enter, which runs it at once."""
    field.focus()

    def enter() -> None:
        field.select_text()
        page.keyboard.insert_text(text)
        page.keyboard.press("Enter")

    return enter


def timed(page: Page, act: Callable[[], None]) -> dict[str, float]:
    """Milliseconds from a click to finished drawing, and to the last word of the server."""
    page.bring_to_front()
    page.evaluate("glassDrawn.arm()")
    act()
    found = page.wait_for_function(f"() => glassDrawn.finished({QUIET})", polling=40)
    said: dict[str, float] = found.json_value()
    return said


def opened(page: Page, address: str, where: str) -> None:
    """Open a page and wait until what is clicked there is drawn and it stands still."""
    page.goto(address)
    settled(page)
    folds = page.locator('[class*="st-key-fold-"] summary')
    for at in range(folds.count()):  # what is folded is not drawn
        if not page.locator(where).count():
            folds.nth(at).click()
            settled(page)
    page.locator(where).first.wait_for(state="attached")


def settled(page: Page) -> None:
    """Wait until the server has nothing to say any more and all is drawn."""
    page.wait_for_timeout(200)  # what was done just now may not have been sent yet
    page.wait_for_function("() => glassDrawn.still(700)", polling=40)


def chromium() -> str:
    """The program that the browser tests drive."""
    finder = ROOT / "tests" / "browser" / "find-chromium"
    return os.environ.get("CHROMIUM") or subprocess.check_output([finder], text=True).strip()


def main() -> int:
    """Print what a learner waits for, and whether each goal is held."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("--checkout", type=Path, default=ROOT)
    arguments.add_argument("--pages", default="", help="addresses, with commas between them")
    arguments.add_argument("--rounds", type=int, default=ROUNDS)
    given = arguments.parse_args()
    chosen = [("" if name == "home" else name) for name in given.pages.split(",") if name]
    held = True
    for goal in results(given.checkout.resolve(), chosen, given.rounds):
        print(goal, flush=True)
        held &= goal.held
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
