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


def test_the_model_that_is_shown_is_marked_among_those_that_can_be():
    for query, name in (({}, "ELMo"), ({"model": "bert"}, "BERT")):
        app = opened(FILE, **query)
        on = [
            one["label"] for row in headers(app, "presets") for one in row["buttons"] if one["on"]
        ]
        assert on == [name]
    assert offered(app, "GPT") == {"model": "gpt"}


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


def test_a_layer_is_chosen_by_its_name_where_there_are_several():
    (layer,) = compared(opened(FILE, layer="0")).controls
    assert (layer["name"], layer["value"]) == ("layer", "0")
    assert layer["options"][:3] == [["0", "static"], ["1", "input"], ["2", "0"]]
    assert "the same in all sentences" in reading(opened(FILE, layer="0"))
    assert compared(opened(FILE, sought="nowhere")).controls == []


def test_sentences_without_the_word_are_answered_with_what_to_do():
    app = opened(FILE, sought="<b>", sentences="a line\nwithout it")
    check(app)
    assert "Write at least two sentences with the word “<b>”, one per line." in reading(app)
