"""Workers that end or hang: others are started at once, and none of them is waited for."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator

import psutil
import pytest

LONG = 600  # seconds in which nobody need answer: whoever waits for an answer fails the test
PATIENCE = 60  # seconds; a machine may have other things to do
SERVE = """
import socket, sys, uvicorn
from pages.server.workers import Supervisor

own = socket.socket()
own.bind(("127.0.0.1", 0))
own.listen()
settings = uvicorn.Config("starlette.applications:Starlette", factory=True, workers=2,
                          timeout_worker_healthcheck=int(sys.argv[1]), log_level="critical")
Supervisor(settings, [own]).run()
"""


class Served:
    """Two workers of an empty app, and who starts them again."""

    def __init__(self, within: int) -> None:
        command = [sys.executable, "-c", SERVE, str(within)]
        self.parent = psutil.Popen(command)
        self.first = self.two()

    def workers(self) -> dict[int, psutil.Process]:
        """Those that run; a child of Python's own, which tracks resources, is none."""
        return {
            one.pid: one
            for one in self.parent.children()
            if one.status() != psutil.STATUS_ZOMBIE and "spawn_main" in "".join(one.cmdline())
        }

    def two(self, without: Callable[[int], bool] = lambda _pid: False) -> list[psutil.Process]:
        """Two workers, once there are two, none of which is one of these."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                found = self.workers()
            except psutil.NoSuchProcess:
                found = {}
            if len(found) == 2 and not any(map(without, found)):
                return list(found.values())
            assert time.monotonic() < until, found
            time.sleep(0.05)

    def end(self) -> None:
        for one in [self.parent, *self.parent.children()]:
            one.kill()
        self.parent.wait()


@pytest.fixture
def served(request: pytest.FixtureRequest) -> Iterator[Served]:
    found = Served(request.param)
    yield found
    found.end()


@pytest.mark.parametrize("served", [LONG], indirect=True)
def test_who_owes_an_answer_holds_up_nobody_and_two_that_are_killed_come_back(served):
    stopped, killed = served.first
    stopped.send_signal(signal.SIGSTOP)
    time.sleep(1.5)  # it has been asked meanwhile
    killed.kill()
    now = served.two(lambda pid: pid == killed.pid)
    assert stopped.pid in {one.pid for one in now}
    for one in now:
        one.kill()
    served.two(lambda pid: pid in {one.pid for one in now})


@pytest.mark.parametrize("served", [2], indirect=True)
def test_who_never_answers_is_ended(served):
    stopped, other = served.first
    stopped.send_signal(signal.SIGSTOP)
    now = served.two(lambda pid: pid == stopped.pid)
    assert other.pid in {one.pid for one in now}
