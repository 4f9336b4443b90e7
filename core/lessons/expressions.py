"""What a lesson computes from the numbers of a run: a few lines of arithmetic, safe to evaluate.

``weights[query, key] / sqrt(d_head)`` is read by Python's own parser and carried out node by node;
only arithmetic, comparisons, indexing and the functions below are let through.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from core.analysis.distributions import softmax
from core.errors import ExpressionError
from core.figures.text import as_read, enough
from core.language import N_, Phrase

_Number = TypeVar("_Number", int, float)
MAX_LENGTH, MAX_RANGE, MAX_POWER = 400, 4096, 64


def _power(base: Any, exponent: Any) -> Any:
    if np.max(np.abs(exponent)) > MAX_POWER:
        raise ValueError(f"an exponent above {MAX_POWER}")
    return np.power(np.asarray(base, np.float64), exponent)


def _range(*bounds: Any) -> np.ndarray[Any, Any]:
    numbers = range(*(int(bound) for bound in bounds))
    _bounded(len(numbers))
    return np.array(numbers, np.int64)


def _zeros(n: Any) -> np.ndarray[Any, Any]:
    return np.zeros(_bounded(int(n)))


def _bounded(n: int) -> int:
    """So many places, if they are not too many: before there is room for them."""
    if n > MAX_RANGE:
        raise ValueError(f"more than {MAX_RANGE} places")
    return n


def _round_as_read(values: Any, by: float = 1) -> Any:
    """Numbers as they are read where they are shown: with three digits, or all before the point.

    Args:
        values: of them.
        by: what they are divided by, where the quotient is shown, too; then they have as many
            digits as make it right.
    """
    array = np.asarray(values, np.float64)
    read = [as_read(value, enough(value, value / by)) for value in array.ravel().tolist()]
    return np.array(read).reshape(array.shape) if array.ndim else read[0]


def _ranked(values: Any) -> np.ndarray[Any, Any]:
    """Places from the largest value to the smallest; of equal ones the first place first."""
    return np.argsort(-np.asarray(values, np.float64), kind="stable")


OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
    ast.Pow: _power, ast.USub: operator.neg, ast.Not: np.logical_not,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.And: np.logical_and, ast.Or: np.logical_or,
}  # fmt: skip
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sum": np.sum, "mean": np.mean, "max": np.max, "min": np.min, "std": np.std, "var": np.var,
    "prod": np.prod, "sin": np.sin, "cos": np.cos, "exp": np.exp,
    "log": np.log, "log2": np.log2, "sqrt": np.sqrt, "abs": np.abs,
    "round": np.round, "argmax": np.argmax, "argmin": np.argmin, "dot": np.dot, "any": np.any,
    "all": np.all, "sort": np.sort, "len": len, "range": _range, "ranked": _ranked,
    "softmax": lambda scores: softmax(np.asarray(scores, np.float64)),
    "isin": np.isin, "cumsum": np.cumsum, "norm": np.linalg.norm, "isnan": np.isnan,
    "shown": _round_as_read, "zeros": _zeros, "where": np.where, "text": str,
}  # fmt: skip
# What can go wrong with numbers that are of the wrong kind, too large, none, or too many.
WORKED_OUT = (LookupError, TypeError, ValueError, ArithmeticError, MemoryError, RecursionError)
CONSTANTS = {"pi": np.pi}
_TREES = (ast.Expression, ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.Call, ast.Name,
          ast.Constant, ast.Subscript, ast.Slice, ast.Tuple, ast.List, ast.Attribute, ast.IfExp,
          ast.Load, *OPERATORS)  # fmt: skip


@lru_cache(4096)
def parsed(text: str) -> ast.expr:
    """The tree of an expression.

    Raises:
        ExpressionError: it is none, or holds what is not let through.
    """
    if len(text) > MAX_LENGTH:
        raise ExpressionError(text[:40], Phrase(N_("longer than {n} characters"), n=MAX_LENGTH))
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        raise ExpressionError(text, N_("it is no expression")) from problem
    for node in ast.walk(tree):
        if not isinstance(node, _TREES):
            raise ExpressionError(
                text, Phrase(N_("{what} is not allowed"), what=type(node).__name__)
            )
        if isinstance(node, ast.Call) and (
            not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS or node.keywords
        ):
            functions = ", ".join(sorted(FUNCTIONS))
            raise ExpressionError(
                text, Phrase(N_("only these functions can be called: {known}"), known=functions)
            )
    return tree.body


def evaluate(text: str, names: Mapping[str, Any]) -> Any:
    """Carry out an expression.

    Args:
        text: of it.
        names: numbers and arrays by name; ``a.b`` is looked up in a mapping called ``a``.

    Raises:
        ExpressionError: it cannot be read or worked out: a name is not known, a place not there.
    """
    try:
        with np.errstate(all="ignore"):  # what is no number is said where it is read
            return _compiled(text)(names)
    except ExpressionError:
        raise
    except KeyError as problem:
        names_ = ", ".join(sorted(names))
        raise ExpressionError(
            text,
            Phrase(N_("{name} is not known; known: {known}"), name=problem, known=names_),
        ) from None
    except WORKED_OUT as problem:
        raise ExpressionError(
            text, Phrase(N_("it cannot be worked out ({problem})"), problem=problem)
        ) from problem


def number_of(text: str, names: Mapping[str, Any]) -> float:
    """The number that an expression gives.

    Raises:
        ExpressionError: it cannot be carried out, or gives something else.
    """
    return _read(text, float, evaluate(text, names))


def place_of(text: str, names: Mapping[str, Any]) -> int:
    """The place that an expression gives.

    Raises:
        ExpressionError: it cannot be carried out, or gives something else.
    """
    return _read(text, int, evaluate(text, names))


def places_of(text: str, names: Mapping[str, Any]) -> list[int]:
    """The places that an expression gives, one or several.

    Raises:
        ExpressionError: it cannot be carried out, or gives something else.
    """
    values = np.atleast_1d(evaluate(text, names)).ravel().tolist()
    return [_read(text, int, value) for value in values]


def _read(text: str, kind: Callable[[Any], _Number], value: Any) -> _Number:
    try:
        return kind(value)
    except WORKED_OUT as problem:
        raise ExpressionError(
            text, Phrase(N_("{what} is no number"), what=type(value).__name__)
        ) from problem


# A lesson asks for the same few expressions again and again, with other names.
_Carried = Callable[[Mapping[str, Any]], Any]


@lru_cache(4096)
def _compiled(text: str) -> _Carried:
    return _value(parsed(text))


def _value(node: ast.expr) -> _Carried:
    """What carries out a node with the names that it is given."""
    match node:
        case ast.Constant(value):
            return lambda _names: value
        case ast.Name(name):
            return lambda names: names[name] if name in names else CONSTANTS[name]
        case ast.Attribute(value, attr):
            base = _value(value)
            return lambda names: base(names)[attr]
        case ast.Tuple(elements) | ast.List(elements):
            carried = [_value(element) for element in elements]
            return lambda names: [element(names) for element in carried]
        case ast.Call(ast.Name(name), arguments):
            function, args = FUNCTIONS[name], [_value(argument) for argument in arguments]
            return lambda names: function(*(_number(argument(names)) for argument in args))
        case ast.Subscript(value, place):
            array, index = _value(value), _place(place)
            return lambda names: _index(array(names), index(names))
        case ast.IfExp(test, body, orelse):
            condition, yes, no = _value(test), _value(body), _value(orelse)
            return lambda names: yes(names) if condition(names) else no(names)
    return _worked_out(node)


def _worked_out(node: ast.expr) -> _Carried:
    """An operator between values."""
    match node:
        case ast.BinOp(left, op, right):
            return _between(OPERATORS[type(op)], _value(left), _value(right))
        case ast.UnaryOp(op, operand):
            act, of = OPERATORS[type(op)], _value(operand)
            return lambda names: act(_number(of(names)))
        case ast.BoolOp(op, values):
            both, carried = OPERATORS[type(op)], [_value(value_) for value_ in values]
            return lambda names: reduce(both, (operand(names) for operand in carried))
        case ast.Compare(left, ops, comparators):
            return _compared(
                [OPERATORS[type(op)] for op in ops],
                [_value(operand) for operand in (left, *comparators)],
            )
    raise ExpressionError(ast.unparse(node), N_("it is not allowed"))


def _between(act: Callable[..., Any], _carried: _Carried, right: _Carried) -> _Carried:
    def carried(names: Mapping[str, Any]) -> Any:
        sides = [_number(_carried(names)), _number(right(names))]
        if any(isinstance(side, str) for side in sides):
            raise TypeError("a text is no number")
        return act(*sides)

    return carried


def _compared(acts: Sequence[Callable[..., Any]], operands: Sequence[_Carried]) -> _Carried:
    def carried(names: Mapping[str, Any]) -> Any:
        sides = [_number(operand(names)) for operand in operands]
        both = zip(acts, pairwise(sides), strict=True)
        return reduce(np.logical_and, [act(a, b) for act, (a, b) in both])

    return carried


def _number(value: Any) -> Any:
    """Lists as arrays, so that arithmetic works on them."""
    return np.asarray(value) if isinstance(value, list) else value


def _index(value: Any, place: Any) -> Any:
    if isinstance(value, Mapping) or not isinstance(place, str):
        is_listed = isinstance(value, list | tuple) and not isinstance(
            place, int | slice | np.integer
        )
        return (np.asarray(value) if is_listed else value)[place]
    raise TypeError(f"{place!r} names no place")


def _place(node: ast.expr) -> _Carried:
    """An index: a number, a name, a slice, or several of them."""
    match node:
        case ast.Slice(lower, upper, step):
            ends = [None if bound is None else _value(bound) for bound in (lower, upper, step)]
            return lambda names: slice(*(None if end is None else int(end(names)) for end in ends))
        case ast.Tuple(elements):
            places = [_place(element) for element in elements]
            return lambda names: tuple(place(names) for place in places)
    place = _value(node)
    return lambda names: _as_place(place(names))


def _as_place(place: Any) -> Any:
    """A place that was worked out: what came out as a whole number with a point is one."""
    if isinstance(place, float | np.floating):
        if place != int(place):
            raise TypeError(f"{place} is no place")
        place = int(place)
    return place
