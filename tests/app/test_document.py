"""The document of the home page: it names at once what code the first picture needs."""

from __future__ import annotations

import re

from starlette.applications import Starlette
from starlette.testclient import TestClient

from app import content_security_policy
from core.figures.assets import modules, version
from pages.server import front


def test_it_names_all_that_the_first_picture_imports_and_each_once():
    found = TestClient(Starlette(routes=front.ROUTES)).get("/?text=a")
    assert found.headers["cache-control"] == "no-cache"
    ours = re.findall(rf'rel="modulepreload" href="/components/{version()}/([^"]+)"', found.text)
    assert len(ours) == len(set(ours))
    assert set(ours) <= set(modules())
    assert {"flow/flow.js", "flow/flow.css.js", "shared/palettes.js"} <= set(ours)


def test_what_it_names_of_streamlit_is_there_and_no_script_is_added():
    text = front.document()
    theirs = re.findall(r'rel="modulepreload" crossorigin href="\./(static/[^"]+)"', text)
    assert all((front.STATIC / one).is_file() for one in theirs)
    for name in front.LATE:
        assert any(f"/{name}." in one for one in theirs), name
    own = (front.STATIC / "index.html").read_text()
    assert re.findall(r"<script.*?</script>", text, re.S) == re.findall(
        r"<script.*?</script>", own, re.S
    )
    assert "'unsafe-inline'" not in content_security_policy().split("style-src")[0]
