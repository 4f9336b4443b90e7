"""What is covered does not reach the browser: it cannot be told from other numbers."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from core.figures.components import (
    Arcs,
    Axis,
    BarFrame,
    BarRow,
    Bars,
    Chip,
    How,
    Matrix,
    Scale,
    Sheet,
    Strip,
)
from core.figures.components.base import By
from core.figures.text import sentence
from core.lessons.cover import covered

ROWS = ["a", "b", "c"]


def matrix(numbers: np.ndarray) -> Matrix:
    """A matrix that says its numbers wherever it can."""
    said = ", ".join(map(str, numbers.ravel()))
    sheet = Sheet(
        title="Weights", array="w", rows=Axis(ROWS, "token", "query"),
        cols=Axis(ROWS, "key", "key"), scale=Scale("weight", limit=float(numbers.max())),
        mask="may", axes=sentence("rows"), numbers=True, alt=said,
        texts=[[str(one) for one in row] for row in numbers],
        how=How(f"It is {numbers[0, 0]}", steps=[]),
    )  # fmt: skip
    return Matrix(
        title="Weights", alt=said, sheets=[sheet],
        arrays={"w": numbers.astype(np.float32), "operand": numbers.astype(np.float32),
                "may": (numbers > 0.3).astype(np.uint8)},
        selection={"token": 1, "key": By("token", [int(n) for n in numbers.argmax(axis=1)])},
        lists={}, names={"said": [said]},
    )  # fmt: skip


ONE = np.array([[0.9, 0.05, 0.05], [0.2, 0.5, 0.3], [0.1, 0.1, 0.8]])
OTHER = np.array([[0.1, 0.2, 0.7], [0.6, 0.2, 0.2], [0.3, 0.4, 0.3]])


def sent(component: Matrix, rows=None, select=()) -> bytes:
    found = covered(component, rows, select)
    assert found is not None
    return found.payload().pack()


def test_a_covered_matrix_is_the_same_for_all_numbers():
    # A limit of the scale is said where there is none to hide: here both are 1.
    assert sent(matrix(ONE)) == sent(matrix(OTHER))


def test_covered_rows_are_the_same_for_all_numbers_and_the_open_ones_are_not():
    other = ONE.copy()
    other[1] = OTHER[1]
    assert sent(matrix(ONE), [1]) == sent(matrix(other), [1])
    assert sent(matrix(ONE), [0]) != sent(matrix(other), [0])


def test_what_the_lesson_selects_stays_selected_and_nothing_else():
    found = covered(matrix(ONE), None, ["token"])
    assert found is not None
    assert dict(found.selection) == {"token": 1}
    assert not found.follows


@pytest.mark.parametrize("name", ["how", "texts", "counts", "source", "paint"])
def test_nothing_that_speaks_of_a_cell_is_left(name):
    found = covered(matrix(ONE), [1])
    assert isinstance(found, Matrix)
    assert getattr(found.sheets[0], name) is None
    assert set(found.arrays) == {"w", "may"}
    assert dataclasses.asdict(found)["lists"] == {}


def test_chips_say_their_token_and_nothing_more():
    """Pointing at one said the id that a step had covered."""
    chips = [Chip(word, "word", f"id {at}", at, f"{at}") for at, word in enumerate(ROWS)]
    found = covered(Strip(title="Ids", alt="ids", tokens=chips, notes=["0", "1", "2"]))
    assert found is not None
    header = found.payload().header
    assert header["tokens"] == [
        {"label": word, "kind": "word", "title": "", "group": 0} for word in ROWS
    ]
    assert "notes" not in header


def test_arcs_are_their_tokens_alone():
    one, other = (
        Arcs(title="Lines", alt="It is 0.9", queries=ROWS, keys=ROWS, weights=numbers[None],
             heads="0:0", note="head 0", selection={"token": int(numbers[0].argmax()), "head": 0})
        for numbers in (ONE, OTHER)
    )  # fmt: skip
    found, same = covered(one), covered(other)
    assert found is not None
    assert same is not None
    assert found.payload().pack() == same.payload().pack()
    assert list(found.payload().header["tokens"]) == ROWS


def test_labels_that_are_a_result_are_not_shown():
    whole = matrix(ONE)
    (sheet,) = whole.sheets
    units = dataclasses.replace(sheet.rows, ids=[7, 3, 5], found=True)
    sheets = [dataclasses.replace(sheet, rows=units)]
    found = covered(dataclasses.replace(whole, sheets=sheets))
    assert isinstance(found, Matrix)
    assert list(found.sheets[0].rows.labels) == ["?"] * 3
    assert found.sheets[0].rows.ids is None
    both = dataclasses.replace(sheets[0], cols=dataclasses.replace(sheet.cols, found=True))
    assert covered(dataclasses.replace(whole, sheets=[both])) is None


def bars(cut: int) -> Bars:
    frame = BarFrame([BarRow("a", "a"), BarRow("b", "b")], note="The sampler draws “a”.")
    return Bars(
        title="Next", alt="", frames=[frame], values=np.array([[[0.6, 0.4], [0.8, 0.2], [1, 0]]]),
        stages=["model", "temperature", "top-k"], stage_field="cut", selection={"cut": cut},
    )  # fmt: skip


def test_bars_end_with_the_stage_that_is_shown():
    left = bars(1).up_to_now()
    assert isinstance(left, Bars)
    assert left.stages == ["model", "temperature"]
    assert left.values.tolist() == [[[0.6, 0.4], [0.8, 0.2]]]
    assert left.frames[0].note is None  # it tells of what the last stage left
    whole = bars(2)
    assert whole.up_to_now() is whole


def test_of_a_strip_only_the_chips_that_stood_before_are_shown():
    """Where they are a result, that may be none."""
    chips = [Chip("cat", "word", "a word")]
    strips = [Strip(title="Tokens", alt="cat", tokens=chips, given=given)
              for given in (None, [], [Chip("dog", "word", "another")])]  # fmt: skip
    found = [covered(one) for one in strips]
    assert [[chip.label for chip in one.tokens] for one in found] == [["cat"], [], ["dog"]]
