"""Pairs of sentences: judged as everywhere, the learner's own and the examples."""

from __future__ import annotations

import pytest

from core import views
from core.models.needs import Needs
from core.predict import next_sentence
from core.runs.store import Runs
from core.views.masked.follows import PAIR_EXAMPLES
from tests.conftest import loaded, tiny_bert
from tests.views.records import drawn, rows, shown, written


def test_pairs_are_judged_as_the_front_door_judges_them(wordpiece):
    bert = loaded(tiny_bert(n_ctx=64).double(), wordpiece)
    runs = Runs(load=lambda name, device: bert)
    own = {"first": "The cat sat.", "second": "The dog told a story."}
    _view, record = shown(runs, "masked.follows", model="bert", **own)
    pairs = [tuple(own.values()), *((e.first, e.second) for e in PAIR_EXAMPLES)]
    expected = [next_sentence(bert, first, second) for first, second in pairs]
    assert record.probs == pytest.approx(expected, abs=1e-6)
    assert {example.follows for example in PAIR_EXAMPLES} == {True, False}


def test_half_a_pair_is_not_judged(runs):
    view, record = shown(runs, "masked.follows", model="bert", first="The cat sat.", second=" ")
    assert [pair[2] for pair in record.pairs] == [e.follows for e in PAIR_EXAMPLES]
    assert len(record.probs) == len(PAIR_EXAMPLES)
    found = view.show(record).payload().header["frames"][0]["rows"]
    assert [row["id"] for row in found] == ["0", "1", "2", "3"]
    assert not any(row["chosen"] for row in found)
    (note,) = view.notes(record)
    assert (note.kind, str(note.text)) == (
        "info", "Type two sentences, and the model judges them too."
    )  # fmt: skip


def test_a_pair_stands_above_its_bar_in_the_file_as_on_the_screen(runs):
    view, record = shown(runs, "masked.follows", model="bert")
    bars, texts = view.show(record), written(view, record)
    assert bars.stacked
    labels = [row.label for row in bars.frames[0].rows]
    assert set(labels) <= set(texts)
    places = {one.text: float(one.get("y")) for one in drawn(view, record, "text")}
    grounds = [one for one in drawn(view, record, "rect") if one.get("height") == "15.0"]
    assert len(grounds) == len(labels)
    for label, bar in zip(labels, grounds, strict=True):
        assert 0 < float(bar.get("y")) - places[label] < 20
        assert float(bar.get("x")) == 8


def test_the_table_holds_the_sentences_as_they_were_typed(runs):
    typed = {"first": '=1+1 "a"\u200b', "second": "b, c\n"}
    view, record = shown(runs, "masked.follows", model="bert", **typed)
    table = rows(view, record)
    assert table[0] == ["pair", "first", "second", "written to follow",
                        "probability that it follows"]  # fmt: skip
    assert [cell.removeprefix("'") for cell in table[1][1:3]] == list(typed.values())
    assert [line[3] for line in table[1:]] == ["", "True", "True", "False", "False"]
    assert [float(line[4]) for line in table[1:]] == record.probs


def test_it_asks_for_a_model_that_judges_pairs():
    assert views.get("masked.follows").needs == Needs("sentence_pairs")
