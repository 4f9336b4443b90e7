"""A learner of a class: clicks for a while, and looks whether what comes is his own."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from core import views
from core.figures.payload import unpack
from core.runs.store import Runs
from core.views.params import parse
from tests.benchmarks.clicks import CLICKS, Chosen, Clicks, sentence
from tests.benchmarks.learner import Answer, Learner

# page -> a figure on it and which of its numbers are compared
PAGES = {
    "attention": ("attention.steps", "weights"),
    "heads": ("attention.weights", "weights"),
    "masks": ("masks.grid", "weights"),
    "next-token": ("predict.surprisal", "bits"),
    "masked-word": ("masked.beside", "both"),
}
KINDS, SHARES = ("select", "ask", "text"), (5, 3, 2)
COMPARED = 500  # of the clicks of a level
MARK = re.compile(rb"Zq(\d{6})")  # in each sentence the learner's own, which a model may copy


@dataclass(frozen=True)
class Received:
    """The numbers of a figure that a learner received, with the link that he had then."""

    page: str
    query: Mapping[str, str]
    payload: bytes


@dataclass
class Course:
    """What happens in one level.

    Attributes:
        seconds: each click's, by its kind.
        wrong: what must not be.
        received: of some of the clicks.
        memory: of the server, in bytes, over time.
        worked: seconds until the last answer, and those of processor meanwhile: of the server, of
            the learners, of all programs of the machine.
    """

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    wrong: list[str] = field(default_factory=list)
    received: list[Received] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)
    worked: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)
    n_bytes: int = 0

    def p(self, share: float, kinds: Sequence[str] = ()) -> float:
        """Milliseconds that a share of the clicks stays under, of all kinds where none is named."""
        each = sorted(one for kind in kinds or self.seconds for one in self.seconds[kind])
        return 1000 * each[min(len(each) - 1, int(share * len(each)))] if each else float("nan")


class Pupil:
    """A learner of the class.

    Args:
        number: his own, which stands in each of his sentences.
        learner: who clicks for him.

    Attributes:
        kinds, shares: of his clicks.
        place: where he is.
    """

    kinds: tuple[str, ...] = KINDS
    shares: tuple[int, ...] = SHARES

    def __init__(self, number: int, learner: Learner) -> None:
        pages = [clicks for clicks in CLICKS if clicks.page in PAGES]
        self.clicks: Clicks = pages[number % len(pages)]
        self.place = self.clicks.page
        self._draw = random.Random(number)
        self._number, self._learner = number, learner
        self._last: dict[str, Chosen] = {}

    async def sit_down(self) -> None:
        """Open the page with an own sentence."""
        await self._learner.open(
            self.clicks.page, {**(self.clicks.query or {}), "text": self._sentence()}
        )

    async def work(self, course: Course, pause: float, until: float) -> None:
        """Click now and then, about as often as ``pause`` seconds say, and look at what comes."""
        due = time.perf_counter() + pause * self._draw.random()
        while due < until:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            kind = self._draw.choices(self.kinds, self.shares)[0]
            try:
                answer = await self._click(kind, course)
            except Exception as problem:
                course.wrong.append(f"{self.place}, {kind}: {problem!r}")
                return
            course.seconds[kind].append(answer.seconds)
            course.n_bytes += answer.n_bytes
            course.wrong += self._learner.problems
            self._learner.problems.clear()
            due = max(due + pause * self._draw.uniform(0.5, 1.5), time.perf_counter())

    async def _click(self, kind: str, course: Course) -> Answer:
        learner, clicks = self._learner, self.clicks
        if kind == "text":
            text = self._sentence()
            answer = await learner.change({"text": text})
            self._expect({"text": text}, course)
        elif kind == "ask":
            chosen = self._other(kind, clicks.ask or clicks.settle)
            answer = await learner.change(chosen)
        else:
            chosen = self._other(kind, clicks.select)
            answer = await learner.change(chosen)
            self._expect(chosen, course)
        self._look(answer, course)
        if kind != "select":
            figure, _values = PAGES[clicks.page]
            payload = learner.asking.answers[figure]
            keep(course.received, Received(clicks.page, learner.query, payload), self._draw)
        return answer

    def _look(self, answer: Answer, course: Course) -> None:
        """Nothing of what came may be another learner's."""
        marks = {int(n) for data in answer.frames for n in MARK.findall(data)}
        others = {n for n in range(1000) if mark(n) in marks} - {self._number}
        if others:
            course.wrong.append(f"{self.place}: {self._number} sees sentences of {others}")

    def _sentence(self) -> str:
        return f"{sentence(self._draw)} Zq{mark(self._number):06}"

    def _other(self, kind: str, among: Sequence[Chosen]) -> Chosen:
        """A choice that is not the last one."""
        self._last[kind] = self._draw.choice([c for c in among if c != self._last.get(kind)])
        return self._last[kind]

    def _expect(self, chosen: Chosen, course: Course) -> None:
        """The link must say what was chosen."""
        said = {name: self._learner.query.get(name) for name in chosen}
        if said != {name: str(value) for name, value in chosen.items()}:
            course.wrong.append(f"{self.place}: chose {chosen}, the link says {said}")


def mark(number: int) -> int:
    """His number twice: a model that copies it with one slip writes nobody else's."""
    return number * 1001


def keep(kept: list[Received], one: Received, draw: random.Random) -> None:
    """Keep some of what is received, any as likely as another while there is room."""
    if len(kept) < COMPARED:
        kept.append(one)
    elif draw.random() < 0.1:
        kept[draw.randrange(COMPARED)] = one


def compare(received: Sequence[Received]) -> Iterator[str]:
    """What is not what a run of the sentence gives here."""
    runs = Runs()
    for one in received:
        figure, name = PAGES[one.page]
        view = views.get(figure)
        params, _problems = parse(view.Params, one.query)
        record = view.compute([runs.get(request) for request in view.requests(params)], params)
        wanted = np.ravel(view.values(record)[name].array).astype(np.float64)
        arrays = [a for a in unpack(one.payload).arrays.values() if a.dtype == np.float32]
        numbers = np.sort(np.concatenate([a.ravel() for a in arrays] or [np.empty(0)]))
        if not among(wanted[np.isfinite(wanted)], numbers[np.isfinite(numbers)]):
            yield f"{one.page}: received other numbers than those of {one.query}"


def among(wanted: np.ndarray, numbers: np.ndarray) -> bool:
    """Whether every number is one of some others, which are in order, but for their rounding."""
    if not len(numbers):
        return False
    at = np.clip(np.searchsorted(numbers, wanted), 1, max(1, len(numbers) - 1))
    near = np.minimum(abs(numbers[at - 1] - wanted), abs(numbers[at % len(numbers)] - wanted))
    return bool((near <= 1e-5 + 1e-4 * abs(wanted)).all())
