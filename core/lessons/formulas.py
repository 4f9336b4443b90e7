"""An expression as people write it: ``sqrt(d_head) * 2`` as ``√d_head × 2``."""

from __future__ import annotations

import ast
from collections.abc import Callable

from core.figures.text import MINUS
from core.locale import grouped, in_quotes, spelt

Leaf = Callable[[ast.expr], str]  # writes what has a name: an operand
SYMBOLS = {"pi": "π"}  # names that are no operands
_SIGNS: dict[type[ast.AST], tuple[str, int]] = {
    ast.Or: ("or", 1), ast.And: ("and", 2),
    ast.Eq: ("=", 4), ast.NotEq: ("≠", 4), ast.Lt: ("<", 4), ast.LtE: ("≤", 4),
    ast.Gt: (">", 4), ast.GtE: ("≥", 4),
    ast.Add: ("+", 5), ast.Sub: (MINUS, 5), ast.Mult: ("×", 6), ast.Div: ("/", 6),
    ast.FloorDiv: ("div", 6), ast.Mod: ("mod", 6),
}  # fmt: skip
_NOT, _NEGATIVE, _POWER, _WHOLE = 3, 7, 8, 10


def formula(node: ast.expr, leaf: Leaf) -> str:
    """An expression in one line.

    Args:
        node: of it.
        leaf: writes a name, or a place in what has a name.
    """
    return _written(node, leaf)[0]


def is_leaf(node: ast.AST) -> bool:
    """Whether this is an operand: a name, and places in it, but nothing that is worked out."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return isinstance(node, ast.Name)


def _written(node: ast.expr, leaf: Leaf) -> tuple[str, int]:
    """A part of it, and how firmly it hangs together."""

    def inside(child: ast.expr, least: int) -> str:
        text, firm = _written(child, leaf)
        return text if firm >= least else f"({text})"

    if is_leaf(node):
        text = SYMBOLS.get(ast.unparse(node)) or leaf(node)
        return text, _NEGATIVE if text.startswith(MINUS) else _WHOLE
    match node:
        case ast.Constant(value):
            return _constant(value), _WHOLE
        case ast.BinOp(left, ast.Pow(), right):
            return f"{inside(left, _WHOLE)}^{inside(right, _WHOLE)}", _POWER
        case ast.BinOp(left, op, right):
            sign, firm = _SIGNS[type(op)]
            return f"{inside(left, firm)} {sign} {inside(right, firm + 1)}", firm
        case ast.UnaryOp(ast.Not(), operand):
            return f"not {inside(operand, _NOT)}", _NOT
        case ast.UnaryOp(_, operand):
            return f"{MINUS}{inside(operand, _NEGATIVE)}", _NEGATIVE
        case ast.BoolOp(op, values):
            sign, firm = _SIGNS[type(op)]
            return f" {sign} ".join(inside(operand, firm + 1) for operand in values), firm
        case ast.Compare(left, ops, others):
            both = zip(ops, others, strict=True)
            rest = "".join(f" {_SIGNS[type(op)][0]} {inside(operand, 5)}" for op, operand in both)
            return f"{inside(left, 5)}{rest}", 4
    return _called(node, leaf), _WHOLE


def _called(node: ast.expr, leaf: Leaf) -> str:
    """What holds together by itself: functions, lists, places in what is worked out."""
    match node:
        case ast.Call(ast.Name("sqrt"), [argument]):
            text, firm = _written(argument, leaf)
            return f"√{text}" if firm >= _WHOLE else f"√({text})"
        case ast.Call(ast.Name("shown"), [argument, *_]):
            return formula(argument, leaf)  # what is read is rounded anyway
        case ast.Call(ast.Name("abs"), [argument]):
            return f"|{formula(argument, leaf)}|"
        case ast.Call(ast.Name(name), arguments):
            return f"{name}({', '.join(formula(argument, leaf) for argument in arguments)})"
        case ast.List(elements) | ast.Tuple(elements):
            return f"[{', '.join(formula(element, leaf) for element in elements)}]"
        case ast.Subscript(value, place):
            text, firm = _written(value, leaf)
            return f"{text if firm >= _WHOLE else f'({text})'}[{place_in(place, leaf)}]"
        case ast.IfExp(test, body, orelse):
            return f"({formula(body, leaf)} if {formula(test, leaf)} else {formula(orelse, leaf)})"
    return ast.unparse(node)


def place_in(node: ast.expr, leaf: Leaf) -> str:
    """An index as it is written: a number, or from where to where."""
    match node:
        case ast.Slice(lower, upper, step):
            ends = [lower, upper, *([step] if step else [])]
            return ":".join("" if end is None else formula(end, leaf) for end in ends)
        case ast.Tuple(elements):
            return ", ".join(place_in(element, leaf) for element in elements)
    return formula(node, leaf)


def _constant(value: object) -> str:
    if isinstance(value, str):
        return in_quotes(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return grouped(value) if isinstance(value, int) else spelt(f"{value:g}")
