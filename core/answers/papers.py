"""A lesson on paper, a step as a file: ``/lesson/masks.html``, whose address holds all of it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from core.answers.files import values_of
from core.answers.link import number
from core.answers.names import Learning, declares
from core.device import usable
from core.errors import ParameterError
from core.language import N_, Phrase
from core.lessons import Lesson
from core.lessons.answered import MAX_SEED
from core.lessons.printed import handout, live_step
from core.lessons.schema import LessonStep
from core.locale import Choice
from core.runs.progress import JobProgress
from core.runs.request import Job
from core.runs.request import Request as Asked
from core.runs.store import Runs
from core.views.params import OnText, checked


def asked_in(query: Mapping[str, str]) -> tuple[str, str]:
    """The learner's own sentence, empty where she has none, and her course.

    Raises:
        ParameterError: the address says what no page has, or was not copied whole.
    """
    values = values_of(query)
    for name in values:
        if not declares(name):
            choices = Choice(("path", "text"))
            raise ParameterError("parameter", name, Phrase(N_("one of {choices}"), choices=choices))
    params = {name: values[name] for name in ("path", "text") if name in values}
    checked(Learning, {name: value for name, value in params.items() if name == "path" and value})
    text = checked(OnText, {"text": params.get("text", "")}).text
    return text if text.strip() else "", params.get("path", "")


def paper_of(
    lesson: Lesson,
    step: LessonStep | None,
    query: Mapping[str, str],
    runs: Runs,
    done: Mapping[Job, JobProgress] = MappingProxyType({}),
    *,
    answers: bool = False,
) -> str:
    """The file of a step, or the whole lesson on paper.

    Args:
        lesson: the lesson.
        step: of it; None for the whole.
        query: of the address.
        runs: carry requests out.
        done: what jobs of it have told.
        answers: the teacher's part of the lesson on paper.

    Raises:
        CoreError: it cannot be computed.
    """
    text, course = asked_in(query)
    seed = (number(query.get("_seed", ""), MAX_SEED) or 0) % MAX_SEED
    on = usable(query.get("_device", "auto"))

    def run(request: Asked) -> object:
        watched = done.get(request) if isinstance(request, Job) else None
        return runs.get(request, on) if watched is None else watched

    if step is not None:
        return live_step(lesson, step, run, text=text, seed=seed)
    return handout(lesson, run, text=text, seed=seed, answers=answers,
                   course=course)  # fmt: skip
