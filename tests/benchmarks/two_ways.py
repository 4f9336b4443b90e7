"""One page in two ways: through Streamlit's script, and with figures that ask for themselves.

    python -m tests.benchmarks.two_ways [--rounds 12]

The same clicks in Chromium on both, in turn, on one server: its milliseconds of processor for each
click (all its processes, less what it does when nobody clicks), the bytes that come, the time from
the click to finished drawing. Each click shows what nobody has seen before, and then what a
classmate has: another browser clicks the same after the first. Then what a figure alone costs that
is asked for over HTTP, and the lines of code that serve this page alone.
"""

from __future__ import annotations

import argparse
import ast
import itertools
import random
import statistics
import sys
import time
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from tests.benchmarks.clicks import sentence
from tests.benchmarks.in_browser import chromium, pressing, settled, timed, typing
from tests.benchmarks.race import Goal
from tests.benchmarks.serving import HERE, ROOT, Server, serve

OLD, NEW = "attention-before", "attention"
ROUNDS = 12
IDLE = 0.05  # seconds of a second that a server works for itself at most
FIGURES = ("attention.row", "attention.steps", "attention.unscaled")
LAYERS, HEADS = 6, 4  # of the model that it opens on
WHEN = ("new", "asked before")
LIMITS = (5.0, 1.0)  # ms of the server for another layer of a figure
SCRIPTS = {OLD: "pages/attention/step_by_step.py", NEW: "pages/attention/asking.py"}


@dataclass
class Learner:
    """A browser of its own with the page.

    Attributes:
        page: that is open.
        server: that serves it.
        idle: of a second, what the server works while nobody clicks.
        bytes: that have come, in answers and in messages.
    """

    page: Page
    server: Server
    idle: float = 0.0
    bytes: int = 0
    times: dict[str, list[tuple[float, float, float]]] = field(default_factory=dict)

    def listen(self, session: CDPSession) -> None:
        """Count what comes."""
        session.send("Network.enable")
        session.on("Network.dataReceived", lambda found: self._count(found["dataLength"]))
        session.on(
            "Network.webSocketFrameReceived",
            lambda found: self._count(len(found["response"]["payloadData"]) * 3 // 4),
        )

    def _count(self, n: int) -> None:
        self.bytes += n

    def does(self, what: str, act: Callable[[], None]) -> None:
        """Do something, and note what it cost: processor, bytes, time; in ms and bytes."""
        settled(self.page)
        before, worked, began = self.bytes, self.server.cpu_of_all, time.perf_counter()
        drawn = timed(self.page, act)["drawn"]
        self.page.wait_for_timeout(100)  # what is done after an answer is part of it
        took = self.server.cpu_of_all - worked - self.idle * (time.perf_counter() - began)
        self.times.setdefault(what, []).append((took * 1e3, self.bytes - before, drawn))


def opened(browser: Browser, server: Server, address: str) -> Learner:
    """Another browser with the page."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    context.add_init_script(path=HERE / "drawn.js")
    page = context.new_page()
    found = Learner(page, server)
    found.listen(context.new_cdp_session(page))
    page.goto(f"{server.address}/{address}")
    settled(page)
    found.idle = idle(server)
    return found


def idle(server: Server) -> float:
    """What it works in a second while nobody clicks, once what it makes ahead is made."""
    rates = [1.0, 1.0]
    while rates[-1] > IDLE and len(rates) < 30:
        worked = server.cpu_of_all
        time.sleep(2)
        rates.append((server.cpu_of_all - worked) / 2)
    return rates[-1]


def choosing(page: Page, label: str, value: str) -> Callable[[], None]:
    """Press one of a few."""
    return page.get_by_role("radiogroup", name=label).get_by_role("radio", name=value).click


def click_through(one: Learner, texts: list[str], rounds: int) -> None:
    """Every kind of click, so many times."""
    page = one.page
    for at in range(rounds):
        one.does("layer", choosing(page, "Layer", str((at + 1) % LAYERS)))
        if at % LAYERS == LAYERS - 1:
            one.does("head", choosing(page, "Head", str(at // LAYERS % HEADS)))
    for text in texts:
        one.does("text", typing(page, page.locator("textarea.text"), text))
    for menu in ("model", "language"):
        for key in ("ArrowDown", "ArrowUp"):  # to the next one in the list, and back
            one.does(menu, pressing(page, page.locator(f"select.{menu}"), key))


def results(rounds: int = ROUNDS) -> Iterator[Goal | str]:
    """Both ways, first as nobody has asked, then after a classmate."""
    draw = random.Random(0)
    texts = [sentence(draw) for _round in range(4)]
    told: dict[tuple[str, str], dict[str, list[tuple[float, float, float]]]] = {}
    with serve(ROOT / "app.py", ROOT) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        for when in WHEN:
            for address in (OLD, NEW):
                one = opened(browser, server, address)
                click_through(one, texts, rounds)
                told[address, when] = one.times
                one.page.context.close()
        browser.close()
        yield from figures(server)
    for what in told[OLD, "new"]:
        for when in WHEN:
            yield f"{what}, {when}: " + "; ".join(
                f"{address} {_said(told[address, when][what])}" for address in (OLD, NEW)
            )
    for address, script in SCRIPTS.items():
        yield f"{address}: {lines_of_code(ROOT / script)} lines in {script}"


def figures(server: Server) -> Iterator[Goal]:
    """What each figure of the page costs on another layer or head, asked for over HTTP."""
    asked = HTTPConnection(server.address.partition("//")[2])
    for view in FIGURES:
        costs: list[list[float]] = [[], []]
        for when in costs:
            for layer, head in itertools.product(range(LAYERS), range(HEADS)):
                worked = server.cpu
                asked.request("GET", f"/figure/{view}.bin?text=So&layer={layer}&head={head}")
                if asked.getresponse().read()[:4] == b"":
                    raise AssertionError(f"{view} has no answer")
                when.append((server.cpu - worked) * 1e3)
        for name, when, limit in zip(WHEN, costs, LIMITS, strict=True):
            yield Goal(
                f"{view}, {name}: the server's processor", statistics.median(when), limit, "ms"
            )
    asked.close()


def _said(times: list[tuple[float, float, float]]) -> str:
    server, size, drawn = (statistics.median(column) for column in zip(*times, strict=True))
    return f"{server:.1f} ms of the server, {size / 1e3:.1f} kB, drawn after {drawn:.0f} ms"


def lines_of_code(file: Path) -> int:
    """Without blank lines, comments and docstrings."""
    text = file.read_text(encoding="utf-8")
    docs = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node)
        for line in range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)
    }
    with tokenize.open(file) as lines:
        found = {
            line
            for token in tokenize.generate_tokens(lines.readline)
            if token.type not in (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE,
                                  tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
            for line in range(token.start[0], token.end[0] + 1)
        }  # fmt: skip
    return len(found - docs)


def main() -> int:
    """Print both ways, and whether the goals are held."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("--rounds", type=int, default=ROUNDS)
    held = True
    for one in results(arguments.parse_args().rounds):
        print(one, flush=True)
        held &= not isinstance(one, Goal) or one.held
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
