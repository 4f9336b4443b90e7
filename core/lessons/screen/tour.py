"""Ten clicks through the run that flows: each tells one part more, and some ask for a guess.

The clicks are the steps of a lesson; each of its figures is the run as far as it has been told. A
screen shows what the click before it has told, and asks for the next one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.answers.names import LESSONS, Machine, Touring
from core.errors import CoreError, as_said
from core.language import _, language, name_of
from core.lessons import Lesson, lesson, lesson_ids
from core.lessons.cover import before_answer
from core.lessons.naming import Facts
from core.lessons.player import feedback
from core.lessons.schema import Step
from core.lessons.screen.blocks import Block, Body, Parts, below, button, note, small, text
from core.lessons.screen.learner import Learner
from core.lessons.screen.onward import inside
from core.lessons.screen.questions import Open, opened, shown
from core.lessons.world import Shown, world_of
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
    found = lesson(LESSON, language())
    return list(found.sums_up) if isinstance(found, Lesson) else []


@dataclass(frozen=True, eq=False)
class Click:
    """A click of the tour on the run at hand.

    Attributes:
        step: of the lesson.
        shown: the run, as far as it has told.
        names: what its texts may say.
        asked: its question; None for one that asks nothing.
        why: it runs on the lesson's sentence and not on hers, in a sentence; empty as a rule.
    """

    step: Step
    shown: Shown
    names: Facts
    asked: Open | None
    why: str = ""

    @property
    def is_open(self) -> bool:
        """The way on is: it asks nothing, or what it asks was answered."""
        return self.asked is None or self.asked.is_over

    @property
    def is_answered(self) -> bool:
        """What it asks was answered now."""
        asked = self.asked
        return asked is not None and asked.did == "answer" and asked.answered.tries > 0


def tour_body(learner: Learner, parts: Parts) -> Body:
    """What the learner has been told so far, and the next click."""
    found = lesson(LESSON, language()) if LESSON in lesson_ids() else None
    if not isinstance(found, Lesson):
        return below([])
    if learner.deed.what == ANEW:
        for step in found.steps:
            if step.question is not None:
                learner.study.again(learner.study.of(found.id, step.question.id))
    try:
        return _body(learner, found, parts)
    except CoreError as problem:
        return below([note("error", as_said(problem))])


def _body(learner: Learner, found: Lesson, parts: Parts) -> Body:
    n = len(found.steps)
    at = max(1, min(learner.read(Touring).tour, n + 1))
    following = _click(learner, found, at) if at <= n else None
    if following is not None and following.is_answered:  # which goes on by itself
        at += 1
        learner.set({"tour": at})
        learner.turns = True
        seen: Click | None = following
        following = _click(learner, found, at) if at <= n else None
    else:
        seen = _click(learner, found, at - 1) if at > 1 else None
    told = _told(seen) if seen is not None else []
    if following is None:
        told += text("".join(f"1. {one}\n" for one in sums_up()))
        asks = _further(learner, found)
    else:
        asks = _next(learner, following, at, seen)
    if seen is None:
        told = _ahead(found)
    columns = [told, asks] if seen is not None else [asks, told]
    said = [*_picture(learner, seen, following, at, parts), {"kind": "columns", "columns": columns}]
    return _head(learner, n, at, seen, following) | {
        "layout": "tour", "said": said, "shown": [], "bar": _bar(learner, seen or following),
        "walk": _walk(following, at),
    }  # fmt: skip


def _ahead(found: Lesson) -> list[Block]:
    """What the clicks are about, where nothing has been told yet."""
    said = _("What you will see, click by click:")
    return text(said + "\n\n" + "".join(f"1. {one.title}\n" for one in found.steps))


def _click(learner: Learner, found: Lesson, at: int) -> Click:
    """A click on her own sentence, or on the lesson's where hers cannot show the point."""
    step, own = found.steps[at - 1], learner.own
    if not own:
        return _on(learner, found, step, {})
    if MASK in own:
        return _on(learner, found, step, {}, _("GPT cannot read [MASK]."))
    try:
        return _on(learner, found, step, {"text": own})
    except CoreError as problem:
        return _on(learner, found, step, {}, problem.sentence())


def _on(learner: Learner, found: Lesson, step: Step, given: dict[str, Any], why: str = "") -> Click:
    """A click on a sentence.

    Raises:
        CoreError: it cannot show the point.
    """
    world = world_of(step, learner.answer, {one.name: given for one in step.figures})
    if step.question is None:
        return Click(step, world.shown[0], world.names, None, why)
    asked = opened(learner, (found.id, step.question.id), step.question, world.names)
    (run,) = (one.at(asked.posed.names) for one in world.shown)
    return Click(step, run, asked.posed.names | {"answer": asked.posed.right}, asked, why)


def _head(learner: Learner, n: int, at: int, seen: Click | None, following: Click | None) -> Body:
    """How far she is, on whose sentence, what the picture shows, and the way out."""
    title = _("From a text to the next word")
    run = seen or following
    if following is not None and run is not None:  # of what the picture shows
        title = run.step.title
    count = _("Ten clicks through the model: {n} of {of}").format(n=min(at, n), of=n)
    if learner.own and run is not None:
        own = run.shown.params.text == learner.own
        count += " · " + (_("your own sentence") if own else _("the sentence of the tour"))
    ways = [button("tour-back", _("Back"), {"tour": str(at - 1)})] if at > 1 else []
    if following is not None:
        ways.append(button("tour-skip", _("Skip, just look around"), {"tour": None}))
    return {"at": at, "n": n + 1, "here": f"{SCOPE}{at}.", "what": count, "title": title,
            "dots": [min(at - 1, n), n], "beside": ways,
            "ahead": following is not None}  # fmt: skip


def _picture(
    learner: Learner, seen: Click | None, following: Click | None, at: int, parts: Parts
) -> list[Block]:
    """The run as far as she has come; before the first click it is the text alone."""
    click = seen or following
    assert click is not None
    run, scope = click.shown, f"{SCOPE}{at}"
    component = run.component(click.names)
    if seen is None:
        component = before_answer(run, click.names) or component
    part = parts.add(component, scope=scope, figure="tour-flow", walks=True)
    found: list[Block] = [{"kind": "figure", "key": "tour-flow", "parts": [part]}]
    if seen is not None:
        told = run.at(click.names)
        found += inside(told, scope, learner, parts)
    return found


def _walk(following: Click | None, at: int) -> dict[str, dict[str, str | None] | None]:
    """What the arrow keys of the picture do: the screen before, the next one, or out."""
    out: dict[str, str | None] = {"tour": None}
    on: dict[str, str | None] = {"tour": str(at + 1)}
    goes = following is not None and following.is_open
    return {
        "-1": {"tour": str(at - 1)} if at > 1 else None,
        "1": on if goes else None,
        "on": out if following is None else on if goes else None,
    }


def _told(seen: Click) -> list[Block]:
    """What has come of the click before."""
    found: list[Block] = []
    if seen.asked is not None:
        posed, answered = seen.asked.posed, seen.asked.answered
        said = "".join(words for words, _style in feedback(posed, answered, hints=False))
        found += [{"kind": "told", "say": said}] if answered.tries else []
        found += text(posed.question.solution, seen.names)
    return found + text(seen.step.after, seen.names)


def _next(learner: Learner, click: Click, at: int, seen: Click | None) -> list[Block]:
    """The next click under its title; the first one's stands above all, but on a phone.

    Args:
        learner: who asks for it.
        click: the next one.
        at: which it is.
        seen: the one before it.
    """
    found: list[Block] = [{"kind": "next", "title": click.step.title, "alone": at == 1}]
    if click.why:
        said = _("{why} So this click takes the sentence “{text}”.")
        found.append(small(said.format(why=click.why, text=click.shown.params.text)))
    elif seen is not None and seen.why:
        found.append(small(_("This click takes your own sentence again.")))
    model = click.shown.params.model
    if at == 1 and learner.read(Machine).model != model:
        said = _("These clicks are about {m}. Your choice is kept.")
        found.append(small(said.format(m=name_of(model))))
    found += text(click.step.before, click.names)
    if click.asked is not None:
        found.append(shown(learner, click.asked, f"tour-question-{at}"))
    on = click.step.click if click.asked is None else _("Next") if click.is_open else None
    if on:
        found.append(button("tour-next", on, {"tour": str(at + 1)}, weight="primary wide"))
    return found


def _further(learner: Learner, found: Lesson) -> list[Block]:
    """Who learned all this and how, and where to go from here."""
    model = str(found.steps[0].figures[0].params["model"])
    learned = _(
        "Nobody wrote these {n} million numbers: the model learned them, by predicting the next "
        "token of many texts and correcting itself a little each time."
    )
    n = learner.app.runs.model(model, learner.device).n_parameters
    ways = [{"say": _("What it read, and for how long"), "how": "page",
             "to": f"{learner.app.at(MODELS)}?model={model}"}]  # fmt: skip
    following = lesson(AFTER, language())
    if isinstance(following, Lesson):
        said = _("First lesson: {title}").format(title=following.title)
        to = f"{learner.app.at(LESSONS)}?lesson={following.id}"
        ways.append({"say": said, "how": "page", "to": to})
    leave = _("Look around in the open model")
    return [
        *text(learned.format(n=spelt(f"{n / 1e6:.1f}"))),
        {"kind": "links", "links": ways},
        button("tour-leave", leave, {"tour": None}, weight="primary wide"),
        button("tour-again", _("Once more"), {**AT_REST, "tour": "1"}, weight="tertiary",
               deed=ANEW),
    ]  # fmt: skip


def _bar(learner: Learner, click: Click | None) -> dict[str, Any]:
    """Hers, or the sentence of the tour where hers cannot show the point."""
    own = "" if click is None else str(click.shown.params.text)
    kept = bool(learner.own) and learner.own != own
    note_ = _("The sentence of the tour. Yours is kept.") if kept else ""
    return {"text": own, "note": note_, "fixed": False, "abroad": False, "machine": {}}
