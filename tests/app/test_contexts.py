"""The page about words in context: what it opens on, and what a learner writes."""

from __future__ import annotations

import html
import re

from core.senses import SENSES, in_groups
from tests.app.test_pages import check, headers, opened
from tests.app.test_state import values

FILE = "text/contexts.py"


def readings(app) -> str:
    """The sentences that go with figures and the title."""
    bodies = " ".join(str(one.proto.body) for one in app.get("html"))
    return html.unescape(re.sub("<[^>]*>", "", bodies))


def test_it_opens_on_the_machine_that_was_made_for_it_with_its_own_strip():
    app = opened(FILE)
    check(app)
    (strip,) = [one for one in headers(app, "map") if one.get("mode") == "strip"]
    ids = {part["id"] for line in strip["lines"] for part in line["parts"]}
    assert "scores" not in ids  # nothing in it attends
    assert "in sentences of one group the vectors of “left”" in readings(app)
    app = opened(FILE, model="gpt")
    check(app)
    assert "GPT · 8 sentences" in readings(app)


def test_one_of_our_words_brings_its_sentences():
    app = opened(FILE)
    app.button(key="take-bank").click().run()
    check(app)
    assert values(app)["sought"] == "bank"
    assert values(app)["sentences"] == in_groups("bank", 4)
    assert len(SENSES["bank"]) == 2
    assert "the vectors of “bank”" in readings(app)


def test_sentences_without_the_word_are_answered_with_what_to_do():
    app = opened(FILE, sought="<b>", sentences="a line\nwithout it")
    check(app)
    assert "Write at least two sentences with the word “<b>”, one per line." in readings(app)
