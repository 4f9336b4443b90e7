"""What may stand in a lesson file, as ``docs/lessons.md`` has it: made from the schema."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from core.lessons.expressions import CONSTANTS, FUNCTIONS
from core.lessons.question import (
    Formula,
    Ident,
    Name,
    ParameterHand,
    Question,
    QuestionPart,
    Text,
    Value,
    Wrong,
)
from core.lessons.schema import MAX_STEPS, MIN_STEPS, Button, LectureSource, Lesson, StepFigure

# Each part of a file by its heading, with the fields that the reader fills in by itself.
PARTS: tuple[tuple[str, type[QuestionPart], tuple[str, ...]], ...] = (
    ("Front matter", Lesson, ("id", "language", "steps")),
    ("An entry of `sources`", LectureSource, ()),
    ("A `view` block", StepFigure, ()),
    ("A `question` block", Question, ()),
    ("An entry of `wrong`", Wrong, ()),
    ("A `click` block", Button, ()),
)
KINDS: tuple[tuple[Any, str], ...] = (
    (Text, "text"), (str, "text"), (Formula, "expression"), (Ident, "id"), (Name, "name"),
    (Value, "value"), (bool, "`true` or `false`"), (float, "number"), (int, "number"),
    (ParameterHand, "`free`, a list of values, or each value with what it is called"),
    (Wrong, "an answer, or an entry (below)"), (LectureSource, "entry (below)"),
)  # fmt: skip
_ATTRIBUTE = re.compile(r"^    (\w+): (.+(?:\n {8}.+)*)", re.MULTILINE)


def syntax() -> str:
    """The reference of lesson files, as Markdown."""
    parts = [f"### {title}\n\n{table(part, left_out)}" for title, part, left_out in PARTS]
    return "\n\n".join([
        f"A lesson has {MIN_STEPS} to {MAX_STEPS} steps. Fields in bold must be there.",
        *parts,
        f"### Expressions\n\nFunctions: {_code(FUNCTIONS)}. Constants: {_code(CONSTANTS)}.",
    ])  # fmt: skip


def table(part: type[QuestionPart], left_out: tuple[str, ...]) -> str:
    """The fields of a part: each with what it takes and what it means."""
    return "\n".join(["| field | takes | meaning |", "|---|---|---|", *_rows(part, left_out)])


def _rows(part: type[QuestionPart], left_out: tuple[str, ...]) -> Iterator[str]:
    hints, texts = get_type_hints(part, include_extras=True), meanings(part)
    for name, field in part.model_fields.items():
        if name in left_out:
            continue
        takes = kind(hints[name])
        if isinstance(field.default, int | float) and field.default:
            takes += f"; {str(field.default).lower()} without it"
        bold = "**" if field.is_required() else ""
        yield f"| {bold}`{name}`{bold} | {takes} | {texts[name][0].upper()}{texts[name][1:]} |"


def meanings(part: type[QuestionPart]) -> dict[str, str]:
    """What the docstring of a part says of each field."""
    attributes = _ATTRIBUTE.findall(inspect.getdoc(part) or "")
    return {name: re.sub(r"\s+", " ", meaning).replace("``", "`") for name, meaning in attributes}


def kind(hint: Any) -> str:
    """What a field takes, in words."""
    for hint_, words in KINDS:
        if hint == hint_:
            return words
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return kind(args[0])
    if origin is Literal:
        return _code(arg for arg in args if arg)
    if origin is tuple:
        return f"list of: {kind(args[0])}"
    if origin is dict:
        return f"by name: {kind(args[1])}"
    return " or ".join(kind(arg) for arg in args if arg is not NoneType)


def _code(names: Any) -> str:
    return ", ".join(f"`{name}`" for name in names)
