"""The walk from the RNN to the Transformer: what it opens on, and each of its steps."""

from __future__ import annotations

import pytest

from core.examples import STOPS, WALK
from tests.app.test_contexts import readings
from tests.app.test_pages import as_shown, check, headers, opened
from tests.app.test_state import link, values

FILE = "machines/from_rnn.py"


def said(app) -> str:
    return " ".join(one.value for one in app.markdown)


def test_it_opens_on_a_long_sentence_and_says_what_every_machine_writes():
    app = opened(FILE)
    check(app)
    assert values(app)["text"] == WALK
    text = said(app)
    assert text.count("- **") == text.count(" tokens read):") == len(STOPS)
    assert "Step 4: no mask in the encoder" in text
    assert "The reference costs Transformer" in readings(app)
    (strip,) = [one for one in headers(app, "map") if one["mode"] == "strip"]
    lit = [[part["id"] for part in line["parts"] if part["lit"]] for line in strip["lines"]]
    assert lit == [["weights"], []]  # of the encoder, as the figure's title says


@pytest.mark.parametrize(
    ("model", "step", "figure"),
    [("rnn", "The start: a fixed state", "token_strip"),
     ("rnn_self", "Step 2: self-attention", "matrix")],
)  # fmt: skip
def test_a_step_shows_what_is_new_there(model, step, figure):
    app = opened(FILE)
    app.segmented_control(key="control-model").set_value(model).run()
    check(app)
    assert link(app)["model"] == model
    assert step in said(app)
    assert headers(app, figure)


def test_a_link_brings_a_sentence_without_reference_and_machines_that_do_not_translate():
    app = opened(FILE, text="Le <b>chien</b> dort.", reference="", stops="rnn gpt qwx")
    check(app)
    (asked,) = (as_shown(one.value) for one in app.warning)
    assert "asks for “Machines” = “rnn gpt qwx”. It must be some of " in asked
    assert asked.endswith("so “rnn” is used.")
    assert values(app)["stops"] == "rnn"
    assert "Write a reference" in readings(app)
