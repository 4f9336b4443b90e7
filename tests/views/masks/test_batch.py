"""A padded batch: a row a sentence, and an end to how many."""

from __future__ import annotations

from core.views.masks.run import PAD_LABEL
from tests.views.records import rows, shown, written


def test_the_batch_has_a_row_a_sentence_and_stops_somewhere(runs):
    view, record = shown(runs, "masks.batch", mask="padding", batch="a\n\n  \nb\nc\nd\ne\nf")
    assert len(record.run.batch) == 5
    _head, *table = rows(view, record)
    assert {row[0] for row in table} == {"0", "1", "2", "3", "4"}


def test_padding_is_saved_as_such_and_called_so(runs):
    view, record = shown(runs, "masks.batch", mask="padding", batch="a")
    head, *table = rows(view, record)
    assert head == ["sentence", "position", "token", "padding"]
    assert {row[3] for row in table if row[2] == PAD_LABEL} == {"1"}
    assert {row[3] for row in table if row[2] != PAD_LABEL} == {"0"}
    assert written(view, record).count(PAD_LABEL) == sum(row[3] == "1" for row in table)
    (sheet,) = view.show(record).payload().header["sheets"]
    assert [one["label"] for one in sheet["categories"]] == ["padding", "token"]
    assert "mask" not in sheet  # hatched cells are masked ones, and these are not masked yet


def test_without_a_batch_there_is_one_row(runs):
    view, record = shown(runs, "masks.batch")
    assert record.real.shape == (1, len(record.run.trace.tokens))
    assert str(view.describe(record)).startswith("1 sentences of")
