"""The merges as they are learnt: pairs, the training text, and the entries."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest

from core.figures.theme import PALETTES
from core.show import show
from core.views.text.corpus import NEVER
from core.views.text.tokenizing import CORPUS
from tests.views.records import drawn, rows, shown, written

LOW = {"corpus": "low low lower newest", "merges": "6"}


def test_when_nothing_is_left_to_merge_it_is_said(runs):
    view, record = shown(runs, "text.pairs", corpus="low low", merges="200", merge="200")
    *before, last = view.show(record).payload().header["frames"]
    assert last["rows"] == []
    assert last["note"] == "No pair is left to merge: every word is one symbol."
    assert all(frame["rows"] and not frame["note"] for frame in before)
    assert last["note"] in written(view, record)


def test_pairs_corpus_and_entries_tell_the_same_story(runs):
    view, record = shown(runs, "text.pairs", **LOW, merge="2")
    payload = view.show(record).payload()
    frames, counts = payload.header["frames"], payload.arrays["probs"]
    code = record.learning.code
    for step, merge in enumerate(code.merges):
        assert frames[step]["rows"][0]["chosen"]
        assert counts[step, 0, 0] == merge.count
        assert frames[step]["rows"][0]["id"] == f"{merge.left} {merge.right}"
    view, record = shown(runs, "text.corpus", **LOW, merge="2")
    payload = view.show(record).payload()
    life, chips = payload.arrays["life"], payload.header["tokens"]
    for step in range(len(code.merges) + 1):
        alive = (life[:, 0] <= step) & (step < life[:, 1])
        assert alive.sum() == sum(
            len(split) for split in (_split(code, word, step) for word in record.learning.words)
        )
        by_word: dict[int, str] = {}
        for chip, living in zip(chips, alive, strict=True):
            if living:
                by_word[chip["word"]] = by_word.get(chip["word"], "") + chip["label"]
        assert list(by_word.values()) == [
            word.text.replace(" ", "·") for word in record.learning.words
        ]
    assert (life[:, 1] == NEVER).any()
    view, record = shown(runs, "text.learnt", **LOW, merge="2")
    entries = view.show(record).payload().header["tokens"]
    assert len(entries) == len(code.merges)
    assert entries[0]["label"] == record.label(code.merges[0].new)


def _split(code, word, step):
    *_, last = replace(code, merges=code.merges[:step]).encode_word(word.text)
    return last.symbols


def test_counts_of_words_stand_behind_their_last_symbol(runs):
    view, record = shown(runs, "text.corpus", corpus="low low low", merges="3", merge="0")
    payload = view.show(record).payload()
    life, notes = payload.arrays["life"], payload.header["notes"]
    for step in range(4):
        there = [
            note for note, (born, gone) in zip(notes, life, strict=True) if born <= step < gone
        ]
        assert [note for note in there if note] == ["×2"]  # " low" twice; "low" stands once


def test_an_empty_corpus_falls_back_to_the_example(runs):
    _view, record = shown(runs, "text.learnt", corpus="  \n", merges="5")
    assert record.learning.text == CORPUS
    _view, asked = shown(runs, "text.learnt", corpus="ab", merges="5", merge="150")
    assert asked.step == asked.n_merges == 1


@pytest.mark.parametrize("name", ["text.pairs", "text.corpus", "text.learnt"])
def test_each_of_them_has_the_steps_with_what_every_merge_did(runs, name):
    view, record = shown(runs, name, **LOW, merge="2")
    stepper = view.steps(record)
    assert (stepper.n, stepper.first, stepper.field) == (record.n_merges + 1, 2, "merge")
    assert [*map(str, stepper.texts)] == [str(record.done(step)) for step in range(stepper.n)]
    assert stepper.payload().header["selection"]["merge"] == 2
    assert str(stepper.texts[2]).startswith("Merge 2: ")  # beside "2 of 6"
    view, record = shown(runs, name, corpus="a")
    assert view.steps(record) is None


def test_every_pair_of_every_state_is_in_the_table(runs):
    view, record = shown(runs, "text.pairs", **LOW, merge="2")
    table = rows(view, record)
    assert table[0] == ["state", "rank", "left", "right", "count"]
    wanted = [
        [str(step), str(at), record.label(pair.left), record.label(pair.right), str(pair.count)]
        for step, pairs in enumerate(record.learning.pairs)
        for at, pair in enumerate(pairs)
    ]
    assert [line for line in table[1:] if line[-1]] == wanted
    assert view.values(record)["count"].value == record.learning.pairs[2][0].count


def test_every_word_and_entry_is_in_the_tables(runs):
    many = " ".join(chr(97 + n % 26) * (1 + n // 26) for n in range(80))
    view, record = shown(runs, "text.corpus", corpus=many, merges="3", merge="1")
    table = rows(view, record)
    assert table[0] == ["word", "count", "symbols"]
    assert len(view.show(record).payload().header["lines"]) == 1  # not all are drawn
    words = record.learning.words
    assert len(words) == 80
    assert [line[0] for line in table[1:81]] == [word.text.replace(" ", "·") for word in words]
    assert view.values(record)["n_symbols"].value == record.learning.n_tokens[1]
    view, record = shown(runs, "text.learnt", corpus=many, merges="3", merge="1")
    table = rows(view, record)
    assert table[0] == ["merge", "left", "right", "new", "id", "count"]
    assert [line[3] for line in table[1:]] == [
        record.label(merge.new) for merge in record.learning.code.merges
    ]


def test_the_file_has_what_there_is_at_this_step(runs):
    view, record = shown(runs, "text.corpus", corpus="low low low", merges="3", merge="1")
    edges = [one for one in drawn(view, record, "rect") if one.get("rx")]
    life = view.show(record).payload().arrays["life"]
    assert len(edges) == int(((life[:, 0] <= 1) & (life[:, 1] > 1)).sum())
    # What this merge made has the accent's edge, what the next one takes is dashed.
    palette = PALETTES["light"]
    fresh = int(((life[:, 0] == 1) & (life[:, 1] > 1)).sum())
    assert sum(one.get("stroke") == palette.accent for one in edges) == fresh > 0
    taken = int(((life[:, 0] <= 1) & (life[:, 1] == 2)).sum())
    assert sum(one.get("stroke-dasharray") is not None for one in edges) == taken > 0
    view, record = shown(runs, "text.learnt", corpus="low low low", merges="3", merge="1")
    assert len([one for one in drawn(view, record, "rect") if one.get("rx")]) == 1


@pytest.mark.parametrize("merge", ["0", "3", "200"])
def test_the_bars_of_the_file_are_those_of_the_step(runs, merge):
    view, record = shown(runs, "text.pairs", **LOW, merge=merge)
    pairs = record.learning.pairs[record.step]
    labels = [f"{record.label(pair.left)} + {record.label(pair.right)}" for pair in pairs]
    words = written(view, record)
    assert [line for line in words if " + " in line] == labels
    assert np.all([f"{pair.count}" in words for pair in pairs])
    (title,) = drawn(view, record, "title")
    root = ElementTree.fromstring(view.show(record).drawing("light"))
    assert float(root.get("width")) > 8 * len(title.text)  # it is whole


def test_words_stand_apart_in_the_file_and_whole_on_a_line(runs):
    many = " ".join(chr(97 + n % 26) * (1 + n // 26) for n in range(80))
    view, record = shown(runs, "text.corpus", corpus=many, merges="1", merge="0")
    strip = view.show(record)
    boxes = [one for one in drawn(view, record, "rect") if one.get("rx") == "5"]
    there = [chip for index, chip in enumerate(strip.tokens) if strip.is_there(index)]
    for (before, after), (left, right) in zip(pairwise(there), pairwise(boxes), strict=True):
        gap = float(right.get("x")) - float(left.get("x")) - float(left.get("width"))
        if before.word == after.word:
            assert left.get("y") == right.get("y")
            assert gap < 2
        else:
            assert gap > 4 or left.get("y") != right.get("y")


def test_a_live_file_of_the_merges_names_no_model_and_no_text():
    page = show("text.corpus", corpus="low low").html()
    assert "<p>text.corpus</p>" in page
