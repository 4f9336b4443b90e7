"""The run of a machine that answers once for its whole text: with a label."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from core.analysis.distributions import softmax
from core.figures.components import Flow
from core.runs.store import Runs
from core.views.map.run import answer_of
from core.views.map.strip import strip_payload
from tests.conftest import loaded, tiny_sorter
from tests.views.records import shown, written

LONG = " ".join(["The cat sat on the mat"] * 5)


@pytest.fixture(scope="module", params=(False, True), ids=("of a text", "of a pair"))
def runs(wordpiece, request) -> Runs:
    model = tiny_sorter(vocab_size=wordpiece.vocab_size, of_pairs=request.param).double()
    return Runs(load=lambda _name, _device: loaded(model, wordpiece))


@pytest.mark.parametrize("text", ["The cat sat", LONG])
def test_the_labels_stand_in_one_row_with_their_shares(runs, text):
    view, record = shown(runs, "map.flow", model="sorter", text=text, token="2")
    shares = softmax(record.whole.trace["classifier.logits"])
    order = np.argsort(-shares)
    assert list(view.values(record)["words"].array) == [("a", "b", "c")[i] for i in order]
    np.testing.assert_allclose(view.values(record)["probabilities"].array, shares[order], atol=1e-6)
    assert f"“{'abc'[order[0]]}”" in str(view.describe(record))
    made = view.show(record)
    assert isinstance(made, Flow)
    payload = made.payload()
    assert payload.header["words"] == [[("a", "b", "c")[i] for i in order]]
    assert payload.arrays["logits"].shape == (1, 3)
    drawing = written(view, record)
    assert {"a", "b", "c", "of the whole text"} <= set(drawing)
    ElementTree.fromstring(made.drawing("dark"))


def test_it_begins_at_the_first_token_and_follows_another(runs):
    _view, record = shown(runs, "map.flow", model="sorter", text="The cat sat")
    assert record.row == 0
    assert record.whole.trace.units[0].label == "[CLS]"
    _view, record = shown(runs, "map.flow", model="sorter", text="The cat sat", token="2")
    assert record.row == 2


def test_its_line_ends_in_labels_and_the_question_is_about_them(runs):
    blueprint = runs.model("sorter").blueprint
    (line,) = strip_payload(blueprint, (), {}).header["lines"]
    assert line["parts"][-1]["id"] == "labels"
    assert "label" in answer_of(blueprint).question
