"""The components' code, served once: ``/components/<hash>/matrix/matrix.js``."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from core.figures.assets import SERVED, modules, version


async def answer(request: Request) -> Response:
    """One module; what is under this hash never changes."""
    text = modules().get(request.path_params["path"])
    if text is None or request.path_params["version"] != version():
        return PlainTextResponse("", status_code=404)
    return Response(
        text,
        media_type="text/javascript",
        headers={"Cache-Control": "public, max-age=31536000, immutable"},
    )


ROUTES = [Route(f"{SERVED}/{{version}}/{{path:path}}", answer)]
