"""Before the answer nothing of what is covered is sent: on other data the bytes are the same.

Every covered figure of every lesson is drawn twice, on the shipped weights and on data that have
changed in all that it covers. What is left of it must be the same, byte for byte: title, labels,
axes, text alternative, selection and arrays.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from core.figures.components import Component, Matrix, Strip
from core.lessons import Lesson, lesson, lesson_ids
from core.lessons.cover import covered
from core.lessons.expressions import evaluate
from core.lessons.posing import pose
from core.lessons.schema import LessonStep
from core.lessons.world import ShownFigure, World, world_of
from tests.lessons.shaken import Shaking, loud, quiet, recutting

SEEDS = 3

# In these steps the text that the model wrote itself stands in the question or is its data; only
# the numbers are covered, so the weights change so little that it writes the same.
WRITTEN = {
    ("gpt", "loop"), ("masks", "translator"), ("translation", "product"),
    ("translation", "greedy"), ("translation", "cross"),
}  # fmt: skip
# Figures that no weight decides, and what changes in them instead.
CUT = {"text.tokens", "text.encode", "text.pairs", "text.learnt", "text.code", "text.corpus",
       "text.bits"}  # fmt: skip
DRAWN = {"masked.example": "dice_seed", "masked.dice": "dice_seed", "shapes.signal": "shape_seed",
         "cost.growth": "cost_length", "cost.sizes": "cost_layers"}  # fmt: skip
COMPUTED = {
    "attention.scaling", "masks.worked", "masks.learning", "norm.rms", "norm.steps",
    "positions.binary", "positions.curves", "positions.similarity", "positions.sinusoidal",
    "stops.lengths", "contexts.layers", "contexts.distances", "which.probe",
    "shapes.curves", "cost.same", "cost.times",
    "learning.adam", "learning.compared", "learning.rate", "learning.smoothing",
    "tune.asked",  # trained for seconds, so it is not trained once more
}  # fmt: skip
OPEN = {"", "ahead"}  # of a way on the map what was reached stays open: tests/views/map/test_way.py
COVERED = [
    (ident, step.id)
    for ident in lesson_ids()
    if isinstance(found := lesson(ident), Lesson)
    for step in found.steps
    if any(one.cover not in OPEN for one in step.figures)
]


def found(ident: str, name: str) -> LessonStep:
    whole = lesson(ident)
    assert isinstance(whole, Lesson)
    return next(one for one in whole.steps if one.id == name)


def changed(ident: str, step: LessonStep, world: World) -> list[ShownFigure]:
    """The figures of a step on other data."""
    several = quiet() if (ident, step.id) in WRITTEN else loud()
    other = []
    for one in world.shown:
        alone = step.model_copy(update={"figures": (one.figure,)})
        if one.figure.view in COMPUTED:
            other.append(dataclasses.replace(one, view=Shaking(one.view)))
        elif one.figure.view in CUT:
            other += world_of(alone, recutting().get).shown
        elif one.figure.view in DRAWN:
            name = DRAWN[one.figure.view]
            further = {one.figure.name: {name: getattr(one.params, name) + 1}}
            other += world_of(alone, several.get, further).shown
        else:
            other += world_of(alone, several.get).shown
    return other


def left(component: Component, one: ShownFigure, rows: list[int] | None, printed: bool) -> bytes:
    """What the page sends of a covered figure, or what is printed of it."""
    if one.figure.cover == "place":
        return b""
    shown = covered(component, rows, one.figure.select)
    if shown is None:
        return component.title.encode()
    return shown.drawing("light").encode() if printed else shown.payload().pack()


def with_open_rows(other: Matrix, own: Matrix, rows: list[int]) -> Matrix:
    """A matrix whose covered rows alone are different."""
    name = other.shown.array
    array = np.array(own.arrays[name])
    array[rows] = other.arrays[name][rows]
    return dataclasses.replace(other, arrays={**other.arrays, name: array})


@pytest.mark.parametrize(("ident", "name"), COVERED)
def test_other_data_leave_every_byte_as_it_was(runs, ident, name):
    step = found(ident, name)
    world = world_of(step, runs.get)
    others = changed(ident, step, world)
    for seed in range(SEEDS):
        names = pose(step.question, world.names, seed).names if step.question else world.names
        for one, other in zip(world.shown, others, strict=True):
            if one.figure.cover not in OPEN:
                compare(one, other, names)
                if seed == 0:
                    compare(one, other, names, printed=True)


def compare(
    one: ShownFigure, other: ShownFigure, names: dict[str, Any], *, printed: bool = False
) -> None:
    own, changed_ = one.component(names).up_to_now(), other.component(names).up_to_now()
    rows = None
    if one.figure.rows is not None:
        rows = [int(n) for n in np.atleast_1d(evaluate(one.figure.rows, names))]
        assert isinstance(own, Matrix)
        assert isinstance(changed_, Matrix)
        changed_ = with_open_rows(changed_, own, rows)
    view = one.figure.view
    assert own.payload().pack() != changed_.payload().pack(), f"{view}: nothing has changed"
    assert left(own, one, rows, printed) == left(changed_, other, rows, printed), view
    shown = covered(own, rows, one.figure.select)
    assert not isinstance(shown, Strip) or not any(chip.title for chip in shown.tokens), view
