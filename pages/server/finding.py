"""All that can be searched for: ``GET /search?_language=fr``, which a browser asks for once."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
from functools import lru_cache

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core.language import language
from pages.parts.finding import INDEX, index
from pages.server import asking


async def answer(request: Request) -> Response:
    """The index in the learner's language; a browser that has it is told no more than that."""
    asking.speak(dict(request.query_params))
    body, tag = await asyncio.to_thread(_packed, language())
    headers = {"Cache-Control": "no-cache", "ETag": tag, "Content-Encoding": "gzip"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


@lru_cache(maxsize=8)
def _packed(_language: str) -> tuple[bytes, str]:
    """The bytes as they travel, and their tag."""
    text = json.dumps(index(), ensure_ascii=False, separators=(",", ":"))
    body = gzip.compress(text.encode(), mtime=0)
    return body, f'"{hashlib.sha256(body).hexdigest()[:16]}"'


ROUTES = [Route(INDEX, answer)]
