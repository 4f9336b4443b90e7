"""The screens around a lesson's steps: what she knows before, what she can do after."""

from __future__ import annotations

from typing import Literal

from core.answers.names import Screen, screen_of
from core.errors import CoreError, LessonError, as_said
from core.figures.text import harmless
from core.language import _, language
from core.lessons import Lesson, lesson, lesson_ids
from core.lessons.again import Repetition, again, lesson_of
from core.lessons.asking_again import probe
from core.lessons.book.probes import promise
from core.lessons.last_test import MOST, NAME
from core.lessons.player import Asked
from core.lessons.schema import LessonStep
from core.lessons.screen import figures
from core.lessons.screen.blocks import (
    Block,
    Body,
    Parts,
    below,
    button,
    fold,
    layout_of,
    note,
    small,
    text,
)
from core.lessons.screen.blocks import sentences as sentences_of
from core.lessons.screen.learner import Learner
from core.lessons.screen.questions import Open, heard, opened, question_block
from core.lessons.screen.step import sentences
from core.lessons.world import World, world_of


def before(learner: Learner, lesson: Lesson) -> Body:
    """What a lesson promises, and what she knows of it already."""
    words = _("**When you are through, you can:**")
    blocks = [*able(words, lesson), *_probe(learner, lesson, "before")]
    return below(blocks)


def opening(learner: Learner, lesson: Lesson) -> list[Block]:
    """Above its first step: what a lesson promises first, and the way to the questions before."""
    summary = small(promise(lesson))
    if not lesson.probe or learner.lecture or probed(learner, lesson):  # a class is not asked so
        return [summary]
    to_probe = button("lesson-probe", _("What do you know already?"), {"lesson_at": "0"},
                      weight="tertiary")  # fmt: skip
    return [summary, to_probe]


def after(learner: Learner, lesson: Lesson, index: int, parts: Parts) -> Body:
    """What she knows now, what comes back, and what comes next."""
    blocks: list[Block] = []
    if lesson.probe:
        blocks = _probe(learner, lesson, "after")
        body = None if learner.lecture else _once_more(learner, lesson, index, parts)
        if body is not None:
            blocks.append({"kind": "screen", "key": "again", **body})
    return below([*blocks, *_gained(learner, lesson)])


def able(words: str, lesson: Lesson) -> list[Block]:
    """What a lesson promises, a line each."""
    return text(words + "\n\n" + "".join(f"\n- {ability}" for ability in lesson.able))


def probed(learner: Learner, lesson: Lesson) -> bool:
    """Whether she has said what she knew before."""
    return any(_is_met(learner, lesson, ident, "before") for ident in lesson.probe)


def _is_met(learner: Learner, lesson: Lesson, ident: str, when: str) -> bool:
    answered = learner.study.of(lesson.id, f"{ident}/{when}")
    return bool(answered.tries or answered.given_up)


def _probe(learner: Learner, lesson: Lesson, when: Literal["before", "after"]) -> list[Block]:
    """The same few questions, on other data before and after."""
    sentence = _("A few questions to end with.")
    if when == "before":
        sentence = _(
            "Nothing is explained yet: you will see the same questions on other numbers at "
            "the end. Next skips them."
        )
    elif probed(learner, lesson):
        sentence = _("The questions of the beginning, on other numbers.")
    blocks = text(sentence)
    for ident in lesson.probe:
        blocks += _probing(learner, lesson, lesson.asking(ident), ident, when)
    return blocks


def _probing(
    learner: Learner, lesson: Lesson, asks: LessonStep, ident: str, when: Literal["before", "after"]
) -> list[Block]:
    """The blocks of one of the questions before or after a lesson."""
    assert asks.question is not None
    blocks = [small(sentence) for sentence in sentences_of(asks)]
    try:
        names = world_of(asks, learner.answer).names
        posed = probe(asks.question, names, when, learner.study.seed)
    except CoreError as problem:
        return [*blocks, note("error", as_said(problem))]
    if asks.before:  # what the question speaks of, for who needs it
        title = _("From the step “{title}”").format(title=asks.title)
        blocks.append(fold(f"step-{ident}", title, text(asks.before, names)))
    key = (lesson.id, f"{ident}/{when}")
    task = heard(learner, Open(key, posed, learner.study.of(*key), when))
    return [*blocks, question_block(learner, task, f"probe-{ident}")]


def _gained(learner: Learner, lesson: Lesson) -> list[Block]:
    """What was right before, what is now, and what comes next; for a class what it knows now."""
    summed = [block for markdown in lesson.sums_up for block in text(markdown)]
    if learner.lecture:  # nothing of it was answered by the class
        return able(_("**You can now:**"), lesson) + summed
    blocks = _result(learner, lesson)
    through, right, n_asked = True, 0, 0
    for when, title in (("before", _("Before the lesson")), ("after", _("After it"))):
        answers = [learner.study.of(lesson.id, f"{ident}/{when}") for ident in lesson.probe]
        through = all(
            answer.tries or answer.given_up for answer in answers
        )  # of the last, those after
        right, n_asked = sum(answer.right for answer in answers), len(answers)
        if any(answer.tries or answer.given_up for answer in answers):
            count = _("{n} of {of} right").format(n=right, of=n_asked)
            share = right / n_asked if n_asked else 0.0
            blocks += [*text(title), {"kind": "share", "share": share, "say": count}]
    if through:
        words = _("**You can now:**")
        if right < n_asked:
            words = _("**Once what you missed is clear, you can:**")
        blocks += able(words, lesson)
    return blocks + summed + _following(learner, lesson)


def _result(learner: Learner, lesson: Lesson) -> list[Block]:
    """How many of its questions she was right at, and at the first try; nothing while at none."""
    answers = [learner.study.of(lesson.id, ident) for ident in lesson.question_ids]
    right, once = (
        sum(answer.right or answer.once for answer in answers),
        learner.study.right(lesson),
    )
    sentence = _("{n} of {of} right at the first try")
    if right > once:
        sentence = _("{right} of {of} right, {n} at the first try")
    blocks = text("**" + sentence.format(right=right, of=len(answers), n=once) + "**")
    return blocks if right else []


def _following(learner: Learner, current: Lesson) -> list[Block]:
    """What comes after a lesson on her path."""
    order = lesson_ids(learner.learning.path)
    if current.id == order[-1]:
        return to_the_test()
    if current.id not in order:
        return []
    ident = order[order.index(current.id) + 1]
    following = lesson(ident, language())
    if isinstance(following, LessonError):
        return []
    sentence = _("Next lesson: {title}").format(title=following.title)
    sets = {"lesson": ident, "lesson_at": str(following.first)}
    return [button("lesson-following", sentence, sets)]


def to_the_test() -> list[Block]:
    """The way to a test over all lessons, for who has been through them."""
    sentence = _("{n} questions over all lessons, on other numbers where there are any. Those that "
                 "you missed are among them. There is one try at each.")  # fmt: skip
    sets = {"lesson": NAME, "lesson_at": None}
    return [*text(sentence.format(n=MOST)), button("last-test", _("Take the last test"), sets)]


# --- what comes back ------------------------------------------------------------------------------


def _once_more(learner: Learner, lesson: Lesson, index: int, parts: Parts) -> Body | None:
    """A question that she has missed, or on an idea that she has, once."""
    back = again(learner.study, lesson, language())
    if back is None:
        return None
    try:
        world, task = posed_anew(learner, back)
    except CoreError as problem:
        return below([note("error", as_said(problem))])
    anew = task.posed.about not in back.abouts(learner.study)
    screen = screen_of(lesson.id, index, again=True)
    body = with_figures(learner, back, world, task, screen, "question-again", parts)
    return body | {"said": [*text(_why(learner, lesson, back, anew=anew)), *body["said"]]}


def _why(learner: Learner, lesson: Lesson, back: Repetition, *, anew: bool) -> str:
    """What comes back, and why: she missed it here, or its idea is one that she missed before."""
    owner = lesson_of(back.owner, language())
    sentence = _("Let us try the one you missed once more: “{step}”")
    if back.owner != lesson.id or not back.missed(learner.study):
        sentence = _("You have missed this idea before. It comes back in a question of the lesson "
                     "“{lesson}”: “{step}”")  # fmt: skip
    elif anew:
        sentence = _("Let us try the one you missed again, on other numbers: “{step}”")
    title = owner.title if owner is not None else ""
    return sentence.format(step=harmless(back.step.title), lesson=harmless(title))


def posed_anew(learner: Learner, back: Repetition, when: Asked = "lesson") -> tuple[World, Open]:
    """A question on data that it was not asked on before.

    Args:
        learner: who asks for the screen.
        back: the question.
        when: after the lessons there is one try.

    Raises:
        CoreError: it cannot be posed.
    """
    assert back.step.question is not None
    world, asked_on = world_of(back.step, learner.answer), back.abouts(learner.study)
    return world, opened(learner, back.key, back.step.question, world.names, when=when,
                         anew=asked_on)  # fmt: skip


def with_figures(
    learner: Learner,
    back: Repetition,
    world: World,
    task: Open,
    screen: Screen,
    key: str,
    parts: Parts,
) -> Body:
    """Ask beside the figures of the question's step; in a test its text comes with the question.

    Args:
        learner: who asks for the screen.
        back: the question.
        world: of its step.
        task: it, on other data.
        screen: by which the figures keep their own state.
        key: of the question.
        parts: of the screen.
    """
    names, is_open = task.posed.names, task.is_over
    components = figures.drawn_of(world, names, task.posed, is_open=is_open)
    scene = figures.FiguresOfStep(world, components, names)
    blocks = text(back.step.before, world.names) if task.when != "lesson" else []
    blocks += sentences(world)
    blocks.append(question_block(learner, task, key, figures.picks(task.posed, components, screen)))
    columns = [[figures.figure(learner, shown_, screen, scene, parts, is_open=is_open)]
               for shown_ in world.shown]  # fmt: skip
    return {"layout": layout_of(back.step), "said": blocks, "shown": columns}
