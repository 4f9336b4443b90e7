"""What a card says of the run, read from its log."""

from __future__ import annotations

import json

from core.training.cards import _runs, command, run_facts
from core.training.loop import LOG_FILE
from core.training.recipes import RECIPES

START = {"event": "start", "steps": 100, "probe_tokens_per_s": 500, "seed": 3, "minutes": 2.0,
         "processes": 1, "threads": 2, "parameters": 10}  # fmt: skip
RECIPE = RECIPES["gpt", "cpu"]
ASKED = "python -m core.training gpt --tier cpu --corpora DIR --seed 3 --steps 100"


def facts(tmp_path, *records: dict, without: str = "") -> dict:
    """The facts of a log of these lines, after a start without one of its keys."""
    start = {name: value for name, value in START.items() if name != without}
    (tmp_path / LOG_FILE).write_text("".join(json.dumps(r) + "\n" for r in (start, *records)))
    return run_facts(tmp_path)


def step(n: int) -> dict:
    return {"step": n, "tokens": n * 64, "losses": [1.0], "seconds": n * 1.0}


def early(at: int, count: int) -> dict:
    return {"event": "early cool-down", "step": at, "steps_left": count}


def resumed(at: int) -> dict:
    return {"event": "resume", "step": at}


def test_a_run_that_went_as_planned(tmp_path):
    found = facts(tmp_path, step(80), step(100), {"step": 100, "held_out": {"a": [1.0]}})
    assert (found["steps"], found["planned_steps"], found["minutes"]) == (100, 100, 2)
    assert found["cool_downs"] == []
    assert found["notes"] == []
    assert command(RECIPE, found) == ASKED + " --threads 2"


def test_a_run_cut_short_names_its_plan_and_where_it_was_cut(tmp_path):
    found = facts(tmp_path, step(20), early(25, 15), step(40))
    assert (found["steps"], found["planned_steps"]) == (40, 100)
    assert found["cool_downs"] == [(25, 15)]
    assert command(RECIPE, found) == ASKED + " --cool-down-at 25 15 --threads 2"


def test_a_run_cut_twice_names_both(tmp_path):
    found = facts(tmp_path, step(20), early(25, 15), step(30), resumed(30), early(30, 40), step(70))
    cuts = " --cool-down-at 25 15 --cool-down-at 30 40"
    assert command(RECIPE, found) == ASKED + cuts + " --threads 2"


def test_a_cut_that_was_itself_lost_does_not_count(tmp_path):
    """Logged, then the machine stopped before a checkpoint; the resumed run was faster, or cut
    elsewhere."""
    assert facts(tmp_path, early(25, 15), resumed(20), step(100))["cool_downs"] == []
    found = facts(tmp_path, early(25, 15), resumed(20), early(22, 16), step(38))
    assert found["cool_downs"] == [(22, 16)]


def test_logs_from_before_threads_were_noted_are_read(tmp_path):
    assert command(RECIPE, facts(tmp_path, step(100), without="threads")) == ASKED


def test_a_run_that_two_others_come_from_is_told_of_once(tmp_path):
    """In the words of the log that is read first."""
    plain = facts(tmp_path, step(100))
    noted = {**plain, "notes": ["It rained."]}
    longest = {**plain, "after": {**plain, "after": noted}}
    short = {**plain, "after": plain}  # after the same run
    told = _runs(
        RECIPES["gpt", "cpu-taught"], {**plain, "after": longest, "teachers": [short, longest]}
    )
    assert [(recipe.tier, its["notes"]) for recipe, its in told] == [
        ("cpu-longer", ["It rained."]),
        ("cpu-longest", []),
        ("cpu-longest-512", []),
        ("cpu-512", []),
        ("cpu-taught", []),
    ]
