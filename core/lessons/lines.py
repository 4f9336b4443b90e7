"""The line of code behind a number of a view that no site of a model stands for.

A view's ``values`` hands its numbers out by name. The line is found from there: the variable's
first assignment, the record's property, or what the record was made with.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import typing
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any

from core.tracing.source import SourceLine
from core.views import View

ROOT = Path(__file__).resolve().parent.parent.parent
EVERY = "*"  # the key of what is handed out under names that are worked out
_HOPS = 3  # functions from ``values`` to where a name is said


@lru_cache(512)
def line_of(view: type[View[Any, Any]], name: str) -> SourceLine:
    """Where a value of a view is made.

    Args:
        view: its class.
        name: of the value.
    """
    function_ = view.values
    assert isinstance(function_, FunctionType)
    record = typing.get_type_hints(function_)["record"]
    functions = [*_called_from(function_, record)]
    for key in (name, EVERY):
        for function in functions:
            tree = _tree(function)
            for entry_name, value in _entries(tree):
                if entry_name == key:
                    return _line_of_value(view, function, tree, value)
    return _line(function_, _returned(function_))


def _returned(function: FunctionType) -> ast.Return:
    """The last thing that a function gives back."""
    return [node for node in ast.walk(_tree(function)) if isinstance(node, ast.Return)][-1]


def _called_from(first: FunctionType, record: type[Any]) -> Iterator[FunctionType]:
    """A function, then those of ours that it names, and those that these name."""
    seen_functions, ahead = {first}, [first]
    for _hop in range(_HOPS):
        yield from ahead
        callees = [
            callee
            for function in ahead
            for node in ast.walk(_tree(function))
            if isinstance(callee := _named(node, function, record), FunctionType)
            and callee.__module__.startswith("core.")
        ]
        ahead = [callee for callee in dict.fromkeys(callees) if callee not in seen_functions]
        seen_functions |= set(ahead)


def _named(node: ast.AST, function: FunctionType, record: type[Any]) -> Any:
    """What a name in a function stands for: something of its file, or a method of the record."""
    match node:
        case ast.Name(name):
            return function.__globals__.get(name)
        case ast.Attribute(ast.Name("record"), name):
            return inspect.getattr_static(record, name, None)
    return None


def _entries(tree: ast.AST) -> Iterator[tuple[Any, ast.expr]]:
    """What is handed out under a name in a function."""
    for node in ast.walk(tree):
        match node:
            case ast.Dict(keys, values):
                for key, value in zip(keys, values, strict=True):
                    if isinstance(key, ast.Constant) and not _words(value):
                        yield key.value, value
            case ast.DictComp(value=ast.Call(ast.Name("Values"), [_, _, *_])):
                yield EVERY, node.value
            case ast.Assign([ast.Subscript(slice=ast.Constant(key))], value):
                yield key, value


def _words(node: ast.expr) -> bool:
    """Whether this is what something is called."""
    return isinstance(node, ast.Call) and ast.unparse(node.func) in ("_", "N_")


def _line_of_value(
    view: type[View[Any, Any]], function: FunctionType, tree: ast.AST, value: ast.expr
) -> SourceLine:
    """The line that makes what is handed out."""
    match value:
        case ast.Call(ast.Name("Values"), [_label, array, *_]):
            value = array
        case ast.Tuple([_label, array]):
            value = array
    match _inside(value):
        case ast.Name(name):
            return _line(function, _assigned(tree, name) or value)
        case ast.Attribute(ast.Name("record"), name):
            return _of_record(view, name) or _line(function, value)
    return _line(function, value)


def _inside(value: ast.expr) -> ast.expr:
    """What is only put into another form, or of which a part is taken."""
    match value:
        case ast.Call(ast.Attribute(ast.Name("np"), "array"), [inner, *_]):
            return _inside(inner)
        case ast.Call(ast.Attribute(inner, "astype")):
            return _inside(inner)
        case ast.Subscript(inner):
            return _inside(inner)
    return value


def _of_record(view: type[View[Any, Any]], name: str) -> SourceLine | None:
    """What gives a view's record one of its attributes: a property, or who makes the record."""
    kind = typing.get_type_hints(view.values)["record"]
    member = inspect.getattr_static(kind, name, None)
    getter = member.fget if isinstance(member, property) else None
    getter = member.func if isinstance(member, cached_property) else getter
    if isinstance(getter, FunctionType):
        end = _returned(getter)
        return _line(getter, end.value or end)
    compute = view.compute
    assert isinstance(compute, FunctionType)
    fields = [*getattr(kind, "__dataclass_fields__", ())]
    for function in _called_from(compute, kind):
        tree = _tree(function)
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and ast.unparse(node.func) == kind.__name__):
                continue
            arguments = dict(zip(fields, node.args, strict=False))
            arguments |= {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
            if name in arguments:
                value = arguments[name]
                if isinstance(value, ast.Name):
                    return _line(function, _assigned(tree, value.id) or value)
                return _line(function, value)
    return None


def _assigned(tree: ast.AST, name: str) -> ast.stmt | None:
    """Where a variable is first assigned."""
    assignments = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        and any(
            isinstance(target, ast.Name) and target.id == name
            for target in ast.walk(node.targets[0])
        )
    ]
    return min(assignments, key=lambda node: node.lineno, default=None)


@lru_cache(512)
def _tree(function: FunctionType) -> ast.AST:
    """A function as it stands in its file, with the line numbers of the file."""
    first = function.__code__.co_firstlineno
    for node in ast.walk(_module(function.__module__)):
        if (
            isinstance(node, ast.FunctionDef)
            and node.name == function.__name__
            and first in (node.lineno, *(decorator.lineno for decorator in node.decorator_list))
        ):
            return node
    return ast.parse("")  # a lambda, say


@lru_cache(64)
def _text(module: str) -> str:
    return Path(sys.modules[module].__file__ or "").read_text(encoding="utf-8")


@lru_cache(64)
def _module(module: str) -> ast.AST:
    return ast.parse(_text(module))


def _line(function: Callable[..., Any], node: ast.expr | ast.stmt) -> SourceLine:
    module = function.__module__
    path = Path(sys.modules[module].__file__ or "").relative_to(ROOT).as_posix()
    code = re.sub(r"\s+", " ", ast.get_source_segment(_text(module), node) or "")
    return SourceLine(path, node.lineno, code)
