"""Cells and tokens that are picked on a figure: posed, marked, and where they can be picked."""

from __future__ import annotations

import numpy as np
import pytest

from core.errors import ExpressionError, LessonError, NoQuestionError
from core.figures.components import Axis, Category, Chip, Matrix, Scale, Sheet, Strip
from core.lessons.cover import before_answer, covered
from core.lessons.marking import Marked, mark
from core.lessons.picking import MAX_CELLS, shape_in
from core.lessons.posing import pose
from core.lessons.reader import parse
from core.lessons.schema import LessonStep, Question
from core.lessons.world import world_of
from core.runs.store import Runs

WORDS = ["The", "cat", "sat"]
NAMES = {"T": 3, "words": WORDS, "axis": {"query": ["a", "b"], "key": WORDS}}
SAYS = {"id": "q1", "ask": "?", "hints": ("a", "b", "c"), "solution": "{{answer}}", "figure": "a"}


def cells(**given) -> Question:
    told = {"over": "[axis.query, axis.key]", "answer": "j <= i", "wrong": {"aa": "j > i"}}
    return Question(**SAYS, kind="cells", **{**told, **given})


def matrix(values: np.ndarray, **more) -> Matrix:
    rows, cols = values.shape
    axes = {"rows": Axis(["r"] * rows, "token", "query"), "cols": Axis(["c"] * cols, "key", "key")}
    sheet = Sheet(title="t", array="w", scale=Scale("weight", limit=1.0), **axes, **more)
    return Matrix(title="t", alt="", sheets=[sheet], arrays={"w": values})


def strip(n: int, **more) -> Strip:
    return Strip(title="t", alt="", tokens=[Chip(str(at), "word", "") for at in range(n)], **more)


def test_cells_are_a_set_counted_row_by_row():
    posed = pose(cells(), NAMES, 0)
    assert posed.options[:4] == ("a → The", "a → cat", "a → sat", "b → The")
    assert posed.right == {0, 3, 4}
    assert mark(posed, [4, 0, 3]) == Marked(right=True)
    assert mark(posed, [1, 2, 5]) == Marked(right=False, idea="aa")
    assert mark(posed, [1]) == Marked(right=False)
    assert [mark(posed, given) for given in ([6], ["0"], [0, 0], 0, None)] == [None] * 5


def test_of_one_row_the_columns_are_counted():
    posed = pose(cells(row="1", over="axis.key", wrong={"aa": "j > i", "all-true": "j >= 0"}),
                 NAMES, 0)  # fmt: skip
    assert posed.options == tuple(WORDS)
    assert (posed.right, posed.grid.row) == ({0, 1}, 1)
    assert mark(posed, [2]) == Marked(right=False, idea="aa")
    assert mark(posed, [0, 1, 2]) == Marked(right=False, idea="all-true")


def test_one_answer_may_stand_for_whole_rows_and_columns_but_must_fit():
    assert pose(cells(answer="i == 1"), NAMES, 0).right == {3, 4, 5}
    with pytest.raises(ExpressionError, match="shape"):
        pose(cells(answer="range(5) < 2"), NAMES, 0)
    with pytest.raises(ExpressionError, match="rows and columns"):
        pose(cells(over="axis.key"), NAMES, 0)


def test_too_many_cells_are_no_question():
    many = {"axis": {"query": ["a"] * MAX_CELLS, "key": WORDS}}
    with pytest.raises(NoQuestionError):
        pose(cells(), many, 0)


@pytest.mark.parametrize("given", [
    {"figure": None}, {"over": None}, {"draw": {"i": "range(3)"}}, {"kind": "tokens", "row": "1"},
    {"kind": "number", "over": None},
])  # fmt: skip
def test_a_question_about_cells_names_figure_and_labels(given):
    told = {**SAYS, "kind": "cells", "over": "x", "answer": "1", "wrong": {"aa": "0"}}
    with pytest.raises(ValueError, match=r"figure|over|row"):
        Question(**{**told, **given})


def test_its_figure_is_one_of_the_step():
    with pytest.raises(ValueError, match="no figure is called a"):
        LessonStep(id="one", title="t", line=1, question=cells())
    figures = [{"view": "masks.grid"}, {"view": "masks.grid", "name": "b", "follows": "c"}]
    with pytest.raises(ValueError, match="no figure before it is called c"):
        LessonStep(id="one", title="t", line=1, figures=figures)


@pytest.mark.parametrize("word", ["on", "off", "yes", "no"])
def test_on_and_off_are_words(word):
    """They are true and false to old YAML, and ``off`` is a parameter of a view."""
    text = f"---\ntitle: t\n---\n\n## T {{#one}}\n\n```question\n{word}: a\n```\n"
    with pytest.raises(LessonError, match=r"line 7: id: Field required"):  # and no odd keyword
        parse(text, "x.md", "en")


def test_cells_are_picked_in_a_matrix_of_their_shape_and_tokens_in_a_strip():
    whole, row = (pose(one, NAMES, 0).grid for one in (cells(), cells(row="1", over="axis.key")))
    assert shape_in(matrix(np.ones((2, 3), np.float32)), 6, whole) == (2, 3)
    assert shape_in(matrix(np.ones((3, 2), np.float32)), 6, whole) is None
    assert shape_in(matrix(np.ones((5, 3), np.float32)), 3, row) == (5, 3)
    assert shape_in(matrix(np.ones((1, 3), np.float32)), 3, row) is None  # has no such row
    assert shape_in(matrix(np.ones((2, 3), np.float32)), 3, None) is None
    assert shape_in(strip(3), 3, None) == (1, 3)
    assert shape_in(strip(2), 3, None) is None
    assert shape_in(strip(3), 3, row) is None
    assert shape_in(None, 3, None) is None


def test_cells_of_a_covered_mask_have_a_place_and_no_value():
    kinds = [Category("masked", "surface"), Category("allowed", "weight")]
    sent = [
        covered(matrix(values.astype(np.uint8), categories=kinds, alt="x"))
        for values in (np.eye(3), np.ones((3, 3)))
    ]
    assert sent[0].payload().pack() == sent[1].payload().pack()


def test_what_the_lesson_selects_is_seen_unless_it_may_be_the_answer():
    assert dict(covered(strip(3, selection={"token": 1, "key": 2}), None, ["token"]).selection) == {
        "token": 1
    }
    figure = {"view": "attention.weights", "cover": "all", "select": {"token": "2"},
              "params": {"text": "John saw the ball", "model": "gpt"}}  # fmt: skip
    anywhere = cells(over="[axis.query, axis.key]", answer="(i == 2) * (j == 1)")
    row = cells(over="axis.key", row="2", answer="j == 1")
    for question, seen in ((anywhere, {}), (row, {"token": 2})):
        step = LessonStep(id="one", title="t", line=1, figures=[figure], question=question)
        world = world_of(step, RUNS.get)
        posed = pose(question, world.names, 0)
        left = before_answer(world.shown[0], posed.names, question)
        assert dict(left.selection) == seen


def test_a_figure_that_follows_another_selects_what_that_selects():
    params = {"text": "John saw the ball", "model": "gpt"}
    figures = [
        {"view": "attention.row", "select": {"token": "2"}, "params": params},
        {"view": "attention.weights", "name": "b", "follows": "a", "params": params},
    ]
    world = world_of(LessonStep(id="one", title="t", line=1, figures=figures), RUNS.get)
    assert [one.component({}).selection["token"] for one in world.shown] == [2, 2]
    reading = world.shown[1].view.describe(world.shown[1].chosen({}))
    assert "“saw”" in str(reading)


RUNS = Runs()
