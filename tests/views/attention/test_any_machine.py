"""The same views on a machine that no file of the house knows: a recurrent one that attends."""

from __future__ import annotations

import numpy as np
import pytest

from tests.views.records import header, rows, shown
from tests.views.test_views import check

NAMES = ("attention.weights", "attention.row", "attention.heads", "attention.lines")


@pytest.mark.parametrize("name", NAMES)
def test_a_recurrent_machine_is_shown_like_any_other(name, runs):
    view, record = shown(runs, name, model="rnn")
    check(view, record)


def test_its_rows_are_the_target_and_its_columns_the_source(runs):
    view, record = shown(runs, "attention.weights", model="rnn")
    table = rows(view, record)
    assert table[0][1:] == record.keys
    assert [line[0] for line in table[1:]] == record.queries
    found = np.array([line[1:] for line in table[1:]], np.float32)
    np.testing.assert_array_equal(found, record.trace["decoder.attn.weights"])
    axes = header(runs, "attention.weights", model="rnn")["sheets"][0]["axes"]
    said = "".join(text for text, _role in axes)
    assert said.startswith("rows: queries, target tokens · columns: keys, source tokens")
