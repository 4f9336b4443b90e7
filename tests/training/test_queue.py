"""What the queue does next."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from core.training import queue
from core.training.cards import RUNS
from core.training.queue import QueuedRun, next_job, runs_on, work
from core.training.recipes import RECIPES

CPU = [RECIPES[name, "cpu"] for name in ("gpt", "bert", "transformer")]


def ran(tokens: float, minutes: float) -> list[dict]:
    return [{"tokens": tokens, "minutes": minutes}]


def test_what_is_missing_comes_first_in_the_order_of_the_recipes():
    assert next_job(CPU, {}, 600) == QueuedRun("gpt", CPU[0].minutes, from_shelf=False)
    there = {"gpt": ran(1e6, 60)}
    assert next_job(CPU, there, 100) == QueuedRun("bert", 100, from_shelf=False)
    assert next_job(CPU, there, 100, frozenset({"bert"})).id == "transformer"


def test_then_comes_what_has_read_least_for_the_time_there_is():
    there = {"gpt": ran(174e6, 489), "bert": ran(70e6, 195), "transformer": ran(10e6, 110)}
    # 60 minutes more: an eighth, a third, and half of what they have read.
    assert next_job(CPU, there, 60) == QueuedRun("transformer", 60, from_shelf=True)
    assert next_job(CPU, there, 60, frozenset({"transformer"})).id == "bert"
    assert next_job(CPU, there, 60, frozenset({"transformer", "bert"})).id == "gpt"
    assert next_job(CPU, there, 60, frozenset({"transformer", "bert", "gpt"})) is None


def test_all_runs_of_a_model_count():
    there = {"gpt": ran(10e6, 10) * 9, "bert": ran(10e6, 20), "transformer": ran(1e9, 1e4)}
    assert next_job(CPU, there, 60).id == "bert"


def test_a_few_minutes_are_not_worth_a_run():
    assert next_job(CPU, {}, 9.9) is None


def test_what_has_run_is_read_off_the_shelf(tmp_path):
    (tmp_path / "bert").mkdir()
    (tmp_path / "bert" / "metrics.json").write_text(json.dumps({"x": 1.0, RUNS: ran(5, 6)}))
    assert runs_on(tmp_path, CPU) == {"bert": ran(5, 6)}


@pytest.fixture
def carried_out(monkeypatch) -> list[list[str]]:
    """Commands that the queue runs, none of which does anything."""
    commands: list[list[str]] = []

    def run(arguments, check):
        commands.append(list(arguments[3:]))
        return subprocess.CompletedProcess(arguments, 0)

    monkeypatch.setattr(queue.subprocess, "run", run)
    return commands


def test_it_trains_shelves_and_goes_on_until_the_time_is_up(tmp_path, monkeypatch, carried_out):
    """The clock moves an hour a run; what is shelved is there the next time it looks."""
    now = [0.0]

    def clock() -> float:
        return now[0]

    monkeypatch.setattr(queue.time, "monotonic", clock)
    shelved: dict[str, list[dict]] = {"gpt": ran(100e6, 200), "bert": ran(50e6, 100)}

    def runs(shelf: Path, recipes) -> dict[str, list[dict]]:
        if carried_out and carried_out[-1][0] == "shelve":
            shelved.setdefault(carried_out[-1][1], ran(200e6, 600))
            now[0] += 3600
        return shelved

    monkeypatch.setattr(queue, "runs_on", runs)
    said: list[str] = []
    work(CPU, 120, tmp_path, ["--corpora", "c"], said.append)
    trained = [words for words in carried_out if words[0] != "shelve"]
    assert [words[0] for words in trained] == ["transformer", "bert"]
    assert ["--from-shelf" in words for words in trained] == [False, True]
    assert all(words[1:3] == ["--corpora", "c"] for words in trained)
    assert trained[1][3:5] == ["--minutes", "60.0"]
    assert [words[1] for words in carried_out if words[0] == "shelve"] == ["transformer", "bert"]
    assert said == ["transformer: 90 minutes", "bert: 60 minutes"]


def test_what_became_no_better_is_not_tried_again(tmp_path, monkeypatch):
    commands: list[list[str]] = []

    def run(arguments, check):
        commands.append(list(arguments[3:]))
        return subprocess.CompletedProcess(arguments, int(arguments[3] == "shelve"))

    monkeypatch.setattr(queue.subprocess, "run", run)
    there = {"gpt": ran(174e6, 489), "bert": ran(70e6, 195), "transformer": ran(10e6, 110)}
    monkeypatch.setattr(queue, "runs_on", lambda shelf, recipes: there)
    work(CPU, 60, tmp_path, [], lambda line: None)
    assert [c[0] for c in commands if c[0] != "shelve"] == ["transformer", "bert", "gpt"]
