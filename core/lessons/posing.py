"""Questions from the live run: posed by a seed where the answer is clear, and marked by idea.

A misconception's answer is worked out on the same numbers, so that a wrong answer is recognised
and not only marked.
"""

from __future__ import annotations

import hashlib
import itertools
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.errors import ExpressionError, NoQuestionError
from core.language import N_, Phrase
from core.lessons.doing import is_reached
from core.lessons.expressions import evaluate, number_of
from core.lessons.filling import fill, numbers_in
from core.lessons.inline import Parts, parts
from core.lessons.naming import Facts, Names
from core.lessons.near import read_as, tolerance_of
from core.lessons.picking import PickGrid, grid_of
from core.lessons.schema import Question

MAX_PLACES, MOST_LOOKED_AT = 20_000, 300  # tried for a clear question; and to say why none is
APART = 3.0  # tolerances that the answers of two ideas must be apart


@dataclass(frozen=True, eq=False)
class Posed:
    """A question on the run at hand.

    Attributes:
        question: as the lesson has it.
        names: what its texts may say, the drawn places among it.
        seed: that drew them.
        options: texts to choose from, to order or to bet on; labels to pick from.
        right: a number, a place among the options, a set of places, or their order; of a goal
            parameters that reach it.
        wrong: the same for each misconception.
        grid: of a question about cells, those to pick from.
    """

    question: Question
    names: Facts
    seed: int
    options: tuple[str, ...]
    right: Any
    wrong: Mapping[str, Any] = field(default_factory=dict)
    grid: PickGrid | None = None

    def say(self, text: str) -> str:
        """One of its texts, filled with the names of the run."""
        return fill(text, self.names | {"answer": self.right})

    @property
    def about(self) -> str:
        """Stands for what is asked, whatever the seed; on another text it is something else."""
        places = [str(self.names[name]) for name in self.question.draw]
        text = "|".join((self.say(self.question.ask), *sorted(self.options), *places))
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def parts(self, text: str) -> Parts:
        """The same with its inline Markdown read."""
        return parts(text, self.say)

    def numbers(self, text: str) -> list[str]:
        """Its numbers as they are written in it, each once, those of lists one by one."""
        return list(numbers_in(text, self.names | {"answer": self.right}))


def pose(question: Question, names: Facts, seed: int) -> Posed:
    """Draw a question.

    Args:
        question: as the lesson has it.
        names: of the step's world.
        seed: what is drawn; the same gives the same.

    Raises:
        NoQuestionError: no place makes a clear question.
        ExpressionError: the lesson says something that is not there.
    """
    draw = random.Random(f"{question.id} {seed}")
    names_of_its_own = {*question.draw, *question.let}
    facts = names.without(names_of_its_own) if isinstance(names, Names) else names
    for places in _asked_at(question, facts, draw):
        posed = _pose_at(question, facts | places, seed, draw)
        if posed is not None and _clear(posed):
            return posed
    unclear = N_("This text allows no clear question here.")
    if question.kind == "do":
        unclear = N_("On this text the goal is reached already.")
    raise NoQuestionError(question.needs or unclear)


def _asked_at(question: Question, facts: Facts, draw: random.Random) -> Sequence[dict[str, Any]]:
    """Every choice of places; none where a text of the learner's own is too short for any."""
    try:
        return _places(question, facts, draw)
    except ExpressionError:
        if question.needs is None:
            raise
        return []


def _pose_at(question: Question, facts: Facts, seed: int, draw: random.Random) -> Posed | None:
    """The question at these places; None where the lesson does not want it there."""
    try:
        for name, text in question.let.items():  # a later one may speak of those before it
            facts = facts | {name: evaluate(text, facts)}
        if question.where is not None and not np.all(evaluate(question.where, facts)):
            return None
        if question.kind == "do" and is_reached(question, facts, facts):
            return None
        return _posed(question, facts, seed, draw)
    except ExpressionError:
        if question.needs is None:
            raise
        return None  # a short text of the learner's own has no such place


def _places(question: Question, names: Facts, draw: random.Random) -> Sequence[dict[str, Any]]:
    """Every choice of places, in an order that is drawn."""
    if not question.draw:
        return [{}]
    places: list[dict[str, Any]] = [{}]
    for name, text in question.draw.items():  # a later one may speak of those before it
        places = [
            {**facts, name: place}
            for facts in places
            for place in np.asarray(evaluate(text, names | facts)).ravel().tolist()
        ]
        if len(places) > MAX_PLACES:
            raise ExpressionError(text, Phrase(N_("more than {n} places"), n=MAX_PLACES))
    draw.shuffle(places)
    return places


def _posed(question: Question, names: Facts, seed: int, draw: random.Random) -> Posed:
    ideas = {name: wrong.answer for name, wrong in question.wrong.items()}
    match question.kind:
        case "number":
            wrong = {name: number_of(str(answer), names) for name, answer in ideas.items()}
            return Posed(question, names, seed, (), number_of(_text(question), names), wrong)
        case "tokens":
            options = tuple(str(item) for item in evaluate(question.over or "", names))
            chosen = {name: _set(str(answer), names) for name, answer in ideas.items()}
            return Posed(question, names, seed, options, _set(_text(question), names), chosen)
        case "cells":
            grid = grid_of(question, names)
            cells = {name: grid.places(str(answer), names) for name, answer in ideas.items()}
            right = grid.places(_text(question), names)
            return Posed(question, names, seed, grid.labels, right, cells, grid)
        case "do":
            tried = {name: wrong.attempt for name, wrong in question.wrong.items() if wrong.attempt}
            return Posed(question, names, seed, (), question.done, tried)
        case "order":
            items = tuple(fill(item, names) for item in question.answer)
            order = draw.sample(range(len(items)), len(items))
            positions = {old: new for new, old in enumerate(order)}
            orders = {
                name: tuple(positions[int(n)] for n in order_) for name, order_ in ideas.items()
            }
            return Posed(question, names, seed, tuple(items[old] for old in order),
                         tuple(positions[n] for n in range(len(items))), orders)  # fmt: skip
    texts = {"": _text(question), **{name: str(answer) for name, answer in ideas.items()}}
    shuffled = draw.sample(list(texts), len(texts))
    return Posed(
        question, names, seed, tuple(fill(texts[name], names) for name in shuffled),
        shuffled.index(""), {name: shuffled.index(name) for name in ideas},
    )  # fmt: skip


def _text(question: Question) -> str:
    return question.answer if isinstance(question.answer, str) else ""


def _set(text: str, names: Mapping[str, Any]) -> frozenset[int]:
    return frozenset(int(n) for n in np.flatnonzero(np.asarray(evaluate(text, names))))


def _clear(posed: Posed) -> bool:
    """Whether the answer and those of all misconceptions can be told apart."""
    if posed.question.kind in ("tokens", "cells") and not posed.right:
        return False
    if posed.question.kind in ("choice", "bet"):
        return len(set(posed.options)) == len(posed.options)
    numbers = [posed.right, *posed.wrong.values()] if posed.question.kind == "number" else []
    return bool(np.isfinite(numbers).all()) and alike(posed) is None


def alike(posed: Posed) -> tuple[str, str] | None:
    """The first two answers that cannot be told apart, by their misconceptions; "" is the right."""
    answers = {"": posed.right, **posed.wrong}
    number = posed.question.kind == "number"
    least = APART * tolerance_of(posed.question, posed.right) if number else 0.0
    for (a, answer), (b, other) in itertools.combinations(answers.items(), 2):
        if not number:
            same = answer == other
        else:
            read = (read_as(posed.question, answer), read_as(posed.question, other))
            same = min(abs(x - y) for x, y in itertools.product(*read)) <= least
        if same:
            return a, b
    return None


def unclear(question: Question, names: Facts) -> str:
    """Why no place makes a clear question, for who writes it.

    Args:
        question: as the lesson has it.
        names: of the step's world.

    Raises:
        ExpressionError: the lesson says something that is not there.
    """
    left_out, pairs, n = 0, Counter[tuple[str, str]](), 0
    draw = random.Random(question.id)
    for places in itertools.islice(_places(question, names, draw), MOST_LOOKED_AT):
        n += 1
        posed = _pose_at(question, names | places, 0, draw)
        pair = None if posed is None else alike(posed)
        left_out += posed is None
        pairs.update([pair] if pair else [])
    clear = n - left_out - sum(pairs.values())
    near = (f"{a or 'the right answer'} and {b} are too near at {count}"
            for (a, b), count in pairs.most_common(3))  # fmt: skip
    sentence = f"of {n} places {clear} are clear; where leaves out {left_out}"
    return "; ".join((sentence, *near))
