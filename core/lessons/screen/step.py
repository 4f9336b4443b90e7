"""A step of a lesson on a screen: text and question beside the live figures they are about."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from core.answers.names import Came, Screen, screen_of
from core.errors import CoreError, as_said
from core.language import _
from core.lessons.doing import AttemptStanding
from core.lessons.filling import AS_WORDS, holes
from core.lessons.filling import parts as parts_of
from core.lessons.hands import Given
from core.lessons.naming import Facts
from core.lessons.operands import Operand
from core.lessons.origins import Origin, origin, origins
from core.lessons.posing import Posed
from core.lessons.schema import Lesson, LessonStep
from core.lessons.screen import figures, goal
from core.lessons.screen.blocks import (
    Block,
    Body,
    Explain,
    Parts,
    below,
    fold,
    layout_of,
    note,
    small,
    text,
)
from core.lessons.screen.learner import Learner
from core.lessons.screen.onward import inside, onward
from core.lessons.screen.questions import Open, opened, question_block
from core.lessons.world import ShownFigure, World, world_of
from core.shelf.abilities import english_only
from core.views import get

NUMBERS = "numbers"  # the fold that says where they come from
MOST_CODE = 140  # characters of a line of code that are shown


def step_body(learner: Learner, lesson: Lesson, index: int, now: LessonStep, parts: Parts) -> Body:
    """What a step shows.

    Args:
        learner: who asks for it.
        lesson: it belongs to.
        index: the screen's number, by which its figures keep their own state.
        now: the step.
        parts: of the screen.
    """
    screen = screen_of(lesson.id, index)
    try:
        try:
            world, task = _run(learner, lesson, now)
        except CoreError as problem:
            if not any(figures.own_text(learner, now).values()):
                raise
            learner.unfit = as_said(problem)
            world, task = _run(learner, lesson, now)
    except CoreError as problem:
        return below([note("error", as_said(problem))])
    inputs = figures.own_text(learner, now)
    return _staged(_Stage(learner, lesson, index, now, parts, screen, inputs, world, task))


def _run(learner: Learner, lesson: Lesson, now: LessonStep) -> tuple[World, Open | None]:
    """A step on her own sentence while that is not unfit for it, with its question.

    Raises:
        CoreError: it cannot be run on this sentence, or asks nothing clear about it.
    """
    world = world_of(now, learner.answer, figures.own_text(learner, now))
    return world, _hear_question(learner, lesson, now, world)


def _hear_question(learner: Learner, lesson: Lesson, now: LessonStep, world: World) -> Open | None:
    """The question of a step, after what she does at it now."""
    if now.question is None:
        return None
    return opened(learner, (lesson.id, now.question.id), now.question, world.names)


@dataclass(frozen=True, eq=False)
class _Stage:
    """A step with its run.

    Attributes:
        learner: who asks for it.
        lesson: it belongs to.
        index: the screen's number.
        now: the step.
        parts: of the screen.
        screen: by which its figures keep their own state.
        inputs: by figure, her own sentence.
        world: of the step, as the lesson has it.
        task: its question; None where it has none.
    """

    learner: Learner
    lesson: Lesson
    index: int
    now: LessonStep
    parts: Parts
    screen: Screen
    inputs: Given
    world: World
    task: Open | None

    @property
    def posed(self) -> Posed | None:
        return None if self.task is None else self.task.posed

    @property
    def is_open(self) -> bool:
        return self.task is None or self.task.is_over

    @property
    def scopes(self) -> list[str]:
        return [figures.scope_of(self.screen, figure) for figure in self.now.figures]


def _staged(stage: _Stage) -> Body:
    """Its texts, its question and its figures."""
    learner, now, screen = stage.learner, stage.now, stage.screen
    _moved(stage)
    # What she makes of the figures changes neither what was asked nor what is said of it.
    names = stage.world.names if stage.posed is None else stage.posed.names
    varied = figures.chosen(learner, now, screen)
    inputs = {name: {**stage.inputs[name], **more} for name, more in varied.items()}
    changed = inputs if any(varied.values()) else {}
    scene = figures.made_of(learner, now, stage.world, changed, names, stage.posed,
                            is_open=stage.is_open)  # fmt: skip
    stands = None
    if stage.task is not None and now.in_hand is not None:
        was = stage.is_open
        stands = goal.standing(learner, now, screen, stage.task, scene, inputs)
        if stage.is_open and not was:  # reached: nothing is covered any more
            scene = figures.made_of(learner, now, stage.world, changed, names, stage.posed,
                                    is_open=True)  # fmt: skip
    blocks = _text_blocks(stage, scene, names, stands)
    if learner.lecture:  # below what is asked, so that the picture has the height
        blocks += [
            block for shown in scene.world.shown for block in goal.hands(now, shown, screen, scene)
        ]
    hands = now.question.hands if now.question is not None and now.in_hand is not None else ()
    led = [] if now.in_hand is None else [figures.scope_of(screen, now.in_hand)]
    twins = len({figure.view for figure in now.figures}) == 1
    return {"layout": layout_of(now), "twins": twins, "said": blocks,
            "hands": [f"{scope}.{name}" for scope in led for name in hands],
            "shown": [_figure(stage, shown, scene) for shown in scene.world.shown]}  # fmt: skip


def _moved(stage: _Stage) -> None:
    """What her deed at the question changes in the figures."""
    did, learner = "" if stage.task is None else stage.task.did, stage.learner
    if stage.now.in_hand is not None:
        goal.moved(learner, stage.now, stage.screen, did)
    elif did == "again":  # the next question is about what the lesson shows
        for figure in stage.now.figures:  # what is looked at there is known to the browser alone
            names = (field.name for field in dataclasses.fields(get(figure.view).Params))
            learner.set(dict.fromkeys(names), figures.scope_of(stage.screen, figure))


def _text_blocks(
    stage: _Stage, scene: figures.FiguresOfStep, names: Facts, stands: AttemptStanding | None
) -> list[Block]:
    learner, now, task = stage.learner, stage.now, stage.task
    explain = explaining(stage.world, stage.posed, is_open=stage.is_open)
    blocks = [note("warning", sentence) for sentence in figures.wrong(learner, now, stage.screen)]
    blocks += _which_language(stage)
    if learner.unfit:
        why = _("{why} So this step takes the sentence of the lesson. Yours is kept.")
        blocks.append(note("info", why.format(why=learner.unfit)))
    answered = task is not None and stage.is_open
    if not (learner.lecture and answered):  # a wall has room for what comes after, or for this
        blocks += text(now.before, names, explain)
    if learner.lecture:
        blocks += sentences(stage.world)
    if task is not None:
        picks = None if scene.problem else figures.picks(task.posed, scene.components, stage.screen)
        blocks.append(question_block(learner, task, "question", picks, stands))
    if stage.is_open:
        blocks += text(now.after, names, explain)
        for figure_shown in scene.world.shown:
            blocks += figures.offers(figure_shown, stage.screen, scene)
    return [*blocks, *_numbers(stage)]


def _figure(stage: _Stage, shown: ShownFigure, scene: figures.FiguresOfStep) -> list[Block]:
    """A figure with what belongs to it, or why it cannot be shown."""
    now, screen = stage.now, stage.screen
    hands = [] if stage.learner.lecture else goal.hands(now, shown, screen, scene)
    if scene.problem is not None:
        first = shown is scene.world.shown[0]
        return [*hands, *([note("error", as_said(scene.problem))] if first else [])]
    pen = goal.draws_on(now, shown, scene.components[shown.figure.name])
    blocks = [*hands, figures.figure(stage.learner, shown, screen, scene, stage.parts,
                                     is_open=stage.is_open, draws=pen)]  # fmt: skip
    if not stage.is_open:
        return blocks
    blocks += figures.tokens(shown, screen, scene)
    blocks += inside(shown, figures.scope_of(screen, shown.figure), stage.learner, stage.parts)
    came = Came(stage.lesson.id, stage.index, stage.learner.sentence)
    return blocks + onward(stage.learner, shown, came, figures.scope_of(screen, shown.figure),
                           stage.scopes, shown.selected(scene.names))  # fmt: skip


def _which_language(stage: _Stage) -> list[Block]:
    """That a model has read another language than the one of her own sentence."""
    text = stage.learner.sentence
    reads_it = {
        str(shown.params.model)
        for shown in stage.world.shown
        if shown.figure.own and hasattr(shown.params, "model") and shown.params.text == text
    }
    sentences = [english_only(model, text) for model in sorted(reads_it)] if text else []
    return [note("info", sentence) for sentence in sentences if sentence]


def sentences(world: World) -> list[Block]:
    """What the figures are about, where no bar above says it."""
    texts = [str(shown.params.text) for shown in world.shown if "text" in shown.figure.params]
    sentence = _("On the sentence “{text}”")
    return [small(sentence.format(text=text)) for text in dict.fromkeys(texts)]


# --- where numbers come from ----------------------------------------------------------------------


def explaining(world: World, posed: Posed | None, *, is_open: bool) -> Explain:
    """What gives where a number of a text comes from, as terms say what they mean.

    Args:
        world: of the step.
        posed: its question.
        is_open: the question is answered.
    """

    def explain(hole: str) -> str:
        origin_ = origin(hole, world, posed)
        return "" if origin_ is None else (origin_ if is_open else origin_.covered()).short

    return explain


def _numbers(stage: _Stage) -> list[Block]:
    """All numbers of a step's texts, folded away; worked out when that is opened."""
    texts = _texts(stage)
    if all(parts_of(hole)[1] in AS_WORDS for text in texts for hole in holes(text)):
        return []
    blocks: list[Block] = []
    if NUMBERS in stage.learner.folds:
        every = origins("\n".join(texts), stage.world, stage.posed)
        blocks = [_origin(origin if stage.is_open else origin.covered()) for origin in every]
    return [fold(NUMBERS, _("Where do these numbers come from?"), blocks, asks=True)]


def _texts(stage: _Stage) -> list[str]:
    """What of a step's texts may be asked about: before the answer nothing that is said after."""
    now, asks = stage.now, stage.now.question
    before, after = [now.before], [now.after]
    if asks is not None:
        before, after = [now.before, asks.ask], [asks.solution, now.after]
    return before + after if stage.is_open else before


def _origin(origin: Origin) -> Block:
    """A number: its formula, then what the formula names."""
    alone = len(origin.operands) == 1 and origin.operands[0].name == origin.formula
    filled = origin.filled if origin.filled not in (origin.formula, origin.shown) else ""
    return {
        "kind": "origin", "shown": origin.shown, "formula": origin.formula, "filled": filled,
        "operands": [_operand(operand, alone=alone) for operand in origin.operands],
    }  # fmt: skip


def _operand(operand: Operand, *, alone: bool) -> dict[str, str]:
    """What a formula names; all of the formula where it is alone."""
    line = by = ""
    if operand.line is not None:
        code = operand.line.code
        short = code if len(code) <= MOST_CODE else f"{code[:MOST_CODE]}…"
        line = f"{short} · {operand.line.path}:{operand.line.line}"
        by = _("computed by") if operand.line.path.endswith(".py") else _("set in")
    return {"name": "" if alone else operand.name, "value": "" if alone else operand.value,
            "what": operand.what, "line": line, "by": by}  # fmt: skip
