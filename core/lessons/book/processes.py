"""The lessons of a book made side by side, in processes of their own."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.queues import SimpleQueue
from threading import Thread

from core.errors import JobError
from core.language import N_
from core.lessons.book.job import Bind, BookJob, Bound, Done, bound, in_turn
from core.runs.processes import end_with_parent, limit_threads, spawning
from core.runs.store import Runs

Titles = SimpleQueue[str | None]  # of the lessons, one for each screen that is made


def side_by_side(n: int) -> Bind:
    """Jobs are carried out by so many processes, each with models of its own; one is this one.

    Each has one thread: the numbers do not hang on how many there are, and two that share a core
    only wait for each other.
    """
    if n == 1:
        limit_threads()
        return in_turn(Runs().get)

    def bind(jobs: Sequence[BookJob], done: Done) -> Iterator[Bound]:
        context = spawning()
        titles: Titles = context.SimpleQueue()
        hears = Thread(target=_hear, args=(titles, done), daemon=True)
        hears.start()
        pool = ProcessPoolExecutor(n, context, initializer=_begin, initargs=(titles,))
        try:
            for future in as_completed([pool.submit(_bound, job) for job in jobs]):
                yield future.result()
            titles.put(None)
            hears.join()
        except BrokenProcessPool as problem:
            raise JobError(N_("a process that made a lesson has ended; with fewer of them each "
                              "has more memory (--processes)")) from problem  # fmt: skip
        finally:
            pool.shutdown(cancel_futures=True)

    return bind


def _hear(titles: Titles, done: Done) -> None:
    """Note each screen that a process has made, until there are no more."""
    while (title := titles.get()) is not None:
        done(title)


# --- in such a process ----------------------------------------------------------------------------


class _Own:
    """What a process has for all the lessons that it makes."""

    runs: Runs
    titles: Titles


def _begin(titles: Titles) -> None:
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # it has nothing to say when all is stopped
    limit_threads()
    _Own.runs, _Own.titles = Runs(), titles


def _bound(job: BookJob) -> Bound:
    return bound(job, _Own.runs.get, _Own.titles.put)
