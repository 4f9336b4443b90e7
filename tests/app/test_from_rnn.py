"""The walk from the RNN to the Transformer: what it opens on, and each of its steps."""

from __future__ import annotations

import pytest

from core.data.examples import STOPS, TRANSLATED, WALK
from tests.app.answered import figure, figures, words
from tests.app.test_pages import as_shown, check, headers, opened
from tests.app.test_state import values

FILE = "machines/from_rnn.py"


def said(app) -> str:
    return " ".join(one.value for one in app.markdown)


def written(app) -> list[str]:
    """What each machine writes, a line each."""
    return [words(text) for shown in figures(app) for kind, text in shown.said.get("notes", ())
            if shown.spec["view"] == "stops.sentence" and kind in shown.spec["notes"]]  # fmt: skip


def cost(app) -> str:
    """What is said of the losses of the machines."""
    return words(figure(app, "stops.sentence").said["reading"])


def test_it_opens_on_a_long_sentence_and_says_what_every_machine_writes():
    app = opened(FILE)
    check(app)
    assert values(app)["text"] == WALK
    assert [one.partition(":")[0] for one in written(app)] == [
        "RNN", "RNN + attention", "RNN + self-attention", "Causal encoder", "Transformer",
    ]  # fmt: skip
    text = said(app)
    assert text.count(" tokens read") == len(STOPS)
    assert "Step 4: no mask in the encoder" in text
    assert "The reference costs Transformer" in cost(app)
    (strip,) = headers(app, "map")
    lit = [[part["id"] for part in line["parts"] if part["lit"]] for line in strip["lines"]]
    assert lit == [["weights"], []]  # of the encoder, as the figure's title says
    assert not [one.refused for one in figures(app) if one.answer is None]


@pytest.mark.parametrize(
    ("model", "step", "view"),
    [("rnn", "The start: a fixed state", "recurrent.gradient"),
     ("rnn_self", "Step 2: self-attention", "stops.new")],
)  # fmt: skip
def test_a_step_shows_what_is_new_there(model, step, view):
    app = opened(FILE)
    (choice,) = [one for shown in figures(app) for one in shown.controls if one["name"] == "model"]
    assert [one for one, _name in choice["options"]] == [*STOPS]
    app = opened(FILE, model=model)
    check(app)
    assert values(app)["model"] == model
    assert step in said(app)
    assert figure(app, view).answer is not None


def test_what_is_new_in_the_decoder_is_seen_on_the_reference():
    for query, n in (({}, len(TRANSLATED[WALK].split())), ({"reference": "Sea."}, 1)):
        app = opened(FILE, model="rnn_self", **query)
        check(app)
        answer = figure(app, "stops.new").answer
        assert answer is not None
        (sheet,) = answer.header["sheets"]
        labels = "".join(sheet["rows"]["labels"][1:])
        assert labels.count("·") >= n - 1
        assert ("Sea" in labels) == bool(query)


def test_additive_attention_is_shown_beside_dot_products_whatever_machine_is_looked_at():
    for model in ("rnn", "transformer"):
        app = opened(FILE, model=model)
        check(app)
        target = figure(app, "stops.target")
        assert (target.spec["scope"], target.spec["saves"]) == ("s", False)
        assert "as the decoder of RNN + attention reads it" in words(
            target.answer.header["heading"])  # fmt: skip
        bars = figure(app, "stops.scores")
        assert bars.spec["scope"] == "s"
        assert [one["label"] for one in bars.answer.header["series"]] == [
            "additive: RNN + attention", "dot-product: Transformer"]  # fmt: skip


def test_all_machines_are_measured_whatever_machine_is_looked_at():
    app = opened(FILE, model="gpt")
    check(app)
    assert "GPT cannot translate" in app.info[0].value
    assert "Transformer" in words(figure(app, "stops.lengths").said["reading"])
    pace = figure(app, "stops.pace")
    assert "core/runs/kinds/translation.py" in pace.said["source"]


def test_a_link_brings_a_sentence_without_reference_and_machines_that_do_not_translate():
    app = opened(FILE, text="Le <b>chien</b> dort.", reference="", stops="rnn gpt qwx")
    check(app)
    (asked,) = (as_shown(one.value) for one in app.warning)
    assert "asks for “Machines” = “rnn gpt qwx”. It must be some of " in asked
    assert asked.endswith("so “rnn” is used.")
    assert values(app)["stops"] == "rnn"
    assert "Write a reference" in cost(app)
    (field,) = [one for one in figure(app, "stops.sentence").controls if one["kind"] == "line"]
    assert (field["name"], field.get("placeholder")) == ("reference", None)
