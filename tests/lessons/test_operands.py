"""What a step prints are the numbers of what its figures show: of the selection, not of another."""

from __future__ import annotations

import pytest

from core.figures.text import number
from core.language import use_language
from core.lessons import FILES, Lesson, lesson
from core.lessons.checking import texts
from core.lessons.expressions import evaluate
from core.lessons.filling import fill
from core.lessons.posing import pose
from core.lessons.printed.ready import ready
from core.lessons.world import world_of

EVERY = [(path.parent.name, path.stem) for path in sorted(FILES.glob("*/*.md"))]
SEEDS = 3


@pytest.mark.parametrize(("code", "ident"), EVERY)
def test_the_operands_of_a_question_are_those_of_its_figures_selection(runs, code, ident):
    """The same figures with the selection among what they are asked for say the same."""
    use_language(code)
    found = lesson(ident, code)
    assert isinstance(found, Lesson)
    for step in found.steps:
        world, question = world_of(step, runs.get), step.question
        if question is None or not any(one.figure.select for one in world.shown):
            continue
        for seed in range(SEEDS):
            posed = pose(question, world.names, seed)
            drawn = {name: posed.names[name] for name in question.draw}
            given = {
                one.figure.name: {
                    name: getattr(one.selected(posed.names), name) for name in one.figure.select
                }
                for one in world.shown
            }
            plain = step.model_copy(update={"figures": tuple(
                figure.model_copy(update={"select": {}, "params": {**figure.params,
                                                                   **given[figure.name]}})
                for figure in step.figures
            )})  # fmt: skip
            names = {**world_of(plain, runs.get).names, **drawn, "answer": posed.right}
            for name, text in question.let.items():
                names[name] = evaluate(text, names)
            for text in (*texts(question), step.after):
                assert fill(text, {**posed.names, "answer": posed.right}) == fill(text, names), (
                    f"{step.id}, seed {seed}"
                )
    use_language("en")


def test_the_number_of_the_token_that_is_named_stands_in_the_question(runs):
    """“dog” is asked about: the value in the question is the figure's."""
    found = lesson("attention", "en")
    assert isinstance(found, Lesson)
    step = next(one for one in found.steps if one.id == "row-sum")
    one = ready(step, runs.get)  # as the handout has it
    trace = one.pictures[0].shown.trace
    of_dog = trace["blocks.5.attn.v"][3, 2, one.posed.names["col"]]
    assert one.posed.names["words"][2] == trace.main.tokens[2].spoken == "dog"
    assert number(float(of_dog)) in one.posed.say(step.question.ask)
