"""What a click on each page costs the server, beside an empty Streamlit app that is tuned as ours.

    python -m tests.benchmarks.pages [--checkout DIR] [--pages attention,heads] [--rounds 20]
    python -m tests.benchmarks.pages --kinds text      # of the clicks those alone

For each page one learner opens it, selects something, asks for something that needs new data, and
types new sentences; every click stands beside one in the empty app, and the ratio is the median
over the rounds. Milliseconds are from sending the message to the end of the last run for it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import random
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import torch

from core import views
from core.errors import CoreError
from core.runs.store import Runs
from core.views.params import parse
from pages.parts.table import offered
from tests.benchmarks.clicks import CLICKS, Clicks, sentence
from tests.benchmarks.learner import Answer, Learner
from tests.benchmarks.race import Goal
from tests.benchmarks.serving import ROOT, Server, both

ROUNDS, WARM_UP = 20, 2
STARTS = 3  # processes in which a page is opened for the first time
STUB = 1000  # bytes of code that a component may bring with every message
NUMBERS = itertools.cycle(range(1000))  # of the empty app's slider
Act = Callable[[int], Awaitable[Answer]]
# kind of click -> the most that it may cost in ratio to the empty app's; of a new text it is the
# processor's time that counts, which what else the machine does hardly changes
LIMITS = {"select": 1.5, "ask": 2.0, "settle": 4.0, "text": 2.0}
FIRST, SELECTION = 400, 5  # ms, kB


@dataclass(frozen=True)
class Spent:
    """Seconds that something took, and those of them that the processor worked on it."""

    wall: float
    cpu: float


NONE = Spent(0.0, 0.0)


@dataclass
class Cost:
    """What clicks of one kind cost.

    Attributes:
        ours, theirs: of the app's server and of the empty one's beside it.
        model: of each the part spent on answering requests, which does not count.
        sizes: bytes.
    """

    ours: list[Spent] = field(default_factory=list)
    theirs: list[Spent] = field(default_factory=list)
    model: list[Spent] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)

    def ratio(self, what: str = "wall") -> float:
        """Ours / theirs, the median over the rounds."""
        each = zip(self.ours, self.theirs, self.model, strict=True)
        return statistics.median(
            (getattr(a, what) - getattr(m, what)) / getattr(b, what) for a, b, m in each
        )

    @property
    def kilobytes(self) -> float:
        return statistics.median(self.sizes) / 1000

    def __str__(self) -> str:
        if not self.ours:
            return f"{'–':>31}"
        ms = 1000 * statistics.median(spent.wall for spent in self.ours)
        ratios = f"{self.ratio():6.2f}x {self.ratio('cpu'):6.2f}x"
        return f"{ms:7.1f} {ratios} {self.kilobytes:7.1f}"


@dataclass
class Page:
    """What was measured of a page.

    Attributes:
        clicks: what was done.
        first: seconds of the first opening in each of several processes.
        again: openings by further learners.
        code: bytes of code in the component that brought most.
        costs: by kind of click.
    """

    clicks: Clicks
    first: list[float] = field(default_factory=list)
    again: Cost = field(default_factory=Cost)
    code: int = 0
    costs: dict[str, Cost] = field(default_factory=lambda: {kind: Cost() for kind in LIMITS})

    @property
    def first_ms(self) -> float:
        return 1000 * statistics.median(self.first)

    def row(self) -> str:
        """A line of the table."""
        model = 1000 * statistics.median(one.wall for one in self.costs["text"].model or [NONE])
        costs = " |".join(str(self.costs[kind]) for kind in LIMITS)
        return (f"{self.clicks.page or 'home':12} |{self.first_ms:7.0f} |{self.again} |{costs} "
                f"{model:6.1f} |{self.code / 1000:6.1f}")  # fmt: skip


HEAD = f"""\
Ratios to the empty app, of milliseconds and of processor time. "model" counts in neither.
{"":12} | first | a further learner's first      | a selection                    \
| another layer, head or step    | another setting                \
| a new text                           | code
{"page":12} |    ms{5 * " |     ms   ratio     cpu     kB"}  model |   kB"""


def results(
    checkout: Path = ROOT,
    chosen: Sequence[str] = (),
    rounds: int = ROUNDS,
    kinds: Sequence[str] = (),
) -> Iterator[Goal]:
    """Measure, print the table, and give what came out for each goal and page.

    Args:
        checkout: whose app serves it.
        chosen: pages; all when empty.
        rounds: of each click.
        kinds: of clicks; all when empty, and the openings of pages.
    """
    there = {row.address for row in offered()}
    clicks = [one for one in CLICKS if one.page in there and (not chosen or one.page in chosen)]
    torch.set_num_threads(1)
    answering = Answering()
    pages = [Page(one) for one in clicks]
    print(HEAD)
    starts = 1 if kinds else STARTS
    for start in range(starts):
        turned = pages[start * len(pages) // starts :] + pages[: start * len(pages) // starts]
        with both(checkout) as (app, empty):
            asyncio.run(_first(app.address, turned))
            if start < starts - 1:
                continue
            for page in pages:
                asyncio.run(_measure(app, empty, page, rounds, answering, kinds))
                print(page.row(), flush=True)
    for page in pages:
        yield from _goals(page, openings=not kinds)


def _goals(page: Page, *, openings: bool) -> Iterator[Goal]:
    name = page.clicks.page or "home"
    what = {
        "select": "a selection",
        "ask": "another layer, head or step",
        "settle": "another setting",
    }
    if openings:
        yield Goal(f"{name}: first opening", page.first_ms, FIRST, "ms")
        yield Goal(f"{name}: code in a component's message", page.code, STUB, "bytes")
    for kind, cost in page.costs.items():
        if cost.ours and kind == "text":
            yield Goal(f"{name}: processor of a new text, beyond the model's own / an empty run",
                       cost.ratio("cpu"), LIMITS[kind], "ratio")  # fmt: skip
        elif cost.ours:
            yield Goal(f"{name}: {what[kind]} / empty app", cost.ratio(), LIMITS[kind], "ratio")
    if page.costs["select"].ours:
        yield Goal(f"{name}: a selection sends", page.costs["select"].kilobytes, SELECTION, "kB")


async def _first(app: str, pages: Sequence[Page]) -> None:
    """Open each page, for the first time in this process."""
    for page in pages:
        async with Learner(app) as learner:
            answer = await learner.open(page.clicks.page, page.clicks.query)
            _check(learner, page)
            page.first.append(answer.seconds)
            page.code = max(
                (len(one.js_content.encode()) + len(one.css_content.encode())
                 for one in learner.components()),
                default=0,
            )  # fmt: skip


async def _measure(
    app: Server, empty: Server, page: Page, rounds: int, answering: Answering, kinds: Sequence[str]
) -> None:
    """Everything that one learner does on a page, beside one in the empty app."""
    clicks, draw = page.clicks, random.Random(page.clicks.page)
    texts = [sentence(draw, french=clicks.french) for _ in range(WARM_UP + rounds)]
    async with Learner(empty.address) as other, Learner(app.address) as learner:
        await other.open("")
        await learner.open(clicks.page, clicks.query)

        async def compare(cost: Cost, act: Act, *, asking: bool = False) -> None:
            for i in range(WARM_UP + rounds):
                theirs, _answer = await _spent(empty, other.slide("control-n", next(NUMBERS)))
                ours, answer = await _spent(app, act(i + 1))
                model = answering.spent(learner) if asking else NONE
                if i >= WARM_UP:
                    cost.ours.append(ours)
                    cost.theirs.append(theirs)
                    cost.model.append(model)
                    cost.sizes.append(answer.n_bytes)

        def wanted(kind: str) -> bool:
            return not kinds or kind in kinds

        async def open_anew(_i: int) -> Answer:
            async with Learner(app.address) as further:
                return await further.open(clicks.page, clicks.query)

        if clicks.select and wanted("select"):
            await compare(page.costs["select"], lambda i: learner.change(_turn(clicks.select, i)))
        if clicks.ask and wanted("ask"):
            await compare(page.costs["ask"], lambda i: learner.change(_turn(clicks.ask, i)))
        if clicks.settle and wanted("settle"):
            await compare(
                page.costs["settle"],
                lambda i: learner.change(_turn(clicks.settle, i)),
                asking=True,
            )
        if clicks.types and wanted("text"):
            await compare(
                page.costs["text"], lambda i: learner.change({"text": texts[i - 1]}), asking=True
            )
        if not kinds:
            await compare(page.again, open_anew)
        _check(learner, page)


async def _spent(server: Server, acting: Awaitable[Answer]) -> tuple[Spent, Answer]:
    worked = server.cpu_of_all  # the model may be run in the second process
    answer = await acting
    return Spent(answer.seconds, server.cpu_of_all - worked), answer


def _turn(chosen: Sequence[dict[str, object]], i: int) -> dict[str, object]:
    return chosen[i % len(chosen)]


def _check(learner: Learner, page: Page) -> None:
    if learner.problems:
        raise AssertionError(f"{page.clicks.page or 'home'} shows {learner.problems}")


class Answering:
    """The requests of the figures on a page, answered here: the model's own part of a new text."""

    def __init__(self) -> None:
        self._runs = Runs()

    def spent(self, learner: Learner) -> Spent:
        """What the requests take that were made for the page which a learner has."""
        requests = [
            request
            for view, said in learner.asking.asked.items()
            for request in views.get(view).requests(parse(views.get(view).Params, said)[0])
        ]
        began, worked = time.perf_counter(), time.process_time()
        for request in requests:
            with contextlib.suppress(CoreError):  # the page says what is wrong in its place
                self._runs.get(request)
        return Spent(time.perf_counter() - began, time.process_time() - worked)


def main() -> int:
    """Print the table and whether each goal is held."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("--checkout", type=Path, default=ROOT)
    arguments.add_argument("--pages", default="", help="addresses, with commas between them")
    arguments.add_argument("--rounds", type=int, default=ROUNDS)
    arguments.add_argument("--kinds", default="", help=f"of {', '.join(LIMITS)}, with commas")
    given = arguments.parse_args()
    chosen = [("" if name == "home" else name) for name in given.pages.split(",") if name]
    kinds = [one for one in given.kinds.split(",") if one]
    held = True
    for goal in results(given.checkout.resolve(), chosen, given.rounds, kinds):
        print(goal)
        held &= goal.held
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
