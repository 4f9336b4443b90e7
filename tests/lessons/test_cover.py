"""What is covered does not reach the browser: it cannot be told from other numbers."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from core.figures.components import (
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


@pytest.mark.parametrize("name", ["how", "texts", "counts", "source", "paint"])
def test_nothing_that_speaks_of_a_cell_is_left(name):
    found = covered(matrix(ONE), [1])
    assert isinstance(found, Matrix)
    assert getattr(found.sheets[0], name) is None
    assert set(found.arrays) == {"w", "may"}
    assert dataclasses.asdict(found)["lists"] == {}


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
