"""A page before the answer: on other weights it sends the same, but for what the step states."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from core.figures.payload import Payload, unpack
from core.lessons import Lesson, lesson
from pages.parts.runs import shared_runs
from tests.app.test_pages import check, opened
from tests.lessons.shaken import loud

STATED = {
    "ask",
    "numbers",
    "options",
    "asks",
}  # numbers that a question gives, and their digest
TOLD = (".question", ".runbar", ".link", ".progress")  # whose payload says such things
COUNTED = {"run", "session", "visit"}  # runs of this process, and which visit this is

# A step for each kind of component, and for the place of one of which nothing may be seen.
STEPS = {
    "matrix": ("attention", "scale"), "rows": ("masks", "see"), "sheets": ("deep", "normalise"),
    "categories": ("masks", "padding"), "strip": ("gpt", "labels"),
    "arcs": ("attention", "where"), "bars": ("bert", "pair"),
    "plot": ("deep", "alike"), "points": ("deep", "squared-relu"),
}  # fmt: skip


@pytest.fixture(autouse=True)
def one_learner(monkeypatch) -> None:
    """Every browser has a seed of its own; here both are the same learner's."""
    monkeypatch.setattr("pages.parts.study.fresh_seed", lambda: 0)


@pytest.fixture
def on_other_weights(monkeypatch) -> Iterator[Any]:
    def change() -> None:
        shared_runs.clear()
        monkeypatch.setattr("pages.parts.runs.Runs", lambda **_: loud())

    yield change
    monkeypatch.undo()
    shared_runs.clear()


def shown(ident: str, name: str) -> list[tuple[str, Any]]:
    """Everything that a step sends, but for its texts and the numbers that they state."""
    found = lesson(ident)
    assert isinstance(found, Lesson)
    at = [one.id for one in found.steps].index(name) + bool(found.probe)
    app = opened("learn/lessons.py", lesson=ident, lesson_at=str(at))
    check(app)
    sent = []
    for one in app._tree:
        proto = getattr(one, "proto", None)
        if one.type == "markdown" or proto is None or not hasattr(proto, "SerializeToString"):
            continue
        said = proto.SerializeToString(deterministic=True)
        if one.type == "bidi_component" and proto.component_name.endswith(TOLD):
            told = unpack(proto.bytes).header.items()
            left_out = STATED | COUNTED
            said = Payload({name: it for name, it in told if name not in left_out}).pack()
        sent.append((one.type, said))
    return sent


@pytest.mark.parametrize("kind", STEPS)
def test_before_the_answer_a_page_sends_nothing_that_other_weights_would_change(
    kind, on_other_weights
):
    ours = shown(*STEPS[kind])
    on_other_weights()
    theirs = shown(*STEPS[kind])
    assert [one for one, _said in ours] == [one for one, _said in theirs]
    for (what, own), (_same, other) in zip(ours, theirs, strict=True):
        assert own == other, what
    assert any(what in ("bidi_component", "plotly_chart") for what, _said in ours)


def test_a_page_after_the_answer_does_send_other_numbers(on_other_weights):
    """Otherwise the test above would see nothing."""
    ours = shown("attention", "heads")  # of which nothing is covered
    on_other_weights()
    assert ours != shown("attention", "heads")
