"""The components' code, served once: ``/components/<hash>/all.js``, its parts, and Plotly's."""

from __future__ import annotations

import gzip
from functools import lru_cache

from plotly.offline import get_plotlyjs
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from core.figures.assets import SERVED, TOGETHER, modules, together, version

FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable"}
LIBRARY = "plotly/library.js"  # beside our module that draws with it


LARGE = {LIBRARY: get_plotlyjs, TOGETHER: together}


@lru_cache(2)
def _packed(path: str) -> bytes:
    """A large one as it travels; Plotly's 4.8 MB are 1.4."""
    return gzip.compress(LARGE[path]().encode())


async def answer(request: Request) -> Response:
    """One module; what is under this hash never changes."""
    path, is_current = request.path_params["path"], request.path_params["version"] == version()
    if path in LARGE and is_current:
        packed = FOR_EVER | {"Content-Encoding": "gzip"}
        return Response(_packed(path), media_type="text/javascript", headers=packed)
    text = modules().get(path)
    if text is None or not is_current:
        return PlainTextResponse("", status_code=404)
    return Response(
        text,
        media_type="text/javascript",
        headers=FOR_EVER,
    )


ROUTES = [Route(f"{SERVED}/{{version}}/{{path:path}}", answer)]
