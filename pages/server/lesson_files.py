"""A lesson on paper, a step as a file: ``/lesson/masks.html``, ``/lesson/masks/see.html``.

They are made when they are asked for. The address is a stranger's, like that of a figure's file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from core.answers.app import LESSON_FILES
from core.answers.papers import asked_in, paper_of
from core.device import usable
from core.errors import LessonError
from core.language import _, language
from core.lessons import Lesson, lesson, lesson_ids
from core.lessons.schema import LessonStep
from core.lessons.world import requests_of
from core.runs.progress import JobProgress
from core.runs.request import Job
from pages.parts.runs import for_files
from pages.server import key, making
from pages.server.asking import speak
from pages.server.making import After, Elsewhere

TYPE = "text/html; charset=utf-8"


async def paper(request: Request) -> Response:
    """A lesson to print."""
    return await _answer(request, "")


async def answers(request: Request) -> Response:
    """The answers to it, for whoever has the key; without a lesson, the way to all of them."""
    speak(dict(request.query_params))
    secret = request.path_params["key"]
    if not key.fits(secret):
        return key.refused()
    if "lesson" not in request.path_params:
        return key.every_sheet(secret, request)
    return await _answer(request, "", answers=True)


async def step_file(request: Request) -> Response:
    """A step as a file of its own."""
    return await _answer(request, request.path_params["step"])


async def _answer(request: Request, ident: str, *, answers: bool = False) -> Response:
    """What is asked for; a mistake in the address is said in plain words."""
    speak(dict(request.query_params))
    if "answers" in request.query_params:
        return key.refused()
    name = request.path_params["lesson"]
    lesson_ = lesson(name, language()) if name in lesson_ids() else None
    if isinstance(lesson_, LessonError):
        return _wrong(_("This lesson's file is broken: {reason}").format(reason=str(lesson_)))
    if lesson_ is None:
        return _wrong(_("There is no lesson called “{id}” here.").format(id=name))
    step = lesson_.step(ident)
    if ident and step is None:
        return _wrong(_("This lesson has no step called “{id}”.").format(id=ident))
    headers = {}  # a handout is looked at, and printed
    if step is not None:
        headers = {"Content-Disposition": f'attachment; filename="{lesson_.id}-{step.id}.html"'}
    return await making.answer(request, partial(_after_jobs, lesson_, step, answers), TYPE, headers)


def _after_jobs(
    lesson: Lesson, step: LessonStep | None, answers: bool, query: dict[str, str]
) -> After:
    """The file of a lesson, or of its step, once all has been trained that it shows."""
    text, _course = asked_in(query)
    steps = [*lesson.steps, *map(lesson.asking, lesson.probe)] if step is None else [step]
    requests = (request for step in steps for request in requests_of(step, text))
    jobs = dict.fromkeys(request for request in requests if isinstance(request, Job))
    ident = "" if step is None else step.id

    def then(done: Mapping[Job, JobProgress]) -> Elsewhere:
        return Elsewhere(_make_file, (lesson.id, ident, query, done, answers))

    return After(tuple(jobs), usable(query.get("_device", "auto")), then)


def _make_file(
    name: str, ident: str, query: dict[str, str], done: Mapping[Job, JobProgress], answers: bool
) -> Iterator[str]:
    """The file, in the language of the visitor."""
    lesson_ = lesson(name, language())
    assert isinstance(lesson_, Lesson)
    yield make(lesson_, lesson_.step(ident), query, done, answers=answers)


def make(
    lesson: Lesson,
    step: LessonStep | None,
    query: dict[str, str],
    done: Mapping[Job, JobProgress] = MappingProxyType({}),
    *,
    answers: bool = False,
) -> str:
    """The file of a step, or the whole lesson on paper, also in the other process."""
    return paper_of(lesson, step, query, for_files(), done, answers=answers)


def _wrong(text: str) -> Response:
    return PlainTextResponse(text, status_code=404)


ROUTES = [
    Route(f"{key.KEYS}/{{key}}", answers),
    Route(f"{key.KEYS}/{{key}}/{{lesson}}.html", answers),
    Route(f"{LESSON_FILES}/{{lesson}}.html", paper),
    Route(f"{LESSON_FILES}/{{lesson}}/{{step}}.html", step_file),
]
