"""Jobs: told step by step to all who watch, paused, stopped, in line, and never in the way."""

from __future__ import annotations

import os
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator
from multiprocessing import Pipe, active_children
from unittest import TestCase

import pytest

from core.errors import JobError, ParameterError, UnknownModelError
from core.runs import scheduler, worker_pool
from core.runs.jobs import Jobs
from core.runs.processes import NICE
from core.runs.progress import JobProgress
from core.runs.request import Context
from core.runs.scheduled_job import ScheduledJob, Watch
from core.runs.turn_queue import Visitor
from core.runs.worker import WorkerOrder, serve
from tests.runs.counting import BEGUN, STEPS, Count, InThread

PATIENCE = 60.0  # seconds


def until(true: Callable[[], bool]) -> None:
    """Wait for something that has to come about."""
    ends = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < ends, "it did not come about"
        time.sleep(0.005)


@pytest.fixture
def make() -> Iterator[Callable[..., Jobs]]:
    """Makes jobs in threads, each of which takes the steps that ``let`` lets it take."""
    made: list[Jobs] = []
    BEGUN.clear()
    STEPS.clear()

    def make(**how) -> Jobs:
        made.append(Jobs(begin=InThread, **how))
        return made[-1]

    yield make
    for one in STEPS.values():
        one.release(1000)
    for one in made:
        one.close()


@pytest.fixture
def jobs(make) -> Jobs:
    return make()


def held(name: str, n: int = 3, **how) -> Count:
    """A job that takes no step before it is let."""
    STEPS.setdefault(name, threading.Semaphore(0))
    return Count(n, name, **how)


def let(name: str, steps: int = 1) -> None:
    STEPS[name].release(steps)


def told(jobs: Jobs, one: Count, n: int, who: str = "me") -> JobProgress:
    """What is told when so many records are."""
    until(lambda: len(jobs.look(one, one, who).records) >= n)
    return jobs.look(one, one, who)


# --- told step by step, to all -------------------------------------------------------------------


def test_each_record_is_told_when_it_is_there(jobs):
    one = held("a")
    assert jobs.look(one, one, "me").records == ()
    until(lambda: jobs.look(one, one, "me").state == "running")
    let("a")
    first = told(jobs, one, 1)
    assert first.records == (0,)
    assert first.share == pytest.approx(1 / 3)
    assert not first.over
    let("a", 2)
    until(lambda: jobs.look(one, one, "me").over)
    last = jobs.look(one, one, "me")
    assert (last.state, last.records, last.share) == ("finished", (0, 1, 2), 1.0)
    assert first.records == (0,)  # what was told stays as it was


def test_who_comes_later_sees_the_same_and_nothing_runs_twice(jobs):
    one = held("a")
    jobs.look(one, one, "me")
    let("a", 2)
    mine = told(jobs, one, 2)
    theirs = jobs.look(one, one, "another")
    assert theirs.records is mine.records
    let("a")
    assert jobs.finish(one, one).records == (0, 1, 2)
    assert [one] == BEGUN


def test_what_was_waited_for_is_forgotten_after_the_time_of_grace(make):
    jobs = make(grace=0.05)
    assert jobs.finish("a", Count(large=1000)).state == "finished"
    until(lambda: jobs.nbytes == 0)  # nobody wants it any more


# --- who has left --------------------------------------------------------------------------------


def test_a_job_ends_when_nobody_has_looked_for_the_time_of_grace(make):
    jobs, one = make(grace=0.3), held("a")
    told_first = time.monotonic()
    jobs.look(one, one, "me")
    until(lambda: jobs.glance(one).state in ("running", "stopped"))
    until(lambda: jobs.glance(one).over)
    assert time.monotonic() - told_first >= 0.3
    assert jobs.glance(one).records == ()
    let("a")  # the step that it was at
    jobs.look(one, one, "me")
    until(lambda: len(BEGUN) == 2)


def test_who_looks_again_and_again_watches():
    job = ScheduledJob(1, "key", Count(), left=0.0)
    job.looks = {"a": Watch(3.0, paused=False), "b": Watch(5.0, paused=False)}
    assert job.due(10.0) == 13.0
    job.forget(13.0, 10.0)
    assert list(job.looks) == ["b"]
    job.looks["b"] = Watch(14.0, paused=False)
    assert job.due(10.0) == 24.0
    job.forget(23.9, 10.0)
    assert job.wanted
    job.forget(24.0, 10.0)
    assert not job.wanted
    assert job.due(10.0) == 24.0  # ten seconds after the last look


def test_who_has_left_gives_way_to_who_waits(jobs):
    long, other = held("a"), held("b")
    jobs.look(long, long, "me")
    until(lambda: jobs.glance(long).state == "running")
    jobs.look(other, other, "me")
    assert jobs.look(other, other, "me").ahead == 1
    jobs.leave(long, "me")  # moved on
    until(lambda: jobs.glance(long).over)
    let("a")  # the step that it was at
    until(lambda: jobs.look(other, other, "me").state == "running")


def test_nobody_waits_and_a_job_that_was_left_goes_on(jobs):
    one = held("a")
    jobs.look(one, one, "me")
    jobs.leave(one, "me")
    let("a", 3)
    until(lambda: jobs.glance(one).state == "finished")
    assert jobs.look(one, one, "back again").records == (0, 1, 2)
    assert [one] == BEGUN


# --- pause and stop ------------------------------------------------------------------------------


def test_a_job_rests_when_all_who_watch_have_paused(jobs):
    one = held("a", 9)
    jobs.look(one, one, "me")
    jobs.look(one, one, "another")
    let("a")
    told(jobs, one, 1)
    jobs.look(one, one, "me", paused=True)
    let("a")
    assert told(jobs, one, 2, "another").state == "running"
    jobs.look(one, one, "me", paused=True)
    jobs.look(one, one, "another", paused=True)
    until(lambda: jobs.glance(one).state == "resting")
    let("a", 7)
    until(lambda: STEPS["a"]._value == 6)  # one step, and no more
    until(lambda: len(jobs.glance(one).records) == 3)
    assert jobs.look(one, one, "me", paused=True).state == "resting"
    assert jobs.finish(one, one).records == tuple(range(9))


def test_while_one_rests_another_has_its_turn(jobs):
    one, other = held("a"), held("b")
    jobs.look(one, one, "me")
    let("a")
    told(jobs, one, 1)
    jobs.look(one, one, "me", paused=True)
    until(lambda: jobs.glance(one).state == "resting")
    let("a")  # it rests after the step that it was at
    until(lambda: len(jobs.glance(one).records) == 2)
    jobs.look(other, other, "another")
    until(lambda: jobs.glance(other).state == "running")
    jobs.look(one, one, "me")  # which goes on when it is its turn
    until(lambda: jobs.look(one, one, "me").state == "waiting")
    assert jobs.look(one, one, "me").ahead == 1
    let("b", 3)
    until(lambda: jobs.look(one, one, "me").state == "running")
    let("a")
    until(lambda: jobs.look(one, one, "me").state == "finished")
    assert jobs.look(one, one, "me").records == (0, 1, 2)
    assert [one, other] == BEGUN


def test_the_time_that_it_works_is_told_without_its_rests(jobs):
    one = Count(2, each=0.05)
    assert 0.1 <= jobs.finish(one, one).seconds < PATIENCE


def test_who_stops_it_alone_ends_it_at_once_and_keeps_what_was_told(jobs):
    one = held("a")
    jobs.look(one, one, "me")
    let("a")
    told(jobs, one, 1)
    jobs.leave(one, "me", stop=True)
    assert jobs.glance(one).state == "stopped"
    assert jobs.glance(one).records == (0,)
    let("a")  # the step that it was at
    jobs.look(one, one, "me")
    until(lambda: jobs.look(one, one, "me").state == "running")
    assert [one, one] == BEGUN


def test_who_stops_what_others_watch_stops_nothing(jobs):
    one = held("a")
    jobs.look(one, one, "me")
    jobs.look(one, one, "another")
    let("a")
    told(jobs, one, 1, "another")
    jobs.leave(one, "me", stop=True)
    let("a", 2)
    until(lambda: jobs.look(one, one, "another").state == "finished")


# --- in line -------------------------------------------------------------------------------------


def test_the_queue_says_its_length(jobs):
    asked = [held(name) for name in "abc"]
    for one in asked:
        jobs.look(one, one, "me")
    until(lambda: jobs.glance(asked[0]).state == "running")
    assert jobs.waiting == 2
    assert [jobs.look(one, one, "me").ahead for one in asked] == [0, 1, 2]
    let("a", 3)
    until(lambda: jobs.look(asked[1], asked[1], "me").state == "running")
    assert jobs.look(asked[2], asked[2], "me").ahead == 1
    assert jobs.waiting == 1
    assert jobs.watching == 2


def test_two_at_once_are_two_at_once(make):
    jobs = make(at_once=2)
    for name in "abc":
        jobs.look(name, held(name), "me")
    until(lambda: [jobs.glance(name).state for name in "abc"] == ["running", "running", "waiting"])


def test_the_queue_has_an_end(make, monkeypatch):
    monkeypatch.setattr(scheduler, "WAITING", 2)
    jobs = make()
    jobs.look("a", held("a"), "me")
    until(lambda: jobs.glance("a").state == "running")
    for name in "bc":
        jobs.look(name, held(name), "me")
    with pytest.raises(JobError, match="2 calculations are waiting already: try again"):
        jobs.look("d", held("d"), "me")
    assert jobs.look("b", held("b"), "another").ahead == 1  # what is known can be watched


ANN, BOB, FAR = Visitor("a", "ann"), Visitor("a", "bob"), Visitor("b", "far")


def test_a_visitor_has_a_few_and_is_told_when_to_come_again(make, monkeypatch):
    monkeypatch.setattr(scheduler, "EACH", 2)
    jobs = make()
    for name in "ab":
        jobs.look(name, held(name), "me", ANN)
    with pytest.raises(JobError, match=r"you have 2 calculations .* try again in 21 s, when one"):
        jobs.look("c", held("c"), "me", ANN)
    jobs.look("c", held("c"), "another", BOB)
    jobs.leave("b", "me")  # and what she does not look at any more gives way
    jobs.look("d", held("d"), "me", ANN)
    assert jobs.glance("b").state == "stopped"


def test_an_address_has_room_for_a_class_whatever_its_browsers_are_called(make, monkeypatch):
    monkeypatch.setattr(scheduler, "CLASS", 3)
    jobs = make()
    for name in "abc":
        jobs.look(name, held(name), name, Visitor("a", name))
    with pytest.raises(JobError, match="3 calculations are waiting already"):
        jobs.look("d", held("d"), "d", Visitor("a", "d"))
    assert jobs.look("e", held("e"), "far", FAR).ahead == 1  # behind the one that is at work


def test_visitors_take_turns(jobs):
    for name, visitor in zip("abcde", (ANN, ANN, ANN, BOB, FAR), strict=True):
        jobs.look(name, held(name, 1), name, visitor)
        until(lambda: jobs.glance("a").state == "running")
    order = ["a", "e", "d", "b", "c"]
    assert [jobs.look(name, held(name, 1), name).ahead for name in order] == [0, 1, 2, 3, 4]
    for name in order:
        until(lambda name=name: jobs.look(name, held(name, 1), name).state == "running")
        let(name)


def test_who_has_worked_long_lets_another_address_have_a_turn(jobs, monkeypatch):
    one, near, far = held("a"), held("b"), held("c")
    monkeypatch.setattr(scheduler, "TURN", 1000.0)
    jobs.look(one, one, "me", ANN)
    until(lambda: jobs.glance(one).state == "running")
    jobs._scheduler.jobs[one].since -= 2000.0
    jobs.look(near, near, "near", BOB)  # of the same address
    let("a")
    assert told(jobs, one, 1).state == "running"
    jobs.look(far, far, "far", FAR)
    until(lambda: jobs.glance(one).state == "waiting")
    let("a")
    until(lambda: jobs.glance(far).state == "running")
    let("c", 3)
    until(lambda: jobs.look(one, one, "me").state == "running")  # before it: it was begun
    assert jobs.glance(near).state == "waiting"
    let("a", 3)
    until(lambda: jobs.look(one, one, "me").state == "finished")
    assert jobs.look(one, one, "me").records == (0, 1, 2)
    assert [one, far] == BEGUN[:2]


def test_who_pauses_all_of_hers_takes_nobodys_turn(jobs, monkeypatch):
    """Of what is paused one holds a process; with two nobody who had worked long could rest."""
    monkeypatch.setattr(scheduler, "TURN", 1000.0)
    one, two, far, other = (held(name, 9) for name in "abcd")
    for job in (one, two):
        jobs.look(job, job, "me", ANN)
        until(lambda job=job: jobs.look(job, job, "me", ANN).state == "running")
        jobs.look(job, job, "me", ANN, paused=True)
        if job is one:
            until(lambda: jobs.glance(one).state == "resting")
            let("a")  # the step that it was at
    let("b")
    until(lambda: len(jobs.glance(two).records) == 1)
    assert jobs.glance(two).state == "running"  # unseen
    for job, visitor, before, name in ((far, FAR, two, "b"), (other, Visitor("c", ""), far, "c")):
        jobs._scheduler.jobs[before].since -= 2000.0
        jobs.look(job, job, name, visitor)
        until(lambda before=before: jobs.glance(before).state == "waiting")
        let(name)
        until(lambda job=job: jobs.glance(job).state == "running")
        if job is far:  # she stops hers, so that no turn of it is owed
            jobs.leave(two, "me", stop=True)
    assert jobs.glance(one).state == "resting"


# --- what goes wrong -----------------------------------------------------------------------------


def test_a_mistake_of_who_asks_is_said_as_anywhere(jobs):
    one = Count(2, then="refuse")
    with pytest.raises(ParameterError, match="n is 2; it must be another number"):
        jobs.finish(one, one)
    found = jobs.look(one, one, "me")
    assert found.state == "failed"
    assert isinstance(found.problem, ParameterError)
    assert found.records == (0, 1)
    assert [one] == BEGUN  # to look does not begin it again, ...
    jobs.look(one, one, "me", again=True)
    until(lambda: [one, one] == BEGUN)  # ... to ask for it does


def test_a_mistake_of_ours_is_in_the_log_and_has_a_number(jobs):
    one = Count(1, then="break")
    with (
        TestCase().assertLogs("core.runs.scheduler") as log,
        pytest.raises(JobError, match="went wrong") as found,
    ):
        jobs.finish(one, one)
    ident = str(found.value).rpartition(" ")[2]
    assert ident in str(found.value)
    assert ident in log.output[0]
    assert "ValueError: a mistake" in log.output[0]


def test_a_record_that_cannot_be_sent_is_a_mistake_of_ours(jobs):
    one = Count(1, then="odd")
    with (
        TestCase().assertLogs("core.runs.scheduler"),
        pytest.raises(JobError, match="went wrong"),
    ):
        jobs.finish(one, one)
    assert jobs.finish(Count(1), Count(1)).records == (0,)


def test_a_job_that_tells_too_much_is_ended(make):
    jobs = make(max_bytes=10_000)
    one = Count(50, large=1000)
    with pytest.raises(JobError, match="more than 0 MB"):
        jobs.finish(one, one)
    assert jobs.nbytes == 0
    small = Count(8, large=1000)
    assert len(jobs.finish(small, small).records) == 8
    assert 8000 < jobs.nbytes < 10_000


def test_what_is_over_makes_room_for_what_is_told(make):
    jobs = make(max_bytes=10_000)
    for n in range(4):
        one = Count(4, str(n), large=1000)
        assert len(jobs.finish(one, one).records) == 4
        assert jobs.nbytes <= 10_000


def test_when_the_server_ends_nobody_waits_any_longer(jobs):
    one, found = held("a"), []

    def wait() -> None:
        try:
            jobs.finish(one, one)
        except JobError as problem:
            found.append(problem)

    waiting = threading.Thread(target=wait)
    waiting.start()
    until(lambda: jobs.glance(one).state == "running")
    jobs.close()
    waiting.join(PATIENCE)
    assert len(found) == 1
    assert jobs.look(one, one, "me").state == "failed"


def test_a_scheduler_that_fails_lets_nobody_wait(jobs, monkeypatch):
    def fail(_self: object) -> None:
        raise RuntimeError("a mistake in the scheduler")

    monkeypatch.setattr(scheduler.Scheduler, "_arrange", fail)
    with TestCase().assertLogs("core.runs.scheduler"), pytest.raises(JobError, match="has ended"):
        jobs.finish(Count(), Count())


def test_without_room_for_a_process_it_is_said(monkeypatch):
    def no_room() -> InThread:
        raise OSError("Cannot allocate memory")

    jobs = Jobs(begin=no_room)
    with TestCase().assertLogs("core.runs.scheduler"), pytest.raises(JobError, match="has ended"):
        jobs.finish(Count(), Count())
    jobs.close()


# --- in a process of its own ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def apart() -> Iterator[Jobs]:
    jobs = Jobs()
    yield jobs
    jobs.close()


def test_a_process_can_be_there_before_the_first_job(apart):
    apart.get_ready()
    (process,) = apart._scheduler._pool._workers.values()
    assert not process.busy
    apart.get_ready()
    assert len(apart._scheduler._pool.connections) == 1


def test_a_process_does_not_run_what_runs_in_this_one(tmp_path, monkeypatch):
    """A page of Streamlit is the main script while it runs, and after that."""
    page = tmp_path / "page.py"
    page.write_text("raise RuntimeError('the page runs in another process')")
    main = types.ModuleType("__main__")
    main.__file__ = str(page)
    monkeypatch.setitem(sys.modules, "__main__", main)
    jobs = Jobs()
    assert jobs.finish(Count(1), Count(1)).records == (0,)
    jobs.close()


def test_it_is_another_process_that_gives_way_to_all_others(apart):
    one = Count(1, then="who")
    _count, (process, nice, threads) = apart.finish(one, one).records
    assert process != os.getpid()
    assert nice == os.nice(0) + NICE
    assert threads == 1
    again = Count(2, then="who")
    assert apart.finish(again, again).records[-1][0] == process  # which is there for the next


@pytest.mark.skipif(not hasattr(os, "SCHED_IDLE"), reason="Linux alone knows spare time")
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() != 0, reason="not permitted")
def test_it_takes_spare_time_unless_there_is_none(apart):
    one, after = Count(1, then="policies"), Count(1, then="who")
    _count, at_work, starved = apart.finish(one, one).records
    assert (at_work, starved) == (os.SCHED_IDLE, os.SCHED_OTHER)
    assert apart.finish(after, after).records


def test_a_process_that_dies_is_said_and_the_next_job_has_another(apart):
    one, watched = Count(1, then="die"), Count(2, "watched")
    with (
        TestCase().assertLogs("core.runs.scheduler") as log,
        pytest.raises(JobError, match="has ended") as found,
    ):
        apart.finish(one, one)
    assert "in the middle of a Count" in log.output[0]
    assert "the process that worked on this has ended" in str(found.value)
    found = apart.look(one, one, "me")
    assert (found.state, found.records) == ("failed", (0,))
    assert apart.finish(watched, watched).records == (0, 1)


def test_it_loads_models_of_the_shelf_and_no_other(apart, tmp_path):
    for name in ("hf:any/repo", str(tmp_path), "../gpt"):
        one = Count(0, name, then="load")
        with pytest.raises(UnknownModelError, match="no such model; on the shelf"):
            apart.finish(one, one)


def test_a_process_that_does_not_stop_is_ended(apart, monkeypatch, tmp_path):
    monkeypatch.setattr(worker_pool, "OBEYS", 0.1)
    hangs = tmp_path / "hangs"
    one = Count(1, str(hangs), then="hang")
    told(apart, one, 1)
    until(hangs.exists)
    before = {process.pid for process in active_children()}
    with TestCase().assertLogs("core.runs.worker_pool") as log:
        apart.leave(one, "me", stop=True)
        until(lambda: before - {process.pid for process in active_children()} != set())
    assert "did not stop" in log.output[0]
    assert apart.finish(Count(2), Count(2)).records == (0, 1)


def test_a_process_that_has_worked_gives_way_to_a_fresh_one_and_that_ends_idle(apart, monkeypatch):
    monkeypatch.setattr(worker_pool, "WORKED", 0.1)
    one, pool = Count(4, "idle"), apart._scheduler._pool
    assert len(apart.finish(one, one).records) == 4
    (worked,) = pool.connections
    monkeypatch.setattr(worker_pool, "IDLE", 0.1)
    until(lambda: worked not in pool.connections)
    until(lambda: pool.connections == ())
    other = Count(2, "another")
    assert len(apart.finish(other, other).records) == 2


@pytest.mark.parametrize("then", ["end", "refuse", "break"])
def test_memory_is_given_back_after_a_job_however_that_ended(then):
    ours, theirs = Pipe()
    context = Context(model=lambda _name: None, ask=lambda _request: None)

    def given_back() -> None:
        ours.close()  # it will hear no further order

    ours.send(WorkerOrder("begin", 1, Count(1, then=then)))
    with pytest.raises(SystemExit):
        serve(theirs, context, afterwards=given_back)
    assert ours.closed
