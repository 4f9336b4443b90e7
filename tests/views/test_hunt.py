"""The hunt: what is shown says nothing of the fault, and the score counts what was paid."""

from __future__ import annotations

import itertools
import json

import pytest

from core.faults.table import FAULTS, LADDER
from core.figures.values import to_csv
from core.runs.kinds.faults import _drawn
from core.views.hunt import FULL, GIVEN_UP, WRONG, standing
from tests.views.records import shown

TEXT = "the cat sat on the mat"


def of(runs, view="weights", **values):
    return shown(runs, f"hunt.{view}", model="gpt", text=TEXT, hunt_seed="7", **values)


def hidden(runs):
    return of(runs)[1].runs.fault


@pytest.mark.parametrize("view", ["weights", "sizes", "guesses"])
def test_nothing_that_is_sent_names_the_fault_or_the_healthy_run(runs, view):
    found, record = of(runs, view)
    sent = [json.dumps(found.show(record).payload().header), to_csv(found.values(record)),
            str(found.describe(record)), found.show(record).drawing("light")]  # fmt: skip
    words = [word for one in FAULTS for word in (one.id, one.name, one.shows, one.wrong)]
    for text in sent:
        assert not [word for word in words if word in text]
        assert "healthy" not in text
    assert record.sides == ("broken",)


def test_a_probe_shows_the_healthy_run_where_it_was_bought(runs):
    assert of(runs, "guesses", hunt_probes="g")[1].sides == ("broken", "healthy")
    assert of(runs, "sizes", hunt_probes="g")[1].sides == ("broken",)
    assert of(runs, "guesses", hunt_probes="rg")[1].sides == ("broken", "again", "healthy")
    assert of(runs, "weights", hunt_probes="w")[1].sides == ("broken", "healthy")


def test_the_same_number_hides_the_same_bug_from_everybody(runs):
    assert hidden(runs) == hidden(runs)
    names = {shown(runs, "hunt.sizes", model="gpt", text=TEXT, hunt_seed=str(n))[1].runs.fault
             for n in range(12)}  # fmt: skip
    assert len(names) > 3


def test_probes_and_wrong_diagnoses_cost_points(runs):
    own = hidden(runs)
    wrong = next(one.id for one in FAULTS if one.id != own)
    now = standing(of(runs)[1])
    assert (now.over, now.points) == (False, FULL)
    now = standing(of(runs, hunt_probes="gw", hunt_tries=wrong)[1])
    assert (now.over, now.points, now.wrong) == (False, FULL - 3 - WRONG, (wrong,))
    now = standing(of(runs, hunt_probes="r", hunt_tries=f"{wrong} {own}")[1])
    assert (now.over, now.solved, now.points) == (True, True, FULL - 1 - WRONG)
    # What is diagnosed after the answer was seen counts for nothing.
    now = standing(of(runs, hunt_tries=f"{GIVEN_UP} {own}")[1])
    assert (now.over, now.solved, now.points) == (True, False, 0)
    every = " ".join(one.id for one in FAULTS if one.id != own)
    assert standing(of(runs, hunt_tries=every)[1]).points == 0


def test_the_first_number_hides_the_plainest_bug(runs):
    assert shown(runs, "hunt.sizes", model="gpt", text=TEXT)[1].runs.fault == LADDER[0]


def test_the_next_number_hides_another_bug():
    drawn = [_drawn(seed, 9) for seed in range(90)]
    assert all(one != other for one, other in itertools.pairwise(drawn))
    assert drawn[1:10] == list(range(9))  # from plain to subtle
    assert sorted(drawn[10:19]) == list(range(9))
