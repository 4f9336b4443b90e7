"""What the training text costs as merges are learnt, by hand."""

from __future__ import annotations

from math import log2

import pytest

from tests.views.records import drawn, rows, shown, written

NAME = "text.code"


def test_costs_by_hand(runs):
    # "aaaa": bytes a a a a, then aa aa, then aaaa.
    _view, record = shown(runs, NAME, corpus="aaaa", merges="2", merge="1")
    assert record.fixed == pytest.approx([8.0 * 4 / 4, log2(257) * 2 / 4, log2(258) / 4])
    assert record.ideal == pytest.approx([0, 0, 0])
    assert record.characters == 0
    assert record.huffman == 1
    assert record.tokens_per_word == 2
    _view, record = shown(runs, NAME, corpus="ab", merges="1", merge="0")
    assert record.ideal == pytest.approx([1, 0])
    assert record.characters == pytest.approx(1)


def test_the_table_has_both_codes_after_every_merge_and_both_of_characters(runs):
    view, record = shown(runs, NAME, corpus="low low lower", merges="3", merge="1")
    table = rows(view, record)
    assert table[0] == ["merges", "fixed length", "ideal code"]
    for step, line in enumerate(table[1:5]):
        assert line == [str(step), str(record.fixed[step]), str(record.ideal[step])]
    values = view.values(record)
    assert values["fixed"].value == record.fixed[1]
    assert values["huffman"].value == record.huffman
    assert [str(record.huffman), str(record.characters)] == table[-1][:2]


def test_the_plot_has_four_lines_and_the_merge_that_is_shown(runs):
    view, record = shown(runs, NAME, corpus="low low lower", merges="3", merge="2")
    figure = view.show(record).figure("light")
    assert [line.name for line in figure.data] == [
        "tokens, fixed length", "tokens, ideal code", "characters, Huffman", "characters, entropy",
    ]  # fmt: skip
    assert [line.line.dash for line in figure.data] == ["solid", "solid", "dash", "dot"]
    assert figure.layout.shapes[0].x0 == figure.layout.shapes[0].x1 == 2
    assert figure.layout.xaxis.title.text == "merges"
    assert "characters, Huffman" in written(view, record)
    assert drawn(view, record, "path") or drawn(view, record, "polyline")


def test_another_method_has_its_own_code(runs):
    few = {"corpus": "low low lower", "merges": "3", "merge": "1"}
    _view, byte_pairs = shown(runs, NAME, **few)
    view, pieces = shown(runs, NAME, **few, cutting="wordpiece")
    # l, ##o, ##w, ##e and ##r; nothing is written for the two spaces.
    assert pieces.fixed[0] == pytest.approx(log2(5) * 11 / 13)
    assert byte_pairs.fixed[0] == pytest.approx(8)
    assert "After 1 merge" in str(view.describe(pieces))
    view, rounds = shown(runs, NAME, pieces="40", round="1", cutting="unigram")
    assert "In round 1 a word is" in str(view.describe(rounds))
    assert view.show(rounds).figure("light").layout.xaxis.title.text == "rounds"
    assert len(rounds.fixed) == len(rounds.ideal) > 2
    assert (rounds.ideal < rounds.fixed).all()
