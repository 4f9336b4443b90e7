"""Figures that have to be trained: asked for again and again, paused, stopped, left; no clock."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from core.errors import ParameterError
from core.figures.payload import unpack
from core.runs import scheduler
from core.runs.jobs import Jobs
from core.runs.kinds import training
from core.runs.kinds.training import GradientRequest, LookAheadRequest
from core.runs.progress import JobProgress
from core.runs.request import Context
from core.runs.store import Runs
from pages.parts.runs import ahead, shared_runs
from tests.app import asked
from tests.app.answered import APP
from tests.runs.counting import InThread
from tests.runs.test_jobs import until

LEARNING = "masks.learning"
TRAINED = LookAheadRequest()


class Held:
    """A kind of training that takes the steps that it is let take."""

    def __init__(self, train: Callable) -> None:
        self._train, self._gate, self.begun = train, threading.Semaphore(0), 0
        self.fails = False

    def __call__(self, *given):
        self.begun += 1
        for record in self._train(*given):
            self._gate.acquire()
            if self.fails:
                raise ParameterError("steps", 0, "another number")
            yield record

    def let(self, steps: int = 1) -> None:
        self._gate.release(steps)


@pytest.fixture
def runs() -> Iterator[Runs]:
    """What learners share, with jobs as a server has them."""
    ahead.cache_clear()  # what an earlier test has made works for what was shared then
    shared_runs.cache_clear()
    runs = shared_runs()
    runs.jobs = Jobs(begin=partial(InThread, Context(runs.model, runs.get)))
    yield runs
    runs.jobs.close()
    ahead.cache_clear()
    shared_runs.cache_clear()


@pytest.fixture
def learning(runs, monkeypatch) -> Iterator[Held]:
    # Trained before: on a busy machine that takes longer than a job lasts that nobody watches.
    tuple(training.look_ahead(TRAINED.steps, TRAINED.seed))
    held = Held(training.look_ahead)
    monkeypatch.setattr(training, "look_ahead", held)
    yield held
    held.let(1000)


@pytest.fixture
def flowing(runs, monkeypatch) -> Iterator[Held]:
    held = Held(training.gradient_flow)
    monkeypatch.setattr(training, "gradient_flow", held)
    yield held
    held.let(1000)


def now(runs: Runs, job=TRAINED) -> JobProgress:
    """What is known of a job by somebody who does not watch."""
    return runs.watch(job, None)


@dataclass
class Tab:
    """A tab of a browser, which asks for the figure of a job.

    Attributes:
        name: by which the server knows it.
        held: records that it wants to see.
        wishes: what else it asks with.
    """

    name: str
    held: int | None = None
    wishes: tuple[str, ...] = ()
    view: str = LEARNING

    def ask(self, **query: str) -> tuple[int, dict[str, Any], dict[str, Any]]:
        """Status, answer and how the first job stands."""
        query |= {"_who": self.name} | {f"_{wish}": "1" for wish in self.wishes}
        query |= {} if self.held is None else {"_held": str(self.held)}
        status, content, headers = asked.received(APP, f"/figure/{self.view}.bin", query)
        (job, *_rest) = json.loads(headers.get("jobs", "[{}]"))
        if headers["content-type"] == "application/problem+json":
            return status, json.loads(content), job
        return status, unpack(content).header["answer"], job


def reading(answer: dict[str, Any]) -> str:
    return "".join(text for text, _role in answer["reading"])


def test_how_far_it_is_is_said_while_it_goes_on_and_its_figure_when_there_is_one(runs, learning):
    tab = Tab("a1")
    status, answer, job = tab.ask()
    assert (status, answer["awaited"]) == (200, True)
    assert "starting" in job["said"]
    assert job["again"] > 0
    learning.let(6)
    until(lambda: len(now(runs).records) >= 6)
    _status, answer, job = tab.ask()
    assert (job["said"], job["n"]) == ("Training two tiny models: 33 % done", 6)
    assert "After 100 of 300 training steps" in reading(answer)
    learning.let(100)
    until(lambda: now(runs).over)
    _status, answer, job = tab.ask()
    assert "finished in" in job["said"]
    assert job["again"] is None
    assert "the model copies the answer" in reading(answer)
    # From now on it is an answer as any other, and says how its job ended.
    _status, kept, job = tab.ask()
    assert job == {}
    assert "finished in" in kept["jobs"][0]["said"]
    assert learning.begun == 1


def test_who_pauses_holds_what_she_sees_and_nobody_else(runs, learning):
    mine, theirs = Tab("a1"), Tab("b2")
    mine.ask()
    theirs.ask()
    learning.let(4)
    until(lambda: len(now(runs).records) >= 4)
    mine.held = mine.ask()[2]["n"]
    assert mine.held == 4
    assert mine.ask()[2]["said"] == "Training two tiny models: paused at 20 %"
    learning.let(3)
    until(lambda: len(now(runs).records) >= 7)
    assert theirs.ask()[2]["said"] == "Training two tiny models: 40 % done"
    _status, _answer, job = mine.ask()
    assert (job["said"], job["n"]) == ("Training two tiny models: paused at 20 %", 4)
    mine.held = None
    assert mine.ask()[2]["said"] == "Training two tiny models: 40 % done"


def test_who_stops_it_keeps_what_was_told_and_may_begin_again(runs, learning):
    tab = Tab("a1")
    tab.ask()
    learning.let(4)
    until(lambda: len(now(runs).records) >= 4)
    tab.held, tab.wishes = 4, ("stops",)
    _status, answer, job = tab.ask()
    assert now(runs).state == "stopped"
    assert job["said"] == "Training two tiny models: stopped at 20 %"
    assert job["again"] is None
    assert "After 60" in reading(answer)
    learning.let(100)
    tab.held, tab.wishes = None, ("again",)
    tab.ask()
    until(lambda: now(runs).state == "finished")
    tab.wishes = ()
    assert "finished" in tab.ask()[1]["jobs"][0]["said"]
    assert learning.begun == 2


def test_who_has_gone_on_to_another_leaves_the_one_before(runs, flowing):
    tab = Tab("a1", view="stream.gradient")
    asked_with = {"text": "A cat sat", "model": "gpt", "blocks": "fresh"}
    tab.ask(**asked_with, depth="9")
    first, second = (GradientRequest("gpt", "A cat sat", n, spread="fixed") for n in (9, 10))
    until(lambda: now(runs, first).state == "running")
    tab.ask(**asked_with, depth="10")
    until(lambda: now(runs, first).state == "stopped")
    flowing.let(100)
    until(lambda: now(runs, second).state == "finished")


def test_what_is_wrong_is_said_and_can_be_tried_again(runs, learning):
    learning.fails = True
    learning.let()
    tab = Tab("a1")
    tab.ask()
    until(lambda: now(runs).over)
    status, answer, job = tab.ask()
    assert status == 200
    assert "steps is 0; it must be another number" in answer["said"]
    assert "failed at 0 %" in job["said"]
    assert learning.begun == 1
    learning.fails, tab.wishes = False, ("again",)
    learning.let(100)
    tab.ask()
    until(lambda: now(runs).state == "finished")
    tab.wishes = ()
    assert tab.ask()[0] == 200


def test_a_full_queue_is_said(runs, learning, monkeypatch):
    monkeypatch.setattr(scheduler, "WAITING", 0)
    status, answer, job = Tab("a1").ask()
    assert status == 200
    assert "calculations are waiting already" in answer["said"]
    assert job == {}


def test_a_tab_that_calls_itself_something_else_is_only_its_visitor(runs, learning):
    for name in ("<script>", "a" * 4000, ""):
        assert Tab(name).ask()[0] == 200
    assert runs.jobs.watching == 1
