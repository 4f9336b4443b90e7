"""What a changed figure costs the server, on every page, while its run is in the cache.

    python -m tests.benchmarks.figures [--rounds 3]

For each figure that can show another layer, head or step: the milliseconds of processor of an
answer that nobody has asked for, and of the same when a classmate asks for it next; the bytes that
come, and the milliseconds of a new text beyond the model's own. In one process, without HTTP.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import torch

from core import views
from core.answers.question import WHOLE, Address, FigureQuestion
from core.errors import CoreError
from core.runs.request import Job
from core.shelf.abilities import model_for
from core.views.params import declared
from pages.parts.app import app
from pages.parts.runs import shared_runs
from pages.parts.table import PageRow, example, offered, opens
from tests.benchmarks.race import Goal

NEW, AGAIN, KILOBYTES = 5.0, 1.0, 15.0
LAYER = ("layer", "head")  # of a run, so that it is another figure of the same one
T = TypeVar("T")


@dataclass
class Cost:
    """What another layer of a figure costs.

    Attributes:
        view: its name.
        page: where it stands.
        new: ms of each that nobody had asked for.
        again: ms of each that a classmate had.
        size: bytes of each.
    """

    view: str
    page: str
    new: list[float]
    again: list[float]
    size: list[int]


def spent(act: Callable[[], T]) -> tuple[float, T]:
    """Milliseconds of processor, and what came of it."""
    began = time.process_time()
    found = act()
    return 1000 * (time.process_time() - began), found


def address(view: str, row: PageRow, **more: str) -> Address:
    """What a browser asks on a page that was just opened."""
    opened = {**row.opens}
    model = model_for(opened.get("model", "gpt"), row.needs)
    text = example(row, model)
    said = {**opens(row, model), "model": model, **({"text": text} if text else {}), **more}
    return Address.of(view, WHOLE, said)


def answered(at: Address) -> Any:
    """The bytes, as the server keeps them for a class."""
    found = shared_runs().peek(at)
    if found is None:
        found = shared_runs().kept(at, lambda: FigureQuestion(at, app()).answer())
    return found


def figures() -> Iterator[tuple[PageRow, str, str]]:
    """Every figure of a page that can show another layer or head of its run."""
    seen: set[str] = set()
    for row, view in ((page, view) for page in offered() for view in page.views):
        params = views.get(view).Params
        names = [one for one in LAYER if one in params.__dataclass_fields__]
        if view in seen or not names or declared(params, names[0]).lives != "server":
            continue
        seen.add(view)
        yield row, view, names[0]


def measured(rounds: int) -> Iterator[Cost]:
    """All of them, each with its run in the cache."""
    for row, view, name in figures():
        cost = Cost(view, row.address or "home", [], [], [])
        try:
            first = FigureQuestion(address(view, row), app())
            if any(isinstance(one, Job) for one in first.view.requests(first.params)):
                continue
            for at in itertools.islice((address(view, row, **{name: str(n)}) for n in range(6)),
                                       rounds + 1):  # fmt: skip
                if at == first.address:
                    continue
                new, found = spent(lambda at=at: answered(at))
                again, _same = spent(lambda at=at: answered(at))
                cost.new.append(new)
                cost.again.append(again)
                cost.size.append(found.nbytes)
        except CoreError:
            continue
        if len(cost.new) > 1:
            yield cost


def main(given: list[str]) -> int:
    """Print the table; 1 where a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=4)
    rounds = parser.parse_args(given).rounds
    torch.set_num_threads(1)
    costs = list(measured(rounds))
    print(f"{'figure':26}{'page':16}{'new':>8}{'again':>8}{'kB':>8}")
    for one in sorted(costs, key=lambda one: -statistics.median(one.new[1:])):
        new, again = statistics.median(one.new[1:]), statistics.median(one.again[1:])
        size = statistics.median(one.size) / 1000
        print(f"{one.view:26}{one.page:16}{new:8.2f}{again:8.2f}{size:8.1f}")
    goals = [
        Goal("another layer, new, at most", max(statistics.median(c.new[1:]) for c in costs),
             NEW, "ms"),
        Goal("asked before, at most", max(statistics.median(c.again[1:]) for c in costs),
             AGAIN, "ms"),
        Goal("bytes of an answer, on average",
             statistics.mean(statistics.mean(c.size) for c in costs) / 1000, KILOBYTES, "kB"),
    ]  # fmt: skip
    for goal in goals:
        print(goal)
    return int(any(not goal.held for goal in goals))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
