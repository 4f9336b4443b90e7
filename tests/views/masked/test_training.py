"""What BERT is trained on: words that are hidden by dice, and pairs of sentences."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from core import views
from core.models.needs import Needs
from core.predict import next_sentence
from core.runs.store import Runs
from core.text.hiding import Fate
from core.views.masked.training import FATES, PAIR_EXAMPLES, ZONES, two_decimals
from tests.conftest import loaded, tiny_bert
from tests.views.records import drawn, rows, shown, written

TEXT = "The cat told the dog a story."


def of(runs, name="masked.example", **values):
    """A view and its record."""
    return shown(runs, name, **{"text": TEXT, "model": "bert", **values})


def test_every_fate_has_its_words():
    assert list(FATES) == list(get_args(Fate))


def test_a_training_example_shows_what_the_model_reads(runs):
    view, record = of(runs, dice_seed="2")
    payload, texts = view.show(record).payload().header, written(view, record)
    chosen = [at for at in range(len(record.run.tokens)) if record.run.order[at] >= 0]
    assert payload["marked"] == chosen
    assert "the random number drawn for it" in "".join(text for text, _role in payload["heading"])
    for at in chosen:
        assert payload["notes"][at].endswith(record.run.tokens[at].piece)
        assert payload["notes"][at] in texts
        assert np.isfinite(record.run.probs[at])
    assert len(payload["readings"]) == len(record.run.tokens)


def test_the_token_that_is_looked_at_is_read_in_the_file_too(runs):
    view, record = of(runs, dice_seed="2")
    chosen = next(at for at in range(len(record.run.tokens)) if record.run.order[at] >= 0)
    assert str(view.describe(record)) in " ".join(written(view, record))
    view, record = of(runs, dice_seed="2", example_token=str(chosen))
    strip = view.show(record)
    assert strip.payload().header["selection"] == {"example_token": chosen}
    assert "The model must predict" in str(strip.readings[chosen])
    assert str(strip.readings[chosen]) in " ".join(written(view, record))
    assert view.values(record)["probability"].value == record.run.probs[chosen]


def test_every_number_is_in_the_table(runs):
    view, record = of(runs, dice_seed="2")
    table, run = rows(view, record), record.run
    assert table[0] == ["position", "token", "chosen as", "dice", "fate", "the model reads",
                        "probability of the original", "most likely there"]  # fmt: skip
    for at, line in enumerate(table[1:]):
        drawn = run.order[at] >= 0
        assert line[2] == (str(float(run.order[at])) if drawn else "")
        assert line[3] == (str(run.dice[at]) if drawn else "")
        assert line[4] == FATES[run.fates[at]]
        assert line[6] == (str(run.probs[at]) if drawn else "")
        assert bool(line[7]) == drawn


@pytest.mark.parametrize(("thrown", "said"), [(0.7999, "0.79"), (0.8, "0.80")])
def test_numbers_of_the_dice_are_not_rounded_across_a_border(thrown, said):
    assert two_decimals(thrown) == said


def dice_of(runs, seed):
    """The view and its record."""
    return shown(runs, "masked.dice", model="bert", text=TEXT, dice_seed=str(seed))


def test_the_dice_lie_in_the_zone_of_their_fate(runs):
    fates = set()
    for seed in range(40):
        view, record = dice_of(runs, seed)
        (signs,) = view.show(record).series
        for word, x in zip(record.chosen, signs.x, strict=True):
            fate = record.run.fates[word[0]]
            low, high, _ = ZONES[("masked", "random", "unchanged").index(fate)]
            assert low <= x < high
            fates.add(fate)
    assert len(fates) == 3


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_title_axes_zones_and_words_are_on_the_page_and_in_the_file(runs, mode):
    view, record = dice_of(runs, 2)
    plot = view.show(record)
    layout, drawing = plot.figure(mode).layout, plot.drawing(mode)
    assert layout.title.text == plot.title
    assert layout.xaxis.title.text == plot.x.title == "the random number, from 0 to 1"
    assert layout.yaxis.title.text == plot.y.title == "chosen words, in order"
    for words in (*plot.y.categories, *(zone.label for zone in plot.zones)):
        assert words in drawing
    assert list(layout.yaxis.ticktext) == plot.y.categories


def test_words_are_named_in_the_order_of_their_draw(runs):
    view, record = dice_of(runs, 2)
    plot = view.show(record)
    names = [record.word(word) for word in record.chosen]
    assert plot.y.categories == [f"{n} {name}" for n, name in enumerate(names)]
    table = rows(view, record)
    assert table[0] == ["chosen as", "word", "dice", "fate"]
    assert [line[1] for line in table[1:]] == names
    assert [float(line[2]) for line in table[1:]] == [*plot.series[0].x]
    for name in names:
        assert f"the random number of “{name}” is " in plot.alt


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
