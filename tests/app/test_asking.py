"""An answer marks the question that it names, whichever is on the screen when it comes."""

from __future__ import annotations

import pytest

from core.lessons.posing import pose
from core.lessons.schema import Question
from pages.parts import asking, state

SAID = {"ask": "How much is {{x[i]}}?", "hints": ("a", "b", "c"), "solution": "."}
NAMES = {"x": [0.25, 0.5, 0.75]}


def question(ident: str, answer: str) -> Question:
    return Question(
        id=ident, kind="number", draw={"i": "range(0, 3)"}, answer=answer,
        wrong={"aa": "x[i] + 9"}, **SAID,
    )  # fmt: skip


@pytest.fixture
def screen(monkeypatch):
    """Shows a question; what the browser is told, and what it may say to it."""
    shown: list[tuple[dict, dict]] = []
    monkeypatch.setattr(asking.st, "session_state", {})
    monkeypatch.setattr(state, "touch", lambda _name: None)
    monkeypatch.setattr(
        asking, "mount", lambda _name, payload, key, on: shown.append((payload.header, on))
    )

    def show(own: Question, seed: int = 0, names=NAMES, again=None):
        posed = pose(own, names, seed)
        asking.question("sums", own.id, posed, key="question-sums", again=again)
        return shown[-1]

    return show


def answers() -> dict[str, tuple[int, bool]]:
    found = asking.own_study().answers
    return {key[1]: (one.tries, one.right) for key, one in found.items()}


def test_a_late_answer_marks_its_own_question_and_not_the_next(screen):
    one, two = question("one", "x[i]"), question("two", "x[i]")
    first, _on = screen(one)
    _second, on = screen(two)
    on["answer"]({"id": first["asks"], "value": pose(one, NAMES, 0).right})
    assert answers() == {"one": (1, True), "two": (0, False)}


def test_another_one_sets_back_what_she_changed_in_the_figures(screen):
    own, done = question("one", "x[i]"), []
    first, on = screen(own, again=lambda: done.append("set back"))
    on["again"](first["asks"])
    on["again"]("another question")
    assert done == ["set back"]


def test_an_answer_to_other_data_or_to_nothing_that_was_asked_marks_nothing(screen):
    own = question("one", "x[i]")
    first, on = screen(own)
    on["again"](first["asks"])
    seed = asking.own_study().of("sums", "one").seed
    second, on = screen(own, seed)
    assert second["asks"] != first["asks"]
    for name in (first["asks"], "", "two 0 ", None, 7, ["x"]):
        on["answer"]({"id": name, "value": pose(own, NAMES, seed).right})
        on["answer"]({"id": name, "value": pose(own, NAMES, 0).right})
        on["answer"](name)
        on["hint"](name)
        on["give"](name)
        on["again"](name)
    assert answers() == {"one": (0, False)}
    entry = asking.own_study().of("sums", "one")
    assert (entry.seed, entry.hints, entry.given_up) == (seed, 0, False)
    third, _on = screen(own, seed, {"x": [0.1, 0.2, 0.3]})  # on a text of her own
    assert third["asks"] != second["asks"]
    on["answer"]({"id": third["asks"], "value": pose(own, {"x": [0.1, 0.2, 0.3]}, seed).right})
    assert answers() == {"one": (1, True)}


def test_per_cent_that_are_said_to_be_are_no_longer_guessed(screen):
    own = question("one", "x[i]").model_copy(update={"number": "share", "draw": {"i": "range(1)"}})
    header, on = screen(own)
    assert header["sort"] == "share"
    on["answer"]({"id": header["asks"], "value": 25.0, "percent": True})
    on["answer"]({"id": header["asks"], "value": 25.0})
    assert answers() == {"one": (2, True)}


def test_a_session_keeps_a_few_questions_only(screen):
    for n in range(3 * asking.MOST_ASKED):
        screen(question(f"q{n}x", "x[i]"))
    kept = asking.st.session_state[asking.ASKED]
    assert len(kept) == asking.MOST_ASKED
    assert not any(posed.names for _key, posed in kept.values())  # no run is held by it
