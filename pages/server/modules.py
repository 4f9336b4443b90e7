"""The components' code, served once: ``/components/<hash>/matrix/matrix.js``, and Plotly's."""

from __future__ import annotations

import gzip
from functools import cache

from plotly.offline import get_plotlyjs
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from core.figures.assets import SERVED, modules, version

FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable"}
LIBRARY = "plotly/library.js"  # beside our module that draws with it


@cache
def _plotly() -> bytes:
    """Its 4.8 MB as they travel, 1.4."""
    return gzip.compress(get_plotlyjs().encode())


async def answer(request: Request) -> Response:
    """One module; what is under this hash never changes."""
    path, own = request.path_params["path"], request.path_params["version"] == version()
    if path == LIBRARY and own:
        packed = FOR_EVER | {"Content-Encoding": "gzip"}
        return Response(_plotly(), media_type="text/javascript", headers=packed)
    text = modules().get(path)
    if text is None or not own:
        return PlainTextResponse("", status_code=404)
    return Response(
        text,
        media_type="text/javascript",
        headers=FOR_EVER,
    )


ROUTES = [Route(f"{SERVED}/{{version}}/{{path:path}}", answer)]
