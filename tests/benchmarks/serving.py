"""The app of a checkout, and the smallest app there is, each in a process of its own."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.browser.conftest import free_port

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
EMPTY = HERE / "empty" / "app.py"
PATIENCE = 120.0  # seconds


@dataclass(frozen=True)
class Server:
    """A server that answers.

    Attributes:
        address: ``http://host:port``.
        process: its id.
        log: the file into which it writes.
    """

    address: str
    process: int
    log: Path

    def said(self, most: int = 3000) -> str:
        """The end of what it has written."""
        return self.log.read_text(errors="replace")[-most:]

    @property
    def cpu(self) -> float:
        """Seconds that it has worked, which other programs of the machine hardly change."""
        return _worked(psutil.Process(self.process))

    @property
    def processes(self) -> list[psutil.Process]:
        """It, and those that it has begun: its workers, and the second process of one alone."""
        first = psutil.Process(self.process)
        return [first, *first.children(recursive=True)]

    @property
    def cpu_of_all(self) -> float:
        """Seconds that all its processes have worked."""
        return sum(map(_worked, self.processes))

    @property
    def memory(self) -> int:
        """Bytes resident, in all its processes."""
        return sum(one.memory_info().rss for one in self.processes)

    def ready(self, workers: int) -> bool:
        """Whether so many workers have loaded what they need."""
        return self.log.read_text(errors="replace").count("startup complete") >= workers


def _worked(process: psutil.Process) -> float:
    if sys.platform == "linux":
        return time.clock_gettime(~process.pid << 3 | 2)  # as clock_getcpuclockid() makes it
    times = process.cpu_times()
    return float(times.user + times.system)


@contextlib.contextmanager
def serve(app: Path, settings: Path, workers: int = 1) -> Iterator[Server]:
    """Start an app and wait until it answers.

    Args:
        app: the file that makes it.
        settings: the checkout whose ``.streamlit/config.toml`` holds, and from which it is started.
        workers: processes that share its address, where the checkout can do so (its pages/server).

    Raises:
        RuntimeError: it ended, or did not answer in time; with what it said.
    """
    port = free_port()
    several = ["-m", "pages.server", "--workers", str(workers)]
    with tempfile.NamedTemporaryFile() as log:
        process = subprocess.Popen(
            [sys.executable, *(several if workers > 1 else ["-m", "streamlit", "run", str(app)]),
             "--server.port", str(port), "--server.address", "127.0.0.1",
             "--server.headless", "true"],
            cwd=settings, stdout=log, stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONPATH": str(settings)},
        )  # fmt: skip
        try:
            address = f"http://127.0.0.1:{port}"
            server = Server(address, process.pid, Path(log.name))
            if not _answers(f"{address}/_stcore/health", process):
                raise RuntimeError(f"{app} does not answer: {server.said()}")
            while workers > 1 and not server.ready(workers) and process.poll() is None:
                time.sleep(0.1)
            yield server
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextlib.contextmanager
def both(checkout: Path) -> Iterator[tuple[Server, Server]]:
    """The app of a checkout, and the empty one with the same settings."""
    with serve(checkout / "app.py", checkout) as app, serve(EMPTY, checkout) as empty:
        yield app, empty


def _answers(url: str, process: subprocess.Popen[bytes]) -> bool:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=2):
                return True
        except OSError:
            time.sleep(0.1)
    return False
