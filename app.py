"""The server: what is warmed at start, the headers of every answer, and what a surprise looks like.

Start it with ``make run`` or ``streamlit run app.py``.
"""

import asyncio
import base64
import contextlib
import gc
import hashlib
import logging
import re
import sys
import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core import views
from core.language import _
from core.runs.processes import SWITCH, give_back
from pages.parts.openings import work_out
from pages.parts.prefix import under_prefix
from pages.parts.runs import shared_runs, shut_down, warm, workers
from pages.server import (
    answers,
    check,
    files,
    finding,
    front,
    key,
    lesson_files,
    lessons,
    making,
    modules,
)
from pages.server.connections import bound_connections
from pages.server.heaps import keep_few_heaps
from pages.server.peers import Peers, joined
from pages.server.visitors import Door

ROUTES = (
    *front.ROUTES, *check.ROUTES, *files.ROUTES, *answers.ROUTES, *lessons.ROUTES,
    *lesson_files.ROUTES, *modules.ROUTES, *finding.ROUTES,
)  # fmt: skip
log = logging.getLogger("glassformer")
COLLECT_EVERY = 60.0  # seconds
# Of Python's own collector, whose rounds hold up every learner: rarely the young, never the old.
THRESHOLDS = (50_000, 50, 1000)


def content_security_policy() -> str:
    """Nothing from outside; no script but Streamlit's own and our components (``blob:``)."""
    index = Path(st.__file__).parent / "static" / "index.html"
    inline = re.findall(r"<script(?:\s+type=\"module\")?>(.*?)</script>", index.read_text(), re.S)
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}'"
        for code in inline
    )
    return (
        f"default-src 'self'; script-src 'self' blob: {hashes}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; "
        "worker-src 'self' blob:; frame-ancestors 'none'; base-uri 'self'; form-action 'self'"
    )


class SecurityHeaders:
    """Adds the same headers to every HTTP answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._headers = [
            (b"content-security-policy", content_security_policy().encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
            (b"x-frame-options", b"DENY"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), *self._headers]}
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)


async def _collect_now_and_then() -> None:
    while True:
        await asyncio.sleep(COLLECT_EVERY)
        await asyncio.to_thread(give_back)
        if (second := shared_runs().second_process) is not None:
            await asyncio.to_thread(second.give_back)


@contextlib.asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[dict[str, object]]:
    """Load the models, then keep what is alive out of the collector's sight."""
    key.settle()
    bound_connections()
    keep_few_heaps()
    sys.setswitchinterval(SWITCH)
    await asyncio.to_thread(warm, shared_runs())
    await asyncio.to_thread(views.all_views)  # two learners' threads may not both import them
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    tasks = [asyncio.create_task(_collect_now_and_then())]
    if workers() == 1:  # each of several would do it for itself
        tasks.append(asyncio.create_task(work_out()))
    with making.beside():
        async with joined(list(under_prefix((*files.ROUTES, *lessons.ROUTES)))):
            yield {}
    for task in tasks:
        task.cancel()
    shut_down(shared_runs())


def on_script_error(problem: Exception) -> bool:
    """Show a friendly message with an id; the traceback goes to the log under that id."""
    ident = uuid.uuid4().hex[:8]
    log.error("page failed, id %s", ident, exc_info=problem)
    st.error(
        _(
            "Something on this page went wrong. Your text and settings are kept in the "
            "address bar. Reload the page, or undo your last change. If it happens again, "
            "report it with the number {id}."
        ).format(id=ident),
        icon=":material/error:",
    )
    return True


app = st.App(
    "pages/frame.py",
    lifespan=lifespan,
    routes=under_prefix(ROUTES),
    middleware=[Middleware(SecurityHeaders), Middleware(Door), Middleware(Peers)],
    on_script_error=on_script_error,
)
