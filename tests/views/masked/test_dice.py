"""The dice: each sign lies in the zone of its word's fate."""

from __future__ import annotations

import pytest

from core.views.masked.dice import ZONES
from tests.views.records import rows, shown

TEXT = "The cat told the dog a story."


def of(runs, seed):
    """The view and its record."""
    return shown(runs, "masked.dice", model="bert", text=TEXT, dice_seed=str(seed))


def test_the_dice_lie_in_the_zone_of_their_fate(runs):
    fates = set()
    for seed in range(40):
        view, record = of(runs, seed)
        (signs,) = view.show(record).series
        for word, x in zip(record.chosen, signs.x, strict=True):
            fate = record.run.fates[word[0]]
            low, high, _ = ZONES[("masked", "random", "unchanged").index(fate)]
            assert low <= x < high
            fates.add(fate)
    assert len(fates) == 3


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_title_axes_zones_and_words_are_on_the_page_and_in_the_file(runs, mode):
    view, record = of(runs, 2)
    plot = view.show(record)
    layout, drawing = plot.figure(mode).layout, plot.drawing(mode)
    assert layout.title.text == plot.title
    assert layout.xaxis.title.text == plot.x.title == "the random number, from 0 to 1"
    assert layout.yaxis.title.text == plot.y.title == "chosen words, in order"
    for words in (*plot.y.categories, *(zone.label for zone in plot.zones)):
        assert words in drawing
    assert list(layout.yaxis.ticktext) == plot.y.categories


def test_words_are_named_in_the_order_of_their_draw(runs):
    view, record = of(runs, 2)
    plot = view.show(record)
    names = [record.word(word) for word in record.chosen]
    assert plot.y.categories == [f"{n} {name}" for n, name in enumerate(names)]
    table = rows(view, record)
    assert table[0] == ["chosen as", "word", "dice", "fate"]
    assert [line[1] for line in table[1:]] == names
    assert [float(line[2]) for line in table[1:]] == [*plot.series[0].x]
    for name in names:
        assert f"the random number of “{name}” is " in plot.alt
