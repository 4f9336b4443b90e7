"""Surprise: the numbers under the tokens, of those that are there."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.distributions import surprisal
from core.figures.theme import PALETTES
from core.spelling import visible
from core.tracing import trace_run
from tests.views.records import drawn, header, rows, shown

TEXT = "The cat sat on the"


@pytest.mark.parametrize("made", [0, 3, 200])
def test_the_data_of_the_strip_are_the_tokens_that_it_shows(runs, gpt, made):
    view, record = shown(runs, "predict.surprisal", text=TEXT, new="5", made=str(made))
    n_prompt, n_made = len(gpt.tokens(TEXT)), min(made, 5)
    table = rows(view, record)
    assert table[0][:4] == ["position", "token", "from", "bits"]
    assert [line[2] for line in table[1:]] == ["text"] * n_prompt + ["model"] * n_made
    for at, line in enumerate(table[2:], 1):
        assert float(line[3]) == pytest.approx(record.bits[at])
    assert table[1][3] == ""  # nothing stands before the first
    chips = [one for one in drawn(view, record, "rect") if one.get("rx")]
    assert len(chips) == n_prompt + n_made


def test_the_numbers_under_the_tokens_have_a_heading(runs):
    found = header(runs, "predict.surprisal", text=TEXT)
    assert "in bits" in "".join(words for words, _role in found["heading"])


def test_the_bits_are_those_of_the_run(runs, gpt):
    _view, record = shown(runs, "predict.surprisal", text=TEXT, new="2")
    trace = trace_run(gpt, TEXT)
    own = surprisal(trace["logits"], trace.ids)
    np.testing.assert_allclose(record.bits[1 : record.n_prompt], own, rtol=1e-6)


def test_what_the_model_made_has_another_edge_in_the_file_too(runs):
    view, record = shown(runs, "predict.surprisal", text=TEXT, new="4", made="3", token="0")
    assert [chip.kind.endswith("born") for chip in view.show(record).tokens].count(True) == 4
    edges = [one.get("stroke") for one in drawn(view, record, "rect") if one.get("rx")]
    accent = PALETTES["light"].accent
    assert edges.count(accent) == 1 + 3  # the selected one, and those that are there


def test_the_token_that_is_looked_at_is_read(runs):
    view, record = shown(runs, "predict.surprisal", text=TEXT, token="3")
    strip = view.show(record)
    assert strip.chosen() == 3
    assert view.values(record)["bits"].value == record.bits[3]
    reading = str(strip.readings[3])
    texts = " ".join(one.text for one in drawn(view, record, "text"))
    assert reading in texts


@pytest.mark.parametrize("made", [0, 3])
def test_what_was_written_is_read_as_one_text(runs, gpt, made):
    view, record = shown(runs, "predict.surprisal", text=TEXT, new="4", made=str(made))
    ids = [token.id for token in record.tokens[: record.n_prompt + made] if not token.special]
    whole = gpt.tokenizer.decode(ids).strip() if made else ""
    assert view.show(record).so_far().split() == [visible(word) for word in whole.split()]


@pytest.mark.parametrize("token", ["7", "99999"])
def test_a_token_beyond_the_text_is_the_last_one(runs, token):
    view, record = shown(runs, "predict.surprisal", text="a", token=token)
    strip = view.show(record)
    assert strip.chosen() == len(record.tokens[: record.n_shown]) - 1
    assert strip.selection["token"] == strip.chosen()
    assert view.values(record)["bits"].selected == (strip.chosen(),)


def test_one_token_says_that_nothing_was_predicted(runs):
    view, record = shown(runs, "predict.surprisal", text="")
    assert str(view.describe(record)) == ("There is only one token: nothing was predicted yet.")
