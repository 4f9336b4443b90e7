"""The page that looks at a network, and what a page says that gets no connection."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.figures.assets import COMPONENTS
from core.lessons import lesson_ids
from pages.parts.prefix import under_prefix
from pages.parts.table import TABLE
from pages.server import check, front
from tests.app.test_door import option

__all__ = ["option"]
CODE = (COMPONENTS / "check" / "check.js").read_text(encoding="utf-8")


def said(path: str, *, base: str = "", **headers: str) -> str:
    """What the app answers; nothing of Streamlit is needed for it."""
    front.document.cache_clear()
    check.cached_page.cache_clear()
    app = Starlette(routes=under_prefix([*front.ROUTES, *check.ROUTES]))
    answer = TestClient(app, headers={"Accept-Language": "en", **headers}).get(base + path)
    assert answer.status_code == 200, path
    front.document.cache_clear()
    check.cached_page.cache_clear()
    return answer.text


def test_it_is_made_once_in_each_language_whoever_asks_for_it(monkeypatch):
    """Each time took 10 ms, which hold up all learners of a process."""
    made = []
    monkeypatch.setattr(check, "page", lambda: made.append(check.language()) or made[-1])
    check.cached_page.cache_clear()
    client = TestClient(Starlette(routes=check.ROUTES), headers={"Accept-Language": "en"})
    asked = ["en", "fr", "xx", "", "fr", *map(str, range(20)), "en"]
    answers = [client.get("/check", params={"language": one}).text for one in asked]
    assert answers == ["fr" if one == "fr" else "en" for one in asked]
    assert made == ["en", "fr"]
    check.cached_page.cache_clear()


def test_each_check_has_a_sentence_for_all_that_it_may_find():
    """And each number that a sentence has room for is one that is measured."""
    page = said("/check")
    for one in check.CHECKS:
        name, says = one.name, one.says
        assert f"data-check='{name}' data-state='wait'" in page
        own = re.search(rf"function {name}\(.*?\n}}", CODE, re.S)
        assert own is not None, name
        assert set(re.findall(r'"(good|fair|bad)"', own[0])) | {"good"} <= says.keys()
        for words in says.values():
            for hole in re.findall(r"{(\w+)}", words):
                assert re.search(rf"\b{hole}\b", own[0]), (name, hole)
        if name != "storage":  # which cannot fail: it catches what goes wrong
            assert "bad" in says, "where nothing comes, that is said"


def test_it_needs_no_script_of_its_own_and_says_all_without_one():
    page = said("/check?language=fr")
    assert "<html lang='fr'>" in page
    assert "<title>Glassformer fonctionnera-t-il sur ce réseau\u202f?" in page
    assert "<h1>Glassformer fonctionnera\u2011t\u2011il sur ce réseau\u202f?" in page
    assert all("src=" in one for one in re.findall(r"<script[^>]*>", page))
    assert " style=" not in page
    assert "onclick" not in page
    assert page.count("/lesson/") == len(lesson_ids())
    assert "core.lessons book" in page


@pytest.mark.parametrize("base", ["", "/gf"])
def test_what_it_asks_for_is_all_below_the_apps_own_path(option, base):
    option("server.baseUrlPath", base)
    page = said("/check", base=base)
    (packed,) = re.findall(r"data-asks='([^']+)'", page)
    asks = json.loads(unescape(packed))
    assert asks["socket"] == f"{base}/_stcore/stream"
    assert len(asks["load"]) >= 4
    for one in [asks["trip"], asks["figure"], *asks["load"]]:
        assert one.startswith(f"{base}/")
        own = one.removeprefix(base)
        if own.startswith("/components/"):
            assert own.split("/", 3)[3] == "all.js"
        elif own.startswith("/static/"):
            assert (front.STATIC / own[1:]).is_file()
    for address in re.findall(r"(?:href|src)=['\"]([^'\"]+)", page):
        assert address.startswith((f"{base}/", "?language=")), address


@pytest.mark.parametrize("base", ["", "/gf"])
def test_every_page_can_say_that_it_has_no_connection(option, monkeypatch, base):
    option("server.baseUrlPath", base)
    for row in TABLE:
        page = said(f"/{row.address}", base=base)
        assert page.count("id='glass-unheard'") == 1
        assert f'src="{front.served("all.js")}"' in page
        assert f"href='{base}/check?language=en#book'" in page
    french = said("/attention", base=base, **{"Accept-Language": "fr-FR"})
    assert "Cette page n’atteint pas son serveur" in french
    for there in ("https://school.example/book/", "/book"):
        monkeypatch.setenv("GLASSFORMER_BOOK", there)
        assert f"href='{there}'" in said("/", base=base)
        assert f"href='{there}'" in said("/check", base=base)
    monkeypatch.setenv("GLASSFORMER_BOOK", "javascript:alert(1)")
    assert "javascript:" not in said("/", base=base) + said("/check", base=base)
