"""What a page begins with is worked out before it is opened."""

from __future__ import annotations

import asyncio
import contextlib
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.runs import store
from core.runs.kinds.gaps import GapRequest
from core.runs.kinds.objectives import ExerciseRequest
from core.runs.kinds.tokens import TokenizeRequest
from core.runs.kinds.trace import TraceRequest
from core.runs.turn_queue import FairSemaphore, Visitor
from pages.parts import openings
from pages.parts.runs import shared_runs
from pages.parts.table import TABLE
from tests.app.test_pages import check, opened


@pytest.mark.parametrize(
    ("file", "kinds"),
    [
        ("predictions/objectives.py", {ExerciseRequest}),
        ("predictions/masked_word.py", {GapRequest}),
        ("machines/from_rnn.py", {TokenizeRequest}),
    ],
)
def test_a_page_finds_its_first_answers(file, kinds, monkeypatch):
    runs, row = shared_runs(), next(row for row in TABLE if row.file == file)
    asked = openings.asked_at_first(row, row.views[0])
    assert {type(one) for one in asked} >= kinds
    for one in asked:
        runs.get(one)
    made, answer = [], store.answer
    monkeypatch.setattr(
        store, "answer", lambda request, context: made.append(request) or answer(request, context)
    )
    app = opened(file)
    check(app)
    assert [one for one in made if type(one) in kinds] == []


def test_one_that_fails_holds_up_no_other(monkeypatch):
    class Failing:
        def get(self, request):
            got.append(request)
            if len(got) == 1:
                raise ValueError("no such thing")

    got: list[TraceRequest] = []
    said: list[str] = []
    wanted = [TraceRequest("gpt", text) for text in ("a", "b")]
    monkeypatch.setattr(openings, "BEGIN", 0)
    monkeypatch.setattr(openings, "openings", lambda: iter(wanted))
    monkeypatch.setattr(openings.log, "exception", said.append)
    monkeypatch.setattr(openings, "shared_runs", Failing)
    # the tests of the browser leave a running loop in the process's first thread
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(openings.work_out())).result()
    assert got == wanted
    assert len(said) == 1


@pytest.mark.parametrize("somebody", [False, True])
def test_while_somebody_has_a_page_run_it_rests_for_longer(monkeypatch, somebody):
    rests: list[float] = []

    async def note(seconds: float) -> None:
        rests.append(seconds)

    class Takes:
        def get(self, _request):
            clock[0] += 2.0

    clock = [0.0]
    monkeypatch.setattr(openings.asyncio, "sleep", note)
    monkeypatch.setattr(openings.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(openings, "openings", lambda: iter([TraceRequest("gpt", "a")]))
    monkeypatch.setattr(openings, "shared_runs", Takes)
    monkeypatch.setattr(openings, "places", FairSemaphore(each=1, address=1))
    here = openings.places.held(Visitor("a")) if somebody else contextlib.nullcontext()
    with here, ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(openings.work_out())).result()
    assert rests == [openings.BEGIN, 18.0 if somebody else 2.0]


def test_nothing_that_a_learner_starts_is_begun():
    found = list(openings.openings())
    assert len(found) == len(set(found)) > 20
    assert {one.lasts for one in found} == {"a moment", "a while"}
