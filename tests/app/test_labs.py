"""The bench and the hunt as pages: a fault is chosen, probes are bought, a diagnosis is made."""

from __future__ import annotations

import json

import pytest

from core import zoo
from core.experiments import about
from core.faults.table import BY_ID, FAULTS, Fault
from core.inputs import Text
from core.runs.kinds import training
from core.runs.kinds.faults import FaultRequest
from core.views.bench import faults_of
from pages.parts.runs import shared_runs
from tests.app.answered import figures, words
from tests.app.test_pages import check, headers, opened
from tests.runs.test_jobs import until

BENCH_PAGE, HUNT_PAGE, LAB_PAGE = "labs/bench.py", "labs/hunt.py", "labs/training.py"
TEXT = "The dog was hungry"


def noted(app, *kinds: str) -> list[str]:
    """What the figures say of their runs, where the page wants it said, in its order."""
    return [
        words(said)
        for one in figures(app)
        for kind, said in one.said.get("notes", ())
        if kind in kinds and kind in one.spec["notes"]
    ]


def in_code(fault: Fault) -> list[str]:
    """Its line as it should be and as it is."""
    return [f"# As it should be\n{fault.right}", f"# As it is now\n{fault.wrong}"]


def test_the_bench_shows_the_line_that_is_wrong():
    app = opened(BENCH_PAGE, fault="leak")
    check(app)
    fault = BY_ID["leak"]
    assert noted(app, "code") == in_code(fault)
    assert f"What gives it away: {fault.shows}" in noted(app, "more")
    assert not noted(app, "info")
    (cards,) = headers(app, "experiments")
    assert [one["id"] for one in cards["cards"]] == [one.id for one in about("bench")]
    app = opened(BENCH_PAGE, fault="padding", model="gpt")
    check(app)
    (said,) = noted(app, "info")
    assert "This model has no part in which this could be wrong" in said


HUNT = {"text": TEXT, "model": "gpt", "hunt_seed": "4"}


def secret() -> str:
    """The fault that the fourth bug is."""
    return shared_runs().get(FaultRequest("gpt", Text(TEXT), seed=4)).fault


def hunted(**more: str):
    app = opened(HUNT_PAGE, **HUNT, **more)
    check(app)
    return app


def buttons(app) -> dict[str, dict]:
    """The buttons of the hunt, by what stands on them."""
    found = [one for figure in figures(app) for one in figure.controls if one["kind"] == "buttons"]
    return {press["label"]: press for one in found for press in one["buttons"]}


@pytest.mark.parametrize("over", [{}, {"suspect": FAULTS[0].id}, {"hunt_probes": "rgsw"}])
def test_a_hunt_says_nothing_of_its_fault_until_it_is_over(over):
    fault = BY_ID[secret()]
    app = hunted(**over)
    said = b"".join(one.answer.pack() for one in figures(app)).decode("utf-8", "replace")
    for words_of_it in (fault.wrong, fault.right, fault.shows):
        assert json.dumps(words_of_it)[1:-1] not in said
        assert words_of_it not in said
    # Its name is one of those that are offered, and stands there as often as each of them.
    others = [one for one in FAULTS if one.id in faults_of(zoo.blueprint("gpt"), hunted=True)]
    (often,) = {said.count(f'"{one.name}"') for one in others}
    assert often == len(figures(app))
    assert not noted(app, "code")
    app = hunted(hunt_tries=fault.id)
    assert noted(app, "info") == [f"Found, with 10 points of 10: {fault.name}."]
    assert noted(app, "code") == in_code(fault)
    assert f"What gives it away: {fault.shows}" in noted(app, "more")
    app = hunted(hunt_tries="?")
    assert noted(app, "info") == [f"The fault was: {fault.name}."]
    assert list(buttons(app)) == ["Hunt another bug"]


def test_a_wrong_diagnosis_costs_points_and_a_new_bug_begins_anew():
    hidden = secret()
    wrong = next(one.id for one in FAULTS if one.id != hidden)
    app = hunted()
    assert noted(app, "question") == ["10 points left of 10."]
    assert not buttons(app)["Diagnose (−3 if wrong)"]["able"]  # nothing is considered yet
    press = buttons(hunted(suspect=wrong))["Diagnose (−3 if wrong)"]
    assert press["able"]
    assert press["sets"] == {"hunt_tries": wrong, "suspect": None}
    app = hunted(hunt_tries=wrong)
    assert noted(app, "question") == ["7 points left of 10."]
    (said,) = noted(app, "info")
    assert said.startswith(f"Not this one: {BY_ID[wrong].name}.")
    (suspect,) = [one for found in figures(app) for one in found.controls
                  if one["name"] == "suspect"]  # fmt: skip
    assert wrong not in [one for one, _called in suspect["options"]]
    probe = buttons(app)["Compare the predictions (−1)"]
    assert probe["sets"] == {"hunt_probes": "g"}
    app = hunted(hunt_tries=wrong, hunt_probes="g")
    assert noted(app, "question") == ["6 points left of 10."]
    assert not buttons(app)["Compare the predictions"]["able"]
    another = buttons(app)["Hunt another bug"]
    assert another["sets"] == {
        "hunt_seed": "5", "hunt_probes": None, "hunt_tries": None, "suspect": None
    }  # fmt: skip


def readings(app) -> str:
    """What the figures say."""
    return " ".join(words(one.said["reading"]) for one in figures(app) if one.spec["drawn"])


def test_a_click_trains_the_small_transformer_and_another_takes_it_back(monkeypatch):
    begun = []

    def few(*asked):
        begun.append(asked)
        return learned(*asked[:5], min(asked[5], 20), asked[6])

    learned = training.practice
    monkeypatch.setattr(training, "practice", few)
    asked = {"exercise": "copy", "beside": "seed"}
    app = opened(LAB_PAGE, **asked)
    check(app)
    assert "Before the first step" in readings(app)
    (train,) = [(one, field) for found in figures(app) for one in found.controls
                for field in found.spec["controls"] if one["name"] == "practising"]  # fmt: skip
    assert train[0]["value"] == "0"
    assert train[1]["labels"] == ["Train", "Back to the untrained model"]
    app = opened(LAB_PAGE, practising="1", **asked)
    check(app)
    until(lambda: "After 20 of 20 steps" in readings(app))
    assert "With “another seed”, after 20 steps" in readings(app)
    assert {asked[4] for asked in begun} == {0, 1}
    assert "Before the first step" in readings(opened(LAB_PAGE, **asked))
