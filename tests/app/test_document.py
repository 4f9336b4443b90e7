"""The documents of the pages: all code at once, and the home page's first picture."""

from __future__ import annotations

import base64
import html
import re

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from app import content_security_policy
from core import zoo
from core.figures.assets import version
from core.figures.payload import unpack
from core.language import use_language
from pages.server import front
from tests.app.answered import figure
from tests.app.test_pages import check, opened


def first(**query: str) -> str:
    """What stands in the document before Streamlit does, for a browser that speaks English."""
    client = TestClient(Starlette(routes=front.ROUTES), headers={"Accept-Language": "en-GB"})
    text = client.get("/", params=query).text
    found = re.search(r'<div id="glass-first".*?(?=<noscript>|<div id="root">)', text, re.S)
    return found[0] if found else ""


def picture(text: str) -> dict:
    """What the picture in it is drawn from."""
    (packed,) = re.findall(r'data-picture="([^"]+)"', text)
    return unpack(base64.b64decode(packed)).header


def words(text: str) -> str:
    without = re.sub(r"<style>.*?</style>|<details.*?</details>", "", text, flags=re.S)
    return html.unescape(re.sub("<[^>]+>", "", without))


@pytest.mark.parametrize("address", ["/?text=a", "/lessons?lesson_at=3", "/attention"])
def test_all_code_of_ours_comes_at_once_and_before_streamlits(address):
    """A module that asks for the next one keeps a lesson without its question for seconds."""
    found = TestClient(Starlette(routes=front.ROUTES)).get(address)
    assert found.headers["cache-control"] == "no-cache"
    ours, theirs = re.findall(r'<script type="module"[^>]* src="([^"]+)"', found.text)
    assert ours == f"/components/{version()}/all.js"
    assert theirs.startswith("./static/")
    assert f'href="/components/{version()}' not in found.text


def test_what_it_names_of_streamlit_is_there_and_no_script_is_added():
    text = front.document()
    theirs = re.findall(r'rel="modulepreload" crossorigin href="\./(static/[^"]+)"', text)
    assert all((front.STATIC / one).is_file() for one in theirs)
    for name in front.LATE:
        assert any(f"/{name}." in one for one in theirs), name
    own = (front.STATIC / "index.html").read_text()
    scripts = re.findall(r"<script.*?</script>", text, re.S)
    ours = f'<script type="module" src="{front.served("all.js")}"></script>'
    theirs = re.findall(r"<script.*?</script>", own, re.S)
    assert scripts == [*theirs[:-1], ours, theirs[-1]]  # it hears of the history before Streamlit
    assert "'unsafe-inline'" not in content_security_policy().split("style-src")[0]


@pytest.mark.parametrize("model", zoo.shelf())
def test_the_first_picture_is_the_one_that_the_page_shows(model):
    app = opened("home.py", model=model)
    check(app)
    shown = figure(app, "map.flow")
    assert shown.answer is not None
    own = shown.answer.header | shown.spec["more"]
    found = picture(first(model=model))
    assert found.pop("ahead")
    # The page's own comes with what stands around it.
    assert found == {name: own[name] for name in found}
    assert set(own) - set(found) == {"save", "answer", "inside"}


def test_it_says_what_the_page_says_in_the_language_of_the_link_or_else_the_browser():
    assert "What happens between a sentence and its next word?" in words(first())
    assert "“food” is most likely next" in words(first())
    said = words(first(language="fr"))
    use_language("en")
    assert "What happens" not in said
    assert picture(first(language="fr"))["labels"] != picture(first())["labels"]
    use_language("en")


@pytest.mark.parametrize(
    "query",
    [{"place": "layer3"}, {"tour": "2"}, {"view": "lecture"}, {"off": "layer3.head1"},
     {"text": "A text that nobody has run yet, xyzzy"}, {"text": "  "}],
    ids=lambda query: next(iter(query.items()))[0],
)  # fmt: skip
def test_none_stands_where_the_page_opens_on_another_or_on_one_that_takes_a_while(query):
    assert first(**query) == ""


def test_a_text_that_has_been_run_stands_at_once_and_stays_text():
    text = 'A "cat" <img src=x onerror=alert(1)> sat'
    app = opened("home.py", text=text)
    check(app)
    shown = figure(app, "map.flow")
    assert shown.answer is not None
    found = first(text=text)
    assert picture(found)["lines"] == shown.answer.header["lines"]
    assert "<img" not in found
