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
from core.lessons.schema import Step
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
from core.lessons.screen.questions import opened, shown
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
        made = _waited_for(lambda: _on_page(learner))
    elif learner.read(Touring).tour:
        made = _waited_for(lambda: tour_body(learner, parts))
    elif learning.lesson == last_test.NAME:
        made = _test(learner, parts)
    else:
        known = learning.lesson in lesson_ids()
        found = lesson(learning.lesson, language()) if known else None
        made = _list(learner) if found is None else _lesson(learner, found, parts)
    made = {"at": None, "here": "", "progress": {"tools": False, "whose": False}, **made}
    now = learner.study_as_text()
    if made["progress"]["tools"]:
        made["summary"] = _summary(learner)
    made |= {
        "ident": learning.lesson, "sets": learner.sets, "turns": learner.turns,
        "study": now if learner.is_new or now != before else None,
        "follows": _followed(made),
    }  # fmt: skip
    return Payload({"screen": made, "language": language()}, parts.arrays)


def _on_page(learner: Learner) -> Body:
    """The question of a page."""
    own = ON_PAGES[learner.page]()
    here = opened(learner, (learner.page, own.id), own, dict(learner.names))
    _sow(learner, here.answered.seed)
    return below([shown(learner, here, "question")])


def _summary(learner: Learner) -> dict[str, str]:
    """By lesson, how far she is: for whoever reads the file of her progress."""
    found = {}
    for ident in lesson_ids():
        own = lesson(ident, language())
        if isinstance(own, Lesson) and (right := learner.study.right(own)):
            said = _("{right} of {n} questions right at the first try")
            found[own.title] = said.format(right=right, n=len(own.asked))
    return found


def _followed(made: Body) -> list[str]:
    """Names that live in the browser and that the screen shows all the same, by its controls."""
    blocks = [*made["said"], *(one for column in made["shown"] for one in column)]
    found = [
        f"{one['scope']}.{field['name']}"
        for one in blocks
        if one["kind"] == "controls"
        for field in one["fields"]
    ]
    return [*found, *made.get("hands", [])]


def _list(learner: Learner) -> Body:
    """The list of all lessons."""
    ident = learner.learning.lesson
    wrong = _("There is no lesson called “{id}” here.").format(id=ident)
    said = [note("warning", wrong)] if ident else []
    return {"layout": "list", "said": [*said, *heading()], "shown": [],
            "below": listing(learner), "bar": bar.of_the_list(learner),
            "progress": {"tools": True, "whose": True}}  # fmt: skip


def _test(learner: Learner, parts: Parts) -> Body:
    """A question of the last test, or its result."""
    puts = test.questions(learner)
    at = learner.learning.lesson_at
    if at < 0:
        at = test.first_open(puts, learner)
        learner.set({AT: at})
    at = min(at, len(puts))
    body = test.result(learner, puts)
    if at < len(puts):
        body = _waited_for(lambda: test.ask(learner, puts[at], at, parts))
    return _framed(_("Last test over all lessons"), test.titles(puts), at) | body | {
        "bar": bar.NOTHING, "here": screen_of(last_test.NAME, at),
    }  # fmt: skip


def _lesson(learner: Learner, found: Lesson | LessonError, parts: Parts) -> Body:
    """A screen of a lesson."""
    if isinstance(found, LessonError):
        said = _("This lesson's file is broken: {reason}").format(reason=str(found))
        return below([note("error", said)]) | {"bar": bar.NOTHING}
    first, at = found.first, found.screen(learner.learning.lesson_at)
    titles = [one.title for one in found.steps] + [_("What you know now")]
    titles = [_("What do you know already?"), *titles] if first else titles
    now = found.on_screen(at)
    body = _waited_for(lambda: _body(learner, found, at, now, parts))
    if now is not None and at == first:
        body["opening"] = around.opening(learner, found)
    question = now.question if now is not None else None
    asked = learner.study if question is None else learner.study.of(found.id, question.id)
    _sow(learner, asked.seed)
    _prepare(learner, found, at + 1 - first)
    ended = at == len(titles) - 1
    framed = _framed(_count(found, at + 1 - first), titles, at, first, len(found.steps))
    return framed | body | {
        "further": _further(learner, found, now), "bar": bar.of_a_step(learner, found, at, now),
        "progress": {"tools": ended, "whose": at == 0}, "here": screen_of(found.id, at),
    }  # fmt: skip


def _body(learner: Learner, found: Lesson, at: int, now: Step | None, parts: Parts) -> Body:
    if now is not None:
        return step_body(learner, found, at, now, parts)
    if at == 0 and found.probe:
        return around.before(learner, found)
    return around.after(learner, found, at, parts)


def _waited_for(make: Callable[[], Body]) -> Body:
    """A body; while something of it is still being trained, how far that is, and when to ask."""
    try:
        return make()
    except TimeoutError as wait:
        far, seconds = wait.args
        return below([note("info", far)]) | {"again": round(1000 * seconds)}


def _framed(what: str, titles: list[str], at: int, before: int = 0, of: int | None = None) -> Body:
    """What is open, its screen, and the way to each.

    Args:
        what: it is, and how far she is.
        titles: of the screens.
        at: the one that is open.
        before: how many come before the first step.
        of: how many are steps; None for all from there on.
    """
    of = len(titles) - before if of is None else of
    deck = Stepper(
        title=_("Steps of the lesson"), alt=titles[at], n=len(titles), first=at, field=AT,
        keys=False, deck=True, before=before, after=len(titles) - before - of,
        titles=[*titles[:before], *[""] * (len(titles) - before)], selection={AT: at},
    )  # fmt: skip
    return {
        "what": what, "title": titles[at], "at": at, "n": len(titles),
        "deck": dict(deck.payload().header),
        "ways": {"back": _("Back"), "next": _("Next"), "leave": _("All lessons")},
    }  # fmt: skip


def _count(found: Lesson, n: int) -> str:
    """How far she is: what comes before the first step and after the last is no step."""
    of = len(found.steps)
    if n > of:
        return _("{title} · after the last step").format(title=found.title)
    count = _("{title} · step {n} of {of}") if n > 0 else _("{title} · before the first step")
    return count.format(title=found.title, n=n, of=of)


def _sow(learner: Learner, seed: int) -> None:
    """The link of a lecture says by which seed it asks, so that who opens it is asked the same."""
    if learner.lecture and seed < OWN_SEEDS and learner.values.get("study_seed") != str(seed):
        learner.set({"study_seed": seed})


def _further(learner: Learner, found: Lesson, now: Step | None) -> list[Block]:
    """The lesson on paper, the open step as a file, and what her course says."""
    asked = now.question if now is not None else None
    seed = learner.study.of(found.id, asked.id).seed if asked is not None else 0
    where = _("The answers have an address of their own, which the server prints when it starts.")
    links = {"kind": "links", "links": _files(learner, found, now, seed)}
    blocks = [fold("for-teachers", _("For teachers: handout, file"), [links, small(where)])]
    course = learner.learning.path
    sections = [one.section for one in found.sources if one.document == course]
    if sections:
        said = _("In {course}: {list}").format(course=called(course), list=" · ".join(sections))
        blocks.append(small(said))
    notes = teachers_notes(course, found.id, language())
    if notes:
        blocks.append(fold("teachers-notes", _("Notes for teachers"), text(bullets(notes))))
    return blocks


def _files(learner: Learner, found: Lesson, step: Step | None, seed: int) -> list[dict[str, str]]:
    """The ways to the files of a lesson, in two versions with other numbers, and of the open step.

    The answers to them are no way from here: learners see it, too.
    """
    own, on = {"text": learner.own} if learner.own else {}, learner.device

    def way(say: str, at: str, seed: int, how: str) -> dict[str, str]:
        query, _left = pack(own)
        query |= {"_language": language(), "_device": on} | ({"_seed": str(seed)} if seed else {})
        return {
            "say": say,
            "how": how,
            "to": f"{learner.app.prefix}{LESSON_FILES}/{at}?{urlencode(query)}",
        }

    printed = _("Handout {version}")
    ways = [way(printed.format(version=letter), f"{found.id}.html", version, "tab")
            for version, letter in enumerate("AB")]  # fmt: skip
    if step is not None:
        ways.append(way(_("This step as a file"), f"{found.id}/{step.id}.html", seed, "file"))
    return ways


def _prepare(learner: Learner, found: Lesson, following: int) -> None:
    """Have what comes next worked out while this is read: all learners of the lesson share it."""
    try:
        soon = [one for step in found.steps[following : following + 1] for one in requests_of(step)]
        slow = [one for step in found.steps for one in requests_of(step) if one.lasts == "long"]
    except CoreError:
        return  # the step says it
    learner.app.ahead.prepare(soon + slow, learner.device)
