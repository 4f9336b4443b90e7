"""What a page begins with is worked out before it is opened."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.runs import store
from core.runs.objectives import ExerciseRequest
from core.runs.requests import TraceRequest
from pages.parts import openings
from pages.parts.runs import shared_runs
from tests.app.test_pages import check, opened


def test_a_page_with_several_machines_finds_all_their_answers(monkeypatch):
    runs = shared_runs()
    asked = [one for one in openings.openings() if isinstance(one, ExerciseRequest)]
    assert len({one.model for one in asked}) > 3
    for one in asked:
        runs.get(one)
    made, answer = [], store.answer
    monkeypatch.setattr(
        store, "answer", lambda request, context: made.append(request) or answer(request, context)
    )
    app = opened("predictions/objectives.py")
    check(app)
    assert [one for one in made if one.lasts == "a while"] == []


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


def test_nothing_that_a_learner_starts_is_begun():
    found = list(openings.openings())
    assert len(found) == len(set(found)) > 20
    assert {one.lasts for one in found} == {"a moment", "a while"}


@pytest.mark.parametrize("page", ["block-shapes", "film"])
def test_what_takes_a_second_at_first_is_among_them(page):
    kinds = {type(one).__name__ for one in openings.openings()}
    assert {"block-shapes": "AtInitRequest", "film": "FilmRequest"}[page] in kinds
