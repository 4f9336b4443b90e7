"""A lesson's variations in a book: what its figures may be made to show, worked out beforehand."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import CoreError
from core.lessons.hands import knows, label
from core.lessons.schema import Figure, Step
from core.lessons.varying import Values, a_few, offered, values_of
from core.lessons.world import Answer, Shown, World, world_of

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


def variations_of(one: Shown) -> Variations | None:
    """What a figure may be made to show; None where the app alone can vary it.

    Of a text there is no end, and what is picked in the browser is picked in a book, too.
    """
    names = offered(one)
    counted = {name: values_of(name, one) for name in names}
    numbers = [name for name in names if counted[name] is None and _is_number(one, name)]
    known = {name: values for name in names if (values := counted[name]) or name in numbers}
    while known:
        for few in FEW:
            every = {name: values or a_few(name, one, few) for name, values in known.items()}
            if math.prod(map(len, every.values())) <= MOST:
                return _all_of(one, every)
        known.popitem()
    return None


def leaves_out(one: Shown) -> bool:
    """Whether the app can vary more of a figure."""
    found = variations_of(one)
    known = [] if found is None else [control["name"] for control in found.controls]
    return any(name not in known for name in offered(one))


def _is_number(one: Shown, name: str) -> bool:
    return isinstance(getattr(one.params, name), int | float)


def _all_of(one: Shown, every: Mapping[str, Values]) -> Variations:
    controls = [
        {"name": name, "label": label(one.params, name), "options": [called for _v, called in own]}
        for name, own in every.items()
    ]
    values = {}
    for places in itertools.product(*(range(len(own)) for own in every.values())):
        chosen = {name: own[at][0] for (name, own), at in zip(every.items(), places, strict=True)}
        values[",".join(map(str, places))] = chosen
    first = {name: getattr(one.params, name) for name in every}
    start = next((name for name, chosen in values.items() if chosen == first), next(iter(values)))
    return Variations(controls, values, start)


def varied(
    step: Step, one: Shown, found: Variations, answer: Answer
) -> Iterator[tuple[str, World | CoreError]]:
    """Each variation but the lesson's own: the step as it is then, or why it cannot be shown.

    Args:
        step: of a lesson.
        one: its figure that is varied.
        found: what it may be made to show.
        answer: carries a request out.
    """
    for name, values in found.values.items():
        if name == found.start:
            continue
        given = {own.name: _taken(own, one.figure, values) for own in step.figures}
        try:
            yield name, world_of(step, answer, given)
        except CoreError as problem:
            yield name, problem


def _taken(own: Figure, varied: Figure, values: Mapping[str, Any]) -> dict[str, Any]:
    """What a figure takes of it: that one, and those that follow it."""
    if varied.name not in (own.name, own.follows) and own.name != varied.follows:
        return {}
    return {name: value for name, value in values.items() if knows(own, name)}
