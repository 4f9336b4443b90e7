"""The last test over all lessons on its screens: questions one by one, and what came of them."""

from __future__ import annotations

from collections.abc import Sequence

from core.answers.names import screen_of
from core.errors import CoreError, as_said
from core.figures.text import harmless
from core.language import _, language, ngettext
from core.lessons.last_test import NAME, AskedQuestion, Score, begin, is_answered, last_test, scores
from core.lessons.player import labels_of_result
from core.lessons.screen.around import posed_anew, with_figures
from core.lessons.screen.blocks import Body, Parts, below, button, component, note, small, text
from core.lessons.screen.learner import Learner
from core.lessons.screen.questions import question_block
from core.lessons.screen.step import sentences

BEGIN = "begin"  # a deed: another test


def questions(learner: Learner) -> list[AskedQuestion]:
    """Those of the test that is under way, or of another one that she begins now."""
    if learner.deed.what == BEGIN:
        return begin(learner.study, language())
    return last_test(learner.study, language())


def first_open(puts: Sequence[AskedQuestion], learner: Learner) -> int:
    """The first question without an answer, or the result."""
    return next((n for n, put in enumerate(puts) if not is_answered(put, learner.study)), len(puts))


def titles(puts: Sequence[AskedQuestion]) -> list[str]:
    """The titles of a test's screens, the last that of the result."""
    title = _("Question {n} of {of}")
    return [*(title.format(n=n + 1, of=len(puts)) for n in range(len(puts))), _("My result")]


def ask(learner: Learner, put: AskedQuestion, index: int, parts: Parts) -> Body:
    """One question, beside its figures where it is not clear without them.

    Args:
        learner: who asks for the screen.
        put: the question.
        index: the screen's number.
        parts: of the screen.
    """
    whose = [small(_("From the lesson “{title}”").format(title=harmless(put.owner.title)))]
    try:
        world, task = posed_anew(learner, put.back, "after")
    except CoreError as problem:
        blocks = [*whose, note("error", as_said(problem))]
        return below(blocks)
    if put.alone:
        blocks = [*whose, *sentences(world), question_block(learner, task, "question")]
        return below(blocks)
    screen = screen_of(NAME, index)
    body = with_figures(learner, put.back, world, task, screen, "question", parts)
    return body | {"said": [*whose, *body["said"]]}


def result(learner: Learner, puts: Sequence[AskedQuestion]) -> Body:
    """How many were right, by lesson, and a file of it to keep."""
    n_open = sum(not is_answered(put, learner.study) for put in puts)
    blocks = []
    if n_open:
        words = ngettext("{n} question is still open.", "{n} questions are still open.", n_open)
        to = {"lesson_at": str(first_open(puts, learner))}
        blocks = [*text(words.format(n=n_open)),
                  button("test-open", _("Go to the next open question"), to)]  # fmt: skip
    blocks.append(component("test-result", "result", _header(scores(puts, learner.study))))
    if not n_open:
        to = {"lesson_at": "0"}
        blocks.append(button("test-again", _("Take another test"), to, deed=BEGIN))
    return below(blocks)


def _header(scores: Sequence[Score]) -> dict[str, object]:
    """What the result's component shows, and writes into a file."""
    right, n = sum(score.right for score in scores), sum(score.n for score in scores)
    return {
        "title": _("Last test over all lessons"),
        "language": language(),
        "said": _("Right answers: {n} of {of}").format(n=right, of=n),
        "rows": [_row(score) for score in scores],
        "labels": labels_of_result(),
    }


def _row(score: Score) -> dict[str, object]:
    """A lesson: what was right, and the steps to look at again."""
    return {
        "lesson": score.owner.title,
        "right": _("{n} of {of}").format(n=score.right, of=score.n),
        "again": [step.title for step in score.missed],
    }
