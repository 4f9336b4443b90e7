"""The language of a page: the link's, or the browser's."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
import streamlit as st

from core.language import language, use_language
from pages.parts import speaking
from tests.app.asked import learn
from tests.app.test_pages import check, headers, opened
from tests.app.test_state import STEPS, link, notices
from tests.benchmarks.learner import Learner

TITLES = {
    "home.py": "entre une phrase et son mot suivant",
    STEPS: "À quels jetons chaque jeton",
}


@pytest.fixture(autouse=True)
def _english_again():
    yield
    use_language("en")


def learning(scenario: Callable[[Learner], Awaitable[None]], address: str, locale: str) -> None:
    """Carry out what a learner with a browser in some language does."""

    async def whole() -> None:
        async with Learner(address, locale=locale) as learner:
            await scenario(learner)
            assert not learner.problems

    learn(whole)


def title(learner: Learner) -> str:
    return next(text for text in learner.texts() if "<h1 class='glass-title'" in text)


def spoken(learner: Learner) -> str:
    return str(learner.payload("runbar").header["speaks"])


@pytest.mark.parametrize("file", TITLES)
def test_a_link_says_the_language(file):
    app = opened(file, language="fr")
    check(app)
    assert TITLES[file] in app.get("html")[1].body + app.get("html")[0].body
    assert link(app) == {"language": "fr"}
    (bar,) = headers(app, "runbar")
    assert (bar["labels"]["copy"], bar["speaks"]) == ("Copier le lien", "fr")
    assert bar["languages"] == [["en", "English"], ["fr", "Français"]]


def test_a_language_that_we_do_not_have_is_said_and_left_out():
    app = opened("home.py", language="tlh")
    check(app)
    assert "language" not in link(app)
    assert any("“Language” = “tlh”. It must be one of en, fr" in one for one in notices(app))


@pytest.mark.parametrize(
    ("locale", "asked", "heard"),
    [("fr-CA", "", "fr"), ("fr-FR", "en", "en"), ("de-DE", "", "en")],
)  # fmt: skip
def test_the_browser_is_heard_when_the_link_is_silent(server, locale, asked, heard):
    async def scenario(learner: Learner) -> None:
        query = {"language": asked} if asked else {}
        await learner.open("attention", query)
        assert spoken(learner) == heard
        assert (TITLES[STEPS] in title(learner)) == (heard == "fr")
        assert learner.asking.live["values"] == query  # a bare address stays bare

    learning(scenario, server, locale)


def test_the_bar_changes_it_and_what_is_asked_after_that_speaks_it(server):
    async def scenario(learner: Learner) -> None:
        await learner.open("next-token", {"temperature": "0.5"})
        await learner.change({"language": "fr"})
        assert spoken(learner) == "fr"
        await learner.change({"text": "She opened the door and saw the"})
        assert {one["speaks"] for one in learner.asking.figures} == {"fr"}
        await learner.change({"language": None})
        assert spoken(learner) == "en"

    learning(scenario, server, "en-US")


@pytest.mark.parametrize("locale", [None, "", "fr_FR", "FR", "fr-Latn-CA"])
def test_a_locale_may_be_written_in_any_way(monkeypatch, locale):
    monkeypatch.setattr(type(st.context), "locale", property(lambda self: locale))
    use_language("en")
    assert speaking.speak("") is bool(locale)
    assert language() == ("fr" if locale else "en")
    assert speaking.speak("en") is bool(locale)
