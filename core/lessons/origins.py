"""Where a number in the text of a step comes from: its formula, its operands, the lines that ran.

Everything that is said of an operand is worked out on the run at hand, as the number itself is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.lessons.expressions import CONSTANTS, parsed
from core.lessons.filling import AS_WORDS, filling, holes, parts
from core.lessons.formulas import formula, is_leaf
from core.lessons.operands import FormulaNames, Operand
from core.lessons.posing import Posed
from core.lessons.world import World


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a number comes from.

    Attributes:
        shown: as the text has it.
        value: all of it.
        formula: with the names of its operands.
        filled: with their values.
        operands: each once, in order.
    """

    shown: str
    value: Any
    formula: str
    filled: str
    operands: tuple[Operand, ...]

    def covered(self) -> Origin:
        """What may be said while a figure is covered: no number but the one that is shown."""
        if len(self.operands) == 1 and self.operands[0].name == self.formula:
            return self
        hidden = tuple(replace(operand, value="") for operand in self.operands)
        return replace(self, filled=self.formula, operands=hidden)

    @property
    def short(self) -> str:
        """The formula, with numbers and as shown, in one line: what differs, joined by =."""
        texts = [self.formula]
        for text in (self.filled, self.shown):
            if text != texts[-1]:
                texts.append(text)
        return " = ".join(texts)


def origins(text: str, world: World, posed: Posed | None = None) -> Iterator[Origin]:
    """The origins of the numbers in a text, in its order, each once; words have none.

    Args:
        text: of the step.
        world: of the step.
        posed: its question, where there is one.
    """
    holes_seen = set()
    for hole in holes(text):
        if hole not in holes_seen:
            holes_seen.add(hole)
            origin_ = origin(hole, world, posed)
            if origin_ is not None:
                yield origin_


def origin(hole: str, world: World, posed: Posed | None = None) -> Origin | None:
    """Where what fills a hole comes from; None for a word.

    Args:
        hole: what stands in it.
        world: of the step.
        posed: its question, where there is one.

    Raises:
        ExpressionError: it says something that is not there.
    """
    facts = FormulaNames(world, posed)
    expression, way = parts(hole)
    node = facts.with_answer(parsed(expression))
    value = facts.value(node)
    if _is_word(value) or way in AS_WORDS:
        return None
    leaves = {ast.unparse(leaf): leaf for leaf in _leaves(node)}
    return Origin(
        filling(hole, facts.names),
        value,
        formula(node, facts.named),
        formula(node, facts.filled),
        tuple(facts.operand(leaf) for leaf in leaves.values()),
    )


def _is_word(value: Any) -> bool:
    return np.asarray(value).dtype.kind in "USO"


def _leaves(node: ast.AST) -> Iterator[ast.expr]:
    """The operands of a formula; what only says a place in one is none."""
    if isinstance(node, ast.expr) and is_leaf(node):
        if ast.unparse(node) not in CONSTANTS:
            yield node
    elif isinstance(node, ast.Call):
        for argument in node.args:
            yield from _leaves(argument)
    else:
        for child in ast.iter_child_nodes(node):
            yield from _leaves(child)
