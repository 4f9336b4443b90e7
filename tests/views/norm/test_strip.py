"""The spread of each token's vector before a norm."""

from __future__ import annotations

import numpy as np

from tests.views.records import rows, shown

ASKED = {"source": "text", "norm": "ln_2", "layer": "1"}


def test_the_numbers_under_the_tokens_say_what_they_are(runs):
    view, record = shown(runs, "norm.strip", **ASKED)
    payload = view.show(record).payload()
    heading = "".join(text for text, _role in payload.header["heading"])
    assert heading == (
        "Spread √σ² (standard deviation) of each token's vector before the LayerNorm at the "
        "feed-forward network"
    )
    spread = record.trace["blocks.1.resid_mid"].astype(float).std(axis=1)
    np.testing.assert_allclose(payload.arrays["heat"], spread, rtol=1e-5)
    head, *lines = rows(view, record)
    assert head == ["token", "position", "mean", "variance", "standard deviation"]
    exported = [float(line[head.index("standard deviation")]) for line in lines]
    np.testing.assert_allclose(exported, spread, rtol=1e-5)
    assert [line[1] for line in lines] == [str(at) for at in range(len(lines))]


def test_it_shows_the_text_though_a_vector_was_typed_in(runs):
    view, record = shown(runs, "norm.strip", source="worked")
    assert record.run is not None
    assert len(view.show(record).tokens) == len(record.trace.tokens)


def test_every_token_has_its_reading(runs):
    view, record = shown(runs, "norm.strip", **ASKED, token="2")
    strip = view.show(record)
    assert len(strip.readings) == len(strip.tokens)
    assert str(strip.readings[2]) == strip.alt == str(view.describe(record))
    mean = record.trace["blocks.1.ln_2.mean"][2, 0]
    assert view.values(record)["mean"].value == mean
