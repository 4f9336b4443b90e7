"""Where in our own files a number is made: the line of a tap, of a derivation, of a statement."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.tracing.sites import Site

_ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True, slots=True)
class SourceLine:
    """Where a number is made: a file, a line in it, and the code that stands there."""

    path: str
    line: int
    code: str


def source_line(site: Site) -> SourceLine:
    """The line of code that computed a site."""
    if site.tapped is None:
        return _derivation(site.path, site.part)
    return _tap_lines(site.path)[site.part, site.tapped]


@lru_cache(maxsize=64)
def _tap_lines(path: str) -> dict[tuple[str, str], SourceLine]:
    """What every tap of a file is given, by class and name: the first one of each."""
    lines, parts = _read(path)
    lines_of_taps: dict[tuple[str, str], SourceLine] = {}
    for part in parts:
        for function in ast.walk(part):
            for call in ast.walk(function) if isinstance(function, ast.FunctionDef) else ():
                match call:
                    case ast.Call(args=[ast.Constant(value=str(name)), _, *_]) if _is_tap(
                        call.func
                    ):
                        line = _line(lines, path, _maker(function, call))
                        lines_of_taps.setdefault((getattr(part, "name", ""), name), line)
    return lines_of_taps


Lines = list[bytes]  # of a file, as the syntax tree counts them: in bytes


@lru_cache(maxsize=4)
def _read(path: str) -> tuple[Lines, list[ast.stmt]]:
    """The lines of a file, and its statements; many lines of one are asked for in turn."""
    text = (_ROOT / path).read_bytes()
    return text.split(b"\n"), ast.parse(text).body


def _line(lines: Lines, path: str, node: ast.expr | ast.stmt) -> SourceLine:
    return SourceLine(path, node.lineno, re.sub(r"\s+", " ", _code(lines, node)))


def _code(lines: Lines, node: ast.expr | ast.stmt) -> str:
    """The same as ``ast.get_source_segment``, which takes the whole text apart at every call."""
    segment = lines[node.lineno - 1 : node.end_lineno]
    segment[-1] = segment[-1][: node.end_col_offset]
    segment[0] = segment[0][node.col_offset :]
    return b"\n".join(segment).decode()


def _maker(function: ast.AST, call: ast.Call) -> ast.Assign | ast.expr:
    """What makes the value that a tap is given: there, or where the variable is first assigned."""
    value = call.args[1]
    if not isinstance(value, ast.Name):
        return value
    assignments = [
        statement
        for statement in ast.walk(function)
        if isinstance(statement, ast.Assign)
        and statement.lineno < call.lineno
        and value.id
        in {node.id for node in ast.walk(statement.targets[0]) if isinstance(node, ast.Name)}
    ]
    return min(assignments, key=lambda statement: statement.lineno, default=value)


def _is_tap(function: ast.expr) -> bool:
    """``tap(...)`` or ``tap.at(...)(...)``."""
    if isinstance(function, ast.Call) and isinstance(function.func, ast.Attribute):
        function = function.func.value
    return isinstance(function, ast.Name) and function.id == "tap"


@lru_cache(maxsize=64)
def _derivation(path: str, function: str) -> SourceLine:
    """What a function of a file returns."""
    lines, parts = _read(path)
    for node in parts:
        if isinstance(node, ast.FunctionDef) and node.name == function:
            return _line(lines, path, node.body[-1])
    raise LookupError(f"{path} has no function {function!r}")


@lru_cache(maxsize=4)
def _statements(path: str) -> list[ast.stmt]:
    """All statements of a file, those within others too, from its first line to its last."""
    _lines, parts = _read(path)
    every = [node for part in parts for node in ast.walk(part)]
    return sorted(
        (node for node in every if isinstance(node, ast.stmt)), key=lambda node: node.lineno
    )


@lru_cache(maxsize=64)
def line_with(path: str, code: str) -> SourceLine:
    """The first statement of a file that starts like this, whole.

    For numbers that no site is the name of.

    Args:
        path: from the top of the project.
        code: how the first line of the statement begins.

    Raises:
        LookupError: there is none. The caller names code of our own, so this is a bug.
    """
    (lines, _parts), begins = _read(path), code.encode()
    for statement in _statements(path):
        if lines[statement.lineno - 1].startswith(begins, statement.col_offset):
            return _line(lines, path, statement)
    raise LookupError(f"{path} has no statement that starts with {code!r}")
