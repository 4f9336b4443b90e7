"""Of a page's first run, and of those that come meanwhile."""

from __future__ import annotations

import threading
import time

import pytest

from pages.parts.first_runs import alone_at_first


def test_what_comes_during_the_first_run_waits_and_then_goes_side_by_side():
    inside, most, together = [0], [0], threading.Barrier(3)
    first_is_over = threading.Event()

    def run() -> None:
        with alone_at_first("side-by-side"):
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            if first_is_over.is_set():
                together.wait(10)  # all others are in it at once
            else:
                time.sleep(0.05)
                assert inside[0] == 1
            inside[0] -= 1
            first_is_over.set()

    threads = [threading.Thread(target=run) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(20)
        assert not one.is_alive()
    assert most[0] > 1


def test_a_first_run_that_fails_is_over_too():
    with pytest.raises(ValueError, match="amiss"), alone_at_first("failing"):
        raise ValueError("amiss")
    with alone_at_first("failing"):
        pass
    with alone_at_first("failing"), alone_at_first("failing"):
        pass
