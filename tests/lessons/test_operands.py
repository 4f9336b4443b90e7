"""What a step prints are the numbers of what its figures show: of the selection, not of another."""

from __future__ import annotations

import pytest

from core.language import use_language
from core.lessons import FILES, Lesson, lesson
from core.lessons.checking import texts
from core.lessons.expressions import evaluate
from core.lessons.filling import fill
from core.lessons.posing import pose
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
