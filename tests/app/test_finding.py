"""The search of the whole app: every page, heading, lesson, step and word, and where each leads."""

from __future__ import annotations

import gzip

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.answers.names import Learning, LookedUpTerm
from core.data.glossary import glossary, search_terms
from core.language import available_languages, use_language
from core.lessons import Lesson, lesson, lesson_ids, reader
from core.views.params import parse
from pages.parts.finding import places
from pages.parts.table import offered
from pages.server import finding
from tests.app.test_pages import check, headers, opened


@pytest.fixture(autouse=True)
def english_again():
    yield
    use_language("en")


ADDRESSES = tuple(row.address for row in offered())


@pytest.mark.parametrize("language", available_languages())
def test_every_page_lesson_and_word_is_found_and_leads_there(language):
    use_language(language)
    found = places(language, ADDRESSES)
    pages = [one["page"] for one in found if one.get("listed")]
    assert pages == [f"/{row.address}" for row in offered()]
    links = [one["shows"] for one in found if "shows" in one]
    steps = [(one["lesson"], one["lesson_at"]) for one in links if "lesson" in one]
    assert list(dict(steps)) == list(lesson_ids())
    for ident in lesson_ids():
        read = lesson(ident, language)
        assert isinstance(read, Lesson)
        first = int(bool(read.probe))
        screens = [first, *range(first, first + len(read.steps))]  # itself, and each of its steps
        assert [at for one, at in steps if one == ident] == screens
    assert [one["term"] for one in links if "term" in one] == list(glossary(language))
    for one in links:
        cls = LookedUpTerm if "term" in one else Learning
        params, problems = parse(cls, {name: str(value) for name, value in one.items()})
        assert not problems
        assert all(getattr(params, name) == value for name, value in one.items())
    assert all(one["title"] and one["group"] for one in found)


def test_words_of_another_language_are_found_by_their_english_names():
    use_language("fr")
    found = {one["title"]: one for one in places("fr", ADDRESSES)}
    assert "hidden state" in found["état caché"]["names"]
    assert "masks" in found["Masques"]["names"]


def test_a_step_has_its_question_and_a_page_its_headings_its_claim_and_what_it_is_for():
    found = {one["title"]: one for one in places("en", ADDRESSES)}
    assert "standard deviation of their dot product" in found["Why divide at all?"]["text"]
    assert found["Why divide at all?"]["group"] == "How a token looks at the others"
    assert found["Why divide by √d_head?"]["page"] == "/attention"
    assert found["Why divide by √d_head?"]["section"] == "Why divide by √d_head?"
    assert found["Masks"]["head"] == "Which tokens may attend to which?"
    assert "learns to predict the next token" in found["Masks"]["text"]
    assert "generate" in found["Next token"]["asked"]


def test_nothing_that_a_run_or_a_reader_fills_in_is_left_in_a_text():
    for language in available_languages():
        for one in places(language, ADDRESSES):
            texts = [one["title"], one.get("head", ""), one.get("text", "")]
            assert not [text for text in texts if any(sign in text for sign in ("{", "[[", "$"))], (
                one
            )


def test_what_else_people_ask_for_leads_to_a_step_or_heading_that_is_there():
    found = {one["title"]: one["asked"] for one in places("en", ADDRESSES) if "asked" in one}
    assert {title: found.get(title) for title in search_terms()} == search_terms()


def test_it_is_on_every_page_and_brings_its_index_only_when_it_is_asked_for():
    app = opened("attention/masks.py")
    check(app)
    (header,) = headers(app, "search")
    assert header["index"] == "/search?_language=en"
    assert "places" not in header


def test_the_index_comes_packed_and_once():
    client = TestClient(Starlette(routes=finding.ROUTES))
    found = client.get("/search", params={"_language": "fr"})
    assert len(found.json()["places"]) == len(places("fr", ADDRESSES))
    assert int(found.headers["content-length"]) < 50_000
    assert len(gzip.compress(found.content)) < 50_000
    again = client.get(
        "/search", params={"_language": "fr"}, headers={"If-None-Match": found.headers["etag"]}
    )
    assert (again.status_code, again.content) == (304, b"")


def test_it_is_made_without_reading_the_lessons(monkeypatch):
    """Reading all of them takes half a second, which each of a class that comes at once spent."""
    monkeypatch.setattr(reader, "parse", None)
    places.cache_clear()
    assert [one for one in places("fr", ("",)) if "lesson" in one.get("shows", {})]
    places.cache_clear()
