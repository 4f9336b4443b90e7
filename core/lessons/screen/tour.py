"""Ten clicks through the run that flows: each tells one part more, and some ask for a guess.

The clicks are the steps of a lesson; each of its figures is the run as far as it has been told. A
screen shows what the click before it has told, and asks for the next one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.answers.names import LESSONS, PageNames, Touring
from core.errors import CoreError, as_said
from core.language import _, language, name_of
from core.lessons import Lesson, lesson, lesson_ids
from core.lessons.cover import before_answer
from core.lessons.naming import Facts
from core.lessons.player import feedback
from core.lessons.schema import LessonStep
from core.lessons.screen.blocks import Block, Body, Parts, below, button, note, small, text
from core.lessons.screen.learner import Learner
from core.lessons.screen.onward import inside
from core.lessons.screen.questions import Open, opened, question_block
from core.lessons.world import ShownFigure, world_of
from core.locale import spelt
from core.text.marks import MASK

LESSON, SCOPE = "first", "tour"
AFTER = "attention"  # goes on with the same sentence
MODELS = "models"  # the page that has the card of each
ANEW = "anew"  # a deed: each click is asked anew
# The ten clicks are about the model as it is, and lead back to the whole of it.
AT_REST: dict[str, str | None] = dict.fromkeys(("place", "off", "swap"))


def sums_up() -> list[str]:
    """What the ten clicks come to, a sentence each."""
    result = lesson(LESSON, language())
    return list(result.sums_up) if isinstance(result, Lesson) else []


@dataclass(frozen=True, eq=False)
class TourClick:
    """A click of the tour on the run at hand.

    Attributes:
        step: of the lesson.
        shown: the run, as far as it has told.
        names: what its texts may say.
        task: its question; None for one that asks nothing.
        why: it runs on the lesson's sentence and not on hers, in a sentence; empty as a rule.
    """

    step: LessonStep
    shown: ShownFigure
    names: Facts
    task: Open | None
    why: str = ""

    @property
    def is_open(self) -> bool:
        """The way on is: it asks nothing, or what it asks was answered."""
        return self.task is None or self.task.is_over

    @property
    def is_answered(self) -> bool:
        """What it asks was answered now."""
        task = self.task
        return task is not None and task.did == "answer" and task.answered.tries > 0


def tour_body(learner: Learner, parts: Parts) -> Body:
    """What the learner has been told so far, and the next click."""
    result = lesson(LESSON, language()) if LESSON in lesson_ids() else None
    if not isinstance(result, Lesson):
        return below([])
    if learner.deed.what == ANEW:
        for step in result.steps:
            if step.question is not None:
                learner.study.again(learner.study.of(result.id, step.question.id))
    try:
        return _body(learner, result, parts)
    except CoreError as problem:
        return below([note("error", as_said(problem))])


def _body(learner: Learner, lesson: Lesson, parts: Parts) -> Body:
    n = len(lesson.steps)
    index = max(1, min(learner.read(Touring).tour, n + 1))
    following = _click(learner, lesson, index) if index <= n else None
    if following is not None and following.is_answered:  # which goes on by itself
        index += 1
        learner.set({"tour": index})
        learner.turns = True
        click: TourClick | None = following
        following = _click(learner, lesson, index) if index <= n else None
    else:
        click = _click(learner, lesson, index - 1) if index > 1 else None
    answer = _outcome_blocks(click) if click is not None else []
    if following is None:
        answer += text("".join(f"1. {sentence}\n" for sentence in sums_up()))
        asks = _closing_blocks(learner, lesson)
    else:
        asks = _next(learner, following, index, click)
    if click is None:
        answer = _ahead(lesson)
    columns = [answer, asks] if click is not None else [asks, answer]
    blocks = [
        *_picture(learner, click, following, index, parts),
        {"kind": "columns", "columns": columns},
    ]
    return _head(learner, n, index, click, following) | {
        "layout": "tour", "said": blocks, "shown": [], "bar": _bar(learner, click or following),
        "walk": _walk(following, index),
    }  # fmt: skip


def _ahead(lesson: Lesson) -> list[Block]:
    """What the clicks are about, where nothing has been told yet."""
    sentence = _("What you will see, click by click:")
    return text(sentence + "\n\n" + "".join(f"1. {step.title}\n" for step in lesson.steps))


def _click(learner: Learner, lesson: Lesson, index: int) -> TourClick:
    """A click on her own sentence, or on the lesson's where hers cannot show the point."""
    step, text = lesson.steps[index - 1], learner.sentence
    if not text:
        return _on(learner, lesson, step, {})
    if MASK in text:
        return _on(learner, lesson, step, {}, _("GPT cannot read [MASK]."))
    try:
        return _on(learner, lesson, step, {"text": text})
    except CoreError as problem:
        return _on(learner, lesson, step, {}, problem.sentence())


def _on(
    learner: Learner, lesson: Lesson, step: LessonStep, inputs: dict[str, Any], why: str = ""
) -> TourClick:
    """A click on a sentence.

    Raises:
        CoreError: it cannot show the point.
    """
    world = world_of(step, learner.answer, {figure.name: inputs for figure in step.figures})
    if step.question is None:
        return TourClick(step, world.shown[0], world.names, None, why)
    task = opened(learner, (lesson.id, step.question.id), step.question, world.names)
    (run,) = (shown.with_selection(task.posed.names) for shown in world.shown)
    return TourClick(step, run, task.posed.names | {"answer": task.posed.right}, task, why)


def _head(
    learner: Learner, n: int, index: int, last: TourClick | None, following: TourClick | None
) -> Body:
    """How far she is, on whose sentence, what the picture shows, and the way out."""
    title = _("From a text to the next word")
    run = last or following
    if following is not None and run is not None:  # of what the picture shows
        title = run.step.title
    count = _("Ten clicks through the model: {n} of {of}").format(n=min(index, n), of=n)
    if learner.sentence and run is not None:
        is_own = run.shown.params.text == learner.sentence
        count += " · " + (_("your own sentence") if is_own else _("the sentence of the tour"))
    ways = [button("tour-back", _("Back"), {"tour": str(index - 1)})] if index > 1 else []
    if following is not None:
        ways.append(button("tour-skip", _("Skip, just look around"), {"tour": None}))
    return {"at": index, "n": n + 1, "here": f"{SCOPE}{index}.", "what": count, "title": title,
            "dots": [min(index - 1, n), n], "beside": ways,
            "ahead": following is not None}  # fmt: skip


def _picture(
    learner: Learner, last: TourClick | None, following: TourClick | None, index: int, parts: Parts
) -> list[Block]:
    """The run as far as she has come; before the first click it is the text alone."""
    click = last or following
    assert click is not None
    run, scope = click.shown, f"{SCOPE}{index}"
    component = run.component(click.names)
    if last is None:
        component = before_answer(run, click.names) or component
    part = parts.add(component, scope=scope, figure="tour-flow", walks=True)
    blocks: list[Block] = [{"kind": "figure", "key": "tour-flow", "parts": [part]}]
    if last is not None:
        shown = run.with_selection(click.names)
        blocks += inside(shown, scope, learner, parts)
    return blocks


def _walk(following: TourClick | None, index: int) -> dict[str, dict[str, str | None] | None]:
    """What the arrow keys of the picture do: the screen before, the next one, or out."""
    out: dict[str, str | None] = {"tour": None}
    on: dict[str, str | None] = {"tour": str(index + 1)}
    goes = following is not None and following.is_open
    return {
        "-1": {"tour": str(index - 1)} if index > 1 else None,
        "1": on if goes else None,
        "on": out if following is None else on if goes else None,
    }


def _outcome_blocks(click: TourClick) -> list[Block]:
    """What has come of the click before."""
    blocks: list[Block] = []
    if click.task is not None:
        posed, answered = click.task.posed, click.task.answered
        sentence = "".join(words for words, _style in feedback(posed, answered, hints=False))
        blocks += [{"kind": "told", "say": sentence}] if answered.tries else []
        blocks += text(posed.question.solution, click.names)
    return blocks + text(click.step.after, click.names)


def _next(learner: Learner, click: TourClick, index: int, last: TourClick | None) -> list[Block]:
    """The next click under its title; the first one's stands above all, but on a phone.

    Args:
        learner: who asks for it.
        click: the next one.
        index: which it is.
        last: the one before it.
    """
    blocks: list[Block] = [{"kind": "next", "title": click.step.title, "alone": index == 1}]
    if click.why:
        sentence = _("{why} So this click takes the sentence “{text}”.")
        blocks.append(small(sentence.format(why=click.why, text=click.shown.params.text)))
    elif last is not None and last.why:
        blocks.append(small(_("This click takes your own sentence again.")))
    model = click.shown.params.model
    if index == 1 and learner.read(PageNames).model != model:
        sentence = _("These clicks are about {m}. Your choice is kept.")
        blocks.append(small(sentence.format(m=name_of(model))))
    blocks += text(click.step.before, click.names)
    if click.task is not None:
        blocks.append(question_block(learner, click.task, f"tour-question-{index}"))
    on = click.step.click if click.task is None else _("Next") if click.is_open else None
    if on:
        blocks.append(button("tour-next", on, {"tour": str(index + 1)}, weight="primary wide"))
    return blocks


def _closing_blocks(learner: Learner, tour: Lesson) -> list[Block]:
    """Who learned all this and how, and where to go from here."""
    model = str(tour.steps[0].figures[0].params["model"])
    learned = _(
        "Nobody wrote these {n} million numbers: the model learned them, by predicting the next "
        "token of many texts and correcting itself a little each time."
    )
    n = learner.app.runs.model(model, learner.device).n_parameters
    ways = [{"say": _("What it read, and for how long"), "how": "page",
             "to": f"{learner.app.at(MODELS)}?model={model}"}]  # fmt: skip
    following = lesson(AFTER, language())
    if isinstance(following, Lesson):
        sentence = _("First lesson: {title}").format(title=following.title)
        to = f"{learner.app.at(LESSONS)}?lesson={following.id}"
        ways.append({"say": sentence, "how": "page", "to": to})
    leave = _("Look around in the open model")
    return [
        *text(learned.format(n=spelt(f"{n / 1e6:.1f}"))),
        {"kind": "links", "links": ways},
        button("tour-leave", leave, {"tour": None}, weight="primary wide"),
        button("tour-again", _("Once more"), {**AT_REST, "tour": "1"}, weight="tertiary",
               deed=ANEW),
    ]  # fmt: skip


def _bar(learner: Learner, click: TourClick | None) -> dict[str, Any]:
    """Hers, or the sentence of the tour where hers cannot show the point."""
    text = "" if click is None else str(click.shown.params.text)
    is_kept = bool(learner.sentence) and learner.sentence != text
    note_ = _("The sentence of the tour. Yours is kept.") if is_kept else ""
    return {"text": text, "note": note_, "fixed": False, "abroad": False, "machine": {}}
