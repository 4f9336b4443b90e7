"""What is put behind each [MASK]: its rows are pieces, and nothing hidden is no crash."""

from __future__ import annotations

import numpy as np
import pytest

from core.figures.payload import unpack
from tests.views.records import rows, shown, written

TEXT = "The cat told the dog a story."


def of(runs, **values):
    """The view and its record."""
    return shown(runs, "masked.each", **{"text": TEXT, "model": "bert", **values})


def test_the_rows_of_each_mask_are_its_pieces(runs):
    view, record = of(runs, hide="1,4")
    payload = unpack(view.show(record).payload().pack())
    (sheet,) = payload.header["sheets"]
    assert sheet["rows"]["ids"] == [2, 5]
    assert sheet["cols"]["labels"] == ["1", "2", "3", "4", "5"]  # by how likely they are, ...
    assert not set(sheet["cols"]["labels"]) & set(written(view, record))  # ... which goes unsaid
    for row, mask in zip(payload.arrays["probs"], record.run.masks, strict=True):
        assert row == pytest.approx(mask.probs[:5], rel=1e-6)


def test_every_piece_of_every_gap_is_in_the_table(runs):
    view, record = of(runs, hide="1,4", token="5")
    values = view.values(record)
    assert values["original"].array.tolist() == ["cat", "dog"]
    for at, mask in enumerate(record.run.masks):
        assert values["original_probability"].array[at] == mask.prob
        assert values["original_rank"].array[at] == mask.rank
        np.testing.assert_array_equal(values["probability"].array[at], mask.probs)
        assert values["piece"].array[at].tolist() == [t.label for t in mask.tokens]
    assert values["probability"].value == record.run.masks[1].probs[0]  # of the gap looked at
    table = rows(view, record)
    assert table[0] == ["position", "hidden piece", "its probability", "its rank"]
    assert [line[:2] for line in table[1:3]] == [["2", "cat"], ["5", "dog"]]
    assert ["position", "rank", "piece", "probability"] in table


def test_a_typed_mask_hides_no_word_that_is_known(runs):
    view, record = of(runs, text="The [MASK] sat", hide="none")
    values = view.values(record)
    assert values["original"].array.tolist() == [""]
    assert np.isnan(values["original_rank"].array).all()
    assert "2 [MASK]" in written(view, record)


def test_the_words_in_the_cells_are_in_the_file(runs):
    view, record = of(runs, hide="1,4")
    texts = written(view, record)
    for mask in record.run.masks:
        assert {token.label for token in mask.tokens[:5]} <= set(texts)


def test_nothing_hidden_is_an_empty_matrix_that_says_so(runs):
    view, record = of(runs, hide="none")
    assert str(view.describe(record)) == "nothing is hidden."
    assert view.absent(record)  # on a page
    matrix = view.show(record)
    payload = unpack(matrix.payload().pack())
    assert payload.arrays["probs"].shape == (0, 5)
    assert "".join(part for part, _role in payload.header["sheets"][0]["axes"]) == matrix.alt
    assert matrix.alt in written(view, record)
    assert view.values(record)["probability"].array.size == 0
    assert rows(view, record) == [
        ["position", "hidden piece", "its probability", "its rank"],
        [],
        ["position", "rank", "piece", "probability"],
    ]
