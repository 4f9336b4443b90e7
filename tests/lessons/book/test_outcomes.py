"""The tables of a book say what the marking says, of every answer."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator
from typing import Any

import pytest

from core.lessons import Lesson, lesson, lesson_ids
from core.lessons.answered import QuestionRecord
from core.lessons.asking_again import probe
from core.lessons.book.asked import SEEDS, answered, chain
from core.lessons.book.outcomes import NEITHER, RIGHT, outcomes
from core.lessons.marking import mark
from core.lessons.near import tolerance_of
from core.lessons.player import feedback
from core.lessons.posing import Posed
from core.lessons.world import world_of
from core.runs.store import Runs

TRIED = 60  # answers to a question, besides those that are known


def posed_in(ident: str, runs: Runs, n: int) -> Iterator[Posed]:
    """Every question of a lesson but its goals."""
    found = lesson(ident)
    assert isinstance(found, Lesson)
    for step in found.steps:
        if step.question is not None and step.question.kind != "do":
            yield from chain(step.question, world_of(step, runs.get).names, n)


def numbers(posed: Posed, draw: random.Random) -> Iterator[float]:
    """Numbers near all that matters, and anywhere."""
    for known in (posed.right, *posed.wrong.values()):
        least = tolerance_of(posed.question, known)
        for edge in (
            known,
            known - least,
            known + least,
            -known,
            100 * known,
            100 * (known + least),
        ):
            yield from (edge, math.nextafter(edge, -math.inf), math.nextafter(edge, math.inf))
    for _n in range(TRIED):
        yield draw.choice([1, 100]) * draw.gauss(float(posed.right), abs(float(posed.right)) + 0.1)


def looked_up(table: dict[str, Any], given: Any, *, in_percent: bool = False) -> str:
    """As a browser looks it up."""
    if "line" in table:
        edges, found = table["percent"] if in_percent and "percent" in table else table["line"]
        return found[sum(edge <= given for edge in edges)]
    if "bet" in table:
        whole, bet = sum(given), table["bet"]
        if given[bet["right"]] / whole >= bet["even"]:
            return RIGHT
        most = (name for at, name in bet["ideas"].items() if given[int(at)] / whole > bet["even"])
        return next(most, NEITHER)
    places = given if isinstance(given, list) else [given]
    return table["places"].get(
        ",".join(map(str, sorted(places) if table["sorted"] else places)), ""
    )


def answers(posed: Posed, draw: random.Random) -> Iterator[Any]:
    n = len(posed.options)
    for _n in range(TRIED):
        match posed.question.kind:
            case "choice":
                yield draw.randrange(n)
            case "order":
                yield draw.sample(range(n), n)
            case "bet":
                yield [draw.choice([0, 1, 50, 99, 100]) for _one in range(n - 1)] + [1]
            case _:
                many = 1 if posed.question.one else draw.randint(1, n)
                yield sorted(draw.sample(range(n), many))


@pytest.mark.parametrize("ident", lesson_ids())
def test_every_answer_is_looked_up_as_it_is_marked(ident, runs):
    n = 2 if ident != "attention" else SEEDS
    for posed in posed_in(ident, runs, n):
        draw, table = random.Random(posed.seed), outcomes(posed)
        number = posed.question.kind == "number"
        ways = (False, True) if posed.question.number == "share" else (False,)
        for given in numbers(posed, draw) if number else answers(posed, draw):
            for in_percent in ways:
                marked = mark(posed, given, in_percent=in_percent)
                assert marked is not None
                wanted = RIGHT if marked.right else marked.idea
                assert looked_up(table, given, in_percent=in_percent) == wanted, (given, posed)


def test_another_one_asks_what_the_app_asks_next(runs):
    """From one to the next, as ``pages.parts.asking`` goes on; eight that differ where they can."""
    found = lesson("attention")
    assert isinstance(found, Lesson)
    step = found.asking("score")
    posed = list(chain(step.question, world_of(step, runs.get).names))
    assert len(posed) == SEEDS
    assert len({one.about for one in posed}) > SEEDS // 2
    assert all(a.about != b.about for a, b in itertools.pairwise(posed))


def test_a_probe_says_nothing_before_the_lesson_and_all_after_it(runs):
    found = lesson("attention")
    assert isinstance(found, Lesson)
    step = found.asking("score")
    before, after = (
        answered(probe(step.question, world_of(step, runs.get).names, when), when)
        for when in ("before", "after")
    )
    assert before.keys() == {"ideas", "outcomes", "noted"}
    assert after["hints"] == []
    assert after["solution"]


def test_what_is_said_to_each_idea_is_what_the_app_says(runs):
    for posed in posed_in("bert", runs, 1):
        said = answered(posed, "lesson")["says"]
        for idea in posed.wrong:
            if posed.question.kind != "bet":
                assert said[idea] == feedback(posed, QuestionRecord(tries=3, idea=idea))
