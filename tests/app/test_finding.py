"""The search of the whole app: every page, lesson and word, and where each leads."""

from __future__ import annotations

import pytest

from core.glossary import glossary
from core.language import available_languages, use_language
from core.lessons import entry, lesson_ids, reader
from core.names import Learning, Word
from core.views.params import parse
from pages.parts.finding import places
from pages.parts.table import offered
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
    lessons = [one["lesson"] for one in links if "lesson" in one]
    assert lessons == list(lesson_ids())
    assert {one["lesson_at"] for one in links if "lesson" in one} == {0, 1}  # at its first step
    assert [one["term"] for one in links if "term" in one] == list(glossary(language))
    for one in links:
        cls = Word if "term" in one else Learning
        params, problems = parse(cls, {name: str(value) for name, value in one.items()})
        assert not problems
        assert all(getattr(params, name) == value for name, value in one.items())
    assert all(one["title"] and one["group"] for one in found)


def test_words_of_another_language_are_found_by_their_english_names():
    use_language("fr")
    found = {one["title"]: one for one in places("fr", ADDRESSES)}
    assert "hidden state" in found["état caché"]["names"]
    assert "masks" in found["Masques"]["names"]


def test_a_lesson_is_found_by_the_words_of_its_steps_and_a_page_by_what_it_is_for():
    found = {one["title"]: one for one in places("en", ADDRESSES)}
    (called, _at) = entry("attention")
    words = found[called]["words"].split()
    assert {"attention", "divide", "score"} < set(words)
    assert len(words) == len(set(words))
    assert "generate" in found["Next token"]["names"]


def test_it_is_on_every_page_and_closed():
    app = opened("attention/masks.py")
    check(app)
    (header,) = headers(app, "search")
    assert len(header["places"]) == len(places("en", ADDRESSES))


def test_it_is_made_without_reading_the_lessons(monkeypatch):
    """Reading all of them takes half a second, which each of a class that comes at once spent."""
    monkeypatch.setattr(reader, "parse", None)
    places.cache_clear()
    assert [one for one in places("fr", ("",)) if "lesson" in one.get("shows", {})]
    places.cache_clear()
