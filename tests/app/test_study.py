"""What the browser tells of saved progress, and what it is told of it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.lessons import lesson
from core.lessons.study import Study
from tests.app.test_pages import headers

ENTRY = ["attention", "score", 0, 1, 1, 1, 0, 0, 2.0, "", 3]
KEPT = json.dumps({"answers": [ENTRY], "ideas": {}, "era": 2, "seed": 4711})


def page(event: str, said: object) -> None:  # a script of its own
    from pages.parts import address, study

    address.begin("lessons")
    if event:
        getattr(study, event)(said)
    study.progress(tools=True)


def told(event: str = "", said: Any = None, study: Study | None = None) -> dict[str, Any]:
    """What the browser is told after it has said something."""
    app = AppTest.from_function(page, args=(event, said))
    if study is not None:
        app.session_state["study"] = study
    app.run()
    assert not app.exception, [one.stack_trace for one in app.exception]
    (header,) = headers(app, "progress")
    return header


def test_a_session_that_was_begun_anew_says_so_and_takes_over_what_is_kept():
    fresh, other = told(), told()
    assert fresh["visit"] != other["visit"]
    assert (fresh["known"], fresh["answered"]["answers"]) == (False, [])
    knows = told("_take", KEPT)
    assert (knows["known"], knows["answered"]) == (True, json.loads(KEPT))


def test_what_is_asked_anew_before_anything_was_heard_has_no_answer_afterwards():
    def begun(said: str) -> None:
        from pages.parts import address, study

        address.begin("")
        study.ask_anew("attention", ["score"])
        study._take(said)
        study.progress(tools=True)

    app = AppTest.from_function(begun, args=(KEPT,)).run()
    assert not app.exception, [one.stack_trace for one in app.exception]
    (header,) = headers(app, "progress")
    (entry,) = header["answered"]["answers"]
    assert entry[:2] == ENTRY[:2]
    tries, seed_before = entry[3], ENTRY[2]
    assert (tries, entry[2] != seed_before) == (0, True)


def test_a_link_says_by_which_seed_a_class_is_asked_and_her_browser_keeps_it():
    def opened(said: str) -> None:
        from core.lessons import lesson
        from pages.parts import address, study

        address.begin("lessons")
        study.one_for_all(lesson("attention"), "score")
        if said:
            study._take(said)
        study.progress(tools=True)

    app = AppTest.from_function(opened, args=("",))
    app.query_params["study_seed"] = "12"
    (first,) = headers(app.run(), "progress")
    assert (first["sown"], first["answered"]["seed"]) == (12, 12)
    app = AppTest.from_function(opened, args=(KEPT,))  # which has another seed
    app.query_params["study_seed"] = "12"
    (then,) = headers(app.run(), "progress")
    assert not app.exception, [one.stack_trace for one in app.exception]
    assert then["answered"]["seed"] == 12
    assert then["answered"]["answers"] == [ENTRY]  # what was answered stays as it was asked


@pytest.mark.parametrize("said", ["[" * 900 + "]" * 900, "[" * 50_000, "null", "", None, {"a": 1}])
def test_what_is_no_progress_is_heard_as_nothing(said):
    header = told("_take", said)
    assert (header["known"], header["answered"]["answers"]) == (True, [])
    assert told("_load", said)["loaded"] == {"n": 1, "what": "unreadable"}


def test_a_file_is_loaded_whole_or_in_part():
    assert told("_load", KEPT)["loaded"] == {"n": 1, "what": "loaded"}
    part = json.dumps({"answers": [ENTRY, None], "ideas": {}})
    assert told("_load", part)["loaded"] == {"n": 1, "what": "partly"}


def test_what_is_deleted_begins_another_era():
    study = Study(known=True)
    study.load(json.loads(KEPT))
    assert told("_wipe", 3, study)["answered"] == {
        "answers": [], "ideas": {}, "era": 3, "seed": 4711
    }  # fmt: skip


def test_neighbours_are_asked_on_other_numbers_and_each_always_on_her_own(monkeypatch):
    monkeypatch.undo()
    assert len({told()["answered"]["seed"] for _visit in range(8)}) > 1
    assert told("_take", KEPT)["answered"]["seed"] == 4711


def test_a_file_says_how_far_she_was():
    said = told("_take", KEPT)
    ((title, words),) = said["summary"].items()
    assert title == lesson("attention").title
    assert words.startswith("1 of ")
