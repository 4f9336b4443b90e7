"""The bench and the hunt as pages: a fault is chosen, probes are bought, a diagnosis is made."""

from __future__ import annotations

import json

from core import views
from core.examples import GAP
from core.experiments import BENCH
from core.faults.table import BY_ID, FAULTS
from core.inputs import Text
from core.runs.answers import live_training
from core.runs.requests import FaultRequest
from pages.parts.runs import shared_runs
from tests.app.answered import figure, figures, words
from tests.app.test_pages import check, headers, opened
from tests.runs.test_jobs import until

BENCH_PAGE, HUNT_PAGE, LAB_PAGE = "labs/bench.py", "labs/hunt.py", "labs/training.py"
TEXT = "The dog was hungry"


def texts(app) -> str:
    """All that the page says and sends."""
    said = [one.value for kind in ("markdown", "code", "info") for one in getattr(app, kind)]
    said += [one.proto.body for one in app.get("html")]
    for component in ("matrix", "bars"):
        said += [json.dumps(one) for one in headers(app, component)]
    return " ".join(said)


def test_the_bench_shows_the_line_that_is_wrong():
    app = opened(BENCH_PAGE, fault="leak")
    check(app)
    fault = BY_ID["leak"]
    assert [one.value for one in app.code][:2] == [fault.right, fault.wrong]
    assert {one.title for one in BENCH} <= {button.label for button in app.button}
    app = opened(BENCH_PAGE, fault="padding", model="gpt")
    check(app)
    assert any(
        "This model has no part in which this could be wrong" in one.value for one in app.info
    )


def test_what_is_said_of_missing_residual_sums_is_what_is_drawn():
    view = views.get("bench.sizes")
    params = view.Params(model="gpt", fault="no_residual", text=GAP.removesuffix(" [MASK]."))
    record = view.compute([shared_runs().get(one) for one in view.requests(params)], params)
    broken = record.sizes("broken")
    assert broken[0] < broken[1] == broken.max()
    (one,) = (one for one in BENCH if one.id == "bench.residual")
    assert "after it they grow no further" in one.watch
    assert "Layer 0 may make the residual vectors longer" in BY_ID["no_residual"].shows


def test_a_hunt_says_nothing_of_its_fault_until_it_is_over():
    hidden = shared_runs().get(FaultRequest("gpt", Text(TEXT), seed=4)).fault
    app = opened(HUNT_PAGE, text=TEXT, model="gpt", hunt_seed="4")
    check(app)
    said = texts(app)
    assert BY_ID[hidden].wrong not in said
    assert BY_ID[hidden].shows not in said
    assert not app.code
    app = opened(HUNT_PAGE, text=TEXT, model="gpt", hunt_seed="4", hunt_tries=hidden)
    check(app)
    assert "Found, with 10 points of 10" in texts(app)
    assert app.code[1].value == BY_ID[hidden].wrong


def test_a_wrong_diagnosis_costs_points_and_a_new_bug_begins_anew():
    hidden = shared_runs().get(FaultRequest("gpt", Text(TEXT), seed=4)).fault
    wrong = next(one.id for one in FAULTS if one.id != hidden)
    given = {"text": TEXT, "model": "gpt", "hunt_seed": "4"}
    app = opened(HUNT_PAGE, **given)
    (diagnose,) = (one for one in app.button if one.label.startswith("Diagnose"))
    assert diagnose.disabled  # nothing is considered before she has chosen
    app = opened(HUNT_PAGE, **given, suspect=wrong)
    (diagnose,) = (one for one in app.button if one.label.startswith("Diagnose"))
    diagnose.click().run()
    check(app)
    assert "**7 points** left of 10." in texts(app)
    assert any("Not this one" in one.value for one in app.info)
    (probe,) = (one for one in app.button if one.label == "Compare the predictions (−1)")
    probe.click().run()
    assert "**6 points** left of 10." in texts(app)
    (another,) = (one for one in app.button if one.label == "Hunt another bug")
    another.click().run()
    check(app)
    assert "**10 points** left of 10." in texts(app)


def button(app, label: str):
    (one,) = (one for one in app.button if one.label.startswith(label))
    return one


def test_no_undo_gives_back_what_a_diagnosis_and_a_probe_have_cost():
    hidden = shared_runs().get(FaultRequest("gpt", Text(TEXT), seed=4)).fault
    wrong = next(one.id for one in FAULTS if one.id != hidden)
    app = opened(HUNT_PAGE, text=TEXT, model="gpt", hunt_seed="4")
    own = app.session_state["glassformer"]
    app.button_group(key="control-suspect").set_value(wrong).run()
    assert len(own.undo) == 1
    button(app, "Diagnose").click().run()
    assert own.values["hunt_tries"] == wrong
    assert own.undo == []  # but for what was paid it is the same state
    button(app, "Hunt another bug").click().run()
    button(app, "Compare the sizes").click().run()
    check(app)
    (before,) = own.undo  # the bug before it, which no probe was bought of
    assert before["hunt_tries"] == wrong
    assert "hunt_probes" not in before


def test_the_next_bug_has_no_suspect_yet():
    app = opened(HUNT_PAGE, text=TEXT, model="gpt", hunt_seed="4", hunt_tries="?",
                 suspect=FAULTS[0].id)  # fmt: skip
    button(app, "Hunt another bug").click().run()
    check(app)
    assert "suspect" not in app.query_params
    assert button(app, "Diagnose").disabled


def readings(app) -> str:
    """What the figures say."""
    return " ".join(words(one.said["reading"]) for one in figures(app) if one.spec["drawn"])


def test_a_click_trains_the_small_transformer_and_another_takes_it_back(monkeypatch):
    begun = []

    def few(*asked):
        begun.append(asked)
        return learned(*asked[:5], min(asked[5], 20), asked[6])

    learned = live_training.practice
    monkeypatch.setattr(live_training, "practice", few)
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


def test_a_text_of_her_own_is_learned_or_refused_beside_its_field():
    app = opened(LAB_PAGE, exercise="text", practice_text="Too short.")
    check(app)
    refused = figure(app, "learning.practice").refused
    assert "at least 300 characters long" in refused
    names = [one["name"] for found in figures(app) for one in found.controls]
    assert "practice_text" in names
    app = opened(LAB_PAGE, exercise="text", practice_text="the cat sat on the mat. " * 20)
    check(app)
    assert not [one.refused for one in figures(app) if one.refused]
    assert "Before the first step" in readings(app)
    names = [one["name"] for found in figures(opened(LAB_PAGE)) for one in found.controls]
    assert "practice_text" not in names


def test_the_averages_stand_beside_the_gradients_that_were_typed():
    by_hand = {"view": "lecture", "lab_part": "1"}
    found = figure(opened(LAB_PAGE, gradients="0.5, 0.5", adam_rate="0.1", **by_hand),
                   "learning.adam")  # fmt: skip
    assert found.answer is not None
    (sheet,) = found.answer.header["sheets"]
    assert "Adam" in sheet["title"]
    assert sheet["cols"]["labels"] == ["step 1", "step 2"]
    assert "After step 2 it is at" in words(found.said["reading"])
    app = opened(LAB_PAGE, gradients="one", **by_hand)
    check(app)
    assert "numbers separated by commas" in figure(app, "learning.adam").refused
