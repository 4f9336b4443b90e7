"""What will soon be asked for: worked out once, one at a time, and only with models at hand."""

from __future__ import annotations

import threading
import time

import pytest

from core.inputs import Text
from core.runs import prefetching as module
from core.runs.kinds.trace import TraceRequest
from core.runs.prefetching import Prefetcher

REQUESTS = [TraceRequest("gpt", Text(text)) for text in ("A cat", "A dog", "The sea")]


@pytest.fixture
def ahead(runs):
    found = Prefetcher(runs)
    yield found
    found.close()


def settle(ahead: Prefetcher) -> None:
    deadline = time.monotonic() + 20
    while ahead._waiting and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not ahead._waiting


def test_a_result_is_there_when_it_is_asked_for(runs, ahead):
    runs.model("gpt")
    assert not runs.ready(REQUESTS[0])
    ahead.prepare(REQUESTS)
    settle(ahead)
    assert all(runs.ready(one) for one in REQUESTS)


def test_no_model_is_loaded_for_it(runs, ahead, loads):
    ahead.prepare(REQUESTS)
    settle(ahead)
    assert not loads
    assert not runs.ready(REQUESTS[0])


def test_a_class_has_each_worked_out_once_and_one_at_a_time(runs, ahead, monkeypatch):
    runs.model("gpt")
    at_work, most, asked, get = 0, 0, [], runs.get
    lock = threading.Lock()

    def counted(request, device="auto"):
        nonlocal at_work, most
        with lock:
            at_work += 1
            most = max(most, at_work)
        asked.append(request)
        time.sleep(0.02)
        found = get(request, device)
        with lock:
            at_work -= 1
        return found

    monkeypatch.setattr(runs, "get", counted)
    pupils = [threading.Thread(target=ahead.prepare, args=(REQUESTS,)) for _ in range(30)]
    for one in pupils:
        one.start()
    for one in pupils:
        one.join()
    settle(ahead)
    ahead.prepare(REQUESTS)
    settle(ahead)
    assert sorted(asked, key=str) == sorted(REQUESTS, key=str)
    assert most == 1


def test_no_more_wait_than_allowed_and_a_mistake_is_left_to_who_asks(runs, ahead, monkeypatch):
    runs.model("gpt")
    monkeypatch.setattr(module, "MOST", 1)
    gate = threading.Event()
    monkeypatch.setattr(runs, "get", lambda *_: gate.wait(10))
    ahead.prepare(REQUESTS)
    assert len(ahead._waiting) == 1
    gate.set()
    settle(ahead)
    monkeypatch.undo()
    ahead.prepare([TraceRequest("gpt", Text("A"), sites=("no.such",))])
    settle(ahead)
    ahead.prepare(REQUESTS[:1])
    settle(ahead)
    assert runs.ready(REQUESTS[0])
