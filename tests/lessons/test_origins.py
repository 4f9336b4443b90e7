"""Where the numbers in the text of a step come from."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

from core.figures.text import number
from core.lessons import Lesson, lesson, lesson_ids
from core.lessons.expressions import evaluate, parsed
from core.lessons.filling import filling, holes, parts
from core.lessons.formulas import formula
from core.lessons.origins import origin, origins
from core.lessons.posing import pose
from core.lessons.world import world_of

ROOT = Path(__file__).resolve().parent.parent.parent


def asked(runs, ident, at):
    """A step's world, its question posed, and all of its texts."""
    found = lesson(ident)
    assert isinstance(found, Lesson)
    step = next(one for one in found.steps if one.id == at)
    world = world_of(step, runs.get)
    return world, None if step.question is None else pose(step.question, world.names, 0)


@pytest.mark.parametrize("ident", lesson_ids())
def test_every_number_of_a_lesson_has_an_origin_that_gives_it(runs, ident):
    found = lesson(ident)
    assert isinstance(found, Lesson)
    n_lines = n_numbers = 0
    for step in found.steps:
        world = world_of(step, runs.get)
        asks = step.question
        posed = None if asks is None else pose(asks, world.names, 0)
        names = world.names if posed is None else {**posed.names, "answer": posed.right}
        texts = [step.before, step.after]
        texts += [] if asks is None else [asks.ask, asks.solution]
        for hole in (one for text in texts for one in holes(text)):
            came = origin(hole, world, posed)
            value = evaluate(parts(hole)[0], names)
            if came is None:
                assert parts(hole)[1] in ("word", "label", "code") or isinstance(
                    np.asarray(value).ravel()[0], str
                )
                continue
            n_numbers += 1
            assert came.shown == filling(hole, names)
            np.testing.assert_array_equal(came.value, value)
            assert came.formula
            assert came.filled
            for operand in came.operands:
                assert all((operand.name, operand.value, operand.what)), (step.id, hole)
                if operand.line is not None:
                    n_lines += 1
                    text = (ROOT / operand.line.path).read_text(encoding="utf-8").splitlines()
                    first = operand.line.code.split()[0]
                    assert first in text[operand.line.line - 1], (operand.line, hole)
    assert n_numbers
    assert n_lines


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("dots[query, key] / sqrt(d_head)", "dots[query, key] / √d_head"),
        ("(a + b) * -c", "(a + b) × −c"),
        ("a - (b - c)", "a − (b − c)"),
        ("2 ** mean(bits[1:])", "2^mean(bits[1:])"),
        ("sqrt(a / b)", "√(a / b)"),
        ("sin(2 * pi)", "sin(2 × π)"),
        ("sum(abs(x) <= 0.5)", "sum(|x| ≤ 0.5)"),
        ("len(a) % 2 == 0 and not b", "len(a) mod 2 = 0 and not b"),
        ("[1, 12000]", "[1, 12,000]"),
        ("softmax(a)[2]", "softmax(a)[2]"),
        ("(-a)[::2]", "(−a)[::2]"),
        ("1 if a else b", "(1 if a else b)"),
    ],
)
def test_a_formula_is_written_as_people_do(expression, said):
    assert formula(parsed(expression), ast.unparse) == said


def test_the_answer_is_its_own_formula_with_the_labels_of_the_figure(runs):
    world, posed = asked(runs, "attention", "scale")
    came = origin("answer", world, posed)
    assert came is not None
    assert came.formula == "dots[“·his”, “·all”] / √d_head"
    dots = number(float(world.names["dots"][11, 9]), 4)
    assert came.short == f"{came.formula} = {dots} / √64 = −1.01"
    first, d_head = came.operands
    assert (first.name, first.value) == ("dots[“·his”, “·all”]", dots)
    assert first.line is not None
    assert first.line.path in ("core/nn/attention.py", "core/tracing/derived.py")
    assert (d_head.name, d_head.value, d_head.line) == ("d_head", "64", None)


def test_a_size_is_said_in_plain_words_with_the_line_that_sets_it(runs):
    world, _posed = asked(runs, "first", "layers")
    came = origin("n_layers", world)
    assert came is not None
    (size,) = came.operands
    assert (size.value, size.what) == ("6", "how many layers the model has")
    assert size.line is not None
    assert (size.line.path, size.line.code) == ("assets/zoo/gpt/config.json", '"n_layers": 6')


def test_long_lists_are_shortened_and_words_have_no_origin(runs):
    world, posed = asked(runs, "attention", "row-sum")
    assert origin("words[query] | word", world, posed) is None
    came = origin("sum(exp(scores[3, :]))", world, posed)
    assert came is not None
    assert "… 12 in all" in came.filled
    assert [one.formula for one in origins("{{T}} {{T}} {{words[0]}} {{d_head}}", world)] == [
        "T", "d_head"
    ]  # fmt: skip


def test_a_site_and_a_parameter_say_what_they_are(runs):
    world, posed = asked(runs, "refresher", "matrix")
    came = origin("trace['blocks.5.ln_1.out'][2, 7]", world, posed)
    assert came is not None
    assert came.operands[0].name.startswith("blocks.5.ln_1.out[“")
    assert came.operands[0].line is not None
    assert came.operands[0].line.path == "core/nn/norms.py"
    came = origin("weight['blocks.5.attn.w_q.weight'][200, 7]", world, posed)
    assert came is not None
    assert "learned" in came.operands[0].what
    assert came.operands[0].line is None
