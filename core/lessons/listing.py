"""What a lesson may say of a view: its parameters, its values, and whether it can be picked in."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

from core import views
from core.errors import CoreError
from core.lessons.schema import LessonStep, StepFigure
from core.lessons.world import Answer, ShownFigure, world_of
from core.views.params import between, declared


def described(beginnings: Sequence[str], answer: Answer) -> Iterator[str]:
    """Each view on its own example, a paragraph.

    Args:
        beginnings: of names; all views when empty.
        answer: carries a request out.
    """
    for name in sorted(views.all_views()):
        if not beginnings or name.startswith(tuple(beginnings)):
            yield "\n".join(_paragraph(name, answer))


def _paragraph(name: str, answer: Answer) -> Iterator[str]:
    yield name
    params = views.get(name).Params
    for field in dataclasses.fields(params):
        yield f"    {field.name} = {getattr(params(), field.name)!r}{_allowed(params, field.name)}"
    try:
        step = LessonStep(id="example", title="?", line=0, figures=(StepFigure(view=name),))
        (shown,) = world_of(step, answer).shown
        yield from _values(shown)
    except CoreError as problem:
        yield f"  needs parameters: {problem}"


def _allowed(params: type[Any], name: str) -> str:
    """What a parameter may be."""
    declaration = declared(params, name)
    if declaration.choices is not None:
        return f"  one of {', '.join(map(str, declaration.choices))}"
    if declaration.low is None or declaration.high is None:
        return ""
    return f"  {between(declaration.low, declaration.high)}"


def _values(shown: ShownFigure) -> Iterator[str]:
    """Its numbers by name, with what their axes are called."""
    for name, value in shown.values.items():
        axes = ", ".join(f"{axis.name} {len(axis.labels)}" for axis in value.axes)
        yield f"  {name} [{axes}]: {value.label}"
    shape = shown.component({}).pick_shape()
    if shape is not None:
        size = f": {shape.rows} rows, {shape.cols} columns" if shape.kind == "cells" else ""
        yield f"  kind {shape.kind} can be picked in it{size}"
