"""The path that all addresses of the app begin with: ``/gf`` with ``--server.baseUrlPath gf``."""

from __future__ import annotations

from streamlit import config


def prefix() -> str:
    """It, without a slash at its end; empty where the app has an address of its own."""
    path = str(config.get_option("server.baseUrlPath")).strip("/")
    return f"/{path}" if path else ""
