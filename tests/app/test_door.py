"""What of Streamlit's own addresses is open: what a page needs, and nothing else."""

from __future__ import annotations

import copy
import re
from unittest.mock import MagicMock

import pytest
from starlette.responses import PlainTextResponse
from streamlit import config
from streamlit.web.server.starlette.starlette_app import create_streamlit_routes

from pages.server.visitors import Door
from tests.app.asked import answered

# Files and pages of the app itself, the picture in the browser's tab, and what a page asks for.
OPEN = {"/_stcore/health", "/_stcore/host-config", "/_stcore/stream", "/media/{file_id:path}", ""}


@pytest.fixture
def option(monkeypatch):
    """Sets an option of Streamlit's for a test."""
    monkeypatch.setattr(config, "_config_options", copy.deepcopy(config.get_config_options()))
    return config.set_option


def paths() -> set[str]:
    """All that the pinned Streamlit serves where everything is switched on."""
    runtime = MagicMock(_main_script_path="/app.py")
    return {route.path for route in create_streamlit_routes(runtime)}


def status(path: str, method: str = "GET") -> int:
    return answered(Door(PlainTextResponse("here")), path, method=method)[0]


@pytest.mark.parametrize("base", ["", "gf", "/gf/school/"])
def test_what_no_page_needs_is_not_found(option, base):
    """A route that another version of Streamlit adds has to be put on one of the two sides."""
    for name in ("server.enableStaticServing", "server.scriptHealthCheckEnabled"):
        option(name, True)
    option("server.baseUrlPath", base)
    before = f"/{base.strip('/')}" if base else ""
    found = {path.removeprefix(before) for path in paths()}
    assert found >= OPEN
    for path in found:
        at = before + re.sub(r"{\w+(:path)?}", "one", path)
        wanted = 200 if path in OPEN else 404
        for method in ("GET", "PUT", "POST", "DELETE", "OPTIONS"):
            assert status(at, method) == wanted, (method, at)
        assert status(f"{at}/") == wanted


def test_what_is_uploaded_reaches_nobody():
    assert status("/_stcore/upload_file/one/two", "PUT") == 404
    for path in ("/auth/login", "/oauth2callback", "/_stcore/agent/mcp"):
        assert status(path) == 404
    for path in ("/", "/attention", "/components/0/link/link.js", "/static/js/index.js"):
        assert status(path) == 200
