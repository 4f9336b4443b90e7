"""A screen before the answer: on other weights it sends the same, but for what the step states."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from core.figures.components.base import COVERED
from core.lessons import lesson_ids
from core.lessons.cover import before_answer
from core.lessons.posing import pose
from core.lessons.screen.blocks import Parts
from core.lessons.screen.learner import Learner
from core.lessons.world import world_of
from pages.parts.app import app
from pages.parts.runs import shared_runs
from tests.app.played import given_up, opened, plain, screen_at, text_of, the_lesson
from tests.lessons.shaken import loud

STATED = ("ask", "numbers", "options", "asks")  # what a question states of the run, and its digest

# A step for each kind of component, and for the place of one of which nothing may be seen.
STEPS = {
    "matrix": ("attention", "scale"), "rows": ("masks", "see"), "sheets": ("deep", "normalise"),
    "categories": ("masks", "padding"), "strip": ("gpt", "labels"),
    "arcs": ("attention", "where"), "dice": ("bert", "dice"),
    "plot": ("deep", "alike"), "points": ("deep", "squared-relu"),
}  # fmt: skip
PLACED = ("scope", "figure")
ASKED = [
    (ident, step.id)
    for ident in lesson_ids()
    for step in the_lesson(ident).steps
    if step.question is not None
]


@pytest.fixture
def on_other_weights(monkeypatch) -> Iterator[Any]:
    def change() -> None:
        shared_runs.cache_clear()
        monkeypatch.setattr("pages.parts.runs.Runs", lambda **_: loud())

    yield change
    monkeypatch.undo()
    shared_runs.cache_clear()


def shown(ident: str, name: str) -> dict[str, Any]:
    """Everything that a screen sends, but for its texts and the numbers that they state."""
    her = opened(ident, screen_at(ident, name))
    assert not her.notes["error"]
    sent = {name: array.tobytes() for name, array in her.arrays.items()}
    told = {key: it for key, it in her.screen.items() if key not in ("said", "study")}
    for n, one in enumerate(her.screen["said"]):
        if one["kind"] == "question":
            left = {key: it for key, it in one["header"].items() if key not in STATED}
            sent[f"{n} question"] = json.dumps(left).encode()
        elif one["kind"] != "words":
            sent[f"{n} {one['kind']}"] = json.dumps(one).encode()
    return sent | {key: json.dumps(it).encode() for key, it in told.items()}


@pytest.mark.parametrize("kind", STEPS)
def test_before_the_answer_a_screen_sends_nothing_that_other_weights_would_change(
    kind, on_other_weights
):
    ours = shown(*STEPS[kind])
    on_other_weights()
    theirs = shown(*STEPS[kind])
    assert ours.keys() == theirs.keys()
    for what, own in ours.items():
        assert own == theirs[what], what


def test_a_screen_after_the_answer_does_send_other_numbers(on_other_weights):
    """Otherwise the test above would see nothing."""
    ours = shown("attention", "heads")  # of which nothing is covered
    on_other_weights()
    assert ours != shown("attention", "heads")


@pytest.mark.parametrize(("ident", "name"), ASKED)
def test_before_its_answer_a_screen_has_what_is_left_of_its_figures_and_nothing_said_after(
    ident, name
):
    """What is left of a covered figure is held byte by byte by tests/lessons/test_covering.py."""
    step = next(one for one in the_lesson(ident).steps if one.id == name)
    her = opened(ident, screen_at(ident, name))
    header, own = her.question, step.question
    assert own is not None
    assert not header["done"]
    assert not {"answer", "solution", "marked"} & header.keys()
    assert header["hints"] == []
    assert not her.figures("way")
    assert own.kind == "do" or not her.controls
    world = world_of(step, Learner.of(app(), {}).answer)
    names = pose(own, world.names, 0).names
    for one, column in zip(world.shown, her.screen["shown"], strict=True):
        if one.figure.cover:
            (block,) = [each for each in column if each["kind"] == "figure"]
            left, parts = before_answer(one, names, own), Parts(on_page=True)
            assert block.pop("covers", None) == (COVERED if left is None else None)
            assert block.keys() <= {"kind", "key", "parts", "title"}
            said = [{key: it for key, it in part["header"].items() if key not in PLACED}
                    for part in block["parts"]]  # fmt: skip
            assert said == ([] if left is None else [parts.add(left)["header"]])
            assert {array for part in block["parts"] for array in part["arrays"].values()} == (
                set(parts.arrays)
            )
    after = opened(ident, screen_at(ident, name), given_up(ident, own.id))
    covered = [text_of(one["words"]) for one in after.blocks("words")][len(her.blocks("words")) :]
    for said in [*filter(None, covered), plain(after.question["solution"])]:
        assert json.dumps(said)[1:-1].encode() not in her.bytes
        assert said.encode() not in her.bytes
