"""Merges as they are learnt, and a word from its bytes to its tokens."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest

from core.errors import EmptyInputError
from core.figures.theme import PALETTES
from core.show import show
from core.views.text import merges
from core.views.text.merges import NEVER
from core.views.text.tokens import CORPUS
from tests.views.records import drawn, rows, shown, written
from tests.views.text.conftest import FRENCH

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


NAME, TEXT = "text.encode", "The cat told the dog a story."


def check_ladders(view, record, tokenizer) -> None:
    """They go from bytes to tokens, by the lowest place in the list each time."""
    found = view.show(record).payload().header
    pieces = found["pieces"]
    for word, at in zip(record.words, found["of"], strict=True):
        ladder = found["ladders"][at]
        first, last = ladder["rows"][0], ladder["rows"][-1]
        assert len(first["symbols"]) == len(word.encode()) == ladder["bytes"]
        assert last["symbols"] == tokenizer.encode(word, special=False)
        for row, following in pairwise(ladder["rows"]):
            assert sum(pieces[str(i)]["bytes"] for i in row["symbols"]) == ladder["bytes"]
            known = [rank for rank in row["ranks"] if rank is not None]
            # The pair with the lowest place in the list is joined, where it stands first.
            assert following["joined"]["rank"] == min(known)
            assert row["ranks"][following["joined"]["at"]] == min(known)
        assert all(rank is None for rank in last["ranks"])
    assert record.counts == [len(found["ladders"][at]["rows"]) for at in found["of"]]


def test_ladders_go_from_bytes_to_tokens(runs, gpt):
    check_ladders(*shown(runs, NAME, text=TEXT, word="1"), gpt.tokenizer)


def test_a_machine_that_translates_has_merges_of_both_languages(joint_runs):
    view, record = shown(joint_runs, NAME, model="transformer", text=FRENCH)
    tokenizer = joint_runs.model("transformer").tokenizer
    check_ladders(view, record, tokenizer)
    # Marks take the first ids: the bytes begin behind them.
    assert min(i for rungs in record.rungs.values() for i in rungs[0].symbols) >= 3


def test_a_word_can_be_put_together_by_the_learnt_code(runs):
    _view, own = shown(runs, NAME, code="learnt", corpus="the the the", merges="1", text="the")
    assert own.code.vocabulary[-1] in (b"th", b"he")
    assert [len(rung.symbols) for rung in own.rungs["the"]] == [3, 2]


def test_a_model_without_merges_takes_learnt_ones(runs):
    for code in ("model", "learnt"):
        _view, own = shown(runs, NAME, model="bert", code=code, corpus="the the", text="the")
        assert [len(rung.symbols) for rung in own.rungs["the"]] == [3, 2, 1]


def test_no_text_at_all_is_the_users_error(runs):
    with pytest.raises(EmptyInputError):
        shown(runs, NAME, text="")


def test_a_very_long_word_is_drawn_in_part_and_says_so(runs, monkeypatch):
    monkeypatch.setattr(merges, "MAX_BYTES", 8)
    view, record = shown(runs, NAME, text="aaaaaaaéa")  # é would be cut in two
    ladder = view.show(record).payload().header["ladders"][0]
    assert ladder["bytes"] == 7
    assert "first 7 of its 10 bytes" in ladder["note"]
    assert ladder["note"] in written(view, record)


def test_the_table_has_the_word_that_is_selected_and_how_far_every_word_goes(runs):
    view, record = shown(runs, NAME, text=TEXT, word="1")
    values, rungs = view.values(record), record.shown
    table = rows(view, record)
    assert table[0] == ["row", "merge", "symbols"]
    for at, rung in enumerate(rungs):
        rank = "" if rung.joined is None else str(rung.joined.rank)
        assert table[1 + at] == [str(at), rank, " | ".join(map(record.label, rung.symbols))]
        known = [rank for rank in values["rank"].array[at] if rank is not None]
        assert known == [rank for rank in rung.ranks if rank is not None]
    assert values["n_merges"].array.tolist() == [count - 1 for count in record.counts]
    assert values["n_symbols"].value == len(rungs[-1].symbols)


@pytest.mark.parametrize("join", ["0", "1", "100000"])
def test_the_file_ends_with_the_row_that_is_shown_and_marks_what_is_joined_next(runs, join):
    view, record = shown(runs, NAME, text=TEXT, word="1", join=join)
    shown_rows = min(int(join), len(record.shown) - 1) + 1
    boxes = [one for one in drawn(view, record, "rect") if one.get("rx")]
    assert len(boxes) == sum(len(rung.symbols) for rung in record.shown[:shown_rows])
    bold = [one for one in drawn(view, record, "text") if one.get("font-weight") == "700"]
    joined = [rung.joined.rank for rung in record.shown[1 : shown_rows + 1]]
    assert [one.text for one in bold] == [f"{rank:,}" for rank in joined]
    assert {one.get("fill") for one in bold} <= {PALETTES["light"].accent}


def test_the_stepper_goes_as_far_as_the_word_does(runs):
    view, record = shown(runs, NAME, text=TEXT, word="1", join="1")
    stepper = view.steps(record)
    assert stepper.n_by == {"field": "word", "first": 1, "counts": record.counts}
    assert stepper.payload().header["selection"] == {"word": 1, "join": 1, "merge": 10}
    view, record = shown(runs, NAME, text="a")
    assert view.steps(record) is None
