"""The gap from both sides beside the gap from the left: both bars, and how they came about."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.decoding.words import MAX_PIECES
from core.figures.payload import unpack
from core.figures.text import percent
from core.figures.values import to_csv
from core.views.masked.beside import N_ROWS
from tests.views.records import rows, shown, written

TEXT = "The cat told the dog a story."


def of(runs, **values):
    """The view and its record."""
    return shown(runs, "masked.beside", **{"text": TEXT, "model": "bert", **values})


def payload_of(view, record):
    """As the browser gets it."""
    return unpack(view.show(record).payload().pack())


def test_both_bars_of_a_word_are_the_two_probabilities(runs):
    view, record = of(runs, hide="4")
    payload = payload_of(view, record)
    (frame,) = payload.header["frames"]
    both, left = payload.arrays["probs"][0]
    by_text = {candidate.text: candidate for candidate in record.run.candidates}
    assert len(frame["rows"]) == len(by_text) == len(both)
    for row, p, q in zip(frame["rows"], both, left, strict=True):
        candidate = by_text[row["id"]]
        assert p == pytest.approx(candidate.both, nan_ok=True)
        assert q == pytest.approx(candidate.left)
        assert row["chosen"] == candidate.hidden
    # The hidden word is never folded away.
    assert [row["chosen"] for row in frame["rows"]].index(True) < payload.header["limit"]


def test_a_word_that_is_named_is_among_the_rows_that_are_seen(runs):
    view, record = of(runs, text="The untranslatability of saudade bothers linguists", hide="3")
    named = {one.text for one in (record.truth, record.best("both"), record.best("left"))}
    seen = view.show(record).frames[0].rows[:N_ROWS]
    assert len(named) == 3
    assert named <= {row.id for row in seen}


def test_the_product_stands_in_the_hover(runs):
    view, record = of(runs, text="The cat told Lothlorien", hide="3")
    row = next(one for one in view.show(record).frames[0].rows if one.chosen)
    truth = next(candidate for candidate in record.run.candidates if candidate.hidden)
    for spelling in truth.spellings:
        assert percent(spelling.prob) in row.titles[1]
        assert row.titles[1].count(" × ") >= len(spelling.pieces)


def test_a_word_that_does_not_fit_the_gap_says_so(runs):
    view, record = of(runs, text="The cat told Lothlorien", hide="3")
    titles = {row.id: row.titles[0] for row in view.show(record).frames[0].rows}
    unfit = [c.text for c in record.run.candidates if math.isnan(c.both)]
    assert unfit
    assert all("pieces long" in titles[text] for text in unfit)


@pytest.mark.parametrize("hide", ["1", "none"])
def test_a_word_too_long_for_the_causal_model_is_said_to_be_so(runs, hide):
    view, record = of(runs, text="The " + "l" * 20, hide=hide, token="2")
    n = max(len(spelling.pieces) for spelling in record.truth.spellings)
    assert n > MAX_PIECES
    payload = payload_of(view, record)
    (frame,) = payload.header["frames"]
    at = next(at for at, row in enumerate(frame["rows"]) if row["chosen"])
    assert np.isnan(payload.arrays["probs"][0, 1, at])
    assert f"needs {n} tokens" in frame["rows"][at]["titles"][1]
    assert "GPT needs too many tokens for this word" in frame["note"]
    assert "nan" not in to_csv(view.values(record)).lower()


def test_both_series_are_in_the_file_with_their_note(runs):
    view, record = of(runs, hide="4")
    bars, texts = view.show(record), written(view, record)
    assert {series.label for series in bars.series} <= set(texts)
    assert {row.label for row in bars.frames[0].rows} <= set(texts)
    assert bars.frames[0].note in texts
    for of_model in ("both", "left"):
        assert percent(getattr(record.best(of_model), of_model)) in texts


def test_every_word_is_in_the_table(runs):
    view, record = of(runs, hide="4")
    table = rows(view, record)
    assert table[0] == ["word", "hidden word", "bert", "gpt", "spellings"]
    for line, word in zip(table[1:], record.run.candidates, strict=False):
        assert line[0] in (word.text, f"'{word.text}")
        assert line[1] == str(word.hidden)
        found = [float(cell or "nan") for cell in line[2:4]]
        assert found == pytest.approx([word.both, word.left], rel=1e-12, nan_ok=True)
        assert line[4].count(": ") >= len(word.spellings)
    assert view.values(record)["covered"].array.tolist() == list(record.run.covered)
    assert view.values(record)["both"].value == record.truth.both
