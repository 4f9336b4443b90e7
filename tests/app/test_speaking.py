"""The language of a page: the link's, or the browser's, in every run of every part."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable

import pytest
import streamlit as st

from core.language import _, language, use_language
from pages.parts import session, speaking
from pages.parts.session import Session
from tests.app.test_clicks import compare, learn
from tests.app.test_pages import check, headers, opened
from tests.app.test_state import NEXT, STEPS, back_to, notices, query_of, values
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
    assert query_of(app) == {"language": "fr"}
    (bar,) = headers(app, "runbar")
    assert (bar["labels"]["copy"], bar["speaks"]) == ("Copier le lien", "fr")
    assert bar["languages"] == [["en", "English"], ["fr", "Français"]]


def test_a_language_that_we_do_not_have_is_said_and_left_out():
    app = opened("home.py", language="tlh")
    check(app)
    assert "language" not in query_of(app)
    assert any("“Language” = “tlh”. It must be one of en, fr" in one for one in notices(app))


def test_back_to_a_link_brings_back_its_language():
    app = opened(NEXT, text="First")
    app.session_state["glassformer"].values["language"] = "fr"
    app.run()
    assert query_of(app) == {"text": "First", "language": "fr"}
    assert headers(app, "runbar")[0]["speaks"] == "fr"
    back_to(app, {"text": "First"})
    assert values(app) == {"text": "First"}
    assert headers(app, "runbar")[0]["speaks"] == "en"


@pytest.mark.parametrize(
    ("locale", "asked", "heard"),
    [("fr-CA", "", "fr"), ("fr", "", "fr"), ("fr-FR", "en", "en"), ("de-DE", "", "en"),
     ("en-US", "fr", "fr"), ("", "", "en")],
)  # fmt: skip
def test_the_browser_is_heard_when_the_link_is_silent(server, locale, asked, heard):
    async def scenario(learner: Learner) -> None:
        query = {"language": asked} if asked else {}
        await learner.open("attention", query)
        assert spoken(learner) == heard
        assert (TITLES[STEPS] in title(learner)) == (heard == "fr")
        assert learner.query == query  # a bare address stays bare

    learning(scenario, server, locale)


def test_the_bar_changes_it_and_every_later_run_speaks_it(server):
    async def scenario(learner: Learner) -> None:
        await learner.open("next-token", {"temperature": "0.5"})
        await learner.say("runbar", "bar", {"language": "fr"})
        assert learner.query == {"temperature": "0.5", "language": "fr"}
        assert spoken(learner) == "fr"
        # A click runs parts of the page alone, in a thread that has not run the page.
        await learner.type("She opened the door and saw the")
        await compare(learner, "next-token", "type")
        await learner.visit("attention")
        assert TITLES[STEPS] in title(learner)

    learning(scenario, server, "en-US")


def test_undo_takes_it_back_and_reset_leaves_it(server):
    async def scenario(learner: Learner) -> None:
        await learner.open("attention", {"layer": "2"})
        for _again in range(2):
            await learner.say("runbar", "bar", {"language": "fr"})
            assert spoken(learner) == "fr"
            await learner.say("runbar", "action", "undo")
            assert spoken(learner) == "en"
        await learner.say("runbar", "bar", {"language": "fr"})
        await learner.say("runbar", "action", "reset")
        assert (spoken(learner), learner.query) == ("fr", {"language": "fr"})

    learning(scenario, server, "en-US")


def test_a_new_thread_speaks_the_language_of_its_session(monkeypatch):
    monkeypatch.setattr(session.st, "session_state", {"glassformer": Session(language="fr")})
    heard = []

    def click() -> None:
        session.own_session()
        heard.append((language(), _("Undo")))

    thread = threading.Thread(target=click)
    thread.start()
    thread.join()
    assert heard == [("fr", "Annuler")]
    assert language() == "en"


@pytest.mark.parametrize("locale", [None, "", "fr_FR", "FR", "fr-Latn-CA"])
def test_a_locale_may_be_written_in_any_way(monkeypatch, locale):
    monkeypatch.setattr(type(st.context), "locale", property(lambda self: locale))
    one = Session()
    monkeypatch.setattr(speaking, "own_session", lambda: one)
    assert speaking.speak("") is bool(locale)
    assert language() == ("fr" if locale else "en")
    assert speaking.speak("en") is bool(locale)
