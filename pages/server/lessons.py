"""A screen of the lessons: ``POST /lesson/screen`` with a page's state and what was answered.

Nothing is kept of who asks. What she has answered comes with the question, from her browser, and
goes back with the screen; an answer that she has not given is in no byte of it.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.answers.app import LESSON_FILES
from core.errors import CoreError, as_said
from core.language import language
from core.lessons import Lesson, lesson, lesson_ids
from core.lessons.screen.learner import Learner
from core.lessons.screen.listing import picture_of
from core.lessons.screen.screens import screen
from core.runs.line import Visitor
from pages.parts.app import app
from pages.server import making
from pages.server.answers import LONG, MEDIA_TYPE, REFUSED, Lane, asked_with, in_turn
from pages.server.turns import BusyError, Turns
from pages.server.visitors import visitor_of

SCREEN = f"{LESSON_FILES}/screen"
# Nobody's screen waits for the pictures of a list.
_PICTURES = Lane(Turns(30, 300, 600), ThreadPoolExecutor(1, "pictures"))
KEPT = 600  # seconds that a browser keeps a picture of the list
NONE = "<svg xmlns='http://www.w3.org/2000/svg'/>"


async def answer(request: Request) -> Response:
    """Make the screen that is asked for."""
    try:
        query = await asked_with(request)
    except (making.TooMuchError, TimeoutError):
        return Response(status_code=413)
    making.speak(query)
    try:
        found = await in_turn(request, LONG, partial(_made, query, visitor_of(request)))
    except BusyError as busy:
        return Response(status_code=429, headers={"Retry-After": str(busy.seconds)})
    except CoreError as problem:
        return JSONResponse({"said": as_said(problem)}, 200, media_type=REFUSED)
    if found is None:
        return Response(status_code=400)
    return Response(found, media_type=MEDIA_TYPE, headers={"Cache-Control": "no-store"})


def _made(query: dict[str, str], visitor: Visitor) -> bytes:
    return screen(Learner.of(app(), query, visitor)).pack()


async def card(request: Request) -> Response:
    """The picture of a lesson in the list of all."""
    query = dict(request.query_params)
    making.speak(query)
    ident = request.path_params["lesson"]
    found = lesson(ident, language()) if ident in lesson_ids() else None
    if not isinstance(found, Lesson):
        return Response(status_code=404)
    try:
        learner = Learner.of(app(), query)
        drawn = await in_turn(request, _PICTURES, partial(picture_of, learner, found))
    except BusyError as busy:
        return Response(status_code=429, headers={"Retry-After": str(busy.seconds)})
    kept = {"Cache-Control": f"max-age={KEPT}"}
    return Response(drawn or NONE, media_type="image/svg+xml", headers=kept)


ROUTES = [
    Route(SCREEN, answer, methods=["POST"]),
    Route(f"{LESSON_FILES}/{{lesson}}/card.svg", card),
]
