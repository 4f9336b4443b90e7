"""The components' code as the app serves it: kept for ever, and nothing else beside it."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.figures.assets import modules as code
from core.figures.assets import together, version
from pages.server import modules


@pytest.fixture(scope="module")
def client() -> TestClient:
    return TestClient(Starlette(routes=modules.ROUTES))


def test_every_module_is_served_once_and_for_ever(client: TestClient):
    for path, text in [*code().items(), ("all.js", together())]:
        found = client.get(f"/components/{version()}/{path}")
        assert found.status_code == 200
        assert found.text == text
        assert found.headers["content-type"] == "text/javascript; charset=utf-8"
        assert found.headers["cache-control"] == "public, max-age=31536000, immutable"


@pytest.mark.parametrize(
    "path",
    [
        "matrix/gone.js",
        "matrix/matrix.css",
        "shared/../../../app.py",
        "%2e%2e/%2e%2e/app.py",
        "..%2f..%2fapp.py",
        "/etc/passwd",
        "",
    ],
)
def test_nothing_else_is(client: TestClient, path: str):
    assert client.get(f"/components/{version()}/{path}").status_code == 404


def test_other_code_is_not_given_under_an_old_hash(client: TestClient):
    assert client.get("/components/0123456789abcdef/matrix/matrix.js").status_code == 404
