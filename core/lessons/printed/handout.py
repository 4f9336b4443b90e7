"""A lesson as a page to print: with room for the answers, and for the teacher a part that has them.

What a question covers stands in the teacher's part alone, and that is not in the students' file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from string import ascii_uppercase

from core.data.glossary import GlossaryTerm
from core.errors import CoreError
from core.figures.components import Component
from core.language import N_, _, language
from core.lessons.asking_again import PROBES
from core.lessons.courses import called, teachers_notes
from core.lessons.printed.asked import LINE, ON_PAPER, astray, hints, question_html, solved, where
from core.lessons.printed.prose import prose
from core.lessons.printed.ready import PrintedFigure, Ready, ready
from core.lessons.printed.sheet import definitions, line, sources, styled
from core.lessons.printed.styles import style
from core.lessons.schema import Lesson
from core.lessons.world import Answer
from core.locale import in_quotes

COLUMN = 640.0  # pixels that a line on paper takes
HALF = 440.0  # as wide as a drawing may be to stand beside its question
SMALL = "small"
ONCE_MORE = N_("Once more, on other numbers")
_WIDTH = re.compile(r"<svg [^>]*width='([\d.]+)'")


def handout(
    lesson: Lesson,
    answer: Answer,
    *,
    text: str = "",
    seed: int = 0,
    answers: bool = False,
    course: str = "",
) -> str:
    """The page, as one file that needs no other.

    Args:
        lesson: that is printed, in the language of this thread.
        answer: carries a request out.
        text: the learner's own sentence, for the steps that take one; empty for the lesson's.
        seed: that the questions' places are drawn by; another one gives another sheet.
        answers: the teacher's part alone.
        course: whose slides the teacher's part speaks of; empty for none.
    """
    steps = [ready(step, answer, text, seed) for step in lesson.steps]
    probe = [ready(lesson.asking(question), answer, seed=seed + PROBES["after"], than=seed)
             for question in lesson.probe]  # fmt: skip
    version = _version(seed)
    if answers:
        parts = [_whose(lesson, text), _teacher(lesson, steps, probe, version, course)]
    else:
        terms: dict[str, GlossaryTerm] = {}
        parts = [_head(lesson, version), _whose(lesson, text)]
        parts += [_step(lesson, n, step, terms) for n, step in enumerate(steps, 1)]
        parts += [_once_more(probe), _terms(terms), sources(lesson)]
    hint = _("Print this page, or save it as a PDF, from the menu of your browser.")
    return (
        f"<!doctype html>\n<html lang='{escape(language())}'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; "
        "style-src 'unsafe-inline'; img-src data:\">"
        f"<title>{escape(lesson.title)}</title><style>{style('handout')}</style></head>"
        f"<body><main>{line(hint, 'on-screen')}{''.join(parts)}</main>"
        "</body></html>\n"
    )


def _version(seed: int) -> str:
    """Which of several sheets it is: version A, B, and from 26 on its number."""
    which = ascii_uppercase[seed] if seed < len(ascii_uppercase) else str(seed)
    return _("version {which}").format(which=which)


def _head(lesson: Lesson, version: str) -> str:
    """What it is, whose it is, and what it is good for."""
    what = _("Glassformer, a lesson of {minutes} minutes").format(minutes=lesson.minutes)
    parts = [
        line(f"{what} · {version}", "what"),
        line(lesson.title, tag="h1"),
        "<p class='fields'>", line(_("Name:"), tag="span"), LINE,
        line(_("Date:"), tag="span"), LINE, "</p>",
        line(_("When you are through, you can:")),
        "<ul class='able'>", *(line(sentence, tag="li") for sentence in lesson.able), "</ul>",
    ]  # fmt: skip
    parts.append(line(_("Where a step says click, choose or type, do that in the app."), "own"))
    return f"<header>{''.join(parts)}</header>"


def _whose(lesson: Lesson, text: str) -> str:
    """That it is about a sentence of the learner's own, where a figure of it takes one."""
    if not text or not any(figure.own for step in lesson.steps for figure in step.figures):
        return ""
    return line(_("On your own sentence: {text}").format(text=in_quotes(text)), "own")


def _step(lesson: Lesson, n: int, ready: Ready, terms: dict[str, GlossaryTerm]) -> str:
    """A step as students get it."""
    try:
        body = [prose(ready.step.before, ready.names, terms) if ready.is_run else ""]
        if ready.problem:
            body.append(line(ready.problem, "problem"))
        elif ready.posed is None:
            body += [*map(_before, ready.pictures), prose(ready.step.after, ready.names, terms)]
        else:
            figures = [_before(picture) for picture in ready.pictures]
            compared = any(picture.shown.figure.beside for picture in ready.pictures)
            if compared:
                figures = [f"<div class='beside'>{''.join(figures)}</div>"]
            question = question_html(ready.posed, ON_PAPER) + where(lesson, ready.step)
            body.append(_beside(figures, question))
    except CoreError as problem:  # a short sentence may lack what a text speaks of
        body = [line(problem.sentence(), "problem")]
    return _section("step", n, ready, body)


def _beside(figures: Sequence[str], question: str) -> str:
    """Figures and their question: side by side where a figure leaves room for that."""
    small = len(figures) == 1 and figures[0].startswith(f"<figure class='{SMALL}")
    return f"<div class='{'beside' if small else 'below'}'>{''.join(figures)}{question}</div>"


def _section(kind: str, n: int, ready: Ready, body: Sequence[str]) -> str:
    on_its_side = " landscape" if any(picture.is_wide for picture in ready.pictures) else ""
    title = f"<h2><span class='n'>{n}</span> {escape(ready.step.title)}</h2>"
    return (
        f"<section class='{kind}{on_its_side}' id='{kind}-{ready.step.id}'>"
        f"{title}{''.join(body)}</section>"
    )


def _before(picture: PrintedFigure) -> str:
    """A figure as it may be seen before the answer."""
    if picture.on_paper is None:
        sentence = _("You will see this figure once you have answered.")
        title = line(picture.whole.title, tag="figcaption")
        return f"<figure class='covered'>{title}{line(sentence)}</figure>"
    return _figure(picture, picture.on_paper, "until" if picture.is_covered else "")


def _figure(picture: PrintedFigure, component: Component, more: str = "") -> str:
    """A figure in print colours.

    Args:
        picture: of the step.
        component: all of it, or what may be seen of it.
        more: a class.
    """
    drawing = component.narrow(COLUMN).drawing("light")
    match = _WIDTH.match(drawing)
    size = SMALL if match and float(match[1]) <= HALF else "wide" if picture.is_wide else "figure"
    about = line(picture.about, tag="figcaption") if picture.about else ""
    text = picture.reading if component is picture.whole else ""
    reading = line(text, "reading") if text else ""
    return f"<figure class='{size} {more}'>{drawing}{about}{reading}</figure>"


def _once_more(probe: Sequence[Ready]) -> str:
    """The questions that the lesson is measured by, on other numbers than in its steps."""
    body = []
    for question in probe:
        texts = dict.fromkeys(figure.params.get("text") for figure in question.step.figures)
        sentence = _("On the sentence “{text}”")
        body += [line(sentence.format(text=text), "how") for text in texts if text]
        posed = question.posed
        body.append(line(question.problem) if posed is None else question_html(posed, ON_PAPER))
    title = line(_(ONCE_MORE), tag="h2")
    return f"<section class='probe'>{title}{''.join(body)}</section>" if body else ""


def _terms(terms: dict[str, GlossaryTerm]) -> str:
    """What the words mean that the pages mark."""
    if not terms:
        return ""
    title = line(_("Words of this lesson"), tag="h2")
    return f"<section class='terms'>{title}{definitions(terms)}</section>"


def _teacher(
    lesson: Lesson, steps: Sequence[Ready], probe: Sequence[Ready], version: str, course: str
) -> str:
    """The answers, with the figures and texts that the students' pages leave out."""
    title = _("For the teacher: {title}, {version}").format(title=lesson.title, version=version)
    body = "".join(_answers(n, step) for n, step in enumerate(steps, 1) if step.posed is not None)
    again = "".join(
        styled(ready.posed.parts(ready.posed.question.ask), "ask") + solved(ready.posed)
        for ready in probe
        if ready.posed is not None
    )
    if again:
        heading = line(_(ONCE_MORE), tag="h2")
        body += f"<section class='answers' id='answers-probe'>{heading}{again}</section>"
    notes = "".join(
        line(teachers_note, tag="li")
        for teachers_note in teachers_notes(course, lesson.id, language())
    )
    if notes:
        notes = f"{line(called(course), tag='h2')}<ul class='notes'>{notes}</ul>"
    return f"<div class='teacher'>{line(title, tag='h1')}{notes}{body}</div>"


def _answers(n: int, ready: Ready) -> str:
    """What a step's students' page leaves out."""
    if ready.posed is None:
        return ""
    figures = [_figure(picture, picture.whole) for picture in ready.pictures if picture.is_covered]
    try:
        after = prose(ready.step.after, ready.names, {})
    except CoreError as problem:
        after = line(problem.sentence(), "problem")
    body = [
        *(figure for figure in figures if SMALL in figure),  # the text runs around these
        styled(ready.posed.parts(ready.posed.question.ask), "ask"),
        solved(ready.posed),
        *(figure for figure in figures if SMALL not in figure),
        after,
        *([line(_("Wrong answers, and what to say"), tag="h3"), astray(ready.posed)]
          if ready.posed.question.wrong else []),
        line(_("Hints, if somebody is stuck"), tag="h3"), hints(ready.posed),
    ]  # fmt: skip
    return _section("answers", n, ready, body)
