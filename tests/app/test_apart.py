"""The process that makes files ends when it is idle, and never with a file in hand."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from pages.server import apart
from pages.server.apart import FileProcess


class Timer:
    """Goes off when a test says so, even after it was cancelled: then it was already under way."""

    made: list[Timer]

    def __init__(self, _seconds: float, act) -> None:
        self.act, self.daemon = act, False
        Timer.made.append(self)

    def start(self) -> None: ...

    def cancel(self) -> None: ...

    def go_off(self) -> None:
        """In a thread of its own, which may have to wait for a lock."""
        thread = threading.Thread(target=self.act, daemon=True)
        thread.start()
        thread.join(0.2)


class Pool(ThreadPoolExecutor):
    """A thread in place of the process; a test may act as a file is handed in."""

    made: list[Pool]

    def __init__(self, n: int, _spawning, initializer) -> None:
        super().__init__(n)
        Pool.made.append(self)

    def submit(self, *what):
        for act in handed_in:
            act()
        return super().submit(*what)


handed_in: list = []


@pytest.fixture
def one(monkeypatch) -> Iterator[FileProcess]:
    Timer.made, Pool.made = [], []
    handed_in.clear()
    monkeypatch.setattr(apart.threading, "Timer", Timer)
    monkeypatch.setattr(apart, "ProcessPoolExecutor", Pool)
    made = FileProcess()
    yield made
    handed_in.clear()
    made.close()


def a_file(*acts):
    for act in acts:
        act()
    return ["made"]


def test_an_idle_timer_that_goes_off_as_a_file_is_handed_in_ends_nothing(one):
    assert [*one.pieces(a_file)] == ["made"]
    handed_in.append(Timer.made[-1].go_off)
    assert [*one.pieces(a_file)] == ["made"]
    assert len(Pool.made) == 1


def test_nor_does_one_that_goes_off_while_it_is_made(one):
    assert [*one.pieces(a_file)] == ["made"]
    assert [*one.pieces(a_file, Timer.made[-1].go_off)] == ["made"]
    assert len(Pool.made) == 1


def test_after_its_idle_time_it_ends_and_another_begins(one):
    for n in (1, 2, 3):
        assert [*one.pieces(a_file)] == ["made"]
        assert len(Pool.made) == n
        Timer.made[-1].go_off()


def test_a_process_that_broke_is_replaced_and_its_successor_stays(one, monkeypatch):
    def broken(*_what):
        raise RuntimeError("a process of the pool ended")

    assert [*one.pieces(a_file)] == ["made"]
    monkeypatch.setattr(Pool.made[0], "submit", broken, raising=False)
    with pytest.raises(RuntimeError):
        [*one.pieces(a_file)]
    assert [*one.pieces(a_file)] == ["made"]
    assert len(Pool.made) == 2
