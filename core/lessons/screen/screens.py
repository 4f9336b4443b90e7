"""Which screen is open, and all of it: what stands above it, on it and below it."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

from core.answers.app import LESSON_FILES
from core.answers.link import pack
from core.answers.names import Touring, screen_of
from core.errors import CoreError, LessonError
from core.figures.components import Stepper
from core.figures.payload import Payload
from core.language import _, language
from core.lessons import Lesson, last_test, lesson, lesson_ids
from core.lessons.courses import called, teachers_notes
from core.lessons.on_pages import ON_PAGES
from core.lessons.schema import LessonStep
from core.lessons.screen import around, bar, test
from core.lessons.screen.blocks import (
    Block,
    Body,
    Parts,
    below,
    bullets,
    fold,
    note,
    small,
    text,
)
from core.lessons.screen.learner import Learner
from core.lessons.screen.listing import heading, listing
from core.lessons.screen.questions import opened, question_block
from core.lessons.screen.step import step_body
from core.lessons.screen.tour import tour_body
from core.lessons.study import OWN_SEEDS
from core.lessons.world import requests_of

AT = "lesson_at"


def screen(learner: Learner) -> Payload:
    """What a browser shows of the lessons, for what its page is at."""
    parts, learning = Parts(on_page=True), learner.learning
    before = learner.study_as_text()
    if learner.page in ON_PAGES:
        body = _waited_for(lambda: _on_page(learner))
    elif learner.read(Touring).tour:
        body = _waited_for(lambda: tour_body(learner, parts))
    elif learning.lesson == last_test.NAME:
        body = _test(learner, parts)
    else:
        is_known = learning.lesson in lesson_ids()
        result = lesson(learning.lesson, language()) if is_known else None
        body = _list(learner) if result is None else _lesson(learner, result, parts)
    body = {"at": None, "here": "", "progress": {"tools": False, "whose": False}, **body}
    now = learner.study_as_text()
    if body["progress"]["tools"]:
        body["summary"] = _summary(learner)
    body |= {
        "ident": learning.lesson, "sets": learner.sets, "turns": learner.turns,
        "study": now if learner.is_new or now != before else None,
        "follows": _followed(body),
    }  # fmt: skip
    return Payload({"screen": body, "language": language()}, parts.arrays)


def _on_page(learner: Learner) -> Body:
    """The question of a page."""
    question = ON_PAGES[learner.page]()
    task = opened(learner, (learner.page, question.id), question, dict(learner.names))
    _sow(learner, task.answered.seed)
    return below([question_block(learner, task, "question")])


def _summary(learner: Learner) -> dict[str, str]:
    """By lesson, how far she is: for whoever reads the file of her progress."""
    summary = {}
    for ident in lesson_ids():
        result = lesson(ident, language())
        if isinstance(result, Lesson) and (right := learner.study.right(result)):
            sentence = _("{right} of {n} questions right at the first try")
            summary[result.title] = sentence.format(right=right, n=len(result.question_ids))
    return summary


def _followed(body: Body) -> list[str]:
    """Names that live in the browser and that the screen shows all the same, by its controls."""
    blocks = [*body["said"], *(block for column in body["shown"] for block in column)]
    names = [
        f"{block['scope']}.{field['name']}"
        for block in blocks
        if block["kind"] == "controls"
        for field in block["fields"]
    ]
    return [*names, *body.get("hands", [])]


def _list(learner: Learner) -> Body:
    """The list of all lessons."""
    ident = learner.learning.lesson
    wrong = _("There is no lesson called “{id}” here.").format(id=ident)
    blocks = [note("warning", wrong)] if ident else []
    return {"layout": "list", "said": [*blocks, *heading()], "shown": [],
            "below": listing(learner), "bar": bar.of_the_list(learner),
            "progress": {"tools": True, "whose": True}}  # fmt: skip


def _test(learner: Learner, parts: Parts) -> Body:
    """A question of the last test, or its result."""
    puts = test.questions(learner)
    index = learner.learning.lesson_at
    if index < 0:
        index = test.first_open(puts, learner)
        learner.set({AT: index})
    index = min(index, len(puts))
    body = test.result(learner, puts)
    if index < len(puts):
        body = _waited_for(lambda: test.ask(learner, puts[index], index, parts))
    return _framed(_("Last test over all lessons"), test.titles(puts), index) | body | {
        "bar": bar.NOTHING, "here": screen_of(last_test.NAME, index),
    }  # fmt: skip


def _lesson(learner: Learner, result: Lesson | LessonError, parts: Parts) -> Body:
    """A screen of a lesson."""
    if isinstance(result, LessonError):
        sentence = _("This lesson's file is broken: {reason}").format(reason=str(result))
        return below([note("error", sentence)]) | {"bar": bar.NOTHING}
    first, index = result.first, result.screen(learner.learning.lesson_at)
    titles = [step.title for step in result.steps] + [_("What you know now")]
    titles = [_("What do you know already?"), *titles] if first else titles
    now = result.on_screen(index)
    body = _waited_for(lambda: _body(learner, result, index, now, parts))
    if now is not None and index == first:
        body["opening"] = around.opening(learner, result)
    question = now.question if now is not None else None
    sown = learner.study if question is None else learner.study.of(result.id, question.id)
    _sow(learner, sown.seed)
    _prepare(learner, result, index + 1 - first)
    ended = index == len(titles) - 1
    framed = _framed(_count(result, index + 1 - first), titles, index, first, len(result.steps))
    return framed | body | {
        "further": _links_and_notes(learner, result, now),
        "bar": bar.of_a_step(learner, result, index, now),
        "progress": {"tools": ended, "whose": index == 0}, "here": screen_of(result.id, index),
    }  # fmt: skip


def _body(
    learner: Learner, lesson: Lesson, index: int, now: LessonStep | None, parts: Parts
) -> Body:
    if now is not None:
        return step_body(learner, lesson, index, now, parts)
    if index == 0 and lesson.probe:
        return around.before(learner, lesson)
    return around.after(learner, lesson, index, parts)


def _waited_for(make: Callable[[], Body]) -> Body:
    """A body; while something of it is still being trained, how far that is, and when to ask."""
    try:
        return make()
    except TimeoutError as wait:
        far, seconds = wait.args
        return below([note("info", far)]) | {"again": round(1000 * seconds)}


def _framed(
    what: str, titles: list[str], index: int, before: int = 0, of: int | None = None
) -> Body:
    """What is open, its screen, and the way to each.

    Args:
        what: it is, and how far she is.
        titles: of the screens.
        index: the one that is open.
        before: how many come before the first step.
        of: how many are steps; None for all from there on.
    """
    of = len(titles) - before if of is None else of
    deck = Stepper(
        title=_("Steps of the lesson"), alt=titles[index], n=len(titles), first=index, field=AT,
        keys=False, deck=True, before=before, after=len(titles) - before - of,
        titles=[*titles[:before], *[""] * (len(titles) - before)], selection={AT: index},
    )  # fmt: skip
    return {
        "what": what, "title": titles[index], "at": index, "n": len(titles),
        "deck": dict(deck.payload().header),
        "ways": {"back": _("Back"), "next": _("Next"), "leave": _("All lessons")},
    }  # fmt: skip


def _count(lesson: Lesson, n: int) -> str:
    """How far she is: what comes before the first step and after the last is no step."""
    of = len(lesson.steps)
    if n > of:
        return _("{title} · after the last step").format(title=lesson.title)
    count = _("{title} · step {n} of {of}") if n > 0 else _("{title} · before the first step")
    return count.format(title=lesson.title, n=n, of=of)


def _sow(learner: Learner, seed: int) -> None:
    """The link of a lecture says by which seed it asks, so that who opens it is asked the same."""
    if learner.lecture and seed < OWN_SEEDS and learner.values.get("study_seed") != str(seed):
        learner.set({"study_seed": seed})


def _links_and_notes(learner: Learner, lesson: Lesson, now: LessonStep | None) -> list[Block]:
    """The lesson on paper, the open step as a file, and what her course says."""
    question = now.question if now is not None else None
    seed = learner.study.of(lesson.id, question.id).seed if question is not None else 0
    where = _("The answers have an address of their own, which the server prints when it starts.")
    links = {"kind": "links", "links": _files(learner, lesson, now, seed)}
    blocks = [fold("for-teachers", _("For teachers: handout, file"), [links, small(where)])]
    course = learner.learning.path
    sections = [source.section for source in lesson.sources if source.document == course]
    if sections:
        sentence = _("In {course}: {list}").format(course=called(course), list=" · ".join(sections))
        blocks.append(small(sentence))
    notes = teachers_notes(course, lesson.id, language())
    if notes:
        blocks.append(fold("teachers-notes", _("Notes for teachers"), text(bullets(notes))))
    return blocks


def _files(
    learner: Learner, lesson: Lesson, step: LessonStep | None, seed: int
) -> list[dict[str, str]]:
    """The ways to the files of a lesson, in two versions with other numbers, and of the open step.

    The answers to them are no way from here: learners see it, too.
    """
    inputs, on = {"text": learner.sentence} if learner.sentence else {}, learner.device

    def way(say: str, path: str, seed: int, how: str) -> dict[str, str]:
        query, _left = pack(inputs)
        query |= {"_language": language(), "_device": on} | ({"_seed": str(seed)} if seed else {})
        return {
            "say": say,
            "how": how,
            "to": f"{learner.app.prefix}{LESSON_FILES}/{path}?{urlencode(query)}",
        }

    printed = _("Handout {version}")
    ways = [way(printed.format(version=letter), f"{lesson.id}.html", version, "tab")
            for version, letter in enumerate("AB")]  # fmt: skip
    if step is not None:
        ways.append(way(_("This step as a file"), f"{lesson.id}/{step.id}.html", seed, "file"))
    return ways


def _prepare(learner: Learner, lesson: Lesson, following: int) -> None:
    """Have what comes next worked out while this is read: all learners of the lesson share it."""
    try:
        soon = [
            request
            for step in lesson.steps[following : following + 1]
            for request in requests_of(step)
        ]
        slow = [
            request
            for step in lesson.steps
            for request in requests_of(step)
            if request.lasts == "long"
        ]
    except CoreError:
        return  # the step says it
    learner.app.ahead.prepare(soon + slow, learner.device)
