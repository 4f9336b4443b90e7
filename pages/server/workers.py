"""The app on several cores: some workers, each a whole server, behind one address.

    make run WORKERS=4
    python -m pages.server --workers 4 --server.port 8501

Every option of ``streamlit run`` is one of this command too. Streamlit itself starts one process
only, so this does what it does (``streamlit.web.cli``, 1.67), for several: its settings, its
socket, its limits of the websocket. A worker that ends is started again.
"""

from __future__ import annotations

import logging
import os
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import uvicorn
from streamlit import config
from streamlit.web import bootstrap
from streamlit.web.cli import configurator_options
from streamlit.web.server.starlette import starlette_server
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors.multiprocess import Multiprocess, Process

from pages.server import key
from pages.server.peers import FOLDER

if TYPE_CHECKING:
    from streamlit import App

log = logging.getLogger("glassformer")
APP = Path(__file__).resolve().parent.parent.parent / "app.py"
ALIVE_WITHIN = 60  # seconds: a worker that loads its models beside others may not answer sooner


class Supervisor(Multiprocess):
    """Starts again at once what has ended, and what has not answered for too long.

    uvicorn (0.54) waits for the answer of one worker before it looks at the next one: up to
    ``ALIVE_WITHIN``, if one ends just when it is asked.
    """

    def __init__(self, settings: uvicorn.Config, sockets: list[Any]) -> None:
        super().__init__(settings, sockets)
        self._asked: dict[int | None, float] = {}  # by a worker's id, since when it owes an answer

    def keep_subprocess_alive(self) -> None:
        """Look at every worker once, and wait for none; called twice a second."""
        for place, worker in enumerate(self.processes):
            if self.should_exit.is_set():
                return
            if self._lives(worker):
                continue
            worker.kill()
            worker.join()
            self._asked.pop(worker.pid, None)
            if worker.exitcode == STARTUP_FAILURE:  # another one would fail in the same way
                log.error("worker %s could not start", worker.pid)
                self.should_exit.set()
                return
            log.warning("worker %s has ended; another one is started", worker.pid)
            self.processes[place] = Process(self.config, self.sockets)
            self.processes[place].start()

    def _lives(self, worker: Process) -> bool:
        """Whether it runs, and has answered the last question or may still do so."""
        if not worker.process.is_alive():
            return False
        answers = worker.parent_conn
        if worker.pid in self._asked and answers.poll():
            answers.recv()
            del self._asked[worker.pid]
        if worker.pid not in self._asked:
            answers.send(b"ping")
            self._asked[worker.pid] = time.monotonic()
        return time.monotonic() - self._asked[worker.pid] < self.config.timeout_worker_healthcheck


@click.command(context_settings={"auto_envvar_prefix": "STREAMLIT"})
@configurator_options
@click.option("--workers", default=2, type=click.IntRange(1), help="Processes: one for each core.")
def main(workers: int, **options: Any) -> None:
    """Serve the app with several processes, until Ctrl+C."""
    settle(options)
    os.environ["GLASSFORMER_WORKERS"] = str(workers)  # pages/parts/runs.py reads it
    with tempfile.TemporaryDirectory(prefix="glassformer-") as folder:
        os.environ[FOLDER] = folder
        _serve(workers, options)


def _serve(workers: int, options: dict[str, Any]) -> None:
    key.settle()
    # What one of them has signed another one must know.
    os.environ["STREAMLIT_SERVER_COOKIE_SECRET"] = config.get_option("server.cookieSecret")
    host = starlette_server._get_server_address()
    address = starlette_server._get_bind_address(host)
    settings = uvicorn.Config(
        partial(app_of_worker, options),
        factory=True,
        workers=workers,
        timeout_worker_healthcheck=ALIVE_WITHIN,
        **starlette_server._get_uvicorn_config_kwargs(),
    )
    port = config.get_option("server.port")
    try:
        listener, _ = starlette_server._bind_server_socket(host, address, port, settings.backlog)
    except OSError as problem:
        raise click.ClickException(f"port {port} cannot be used: {problem.strerror}") from None
    bootstrap._print_url(is_running_hello=False)
    Supervisor(settings, [listener]).run()


def settle(options: dict[str, Any]) -> None:
    """Take over Streamlit's settings, as from its command line."""
    os.chdir(APP.parent)
    config._main_script_path = str(APP)
    bootstrap.load_config_options(options)


def app_of_worker(options: dict[str, Any]) -> App:
    """The app, in the process of a worker."""
    settle(options)
    bootstrap._fix_sys_path(str(APP))
    bootstrap._fix_sys_argv(str(APP), [])
    # Streamlit's settings have just given it one; a line for each request is of use to nobody.
    logging.getLogger("uvicorn.access").handlers.clear()
    from app import app
    from core.runs.processes import end_with_parent

    end_with_parent()
    return app
