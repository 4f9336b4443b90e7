"""A screen of the lessons: ``POST /lesson/screen`` with a page's state and what was answered.

Nothing is kept of who asks. What she has answered comes with the question, from her browser, and
goes back with the screen; an answer that she has not given is in no byte of it.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core.answers.app import LESSON_FILES
from core.language import language
from core.lessons import Lesson, lesson, lesson_ids
from core.lessons.screen.learner import Learner
from core.lessons.screen.listing import picture_of
from core.lessons.screen.screens import screen
from core.runs.turn_queue import Visitor
from pages.parts.app import app
from pages.server.answers import LONG
from pages.server.asking import MEDIA_TYPE, AnswerThread, Query, answered
from pages.server.turns import Turns
from pages.server.visitors import visitor_of

SCREEN = f"{LESSON_FILES}/screen"
# Nobody's screen waits for the pictures of a list.
_PICTURES = AnswerThread(Turns(30, 300, 600), ThreadPoolExecutor(1, "pictures"))
KEPT = 600  # seconds that a browser keeps a picture of the list
NONE = "<svg xmlns='http://www.w3.org/2000/svg'/>"


async def answer(request: Request) -> Response:
    """Make the screen that is asked for."""
    return await answered(request, partial(_screen, request))


async def _screen(request: Request, query: Query) -> Response:
    payload = await LONG.in_turn(request, partial(_make_screen, query, visitor_of(request)))
    return Response(payload, media_type=MEDIA_TYPE, headers={"Cache-Control": "no-store"})


def _make_screen(query: dict[str, str], visitor: Visitor) -> bytes:
    return screen(Learner.of(app(), query, visitor)).pack()


async def card(request: Request) -> Response:
    """The picture of a lesson in the list of all."""
    return await answered(request, partial(_card, request))


async def _card(request: Request, query: Query) -> Response:
    ident = request.path_params["lesson"]
    lesson_ = lesson(ident, language()) if ident in lesson_ids() else None
    if not isinstance(lesson_, Lesson):
        return Response(status_code=404)
    learner = Learner.of(app(), query)
    drawn = await _PICTURES.in_turn(request, partial(picture_of, learner, lesson_))
    headers = {"Cache-Control": f"max-age={KEPT}"}
    return Response(drawn or NONE, media_type="image/svg+xml", headers=headers)


ROUTES = [
    Route(SCREEN, answer, methods=["POST"]),
    Route(f"{LESSON_FILES}/{{lesson}}/card.svg", card),
]
