"""What a formula in a lesson names: its value and labels, what it is, the line that computed it."""

from __future__ import annotations

import ast
import copy
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from core import zoo
from core.errors import CoreError
from core.figures.text import MINUS, number
from core.language import N_, _
from core.lessons.expressions import evaluate, parsed, place_of
from core.lessons.lines import ROOT, line_of
from core.lessons.naming import Facts
from core.lessons.posing import Posed
from core.lessons.world import OF_A_HEAD, ShownFigure, World
from core.locale import grouped, in_quotes, row
from core.tracing.source import SourceLine
from core.views.attention.head import HeadRun
from core.views.params import declared

LISTED = 4  # of many numbers, those that are said
DIGITS = 4  # of an operand
ANSWER = "answer"

OTHERWISE = {
    "T": N_("the number of tokens that the model reads"),
    "tokens": N_("the tokens of the text"),
    "words": N_("the tokens of the text"),
    "d_head": N_("how many components one head has: d_model divided by n_heads"),
    "params": N_("chosen in this lesson"),
    "axis": N_("the labels of the figure"),
    "weight": N_("learned in training, and kept in the model's file"),
    "measured": N_("measured after training, as the model's card says"),
    "chance": N_("the probability that the model gives this word where it answers"),
    "says": N_("the most likely word where the model answers"),
    "done": N_("the same once the goal is reached"),
    "silenced": N_("the logits of a run in which the output of this head is set to zero"),
}
DRAWN = N_("drawn for this question")
SIZE = {
    "d_model": N_("how many components the vectors of the model have"),
    "n_heads": N_("how many heads each layer of the model has"),
    "d_ff": N_("how many units each feed-forward network of the model has"),
    "n_ctx": N_("how many tokens the model can read at most"),
    "vocab_size": N_("how many entries the vocabulary of the model has"),
    "n_layers": N_("how many layers the model has"),
}


@dataclass(frozen=True, slots=True)
class Operand:
    """Something that a formula names.

    Attributes:
        name: with its places, as the learner sees them.
        value: as people read it.
        what: it is, in the learner's language.
        line: that computed it, where a line did; of a size, the one that sets it.
    """

    name: str
    value: str
    what: str
    line: SourceLine | None = None


def _as_read(value: Any) -> str:
    """A value, shortened; a place in a list is whole, other numbers have some digits."""
    array = np.asarray(value)
    if array.ndim == 0:
        plain = array.item()
        if isinstance(plain, str):
            return in_quotes(plain)
        if isinstance(plain, float) and not plain.is_integer():
            return number(plain, DIGITS)
        return _("yes") if plain is True else _("no") if plain is False else _as_integer(plain)
    if array.ndim > 1:
        shape = " × ".join(grouped(n) for n in array.shape)
        return _("[{shape} numbers]").format(shape=shape)
    items = row([_as_read(item) for item in array[:LISTED].tolist()])
    if len(array) <= LISTED:
        return f"[{items}]"
    return _("[{first} … {n} in all]").format(first=items, n=grouped(len(array)))


def _as_integer(value: Any) -> str:
    if value is None or not np.isfinite(value) or abs(value) >= 1e15:
        return "–" if value is None else number(float(value), DIGITS)
    return grouped(int(value)).replace("-", MINUS)


@dataclass(frozen=True, eq=False)
class FormulaNames:
    """What the formulas of a step may name.

    Attributes:
        world: of the step.
        posed: its question.
    """

    world: World
    posed: Posed | None

    @cached_property
    def names(self) -> Facts:
        if self.posed is None:
            return self.world.names
        return self.posed.names | {ANSWER: self.posed.right}

    @cached_property
    def figures(self) -> tuple[ShownFigure, ...]:
        """The figures, with what is selected in them."""
        return tuple(shown.with_selection(self.names) for shown in self.world.shown)

    def value(self, node: ast.expr) -> Any:
        return evaluate(ast.unparse(node), self.names)

    def place(self, node: ast.expr) -> int:
        return place_of(ast.unparse(node), self.names)

    def with_answer(self, node: ast.expr) -> ast.expr:
        """The formula with those of the answer and of the question's own steps for their names."""
        if self.posed is None:
            return node
        question = self.posed.question
        expressions = {name: parsed(text) for name, text in question.let.items()}
        if question.kind == "number":
            expressions[ANSWER] = parsed(str(question.answer))

        class PutOperand(ast.NodeTransformer):
            def visit_Name(self, node: ast.Name) -> Any:
                expression = expressions.get(node.id)
                return node if expression is None else self.visit(copy.deepcopy(expression))

        replaced: ast.expr = PutOperand().visit(copy.deepcopy(node))
        return replaced

    def filled(self, node: ast.expr) -> str:
        """The value of an operand, as a formula has it."""
        return _as_read(self.value(node))

    def named(self, node: ast.expr) -> str:
        """An operand with its places as the figure labels them."""
        base, places = _unwound(node)
        shown, path = self._owner(base)
        path_name = ".".join(path) or ast.unparse(base)
        if path[:1] in (["trace"], ["weight"]) and places:
            path_name, places = str(self.value(places[0])), places[1:]
        if shown is not None and len(self.figures) > 1 and shown is not self.figures[0]:
            path_name = f"{shown.figure.name}.{path_name}"
        axes = [] if shown is None else _labels(shown, path, path_name)
        written = [
            self._place(place, axes[n] if n < len(axes) else None) for n, place in enumerate(places)
        ]
        return f"{path_name}[{', '.join(written)}]" if written else path_name

    def _place(self, node: ast.expr, labels: Any) -> str:
        """One place: what the figure calls it, or its number."""
        if isinstance(node, ast.Slice):
            ends = [
                None if bound is None else self.place(bound) for bound in (node.lower, node.upper)
            ]
            first, last = ("" if end is None else _as_integer(end) for end in ends)
            return f"{first}:{last}"
        index = self.value(node)
        if isinstance(index, str):
            return in_quotes(index)
        if np.ndim(index):
            return _as_read(index)
        index = self.place(node)
        called = "" if labels is None or not -len(labels) <= index < len(labels) else labels[index]
        return in_quotes(called) if called and called != str(index) else _as_integer(index)

    def operand(self, node: ast.expr) -> Operand:
        """What is to be said of an operand."""
        base, places = _unwound(node)
        shown, path = self._owner(base)
        say = partial(Operand, self.named(node), self.filled(node))
        if shown is None:
            return say(_(DRAWN) if path else "")
        first = path[0]
        if first == "trace" and places and shown.trace is not None:
            return say(*_of_site(shown, str(self.value(places[0]))))
        if first in shown.values:
            return say(*_of_value(shown, first))
        if isinstance(shown.record, HeadRun) and first in OF_A_HEAD:
            return say(*_of_site(shown, shown.record.prefix + first))
        if first == "params" and len(path) > 1:
            label = _(declared(shown.params, path[1]).label)
            return say(f"{label}: {_(OTHERWISE['params'])}")
        if first in OTHERWISE:
            return say(_(OTHERWISE[first]))
        return say(_(SIZE[first]), _set_in(shown, first)) if first in SIZE else say("")

    def _owner(self, base: ast.expr) -> tuple[ShownFigure | None, list[str]]:
        """Whose an operand is, and its name there; None for a place that was drawn."""
        path = ast.unparse(base).split(".")
        if self.posed is not None and path[0] in self.posed.question.draw:
            return None, path
        of = {shown.figure.name: shown for shown in self.figures}
        if len(path) > 1 and path[0] in of:
            return of[path[0]], path[1:]
        return (self.figures[0], path) if self.figures else (None, [])


def _unwound(node: ast.expr) -> tuple[ast.expr, list[ast.expr]]:
    """What has the name, and the places in it."""
    places: list[ast.expr] = []
    while isinstance(node, ast.Subscript):
        inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        places, node = [*inner, *places], node.value
    return node, places


def _labels(shown: ShownFigure, path: list[str], site: str) -> list[Any]:
    """What the places along each axis of an operand are called; None where they have numbers."""
    if path[0] in shown.values:
        return [axis.labels for axis in shown.values[path[0]].axes]
    if isinstance(shown.record, HeadRun) and path[0] in OF_A_HEAD:
        pairs = path[0] in ("dots", "scores", "scores_masked", "weights")
        rows = shown.record.keys if path[0] in "kv" else shown.record.queries
        return [rows, shown.record.keys if pairs else None]
    trace = shown.trace
    if path[0] == "trace" and trace is not None and site in trace.catalogue:
        of = trace.site(site)
        streams = (of.stream(axis) for axis in of.axes)
        return [
            None if stream is None else [token.label for token in trace.streams[stream].units]
            for stream in streams
        ]
    return []


def _set_in(shown: ShownFigure, size: str) -> SourceLine | None:
    """The line of a model's configuration that sets a size; None for a model of another place."""
    file = zoo.SHELF / str(getattr(shown.params, "model", "")) / "config.json"
    if not file.is_file() or not file.is_relative_to(ROOT):
        return None
    lines = enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
    path = str(file.relative_to(ROOT))
    return next((SourceLine(path, n, code.strip().rstrip(",")) for n, code in lines
                 if code.strip().startswith(f'"{size}"')), None)  # fmt: skip


def _of_site(shown: ShownFigure, name: str) -> tuple[str, SourceLine | None]:
    """What a site of the run is, and the line that computed it."""
    assert shown.trace is not None
    return shown.trace.site(name).sentence(), shown.trace.source(name)


def _of_value(shown: ShownFigure, name: str) -> tuple[str, SourceLine]:
    """What a number of a figure is, and the line that computed it."""
    values = shown.values[name]
    if values.site is not None and shown.trace is not None:
        try:
            return values.title, shown.trace.source(values.site)
        except CoreError:
            pass  # its site is one of another run
    return values.title, line_of(type(shown.view), name)
