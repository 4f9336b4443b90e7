"""From a lesson's Markdown to data: front matter, a heading for each step, fenced blocks in it.

A fence whose info is ``view``, ``question`` or ``click`` holds YAML. What stands above the question
is shown with it, what stands below once it has been answered; so it is with a click.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token
from pydantic import ValidationError

from core.errors import LessonError
from core.lessons.schema import Button, Lesson, LessonStep, Question, StepFigure
from core.yaml_files import LOADER

MAX_SIZE = 200_000  # characters of a file
_ID = re.compile(r"\s*\{#([a-z0-9-]+)((?:\s+C\d+)*)\}\s*$")
_HTML = re.compile(r"<[A-Za-z!/]")
_FENCES = {"view": StepFigure, "question": Question, "click": Button}
_BOOL, _TRUE = "tag:yaml.org,2002:bool", re.compile(r"^(true|false)$")

_HEADING = re.compile(r"^## (.+?)[ \t]*(?:\{#[^}]*\})?[ \t]*$", re.MULTILINE)
_ASKING, _FENCE = "```question\n", "\n```"


class _Loader(LOADER):  # type: ignore[misc]
    """YAML in which ``off`` is a word, as in YAML 1.2: it is a parameter of a view."""

    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {
        first: [(tag, _TRUE if tag == _BOOL else form) for tag, form in forms]
        for first, forms in LOADER.yaml_implicit_resolvers.items()
    }


@dataclass(frozen=True, slots=True)
class _Fence:
    """A fence of ours: what it is, where it begins and ends, and what it says."""

    kind: str
    first: int
    last: int
    text: str


def read(path: Path, language: str) -> Lesson:
    """The lesson of a file.

    Args:
        path: of the file.
        language: that it is written in.

    Raises:
        LessonError: it is not as it should be.
    """
    return parse(_text(path), path.name, language)


def read_entry(path: Path) -> tuple[str, bool]:
    """The title of a lesson, and whether questions stand before its first step.

    The rest of the file is not read: that takes 30 ms.

    Raises:
        LessonError: it has none.
    """
    front, _end = _front(_text(path).splitlines(), path.name)
    title = front.get("title") if isinstance(front, dict) else None
    if not isinstance(title, str):
        raise LessonError(path.name, 2, "the front matter names things: id, title, items ...")
    return title, bool(front.get("probe"))


def read_steps(path: Path) -> tuple[tuple[str, str], ...]:
    """The title of each step of a lesson, and its question: without the rest of the file.

    Raises:
        LessonError: it cannot be read.
    """
    _front, *parts = _HEADING.split(_text(path))
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return tuple((title, _read_ask(text, path.name)) for title, text in pairs)


def _read_ask(step: str, file: str) -> str:
    """What the question of a step asks; empty where it has none."""
    _before, _fence, after = step.partition(_ASKING)
    data = _yaml(after.partition(_FENCE)[0], file, 1)
    return str(data.get("ask", "")) if isinstance(data, dict) else ""


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise LessonError(path.name, 1, str(problem)) from problem


def parse(text: str, file: str, language: str) -> Lesson:
    """The lesson of a text.

    Args:
        text: the file's.
        file: its name, for what is said of mistakes; without its ending it is the lesson's id.
        language: that it is written in.

    Raises:
        LessonError: it is not as it should be.
    """
    if len(text) > MAX_SIZE:
        raise LessonError(file, 1, f"longer than {MAX_SIZE} characters")
    lines = text.splitlines()
    front, end = _front(lines, file)
    body = ["" for _line in lines[: end + 1]] + lines[end + 1 :]  # so that line numbers stay
    for n, line in enumerate(body, 1):
        if _HTML.search(line):
            raise LessonError(file, n, "HTML is not let through; write < as \\lt in a formula")
    for n in _unclosed("\n".join(body)):
        raise LessonError(file, n, "a hole that {{ opens is closed by }}")
    steps = list(_steps(body, file))
    if not isinstance(front, dict):
        raise LessonError(file, 2, "the front matter names things: id, title, items ...")
    data = {"id": file.removesuffix(".md"), "language": language, **front, "steps": steps}
    if data["id"] != file.removesuffix(".md"):
        raise LessonError(
            file, 2, f"its id is {data['id']!r}, so it must be called {data['id']}.md"
        )
    return _make_part(Lesson, data, file, 2)


def _front(lines: list[str], file: str) -> tuple[Any, int]:
    """The front matter, and the index of the line that ends it."""
    if not lines or lines[0].strip() != "---" or "---" not in lines[1:]:
        raise LessonError(file, 1, "a lesson begins with its front matter between two lines ---")
    end = lines.index("---", 1)
    return _yaml("\n".join(lines[1:end]), file, 2), end


def _unclosed(text: str) -> Iterator[int]:
    """The lines in which a hole begins that does not end before the next one."""
    start = text.find("{{")
    while start >= 0:
        end, following = text.find("}}", start), text.find("{{", start + 2)
        if end < 0 or 0 <= following < end:
            yield text.count("\n", 0, start) + 1
        start = following


def _steps(lines: list[str], file: str) -> Iterator[LessonStep]:
    """The steps: a heading of the second level each."""
    tokens = MarkdownIt("commonmark").parse("\n".join(lines))
    heads = [(token, title) for token, title in pairwise(tokens)
             if token.type == "heading_open" and token.level == 0]  # fmt: skip
    for token, _title in heads:
        if token.tag != "h2":
            raise LessonError(file, _line(token), "a step begins with ##; use bold in its text")
    ends = [_line(token) - 1 for token, _title in heads[1:]] + [len(lines)]
    for (token, title), end in zip(heads, ends, strict=True):
        first = _line(token)
        blocks = [
            _Fence(block.info.strip(), block.map[0], block.map[1], block.content)
            for block in tokens
            if block.type == "fence" and block.info.strip() in _FENCES and block.map
            and first <= block.map[0] < end
        ]  # fmt: skip
        yield _step(title.content, first, lines, end, blocks, file)


def _step(
    title: str, first: int, lines: list[str], end: int, blocks: list[_Fence], file: str
) -> LessonStep:
    match = _ID.search(title)
    if match is None:
        raise LessonError(file, first, "a step's title ends with its id: {#where-it-looks C5}")
    parts: dict[str, list[Any]] = {kind: [] for kind in _FENCES}
    for block in blocks:
        data = _yaml(block.text, file, block.first + 2)
        parts[block.kind].append(_make_part(_FENCES[block.kind], data, file, block.first + 1))
    if len(parts["question"]) + len(parts["click"]) > 1:
        raise LessonError(file, blocks[-1].first + 1, "a step asks one question, or has one click")
    fence = next((block.first for block in blocks if block.kind != "view"), end)
    return _make_part(
        LessonStep,
        {
            "id": match[1],
            "title": title[: match.start()],
            "line": first,
            "items": tuple(match[2].split()),
            "figures": tuple(parts["view"]),
            "question": next(iter(parts["question"]), None),
            "click": next((click.label for click in parts["click"]), None),
            "before": _prose(lines, first, fence, blocks),
            "after": _prose(lines, fence, end, blocks),
        },
        file,
        first,
    )  # fmt: skip


def _prose(lines: list[str], first: int, end: int, blocks: list[_Fence]) -> str:
    """The lines between two places that are in none of our fences."""
    lines_of_blocks = {n for block in blocks for n in range(block.first, block.last)}
    return "\n".join(lines[n] for n in range(first, end) if n not in lines_of_blocks).strip()


def _line(token: Token) -> int:
    """The line of the file, counted from 1."""
    return token.map[0] + 1 if token.map else 1


def _yaml(text: str, file: str, line: int) -> Any:
    try:
        return yaml.load(text, Loader=_Loader)
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        line_ = line + (mark.line if mark is not None else 0)
        reason = getattr(problem, "problem", None) or str(problem)
        raise LessonError(file, line_, f"no YAML: {reason}") from problem


def _make_part(kind: type[Any], data: Any, file: str, line: int) -> Any:
    """A part from what a block says."""
    if not isinstance(data, dict):
        raise LessonError(file, line, "a block names things: one 'name: value' a line")
    try:
        return kind(**data)
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(map(str, first["loc"]))
        reason = first["msg"].removeprefix("Value error, ")
        raise LessonError(file, line, f"{where}: {reason}" if where else reason) from problem
    except TypeError as problem:  # a name that is no text
        raise LessonError(file, line, str(problem)) from problem
