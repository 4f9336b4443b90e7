"""The learner's own sentence opens wherever it can be read, and the bar says whose runs.

What she has typed is asked for as the browser brings it from page to page (along.js): her sentence
as ``hers``, what she typed for a model that translates as ``abroad``.
"""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core import views, zoo
from core.data.examples import FRENCH, WALK
from core.experiments import about
from core.lessons import lesson_ids
from core.lessons.screen.bar import reads
from core.lessons.world import params_of
from pages.parts.sentence import COMMON
from pages.parts.table import of_text, offered
from tests.app.played import Played, of_page, screen_at, the_lesson
from tests.app.test_onward import CAME, ways
from tests.app.test_pages import check, headers, opened
from tests.app.test_state import link

OWN, MINE = "A small cat sat on the mat", "J'ai une pomme"
FILMED, NEXT = "labs/film.py", "predictions/next_token.py"
HOME, HEADS, STEPS, TOKENS, LESSONS, TRANSLATE, WALKED = (
    "home.py", "attention/all_heads.py", "attention/step_by_step.py", "text/tokenization.py",
    "learn/lessons.py", "predictions/translate.py", "machines/from_rnn.py",
)  # fmt: skip


def bar(app: AppTest) -> dict[str, Any]:
    """What stands in it, also after a screen of the lessons has said it."""
    (found,) = headers(app, "runbar")
    return found if not headers(app, "lesson") else found | (of_page(app).screen.get("bar") or {})


def said(app: AppTest) -> tuple[str | None, str]:
    """The text of the bar, and whose it is."""
    return bar(app)["text"], bar(app)["note"]


def came(file: str, **brought: str) -> AppTest:
    """A page that was come to from another one, with what the browser brings."""
    app = opened(file, **{name: text for name, text in brought.items() if text}, along="")
    check(app)
    return app


def in_lesson(ident: str, at: int, **brought: str) -> AppTest:
    return came(LESSONS, lesson=ident, lesson_at=str(at), **brought)


# Those that open on an example of their own or read no text, and one of all others.
ROWS = [row for row in offered() if row.example or not of_text(row) or row.file == HEADS]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.file)
def test_her_sentence_opens_on_every_page_that_can_read_it(row):
    app = came(row.file, hers=OWN)
    others = {"translate": FRENCH, "rnn-to-transformer": WALK}
    if row.address in others:
        text, note = said(app)
        assert text == others[row.address]
        assert note.endswith("Yours is kept for the other pages.")
        assert link(app)["hers"] == OWN
    else:
        assert said(app) == (OWN if of_text(row) else None, "")
        assert "hers" not in link(app) or not of_text(row)


def test_before_she_has_typed_one_no_example_goes_from_page_to_page():
    tokens = came(TOKENS)
    assert said(tokens)[0] != COMMON
    assert link(tokens) == {}
    assert said(came(HOME)) == (COMMON, "")
    assert said(came(TRANSLATE)) == (FRENCH, "")
    note = "The sentence of the lesson. Type your own, and it runs here."
    assert said(in_lesson("attention", 3)) == (COMMON, note)


@pytest.mark.parametrize("own", ["", OWN])
def test_of_the_text_of_an_experiment_it_is_said_that_hers_waits(own):
    tried = next(one for one in about("attention") if "text" in one.after)
    app = opened(STEPS, text=str(tried.after["text"]), hers=own, experiment=tried.id)
    check(app)
    note = "The sentence of the experiment. Yours is kept for the other pages." if own else ""
    assert said(app) == (tried.after["text"], note)
    assert link(app)["hers"] == own  # a reload has it, too
    assert said(came(HOME, hers=own)) == (own or COMMON, "")


@pytest.mark.parametrize("own", ["", OWN])
def test_what_is_typed_for_a_translator_runs_in_translators_alone(own):
    both = {"hers": own, "abroad": MINE}
    assert said(opened(TRANSLATE, text=MINE)) == (MINE, "")
    assert said(came(HOME, **both)) == (own or COMMON, "")
    assert said(in_lesson("attention", 3, **both))[0] == (own or COMMON)
    assert said(came(WALKED, **both)) == (MINE, "")
    assert said(in_lesson("from-rnn", 10, **both)) == (MINE, "Your own sentence.")


def test_on_the_page_of_a_lesson_its_sentence_runs_and_hers_goes_on():
    app = opened(HEADS, text=COMMON, back_text=OWN, **CAME)
    assert said(app) == (COMMON, "The sentence of the lesson. Yours is kept.")
    assert link(app)["hers"] == OWN  # which the browser brings to the next page
    app = came(TOKENS, hers=OWN, back_text=OWN, **CAME)
    assert said(app)[0] == OWN
    (way,) = ways(app)
    assert link(app)[way["text"]] == OWN


@pytest.mark.parametrize(
    ("ident", "at", "text", "note", "fixed"),
    [
        ("attention", 0, None, "", False),  # questions, each on a sentence that it names
        ("attention", 1, COMMON, "The sentence of the lesson. Yours is kept.", True),
        ("attention", 3, OWN, "Your own sentence.", False),
        ("how-it-learns", 1, None, "", False),
        ("from-rnn", 3, None, "", False),  # measured on many sentences, and not on one
        ("from-rnn", 10, "Tom a une pomme", "The sentence of the lesson. Yours is kept.", False),
        ("masks", 6, "Stop it right now", "The sentence of the lesson. Yours is kept.", True),
    ],
)
def test_the_bar_says_whose_sentence_a_lesson_runs(ident, at, text, note, fixed):
    app = opened(LESSONS, lesson=ident, lesson_at=str(at), text=OWN)
    check(app)
    found = bar(app)
    assert (found["note"], found["fixed"]) == (note, fixed)
    assert found["text"] == text or found["text"].startswith(text)


# One short, one of a repeated word, two with names; a sign that no table has.
TEXTS = ("I like cats but I hate", "No", "the the the the the the", "Zoë and 🙂 Łukasz met Anna")


@pytest.mark.parametrize("text", TEXTS)
def test_a_step_that_her_sentence_cannot_carry_takes_that_of_the_lesson_and_says_why(text):
    taken, kept = [], "The sentence of the lesson. Yours is kept."
    for ident in lesson_ids():
        for step in the_lesson(ident).steps:
            asks = step.question
            if asks is None or asks.needs is None or not any(one.own for one in step.figures):
                continue
            her = Played(lesson=ident, lesson_at=screen_at(ident, step.id), text=text).ask()
            assert her.questions, (ident, step.id)
            assert her.blocks("figure"), (ident, step.id)
            notes = [one["say"] for one in her.blocks("note") if asks.needs in one["say"]]
            assert [her.screen["bar"]["note"] == kept] == [bool(notes)], (ident, step.id)
            assert her.screen["bar"]["text"] == (step.figures[0].params["text"] if notes else text)
            taken += [step.id] if notes else []
    assert ("row-sum" in taken) == (text in TEXTS[:2])
    assert 0 < len(taken) < 10


def test_a_step_of_a_translator_runs_what_was_typed_for_one():
    for own in ("", OWN):
        her = Played(lesson="from-rnn", lesson_at=10, abroad=MINE, hers=own).ask()
        assert her.screen["bar"]["text"] == MINE
        assert her.screen["bar"]["note"] == "Your own sentence."


def test_in_a_lesson_the_bar_shows_the_model_that_the_step_runs():
    app = opened(LESSONS, lesson="attention", lesson_at="1", model="bert")
    assert [name for name, _label in bar(app)["models"]] == [bar(app)["model"]] == ["gpt"]
    app = opened(LESSONS, lesson="attention", lesson_at="0")  # questions alone
    assert bar(app)["models"] == []


def test_a_figure_that_takes_her_sentence_reads_it():
    """Else the bar would have no field to type it in."""
    for ident in lesson_ids():
        for figure in (one for step in the_lesson(ident).steps for one in step.figures if one.own):
            assert reads(views.get(figure.view), params_of(figure, {})), (ident, figure.view)


def test_a_model_that_has_read_english_only_says_so_of_another_language():
    told = "GPT has read English only"
    app = opened(NEXT, text="Mon chien a mangé toute sa soupe", language="fr")
    assert any("GPT" in info.value for info in app.info)
    assert bar(app)["labels"]["reads"]
    app = in_lesson("attention", 3, hers="Mon chien a mangé toute sa soupe")
    assert any(told in one for one in of_page(app).notes["info"])
    app = opened(NEXT, text=OWN)
    assert not any(told in info.value for info in app.info)
    assert not bar(app)["labels"]["reads"]


@pytest.mark.parametrize(("text", "told"), [
    ("Why is the sky blue and the sea green?", "looks English"),
    ("你好 😀", "looks like another language"),
    ("Le chat dort.", ""),
])  # fmt: skip
def test_a_translator_says_so_of_a_language_that_it_does_not_read(text, told):
    found = [info.value for info in opened("predictions/translate.py", text=text).info]
    assert [told in one for one in found if "learned to read French" in one] == [True] * bool(told)


@pytest.mark.parametrize(("page", "n"), [("labs/training.py", 0), ("labs/film.py", 0),
                                         ("labs/cost.py", len(zoo.shelf()))])  # fmt: skip
def test_a_page_without_a_model_of_the_shelf_offers_none(page, n):
    assert len(bar(opened(page))["models"]) == n
