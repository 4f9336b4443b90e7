"""The page about words in context: what it opens on, and what a learner writes."""

from __future__ import annotations

from core.data.senses import SENSES, in_groups
from tests.app.answered import Figure, figure, figures, words
from tests.app.test_pages import check, headers, opened

FILE = "text/contexts.py"


def compared(app) -> Figure:
    """The vectors in each pair of sentences."""
    return figure(app, "contexts.distances")


def reading(app) -> str:
    """Its sentence."""
    return words(compared(app).said["reading"])


def offered(app, label: str) -> dict[str, str | None]:
    """What a click on a button sets."""
    return next(one["sets"] for row in headers(app, "presets") for one in row["buttons"]
                if one["label"] == label)  # fmt: skip


def test_it_opens_on_the_machine_that_was_made_for_it_with_its_own_strip():
    app = opened(FILE)
    check(app)
    (strip,) = headers(app, "map")
    ids = {part["id"] for line in strip["lines"] for part in line["parts"]}
    assert "scores" not in ids  # nothing in it attends
    assert "in sentences of one group the vectors of “left”" in reading(app)
    app = opened(FILE, model="gpt")
    check(app)
    assert compared(app).said["facts"].startswith("GPT · 8 sentences")


def test_one_of_our_words_brings_its_sentences():
    sets = offered(opened(FILE), "bank")
    assert sets == {"sought": "bank", "sentences": in_groups("bank", 4)}
    assert len(SENSES["bank"]) == 2
    app = opened(FILE, **sets)
    check(app)
    assert "the vectors of “bank”" in reading(app)
    (written,) = [one for one in figures(app) if one.spec["controls"]]
    assert [one["value"] for one in written.controls] == [sets["sought"], sets["sentences"]]
    assert offered(app, "left") == {"sought": None, "sentences": None}  # as the page opens
