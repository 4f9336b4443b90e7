"""The app on several cores: each worker has the settings that the app alone has."""

from __future__ import annotations

import os
import pickle
import socket
from unittest.mock import MagicMock

import click
import pytest
import uvicorn
from click.testing import CliRunner
from streamlit import config
from streamlit.web.server.starlette.starlette_server import UvicornRunner

from core.runs.store import Runs
from pages.parts import runs
from pages.server import workers
from tests.browser.conftest import free_port

# What differs: who makes the app, how many there are of it, and where the socket is made.
OWN = {"app", "factory", "workers", "timeout_worker_healthcheck", "host", "port", "env_file"}


@pytest.fixture(autouse=True)
def _as_before(monkeypatch):
    """Streamlit keeps its settings for the whole process."""
    monkeypatch.setattr(config, "_config_options", config._config_options)
    monkeypatch.setattr(config, "_main_script_path", config._main_script_path)
    monkeypatch.chdir(os.getcwd())
    for name in ("GLASSFORMER_WORKERS", "GLASSFORMER_PEERS", "STREAMLIT_SERVER_COOKIE_SECRET"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)


@pytest.fixture
def started(monkeypatch):
    """Starts it, and gives what the processes would have been started with."""
    found = []

    class Workers:
        def __init__(self, settings, sockets):
            found.append((settings, sockets))

        def run(self):
            for one in found[-1][1]:
                one.close()

    monkeypatch.setattr(workers, "Supervisor", Workers)

    def start(*arguments: str):
        result = CliRunner().invoke(workers.main, [*arguments], standalone_mode=False)
        if result.exception is not None:
            raise result.exception
        return found[-1]

    return start


def test_a_worker_is_served_as_the_app_alone_is(started, monkeypatch):
    port = str(free_port())
    options = ("--server.port", port, "--server.address", "127.0.0.1")
    settings, sockets = started("--workers", "3", *options)
    alone = []
    monkeypatch.setattr(uvicorn.Server, "run", lambda self, sockets: alone.append(self.config))
    with pytest.raises(SystemExit):  # as nothing was started
        UvicornRunner("app:app").run()
    ours, theirs = vars(settings), vars(alone[0])
    assert settings.workers == 3
    assert ours["ws_max_size"] == 50 * 1000 * 1000  # of .streamlit/config.toml, not uvicorn's own
    assert {n: v for n, v in ours.items() if n not in OWN} == {
        n: v for n, v in theirs.items() if n not in OWN
    }
    assert len(sockets) == 1


def test_a_worker_takes_over_every_option(started):
    settings, _sockets = started(
        "--server.port", str(free_port()), "--client.toolbarMode", "viewer"
    )
    make = pickle.loads(pickle.dumps(settings.app))  # as it reaches a process of its own
    (options,) = make.args
    config.set_option("client.toolbarMode", "minimal")
    workers.settle(options)
    assert config.get_option("client.toolbarMode") == "viewer"
    assert config.get_option("runner.postScriptGC") is False  # of .streamlit/config.toml


def test_what_one_worker_signs_another_one_knows(started):
    started("--server.port", str(free_port()))
    secret = os.environ["STREAMLIT_SERVER_COOKIE_SECRET"]
    assert len(secret) >= 32
    assert secret == config.get_option("server.cookieSecret")
    assert os.environ["GLASSFORMER_WORKERS"] == "2"


def test_a_port_that_is_taken_is_said(started):
    _settings, (own,) = started("--server.port", str(free_port()))
    assert own.fileno() == -1
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        with pytest.raises(click.ClickException, match=f"port {port} cannot be used"):
            started("--server.port", port, "--server.address", "127.0.0.1")


@pytest.mark.parametrize(("workers", "beside"), [("1", True), ("2", False)])
def test_several_workers_leave_the_cores_to_each_other(monkeypatch, workers, beside):
    """A second process for long answers belongs to one that is alone."""
    monkeypatch.setenv("GLASSFORMER_WORKERS", workers)
    monkeypatch.setattr(runs.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(runs, "SecondProcess", lambda _threads, _ready: "beside")
    monkeypatch.setattr(runs.zoo, "shelf", dict)
    store = Runs(max_model_bytes=1)
    runs.warm(store)
    assert (store.second_process == "beside") is beside


def test_with_the_server_end_the_processes_beside_it(monkeypatch):
    monkeypatch.setattr(runs, "ahead", MagicMock())
    store, jobs, beside = Runs(), MagicMock(), MagicMock()
    runs.shut_down(store)
    store.jobs, store.second_process = jobs, beside
    runs.shut_down(store)
    jobs.close.assert_called_once_with()
    beside.close.assert_called_once_with()
