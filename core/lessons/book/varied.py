"""A lesson's variations in a book: what its figures may be made to show, worked out beforehand."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import CoreError
from core.lessons.hands import knows, label
from core.lessons.schema import LessonStep, StepFigure
from core.lessons.varying import Values, a_few, offered, values_of
from core.lessons.world import Answer, ShownFigure, World, world_of

MOST = 24  # variations of a figure
FEW = (5, 4, 3, 2)  # values of a number


@dataclass(frozen=True)
class Variations:
    """What a figure may be made to show.

    Attributes:
        controls: each with its label and what its values are called.
        values: of the parameters, by the name of the variation: the places of what was chosen.
        start: the one that the lesson shows.
    """

    controls: Sequence[Mapping[str, Any]]
    values: Mapping[str, Mapping[str, Any]]
    start: str


def variations_of(shown: ShownFigure) -> Variations | None:
    """What a figure may be made to show; None where the app alone can vary it.

    Of a text there is no end, and what is picked in the browser is picked in a book, too.
    """
    names = offered(shown)
    counted = {name: values_of(name, shown) for name in names}
    numbers = [name for name in names if counted[name] is None and _is_number(shown, name)]
    choices = {name: values for name in names if (values := counted[name]) or name in numbers}
    while choices:
        for few in FEW:
            every = {name: values or a_few(name, shown, few) for name, values in choices.items()}
            if math.prod(map(len, every.values())) <= MOST:
                return _all_of(shown, every)
        choices.popitem()
    return None


def leaves_out(shown: ShownFigure) -> bool:
    """Whether the app can vary more of a figure."""
    variations = variations_of(shown)
    names = [] if variations is None else [control["name"] for control in variations.controls]
    return any(name not in names for name in offered(shown))


def _is_number(shown: ShownFigure, name: str) -> bool:
    return isinstance(getattr(shown.params, name), int | float)


def _all_of(shown: ShownFigure, every: Mapping[str, Values]) -> Variations:
    controls = [
        {
            "name": name,
            "label": label(shown.params, name),
            "options": [called for _v, called in values],
        }
        for name, values in every.items()
    ]
    values = {}
    for places in itertools.product(*(range(len(values)) for values in every.values())):
        chosen = {
            name: values[place][0]
            for (name, values), place in zip(every.items(), places, strict=True)
        }
        values[",".join(map(str, places))] = chosen
    first = {name: getattr(shown.params, name) for name in every}
    start = next((name for name, chosen in values.items() if chosen == first), next(iter(values)))
    return Variations(controls, values, start)


def varied(
    step: LessonStep, shown: ShownFigure, variations: Variations, answer: Answer
) -> Iterator[tuple[str, World | CoreError]]:
    """Each variation but the lesson's own: the step as it is then, or why it cannot be shown.

    Args:
        step: of a lesson.
        shown: its figure that is varied.
        variations: what it may be made to show.
        answer: carries a request out.
    """
    for name, values in variations.values.items():
        if name == variations.start:
            continue
        inputs = {figure.name: _values_for(figure, shown.figure, values) for figure in step.figures}
        try:
            yield name, world_of(step, answer, inputs)
        except CoreError as problem:
            yield name, problem


def _values_for(
    figure: StepFigure, varied: StepFigure, values: Mapping[str, Any]
) -> dict[str, Any]:
    """What a figure takes of it: that one, and those that follow it."""
    if varied.name not in (figure.name, figure.follows) and figure.name != varied.follows:
        return {}
    return {name: value for name, value in values.items() if knows(figure, name)}
