"""The worked example: the right rows, and where lecture notes print something else."""

from __future__ import annotations

import pytest

from core.figures.text import MINUS
from core.views.masks.worked import PRINTED_WEIGHTS
from tests.views.records import drawn, rows, shown, written


@pytest.fixture
def worked(runs):
    return shown(runs, "masks.worked")


def test_the_worked_example_has_the_right_rows(worked):
    view, record = worked
    rounded = record.weights.round(3).tolist()
    assert rounded[2] == [0.0, 0.269, 0.731, 0.0]
    assert rounded[3] == [0.005, 0.002, 0.726, 0.267]
    payload = view.show(record).payload()
    assert payload.header["sheets"][2]["texts"][2][:3] == ["< 0.001", "0.269", "0.731"]
    assert payload.header["sheets"][1]["masked_text"] == f"{MINUS}∞"
    assert payload.header["sheets"][2]["masked_text"] == "0"
    assert "0.269" in str(view.describe(record))


def test_errata_are_the_rows_that_are_wrong_and_no_others(worked):
    view, record = worked
    notes = view.notes(record)
    assert {note.kind for note in notes} == {"erratum"}
    said = [str(note.text) for note in notes]
    assert "kicked" in said[0]
    assert "0.356" in said[0]
    assert "0.000, 0.269, 0.731" in said[0]
    assert "“the”" in said[1]
    assert "0.005, 0.002, 0.726, 0.267" in said[1]
    assert not any("John" in line for line in said)
    assert "j ≤ i" in said[3]
    assert "0, 1, 2" in said[3]
    # The slides' own rows do not come from their scores, whichever way one rounds.
    assert abs(PRINTED_WEIGHTS[2][1] - record.weights[2, 1]) > 0.05


def test_the_worked_example_is_exported(worked):
    view, record = worked
    assert drawn(view, record, "rect")
    _head, *table = rows(view, record)
    assert len(table) == 16
    view.show(record).payload().pack()


@pytest.mark.parametrize("stage", range(3))
def test_the_stage_that_is_shown_is_saved(runs, stage):
    """Not always the weights."""
    view, record = shown(runs, "masks.worked", stage=str(stage))
    texts = written(view, record)
    assert ("10.0" in texts) == (stage < 2)
    assert texts.count(f"{MINUS}∞") == (6 if stage == 1 else 0)
    assert ("0.731" in texts) == (stage == 2)
    hatched = [one for one in drawn(view, record, "rect") if one.attrib["fill"] == "url(#h)"]
    assert len(hatched) == (6 if stage else 0)
    # A live figure opens on the chosen cell.
    assert view.show(record).selection == {"row": 2, "col": 1, "stage": stage}
