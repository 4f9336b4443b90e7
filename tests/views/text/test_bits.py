"""What a character costs under three codes."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest

from core.analysis.distributions import order_0_entropy
from core.errors import AbilityError
from core.inputs import Text
from core.runs.requests import TraceRequest
from tests.views.records import rows, shown, written
from tests.views.text.joint import joint_runs

__all__ = ["joint_runs"]

NAME, TEXT = "text.bits", "The cat told the dog a story."


def test_bits_per_character_are_the_sums_they_claim(runs):
    view, record = shown(runs, NAME, text=TEXT)
    run = runs.get(TraceRequest("gpt", Text(TEXT)))
    logits, ids = run.trace["logits"].astype(np.float64), run.trace.ids
    bits = 0.0
    for at in range(len(ids) - 1):
        p = np.exp(logits[at] - logits[at].max())
        bits -= log2(p[ids[at + 1]] / p.sum())
    assert record.predicted == pytest.approx(bits / len(TEXT), rel=1e-5)
    assert record.characters == pytest.approx(order_0_entropy(TEXT))
    assert record.n_characters == len(TEXT)
    figure = view.show(record).figure("light")
    assert [value for _name, value, _what in record.rows()] == list(figure.data[0].x[::-1])
    assert figure.layout.xaxis.title.text == "bits per character"
    assert figure.layout.yaxis.title.text == "code"


def test_the_table_has_every_code_and_what_it_is(runs):
    view, record = shown(runs, NAME, text=TEXT)
    table = rows(view, record)
    assert table[0] == ["code", "bits per character", "what it measures"]
    for line, (name, bits, what) in zip(table[1:4], record.rows(), strict=True):
        assert line == [name, str(bits), what]
    assert view.values(record)["bits"].value == record.predicted


def test_the_file_names_the_codes(runs):
    view, record = shown(runs, NAME, text=TEXT)
    words = written(view, record)
    assert {"characters", "learned code", "GPT"} <= set(words)


def test_the_readings_say_which_is_less(runs):
    view, record = shown(runs, NAME, text="aaaaaaaaaaaaaaaa")
    assert record.characters == 0
    assert "needs less, 0 per character" in str(view.describe(record))


def test_a_machine_that_translates_does_not_say_how_likely_a_text_is(joint_runs):
    with pytest.raises(AbilityError, match="cannot predict the next token"):
        shown(joint_runs, NAME, model="transformer", text=TEXT)
