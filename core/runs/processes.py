"""What a process of the app sees to: how many threads it takes, and when it gives way or ends."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from multiprocessing import get_context, parent_process
from multiprocessing.context import SpawnContext

import torch
from threadpoolctl import threadpool_limits

# A process that is as nice as this has a tenth of a core beside one that wants all of it: with 19
# it would have a sixtieth, and on a busy machine not even begin.
NICE = 10


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
