"""What is worked out in a second process is what it would be in this one."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing import active_children
from typing import Any
from unittest import TestCase

import numpy as np
import pytest

from core import zoo
from core.decoding.settings import Sampling
from core.errors import CoreError
from core.inputs import Text
from core.runs import second_process as module
from core.runs.kinds.gaps import GapRequest
from core.runs.kinds.generation import GenerateRequest
from core.runs.kinds.trace import TraceRequest
from core.runs.kinds.words import WordsRequest
from core.runs.request import Request
from core.runs.second_process import SecondProcess
from core.runs.store import Runs
from core.runs.turn_queue import Visitor, asking
from tests.runs.test_jobs import until

TEXT = "The cat sat on the"
SENT = [
    GenerateRequest("gpt", TEXT, 3, Sampling(temperature=0.8, top_p=0.9)),
    WordsRequest("gpt", TEXT, (("mat", "Mat"),), 3),
    GapRequest("bert", "gpt", f"{TEXT} mat", "1,5"),
]


@pytest.fixture(scope="module")
def beside() -> Iterator[SecondProcess]:
    one = SecondProcess()
    yield one
    one.close()


def here() -> Any:
    raise AssertionError("it was worked out here")


def numbers(answer: Any) -> bytes:
    """An answer as data, without the time that it took."""
    one = pickle.loads(pickle.dumps(answer))
    seen: list[Any] = []

    def walk(value: Any) -> None:
        if isinstance(value, np.ndarray):
            seen.append((value.dtype.str, value.shape, value.tobytes()))
        elif isinstance(value, (tuple, list)):
            for part in value:
                walk(part)
        elif hasattr(value, "__dataclass_fields__"):
            for name in value.__dataclass_fields__:
                if name != "seconds":
                    walk(getattr(value, name))
        else:
            seen.append(value)

    walk(one)
    return pickle.dumps(seen)


@pytest.mark.parametrize("request_", SENT, ids=lambda one: type(one).__name__)
def test_the_answer_is_that_of_this_process(beside, request_: Request):
    assert numbers(beside.answer(request_, "cpu", here)) == numbers(Runs().get(request_, "cpu"))


def test_what_is_quick_or_large_is_worked_out_here(beside):
    assert beside.answer(TraceRequest("gpt", Text(TEXT)), "cpu", lambda: "here") == "here"
    unknown = GenerateRequest("my own", TEXT, 3, Sampling())
    assert beside.answer(unknown, "cpu", lambda: "here") == "here"


def test_the_second_process_leaves_a_graphics_card_to_the_first(monkeypatch):
    class Theirs:
        def get(self, request, device="auto"):
            asked.append(device)

    asked: list[str] = []
    second = module._Answerer()
    monkeypatch.setattr(second, "runs", Theirs())
    second.answer(SENT[0])
    assert asked == ["cpu"]


def test_the_second_process_holds_no_more_models_than_it_has_room_for():
    theirs = module._Answerer().runs
    known = {name: theirs.model(name, "cpu").nbytes for name in zoo.shelf()}
    kept = [name for name in known if theirs.has_model(name, "cpu")]
    assert sum(known.values()) > module.MODEL_BYTES  # else it would say nothing
    assert 0 < sum(known[name] for name in kept) <= module.MODEL_BYTES
    asked_by_one_page = ("gpt", "bert", "elmo", "t5", "bart")  # in turn, at every click
    assert sum(known[name] for name in asked_by_one_page) <= module.MODEL_BYTES


def test_a_mistake_is_the_one_that_this_process_finds(beside):
    runs = Runs()
    runs.second_process = beside
    with pytest.raises(CoreError) as found:
        runs.get(GenerateRequest("bert", TEXT, 3, Sampling()), "cpu")
    assert "BERT" in str(found.value)
    # The other process is still there.
    assert beside.answer(SENT[0], "cpu", here).steps


def test_who_waits_for_a_turn_makes_nobody_wait_who_asks_for_the_same():
    runs, asked = Runs(), SENT[0]
    runs.second_process = one = SecondProcess()
    stranger, learner = Visitor("far"), Visitor("near")

    def ask(visitor: Visitor) -> bytes:
        with asking(visitor):
            return numbers(runs.get(asked, "cpu"))

    with ThreadPoolExecutor(2) as threads:
        with one._turns.held(stranger):  # at work on something else
            waits = threads.submit(ask, stranger)
            until(lambda: len(one._turns._line) == 1)
            found = threads.submit(ask, learner).result(60)
            assert not waits.done()
        assert waits.result(60) == found
    one.close()


def test_what_is_asked_for_within_a_turn_needs_no_other():
    """The gap's words are asked for here, where the other process could not answer the gap."""

    class CannotAnswer:
        def answer(self, _request: Request) -> None:
            return None

    runs = Runs()
    runs.second_process = one = SecondProcess()
    one._second.result()
    one._second = Future()
    one._second.set_result(CannotAnswer())
    found = ThreadPoolExecutor(1).submit(runs.get, SENT[2], "cpu").result(60)
    assert numbers(found) == numbers(Runs().get(SENT[2], "cpu"))
    one.close()


def test_what_one_asks_another_may_ask_at_the_same_time(beside):
    """Each in a thread of its own there: a stranger's long one does not hold a learner's up."""
    with ThreadPoolExecutor(3) as threads:
        found = [*threads.map(lambda one: numbers(beside.answer(one, "cpu", here)), SENT)]
    assert found == [numbers(Runs().get(one, "cpu")) for one in SENT]


def test_it_answers_as_before_when_it_has_given_memory_back(beside):
    beside.give_back()
    found = beside.answer(SENT[0], "cpu", here)
    assert numbers(found) == numbers(Runs().get(SENT[0], "cpu"))


def test_without_the_second_process_the_first_answers():
    before, one = set(active_children()), SecondProcess()
    runs = Runs()
    runs.second_process = one
    one.answer(SENT[0], "cpu", here)
    [process] = set(active_children()) - before
    process.kill()
    process.join()
    with TestCase().assertLogs("core.runs.second_process") as log:
        assert len(runs.get(GenerateRequest("gpt", "A dog", 2, Sampling()), "cpu").steps) == 2
    assert "second process has ended" in log.output[0]
    one.close()
    one.give_back()  # nobody is there who could
