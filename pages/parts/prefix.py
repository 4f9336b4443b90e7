"""The path that all addresses of the app begin with: ``/gf`` with ``--server.baseUrlPath gf``."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.routing import Route
from streamlit import config


def prefix() -> str:
    """It, without a slash at its end; empty where the app has an address of its own."""
    path = str(config.get_option("server.baseUrlPath")).strip("/")
    return f"/{path}" if path else ""


def page_at(address: str) -> str:
    """Where the browser finds a page of the table."""
    return f"{prefix()}/{address}"


def under_prefix(routes: Iterable[Route]) -> list[Route]:
    """The app's own routes where Streamlit has its own."""
    return [Route(prefix() + route.path, route.endpoint, methods=route.methods) for route in routes]
