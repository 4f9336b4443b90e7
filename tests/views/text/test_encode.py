"""A word from its bytes to its tokens, row by row."""

from __future__ import annotations

from itertools import pairwise

import pytest

from core.errors import EmptyInputError
from core.figures.theme import PALETTES
from core.views.text import encode
from tests.views.records import drawn, rows, shown, written
from tests.views.text.joint import FRENCH, joint_runs

__all__ = ["joint_runs"]

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
    monkeypatch.setattr(encode, "MAX_BYTES", 8)
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
