"""One row of the mask on the tokens: hidden ones, the leaky ones, padding."""

from __future__ import annotations

import numpy as np

from core.views.masks.run import PAD_LABEL
from tests.views.records import drawn, shown, written


def test_what_is_hidden_is_hatched_and_the_rest_has_its_weight(runs):
    view, record = shown(runs, "masks.strip", mask="window:2", token="4")
    strip = view.show(record)
    np.testing.assert_array_equal(strip.heat, record("weights"))
    np.testing.assert_array_equal(strip.may, record.mask)
    assert strip.title == "What “sat” may attend to".replace("sat", record.queries.words[4])
    assert strip.payload().header["labels"]["strip"] == "Tokens"  # whoever is selected
    texts = written(view, record)
    n = len(record.queries.labels)
    assert texts.count("masked") == n - 2
    hatched = [one for one in drawn(view, record, "rect") if one.attrib["fill"] == "url(#h)"]
    assert len(hatched) == n - 2


def test_a_token_that_sees_its_answer_is_marked(runs):
    view, record = shown(runs, "masks.strip", mask="none")
    n = record.queries.n
    assert list(view.show(record).marked) == list(range(n - 1))
    view, record = shown(runs, "masks.strip", mask="none", model="bert")
    assert list(view.show(record).marked) == []


def test_padding_has_its_own_chip_and_reading(runs):
    view, record = shown(runs, "masks.strip", mask="padding", batch="The dog")
    strip, n = view.show(record), record.queries.n
    assert {chip.label for chip in strip.tokens[n:]} == {PAD_LABEL}
    assert "padding" in strip.tokens[n].title
    assert "thrown away" in str(strip.readings[n])
    assert len(strip.readings) == len(strip.tokens)
