"""A learner who plays a lesson: what she answers is worked out on the run that the page shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, expect

from core.language import language
from core.lessons import Lesson, asking_again, lesson, misconceptions
from core.lessons.answered import QuestionRecord
from core.lessons.filling import HOLE
from core.lessons.hands import called
from core.lessons.inline import Parts
from core.lessons.marking import mark
from core.lessons.near import is_whole
from core.lessons.player import feedback
from core.lessons.posing import Posed, pose
from core.lessons.schema import LessonStep
from core.lessons.study import Study
from core.lessons.world import world_of
from core.runs.store import Runs
from tests.browser.conftest import rest

TITLE = "h1.glass-title"
TRAINED = 90_000  # milliseconds: a training gives way to all else that runs


def whole(ident: str) -> Lesson:
    """A lesson in the language at hand."""
    found = lesson(ident, language())
    assert isinstance(found, Lesson)
    return found


def asked(step: LessonStep, runs: Runs, seed: int = 0) -> Posed:
    """The question of a step, as the page poses it."""
    assert step.question is not None
    return pose(step.question, world_of(step, runs.get).names, seed)


def put_in(section: Locator, posed: Posed, value: Any) -> Any:
    """Put an answer in as a learner does; what the server is sent for it."""
    field = section.locator(".field")
    match posed.question.kind:
        case "number":
            typed = str(round(value)) if is_whole(value) else f"{value:.6g}"
            field.locator("input").fill(typed)
            return float(typed)
        case "choice":
            field.locator("label, .option").nth(value).click()
        case "tokens" | "cells":
            pick(section, posed, value)
            return sorted(value)
        case "order":
            _order(field, posed, list(value))
            return list(value)
        case "bet":
            stakes = [100 if n == value else 0 for n in range(len(posed.options))]
            for n, stake in enumerate(stakes):
                field.locator("input").nth(n).fill(str(stake))
            return stakes
    return value


def pick(section: Locator, posed: Posed, value: Any) -> None:
    """Pick in the figure, or in the question where no figure is named."""
    # What comes back below the step may have places, too: the step's own stand before them.
    in_figure = section.page.locator("button.pick, .chip.free")
    in_box = section.locator(".field .chip")
    places = in_box if in_box.count() else in_figure
    expect(places.nth(len(posed.options) - 1)).to_be_visible()
    if posed.question.one:  # in a lesson it is sent by that, and none can be picked any more
        places.nth(*value).click()
        return
    for n in range(len(posed.options)):
        state = [places.nth(n).get_attribute(f"aria-{name}") for name in ("pressed", "selected")]
        if ("true" in state) != (n in value):
            places.nth(n).click()


def plain(said: Parts) -> str:
    """A text of the question without its styles."""
    return "".join(words for words, _styles in said)


def _order(field: Locator, posed: Posed, wanted: list[int]) -> None:
    """Move each item up to its place."""
    rows = field.locator("li")
    for at, option in enumerate(wanted):
        for n in range(rows.count()):
            if rows.nth(n).locator("span").inner_text().strip() == posed.options[option].strip():
                break
        for place in range(n, at, -1):
            rows.nth(place).get_by_role("button").first.click()


def give(section: Locator, posed: Posed, value: Any) -> Any:
    """Answer; what the server is sent. Where a tap is the answer there is nothing to send."""
    given = put_in(section, posed, value)
    if section.locator("button.check").is_visible():
        section.locator("button.check").click()
    return given


def answer(
    section: Locator, posed: Posed, idea: str, study: Study, answered: QuestionRecord
) -> None:
    """Answer as somebody with an idea does, or rightly without one, and hear what is said."""
    given = give(section, posed, posed.wrong[idea] if idea else posed.right)
    marked = mark(posed, given)
    assert marked is not None
    assert (marked.right, marked.idea) == (not idea, idea)
    study.take(answered, marked, given, posed.question.wrong)
    said = section.locator(".said")
    expect(said).to_contain_text(plain(feedback(posed, answered)))
    if idea:
        own = posed.question.wrong[idea].says
        expect(said).to_contain_text(
            plain(posed.parts(own)) if own else misconceptions(language())[idea]
        )


def change(page: Page, figure: str, posed: Posed, values: Mapping[str, Any]) -> None:
    """Make the hands of a goal what they should be, by the controls beside the figure."""
    in_figure, question, in_book = {}, posed.question, page.locator("#book").count()
    if in_book:
        question = question.model_copy(update={"hands": {**question.hands, **question.offered}})
    for name, value in values.items():
        control = page.locator(f".lesson-controls [data-name='{name}']").first
        options = question.hands[name].values
        if options is not None:
            said = called(question, name, options.index(value))
            control.get_by_role("radio", name=said, exact=True).click()
        elif control.count():
            control.locator("input").fill(str(value))
            control.locator("input").press("Enter")
        else:
            in_figure[name] = value
        if not in_book:  # which has no server to wait for
            rest(page)
    if in_figure:  # the link says what a click there would
        lesson, at = re.findall(r"lesson(?:_at)?=([^&]+)", page.url)
        said = urlencode({f"{lesson}.{at}{figure}.{name}": v for name, v in in_figure.items()})
        page.goto(f"{page.url.partition(f'&{lesson}.')[0]}&{said}")
        rest(page)


def do(page: Page, section: Locator, figure: str, posed: Posed) -> None:
    """Reach a goal: first by what does not reach it, where its ideas say how."""
    said, wrong = section.locator(".said"), posed.question.wrong
    expect(section.locator(".near.muted")).not_to_be_empty()  # nothing was changed yet
    for idea, values in posed.wrong.items():
        change(page, figure, posed, values)
        expect(said.locator(".other")).to_be_visible()
        if not HOLE.search(text := wrong[idea].says or misconceptions(language())[idea]):
            expect(said).to_contain_text(plain(posed.parts(text)))
        expect(section.locator(".solution")).to_have_count(0)
    change(page, figure, posed, posed.right)
    expect(said.locator(".good")).to_be_visible()


def ask_all(page: Page, step: LessonStep, runs: Runs, study: Study, *, wrong_alone: bool) -> None:
    """Answer the question of a step, wrong first and then right.

    Args:
        page: with the step.
        step: of a lesson.
        runs: of the test.
        study: what the learner has answered.
        wrong_alone: where there is one try, it is the wrong one, else the right one.
    """
    question = step.question
    assert question is not None
    section = page.locator("section.question").first  # one that came back may stand below
    posed, answered, idea = asked(step, runs), QuestionRecord(), next(iter(question.wrong), "")
    expect(section.locator(".ask")).to_contain_text(plain(posed.parts(question.ask)))
    if question.kind == "do":
        assert step.in_hand is not None
        do(page, section, step.in_hand.name, posed)
    elif question.kind != "bet" and not question.at_once:
        answer(section, posed, idea, study, answered)
        expect(section.locator(".solution")).to_have_count(0)
        answer(section, posed, "", study, answered)
    else:
        answer(section, posed, idea if wrong_alone else "", study, answered)
    expect(section.locator(".solution")).to_contain_text(plain(posed.parts(question.solution)))
    # One that comes back once more may stand below, covered.
    expect(page.locator(".glass-covered:not(.lesson-again *)")).to_have_count(0)


def probe(page: Page, found: Lesson, when: Literal["before", "after"], runs: Runs) -> int:
    """Answer the probe, the first question wrong before the lesson; how many were right."""
    asked_here = page.locator(".lesson-said > .lesson-question section.question")
    each = [asked_here.nth(n) for n in range(len(found.probe))]
    return probe_given(each, found, when, runs, lambda: rest(page))


def probe_given(
    sections: Sequence[Locator],
    found: Lesson,
    when: Literal["before", "after"],
    runs: Runs,
    wait: Callable[[], None] = lambda: None,
) -> int:
    """The same, in the places of its questions.

    Args:
        sections: of the questions, in their order.
        found: the lesson.
        when: it is asked.
        runs: of the test.
        wait: until an answer is heard.
    """
    right = 0
    for n, (section, ident) in enumerate(zip(sections, found.probe, strict=True)):
        step = found.asking(ident)
        assert step.question is not None
        posed = asking_again.probe(step.question, world_of(step, runs.get).names, when)
        wrong = when == "before" and n == 0
        value = next(iter(posed.wrong.values())) if wrong else posed.right
        given = give(section, posed, value)
        marked = mark(posed, given)
        assert marked is not None
        right += marked.right
        expect(section.locator(".said > p").first).to_be_visible()
        expect(section.locator("button.check")).to_be_hidden()
        expect(section.locator(".solution")).to_have_count(0 if when == "before" else 1)
        wait()
    return right


def go_on(page: Page, at: int, title: str) -> None:
    """Go on by keyboard, and wait for the screen after it; what it shows may be trained first.

    A click would miss where a figure that has come to rest moves the button at that moment.
    """
    page.locator(".lesson-next").press("Enter")
    expect(page).to_have_url(re.compile(f"lesson_at={at}"), timeout=TRAINED)
    expect(page.locator(TITLE)).to_have_text(title)
    rest(page)
