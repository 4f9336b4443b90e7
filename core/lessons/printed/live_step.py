"""A step of a lesson as one HTML file, from disk and without a server: text, question, live figure.

The answer and what is covered until then are folded away: the file holds them.
"""

from __future__ import annotations

import dataclasses

from core.data.glossary import GlossaryTerm
from core.figures.live import Placed, document, note
from core.language import _
from core.lessons.printed.asked import IN_FILE, question_html, solved, where
from core.lessons.printed.prose import prose
from core.lessons.printed.ready import PrintedFigure, Ready, ready
from core.lessons.printed.sheet import definitions, line, sources
from core.lessons.printed.styles import style
from core.lessons.schema import Lesson, LessonStep
from core.lessons.world import Answer


def live_step(
    lesson: Lesson, step: LessonStep, answer: Answer, *, text: str = "", seed: int = 0
) -> str:
    """The file.

    Args:
        lesson: that the step is of, in the language of this thread.
        step: that is saved.
        answer: carries a request out.
        text: the learner's own sentence, where the step takes one; empty for the lesson's.
        seed: that the question's places are drawn by.

    Raises:
        CoreError: its texts speak of what this sentence has not.
    """
    ready_ = ready(step, answer, text, seed)
    terms: dict[str, GlossaryTerm] = {}
    body = [
        f"<header>{line(lesson.title, 'what')}{line(step.title, tag='h1')}</header>",
        prose(step.before, ready_.names, terms) if ready_.is_run else "",
        *(_slot(picture, "before") for picture in ready_.pictures if picture.before is not None),
        line(ready_.problem, "problem") if ready_.problem
        else _question_html(lesson, ready_, terms),
        _words(terms), sources(lesson), line(note(), "note"),
    ]  # fmt: skip
    placed = [part for picture in ready_.pictures for part in _placed(picture)]
    wide = any(picture.is_wide for picture in ready_.pictures)
    looks = style("step") + ("main { max-width: 1400px; }" if wide else "")
    return document(step.title, "".join(body), placed, looks)


def _question_html(lesson: Lesson, ready: Ready, terms: dict[str, GlossaryTerm]) -> str:
    """The question, and folded away its answer with what it covers."""
    if ready.posed is None:
        return prose(ready.step.after, ready.names, terms)
    covered = "".join(_slot(picture, "after") for picture in ready.pictures if picture.is_covered)
    show = line(_("Show the answer"), tag="summary")
    after = prose(ready.step.after, ready.names, terms)
    return (
        f"{question_html(ready.posed, IN_FILE)}{where(lesson, ready.step)}"
        f"<details class='reveal'>{show}{solved(ready.posed)}{covered}{after}</details>"
    )


def _slot(picture: PrintedFigure, when: str) -> str:
    """Where a figure stands."""
    about = line(picture.about, "about") if picture.about else ""
    open_ = when == "after" or not picture.is_covered
    reading = line(picture.reading, "reading") if open_ and picture.reading else ""
    return f"<div class='slot' id='{picture.shown.figure.name}-{when}'></div>{about}{reading}"


def _placed(picture: PrintedFigure) -> list[Placed]:
    """The components of a figure: what is seen before the answer, and all of it behind it."""
    name, steps = picture.shown.figure.name, picture.shown.view.steps(picture.record)
    # Its arrow keys would move every step of the file.
    components = [picture.whole] if steps is None else [dataclasses.replace(steps, keys=False),
                                                        picture.whole]  # fmt: skip
    if not picture.is_covered:
        return [Placed(component, f"{name}-before", name) for component in components]
    first = [] if picture.before is None else [Placed(picture.before, f"{name}-before", f"{name}0")]
    return first + [Placed(component, f"{name}-after", name) for component in components]


def _words(terms: dict[str, GlossaryTerm]) -> str:
    """What the words mean that the text marks, folded away."""
    if not terms:
        return ""
    title = line(_("Words of this step"), tag="summary")
    return f"<details class='terms'>{title}{definitions(terms)}</details>"
