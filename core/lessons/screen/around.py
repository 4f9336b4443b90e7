"""The screens around a lesson's steps: what she knows before, what she can do after."""

from __future__ import annotations

from typing import Literal

from core.answers.names import Screen, screen_of
from core.errors import CoreError, LessonError, as_said
from core.figures.text import harmless
from core.language import _, language
from core.lessons import Lesson, lesson, lesson_ids
from core.lessons.again import Again, again, lesson_of
from core.lessons.asking_again import probe
from core.lessons.book.probes import promise
from core.lessons.last_test import MOST, NAME
from core.lessons.player import Asked
from core.lessons.schema import Step
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
from core.lessons.screen.questions import Open, heard, opened, shown
from core.lessons.screen.step import sentences
from core.lessons.world import World, world_of


def before(learner: Learner, found: Lesson) -> Body:
    """What a lesson promises, and what she knows of it already."""
    words = _("**When you are through, you can:**")
    said = [*able(words, found), *_probe(learner, found, "before")]
    return below(said)


def opening(learner: Learner, found: Lesson) -> list[Block]:
    """Above its first step: what a lesson promises first, and the way to the questions before."""
    said = small(promise(found))
    if not found.probe or learner.lecture or probed(learner, found):  # a class is not asked so
        return [said]
    to_probe = button("lesson-probe", _("What do you know already?"), {"lesson_at": "0"},
                      weight="tertiary")  # fmt: skip
    return [said, to_probe]


def after(learner: Learner, found: Lesson, at: int, parts: Parts) -> Body:
    """What she knows now, what comes back, and what comes next."""
    said: list[Block] = []
    if found.probe:
        said = _probe(learner, found, "after")
        body = None if learner.lecture else _once_more(learner, found, at, parts)
        if body is not None:
            said.append({"kind": "screen", "key": "again", **body})
    return below([*said, *_gained(learner, found)])


def able(words: str, found: Lesson) -> list[Block]:
    """What a lesson promises, a line each."""
    return text(words + "\n\n" + "".join(f"\n- {one}" for one in found.able))


def probed(learner: Learner, found: Lesson) -> bool:
    """Whether she has said what she knew before."""
    return any(_is_met(learner, found, ident, "before") for ident in found.probe)


def _is_met(learner: Learner, found: Lesson, ident: str, when: str) -> bool:
    one = learner.study.of(found.id, f"{ident}/{when}")
    return bool(one.tries or one.given_up)


def _probe(learner: Learner, found: Lesson, when: Literal["before", "after"]) -> list[Block]:
    """The same few questions, on other data before and after."""
    said = _("A few questions to end with.")
    if when == "before":
        said = _("Nothing is explained yet: you will see the same questions on other numbers at "
                 "the end. Next skips them.")  # fmt: skip
    elif probed(learner, found):
        said = _("The questions of the beginning, on other numbers.")
    blocks = text(said)
    for ident in found.probe:
        blocks += _probing(learner, found, found.asking(ident), ident, when)
    return blocks


def _probing(
    learner: Learner, found: Lesson, asks: Step, ident: str, when: Literal["before", "after"]
) -> list[Block]:
    """One of them."""
    assert asks.question is not None
    blocks = [small(one) for one in sentences_of(asks)]
    try:
        names = world_of(asks, learner.answer).names
        posed = probe(asks.question, names, when, learner.study.seed)
    except CoreError as problem:
        return [*blocks, note("error", as_said(problem))]
    if asks.before:  # what the question speaks of, for who needs it
        title = _("From the step “{title}”").format(title=asks.title)
        blocks.append(fold(f"step-{ident}", title, text(asks.before, names)))
    key = (found.id, f"{ident}/{when}")
    here = heard(learner, Open(key, posed, learner.study.of(*key), when))
    return [*blocks, shown(learner, here, f"probe-{ident}")]


def _gained(learner: Learner, found: Lesson) -> list[Block]:
    """What was right before, what is now, and what comes next; for a class what it knows now."""
    summed = [block for one in found.sums_up for block in text(one)]
    if learner.lecture:  # nothing of it was answered by the class
        return able(_("**You can now:**"), found) + summed
    blocks = _result(learner, found)
    through, right, asked = True, 0, 0
    for when, said in (("before", _("Before the lesson")), ("after", _("After it"))):
        answers = [learner.study.of(found.id, f"{ident}/{when}") for ident in found.probe]
        through = all(one.tries or one.given_up for one in answers)  # of the last, those after
        right, asked = sum(one.right for one in answers), len(answers)
        if any(one.tries or one.given_up for one in answers):
            count = _("{n} of {of} right").format(n=right, of=asked)
            share = right / asked if asked else 0.0
            blocks += [*text(said), {"kind": "share", "share": share, "say": count}]
    if through:
        words = _("**You can now:**")
        if right < asked:
            words = _("**Once what you missed is clear, you can:**")
        blocks += able(words, found)
    return blocks + summed + _following(learner, found)


def _result(learner: Learner, found: Lesson) -> list[Block]:
    """How many of its questions she was right at, and at the first try; nothing while at none."""
    answers = [learner.study.of(found.id, ident) for ident in found.asked]
    right, once = sum(one.right or one.once for one in answers), learner.study.right(found)
    said = _("{n} of {of} right at the first try")
    if right > once:
        said = _("{right} of {of} right, {n} at the first try")
    blocks = text("**" + said.format(right=right, of=len(answers), n=once) + "**")
    return blocks if right else []


def _following(learner: Learner, found: Lesson) -> list[Block]:
    """What comes after a lesson on her path."""
    order = lesson_ids(learner.learning.path)
    if found.id == order[-1]:
        return to_the_test()
    if found.id not in order:
        return []
    ident = order[order.index(found.id) + 1]
    following = lesson(ident, language())
    if isinstance(following, LessonError):
        return []
    said = _("Next lesson: {title}").format(title=following.title)
    sets = {"lesson": ident, "lesson_at": str(following.first)}
    return [button("lesson-following", said, sets)]


def to_the_test() -> list[Block]:
    """The way to a test over all lessons, for who has been through them."""
    said = _("{n} questions over all lessons, on other numbers where there are any. Those that "
             "you missed are among them. There is one try at each.")  # fmt: skip
    sets = {"lesson": NAME, "lesson_at": None}
    return [*text(said.format(n=MOST)), button("last-test", _("Take the last test"), sets)]


# --- what comes back ------------------------------------------------------------------------------


def _once_more(learner: Learner, found: Lesson, at: int, parts: Parts) -> Body | None:
    """A question that she has missed, or on an idea that she has, once."""
    back = again(learner.study, found, language())
    if back is None:
        return None
    try:
        world, asked = posed_anew(learner, back)
    except CoreError as problem:
        return below([note("error", as_said(problem))])
    anew = asked.posed.about not in back.asked(learner.study)
    here = screen_of(found.id, at, again=True)
    body = with_figures(learner, back, world, asked, here, "question-again", parts)
    return body | {"said": [*text(_why(learner, found, back, anew=anew)), *body["said"]]}


def _why(learner: Learner, here: Lesson, back: Again, *, anew: bool) -> str:
    """What comes back, and why: she missed it here, or its idea is one that she missed before."""
    owner = lesson_of(back.owner, language())
    said = _("Let us try the one you missed once more: “{step}”")
    if back.owner != here.id or not back.missed(learner.study):
        said = _("You have missed this idea before. It comes back in a question of the lesson "
                 "“{lesson}”: “{step}”")  # fmt: skip
    elif anew:
        said = _("Let us try the one you missed again, on other numbers: “{step}”")
    title = owner.title if owner is not None else ""
    return said.format(step=harmless(back.step.title), lesson=harmless(title))


def posed_anew(learner: Learner, back: Again, when: Asked = "lesson") -> tuple[World, Open]:
    """A question on data that it was not asked on before.

    Args:
        learner: who asks for the screen.
        back: the question.
        when: after the lessons there is one try.

    Raises:
        CoreError: it cannot be posed.
    """
    assert back.step.question is not None
    world, asked_on = world_of(back.step, learner.answer), back.asked(learner.study)
    return world, opened(learner, back.key, back.step.question, world.names, when=when,
                         anew=asked_on)  # fmt: skip


def with_figures(
    learner: Learner, back: Again, world: World, asked: Open, here: Screen, key: str, parts: Parts
) -> Body:
    """Ask beside the figures of the question's step; in a test its text comes with the question.

    Args:
        learner: who asks for the screen.
        back: the question.
        world: of its step.
        asked: it, on other data.
        here: by which the figures keep their own state.
        key: of the question.
        parts: of the screen.
    """
    names, is_open = asked.posed.names, asked.is_over
    drawn = figures.drawn_of(world, names, asked.posed, is_open=is_open)
    made = figures.Made(world, drawn, names)
    said = text(back.step.before, world.names) if asked.when != "lesson" else []
    said += sentences(world)
    said.append(shown(learner, asked, key, figures.picks(asked.posed, drawn, here)))
    each = [[figures.figure(learner, one, here, made, parts, is_open=is_open)]
            for one in world.shown]  # fmt: skip
    return {"layout": layout_of(back.step), "said": said, "shown": each}
