"""The page of lessons: the list, a lesson, one that is broken, one that is not there."""

from __future__ import annotations

from core.lessons import Lesson, lesson, lesson_ids
from core.lessons.study import Answered
from core.lessons.world import requests_of
from core.runs.ahead import Ahead
from core.runs.requests import LookAheadRequest
from core.show import show
from pages.parts.asking import feedback
from pages.parts.lesson import _mask_called, _masks
from tests.app.test_pages import check, opened

PAGE = "learn/lessons.py"


def titles(app) -> str:
    return " ".join(str(one.body) for one in app.get("html"))


def test_every_lesson_is_listed():
    app = opened(PAGE)
    check(app)
    said = " ".join(one.value for one in app.markdown)
    for ident in lesson_ids():
        found = lesson(ident)
        assert isinstance(found, Lesson)
        assert found.title in said


def test_a_lesson_that_is_not_there_is_said_and_the_list_shown():
    app = opened(PAGE, lesson="nothing")
    check(app)
    assert "no lesson called “nothing”" in app.warning[0].value


def test_every_screen_of_every_lesson_opens():
    for ident in lesson_ids():
        found = lesson(ident)
        assert isinstance(found, Lesson)
        for at in range(len(found.steps) + 1 + bool(found.probe)):
            app = opened(PAGE, lesson=ident, lesson_at=str(at))
            check(app)
            assert not app.error, (ident, at, app.error)


def said_by(app) -> str:
    """What the page says as HTML, and in its texts."""
    return titles(app) + " ".join(one.value for one in app.markdown)


def test_a_number_says_where_it_comes_from_and_nothing_of_what_is_covered():
    app = opened(PAGE, lesson="attention", lesson_at="4")
    (box,) = app.expander
    assert box.label == "Where do these numbers come from?"
    assert "class='glass-origins'" not in titles(app)  # costs nothing until it is opened
    app.session_state["numbers-attention-4"] = True
    app.run()
    check(app)
    assert "core/nn/attention.py:" in titles(app)
    assert "softmax(scores" not in said_by(app)  # which is the answer
    app.session_state["study"].of("attention", "weight").given_up = True
    app.run()
    check(app)
    assert "softmax(scores[“The”, :2])[0]" in titles(app)


def test_a_number_in_the_text_is_a_term_and_words_of_the_run_stay_words():
    app = opened(
        PAGE, lesson="attention", lesson_at="3", text="<b>A</b> *cat* `sat` $x$ [on](y) it"
    )
    check(app)
    said = said_by(app)
    assert "<span class='glass-term glass-number' tabindex='0'>256" in said
    assert "d\\_model = 256" in said
    assert "<b>A" not in said


def test_of_a_formula_over_what_is_covered_no_operand_is_said_before_the_answer():
    masks = lesson("masks")
    assert isinstance(masks, Lesson)
    at = 1 + next(n for n, one in enumerate(masks.steps) if one.id == "grow")
    app = opened(PAGE, lesson="masks", lesson_at=str(at))
    app.session_state[f"numbers-masks-{at}"] = True
    app.run()
    check(app)
    covered = next(one.body for one in app.get("html") if "class='glass-origins'" in str(one.body))
    assert "sum(softmax(scores[" in covered
    assert "softmax([" not in covered


def test_the_next_step_is_worked_out_while_this_one_is_read(monkeypatch):
    asked: list = []
    monkeypatch.setattr(
        Ahead, "prepare", lambda _self, requests, _device: asked.append([*requests])
    )
    masks = lesson("masks")
    assert isinstance(masks, Lesson)
    check(opened(PAGE, lesson="masks", lesson_at="2"))
    slow = LookAheadRequest()
    assert asked[-1] == [*requests_of(masks.steps[2]), slow]
    check(opened(PAGE, lesson="masks", lesson_at=str(len(masks.steps))))
    assert asked[-1] == [slow]


def test_the_probe_at_the_end_speaks_of_no_hints():
    said = {}
    for hints in (True, False):
        posed, answered = object(), Answered(tries=1)
        said[hints] = feedback(posed, answered, hints=hints)
    assert "hint" in said[True]
    assert "hint" not in said[False]


def test_a_mask_is_offered_as_a_choice():
    run = show("masks.grid", text="A cat sat", mask="window:2").record
    offered = _masks(run)
    assert {"none", "causal", "window:2"} <= set(offered)
    assert [_mask_called(one) for one in ("causal", "window:2", "own")] == [
        "causal", "sliding window 2", "the model's own"
    ]  # fmt: skip
