"""What a process of the app sees to: its threads, its memory, and when it gives way or ends."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import gc
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing import get_context, parent_process
from multiprocessing.context import SpawnContext

import torch
from threadpoolctl import threadpool_limits

# A process that is as nice as this has a tenth of a core beside one that wants all of it: with 19
# it would have a sixtieth, and on a busy machine not even begin.
NICE = 10
# Seconds after which a thread lets another run. A traced run lets go of Python's lock at each of
# PyTorch's operations, and waits so long each time behind a thread that does not: beside three of
# those it took twelve times as long as alone with Python's 5 ms, now four times, as is fair.
SWITCH = 0.0005
LEAST = 0.1  # of a core that work in spare time gets, or it is merely nice ...
LOOK, NICELY = 0.5, 5.0  # seconds: after so many that is seen, and for so many it is


def limit_threads(threads: int = 1) -> None:
    """Give PyTorch and NumPy so many threads of the machine.

    One gives a class more throughput than two that fight each other: NumPy's product of 12
    units with 8,192 words takes 3 ms with one, 20 with two when both cores are busy.
    """
    torch.set_num_threads(threads)
    threadpool_limits(threads, user_api="blas")


def end_with_parent() -> None:
    """End this process when the one that began it does, however that ends."""
    first = parent_process()
    if first is None:
        return

    def end_with_it() -> None:
        first.join()
        os._exit(0)

    threading.Thread(target=end_with_it, daemon=True).start()


def give_back() -> None:
    """Give the system the memory back that nothing needs any more."""
    gc.collect()
    trim = _trim()
    if trim is not None:
        trim(0)


@functools.cache
def _trim() -> Callable[[int], int] | None:
    """Glibc keeps what was freed for later, hundreds of MB; elsewhere there is nothing to do."""
    with contextlib.suppress(AttributeError, OSError, TypeError):
        trim: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
        return trim
    return None


def spawning() -> SpawnContext:
    """How another process is begun: a fork would copy locks that other threads hold.

    What runs in this one is not run there again, as multiprocessing does with a main script: in a
    server of Streamlit that is the page which somebody opened last.
    """
    main = sys.modules["__main__"]
    if main.__spec__ is None:
        main.__spec__ = type(threading.__spec__)("__main__", None)
    return get_context("spawn")


def give_way() -> None:
    """Let this process give way to all that learners wait for."""
    with contextlib.suppress(AttributeError):  # where there is no such thing
        os.nice(NICE)


@contextlib.contextmanager
def in_spare_time() -> Iterator[None]:
    """Work only while a core has nothing else to do, except where that would be hardly ever.

    To Linux a core with such work is an idle one, where whoever is woken goes at once. One with
    work that is merely nice is not: thirty learners who generated texts beside a job waited for
    each other on the other core (p95 446 ms where it was 212; now 257 where it is 237).

    Does nothing where a process may not take back that it gives way: other users than root may
    with an RLIMIT_NICE of 10.
    """
    if not _may_take_back():
        yield
        return
    done = threading.Event()
    watch = threading.Thread(target=_see_to_its_share, args=(done,), daemon=True)
    watch.start()
    try:
        yield
    finally:
        done.set()
        watch.join()


@functools.cache
def _may_take_back() -> bool:
    """Whether a thread of this process can be one that has spare time, and then a usual one."""
    tried: list[bool] = []

    def attempt() -> None:
        with contextlib.suppress(AttributeError, OSError):  # no such thing; not permitted
            for policy in (os.SCHED_IDLE, os.SCHED_OTHER):
                os.sched_setscheduler(0, policy, os.sched_param(0))
            tried.append(True)

    thread = threading.Thread(target=attempt)
    thread.start()
    thread.join()
    return bool(tried)


def _see_to_its_share(done: threading.Event) -> None:
    """Let the other threads have spare time, and turns in which they are usual ones."""
    while not done.is_set():
        _all_others(os.SCHED_IDLE)
        _wait_while_they_work(done)
        _all_others(os.SCHED_OTHER)
        done.wait(NICELY)


def _wait_while_they_work(done: threading.Event) -> None:
    """Return when they are done, or have hardly worked for a while."""
    worked, began = time.process_time(), time.perf_counter()
    while not done.wait(LOOK):
        now, wall = time.process_time(), time.perf_counter()
        if now - worked < LEAST * (wall - began):
            return
        worked, began = now, wall


def _all_others(policy: int) -> None:
    """Have all threads of this process but this one scheduled so."""
    _schedule(os.getpid(), policy)


def let_end(process: int) -> None:
    """Take it back that a process has spare time alone: where there is none, it could not end."""
    with contextlib.suppress(AttributeError, OSError):  # no such thing; it has ended
        _schedule(process, os.SCHED_OTHER)


def _schedule(process: int, policy: int) -> None:
    """Have all threads of a process scheduled so, but the one that asks for it."""
    for thread in map(int, os.listdir(f"/proc/{process}/task")):
        if thread != threading.get_native_id():
            with contextlib.suppress(OSError):  # it has ended
                os.sched_setscheduler(thread, policy, os.sched_param(0))
