"""A step of a lesson on a screen: text and question beside the live figures they are about."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from core.answers.names import Came, Screen, screen_of
from core.errors import CoreError, as_said
from core.language import _
from core.lessons.doing import Standing
from core.lessons.filling import AS_WORDS, holes
from core.lessons.filling import parts as parts_of
from core.lessons.hands import Given
from core.lessons.naming import Facts
from core.lessons.operands import Operand
from core.lessons.origins import Origin, origin, origins
from core.lessons.posing import Posed
from core.lessons.schema import Lesson, Step
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
from core.lessons.screen.questions import Open, opened, shown
from core.lessons.world import Shown, World, world_of
from core.shelf.abilities import english_only
from core.views import get

NUMBERS = "numbers"  # the fold that says where they come from
MOST_CODE = 140  # characters of a line of code that are shown


def step_body(learner: Learner, lesson: Lesson, at: int, now: Step, parts: Parts) -> Body:
    """What a step shows.

    Args:
        learner: who asks for it.
        lesson: it belongs to.
        at: the screen's number, by which its figures keep their own state.
        now: the step.
        parts: of the screen.
    """
    here = screen_of(lesson.id, at)
    try:
        try:
            world, asked = _run(learner, lesson, now)
        except CoreError as problem:
            if not any(figures.own_text(learner, now).values()):
                raise
            learner.unfit = as_said(problem)
            world, asked = _run(learner, lesson, now)
    except CoreError as problem:
        return below([note("error", as_said(problem))])
    own = figures.own_text(learner, now)
    return _staged(_Stage(learner, lesson, at, now, parts, here, own, world, asked))


def _run(learner: Learner, lesson: Lesson, now: Step) -> tuple[World, Open | None]:
    """A step on her own sentence while that is not unfit for it, with its question.

    Raises:
        CoreError: it cannot be run on this sentence, or asks nothing clear about it.
    """
    world = world_of(now, learner.answer, figures.own_text(learner, now))
    return world, _asked(learner, lesson, now, world)


def _asked(learner: Learner, lesson: Lesson, now: Step, world: World) -> Open | None:
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
        at: the screen's number.
        now: the step.
        parts: of the screen.
        here: by which its figures keep their own state.
        own: by figure, her own sentence.
        world: of the step, as the lesson has it.
        asked: its question; None where it has none.
    """

    learner: Learner
    lesson: Lesson
    at: int
    now: Step
    parts: Parts
    here: Screen
    own: Given
    world: World
    asked: Open | None

    @property
    def posed(self) -> Posed | None:
        return None if self.asked is None else self.asked.posed

    @property
    def is_open(self) -> bool:
        return self.asked is None or self.asked.is_over

    @property
    def scopes(self) -> list[str]:
        return [figures.scope_of(self.here, one) for one in self.now.figures]


def _staged(stage: _Stage) -> Body:
    """Its texts, its question and its figures."""
    learner, now, here = stage.learner, stage.now, stage.here
    _moved(stage)
    # What she makes of the figures changes neither what was asked nor what is said of it.
    names = stage.world.names if stage.posed is None else stage.posed.names
    varied = figures.chosen(learner, now, here)
    given = {name: {**stage.own[name], **more} for name, more in varied.items()}
    changed = given if any(varied.values()) else {}
    made = figures.made_of(learner, now, stage.world, changed, names, stage.posed,
                           is_open=stage.is_open)  # fmt: skip
    stands = None
    if stage.asked is not None and now.in_hand is not None:
        was = stage.is_open
        stands = goal.standing(learner, now, here, stage.asked, made, given)
        if stage.is_open and not was:  # reached: nothing is covered any more
            made = figures.made_of(learner, now, stage.world, changed, names, stage.posed,
                                   is_open=True)  # fmt: skip
    said = _said(stage, made, names, stands)
    if learner.lecture:  # below what is asked, so that the picture has the height
        said += [block for one in made.world.shown for block in goal.hands(now, one, here, made)]
    hands = now.question.hands if now.question is not None and now.in_hand is not None else ()
    led = [] if now.in_hand is None else [figures.scope_of(here, now.in_hand)]
    twins = len({one.view for one in now.figures}) == 1
    return {"layout": layout_of(now), "twins": twins, "said": said,
            "hands": [f"{scope}.{name}" for scope in led for name in hands],
            "shown": [_figure(stage, one, made) for one in made.world.shown]}  # fmt: skip


def _moved(stage: _Stage) -> None:
    """What her deed at the question changes in the figures."""
    did, learner = "" if stage.asked is None else stage.asked.did, stage.learner
    if stage.now.in_hand is not None:
        goal.moved(learner, stage.now, stage.here, did)
    elif did == "again":  # the next question is about what the lesson shows
        for one in stage.now.figures:  # what is looked at there is known to the browser alone
            names = (field.name for field in dataclasses.fields(get(one.view).Params))
            learner.set(dict.fromkeys(names), figures.scope_of(stage.here, one))


def _said(stage: _Stage, made: figures.Made, names: Facts, stands: Standing | None) -> list[Block]:
    learner, now, asked = stage.learner, stage.now, stage.asked
    explain = explaining(stage.world, stage.posed, is_open=stage.is_open)
    found = [note("warning", one) for one in figures.wrong(learner, now, stage.here)]
    found += _which_language(stage)
    if learner.unfit:
        why = _("{why} So this step takes the sentence of the lesson. Yours is kept.")
        found.append(note("info", why.format(why=learner.unfit)))
    answered = asked is not None and stage.is_open
    if not (learner.lecture and answered):  # a wall has room for what comes after, or for this
        found += text(now.before, names, explain)
    if learner.lecture:
        found += sentences(stage.world)
    if asked is not None:
        picks = None if made.problem else figures.picks(asked.posed, made.drawn, stage.here)
        found.append(shown(learner, asked, "question", picks, stands))
    if stage.is_open:
        found += text(now.after, names, explain)
        for one in made.world.shown:
            found += figures.offers(one, stage.here, made)
    return [*found, *_numbers(stage)]


def _figure(stage: _Stage, one: Shown, made: figures.Made) -> list[Block]:
    """A figure with what belongs to it, or why it cannot be shown."""
    now, here = stage.now, stage.here
    hands = [] if stage.learner.lecture else goal.hands(now, one, here, made)
    if made.problem is not None:
        first = one is made.world.shown[0]
        return [*hands, *([note("error", as_said(made.problem))] if first else [])]
    pen = goal.draws_on(now, one, made.drawn[one.figure.name])
    found = [*hands, figures.figure(stage.learner, one, here, made, stage.parts,
                                    is_open=stage.is_open, draws=pen)]  # fmt: skip
    if not stage.is_open:
        return found
    found += figures.tokens(one, here, made)
    found += inside(one, figures.scope_of(here, one.figure), stage.learner, stage.parts)
    came = Came(stage.lesson.id, stage.at, stage.learner.own)
    return found + onward(stage.learner, one, came, figures.scope_of(here, one.figure),
                          stage.scopes, one.selected(made.names))  # fmt: skip


def _which_language(stage: _Stage) -> list[Block]:
    """That a model has read another language than the one of her own sentence."""
    own = stage.learner.own
    reads_it = {
        str(one.params.model)
        for one in stage.world.shown
        if one.figure.own and hasattr(one.params, "model") and one.params.text == own
    }
    said = [english_only(model, own) for model in sorted(reads_it)] if own else []
    return [note("info", one) for one in said if one]


def sentences(world: World) -> list[Block]:
    """What the figures are about, where no bar above says it."""
    texts = [str(one.params.text) for one in world.shown if "text" in one.figure.params]
    said = _("On the sentence “{text}”")
    return [small(said.format(text=one)) for one in dict.fromkeys(texts)]


# --- where numbers come from ----------------------------------------------------------------------


def explaining(world: World, posed: Posed | None, *, is_open: bool) -> Explain:
    """What gives where a number of a text comes from, as terms say what they mean.

    Args:
        world: of the step.
        posed: its question.
        is_open: the question is answered.
    """

    def explain(hole: str) -> str:
        found = origin(hole, world, posed)
        return "" if found is None else (found if is_open else found.covered()).short

    return explain


def _numbers(stage: _Stage) -> list[Block]:
    """All numbers of a step's texts, folded away; worked out when that is opened."""
    texts = _texts(stage)
    if all(parts_of(hole)[1] in AS_WORDS for one in texts for hole in holes(one)):
        return []
    found: list[Block] = []
    if NUMBERS in stage.learner.folds:
        every = origins("\n".join(texts), stage.world, stage.posed)
        found = [_origin(one if stage.is_open else one.covered()) for one in every]
    return [fold(NUMBERS, _("Where do these numbers come from?"), found, asks=True)]


def _texts(stage: _Stage) -> list[str]:
    """What of a step's texts may be asked about: before the answer nothing that is said after."""
    now, asks = stage.now, stage.now.question
    before, after = [now.before], [now.after]
    if asks is not None:
        before, after = [now.before, asks.ask], [asks.solution, now.after]
    return before + after if stage.is_open else before


def _origin(one: Origin) -> Block:
    """A number: its formula, then what the formula names."""
    alone = len(one.operands) == 1 and one.operands[0].name == one.formula
    filled = one.filled if one.filled not in (one.formula, one.shown) else ""
    return {
        "kind": "origin", "shown": one.shown, "formula": one.formula, "filled": filled,
        "operands": [_operand(each, alone=alone) for each in one.operands],
    }  # fmt: skip


def _operand(one: Operand, *, alone: bool) -> dict[str, str]:
    """What a formula names; all of the formula where it is alone."""
    line = by = ""
    if one.line is not None:
        code = one.line.code
        short = code if len(code) <= MOST_CODE else f"{code[:MOST_CODE]}…"
        line = f"{short} · {one.line.path}:{one.line.line}"
        by = _("computed by") if one.line.path.endswith(".py") else _("set in")
    return {"name": "" if alone else one.name, "value": "" if alone else one.value,
            "what": one.what, "line": line, "by": by}  # fmt: skip
