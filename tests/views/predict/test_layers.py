"""The prediction after each block: the names are whole, and a model that cannot is refused."""

from __future__ import annotations

import numpy as np
import pytest

from core import views
from core.errors import AbilityError
from core.inputs import Text
from core.runs.kinds.trace import TraceRequest
from core.views.predict.layers import AtPosition
from tests.views.records import header, rows, shown, written

TEXT = "The cat sat on the"
CHARACTER, MARGIN = 7.3, 10  # pixels of a row's label in canvas.js, and around it


@pytest.mark.parametrize("name", ["predict.cache", "predict.layers"])
def test_the_names_of_rows_are_whole_on_a_phone(runs, name):
    (sheet,) = header(runs, name, text=TEXT)["sheets"]
    labels = [*sheet["rows"]["labels"], "199 · 9,999"]  # the longest of a model of those that ship
    assert max(map(len, labels)) * CHARACTER + MARGIN <= sheet["rows"]["room"] <= 358 / 3


def test_the_last_row_is_what_the_model_says(runs, gpt):
    view, record = shown(runs, "predict.layers", text=TEXT, token="2")
    logits = runs.get(TraceRequest("gpt", Text(TEXT))).trace["logits"][2].astype(np.float64)
    probs = np.exp(logits - logits.max())
    probs /= probs.sum()
    best = np.argsort(-probs)[:5]
    np.testing.assert_allclose(record.probs[-1], probs[best], rtol=1e-4)
    assert [token.id for token in record.words[-1]] == best.tolist()
    assert record.final_rank[-1] == 0
    values = view.values(record)
    assert values["final_rank"].array.tolist() == record.final_rank
    assert values["probability"].value == record.probs[-1, 0]


def test_file_table_and_screen_say_the_same_words(runs):
    view, record = shown(runs, "predict.layers", text=TEXT)
    words = [[token.label for token in row] for row in record.words]
    (sheet,) = view.show(record).payload().header["sheets"]
    assert sheet["texts"] == words
    texts = written(view, record)
    assert all(word in texts for row in words for word in row)
    assert sheet["rows"]["labels"] == ["embeddings", "layer 0", "layer 1"]
    assert set(sheet["rows"]["labels"]) <= set(texts)
    assert "".join(part for part, _role in sheet["axes"]) in texts
    table = rows(view, record)
    assert table[0] == ["after", "rank", "token", "probability"]
    assert [line[:3] for line in table[1:16]] == [
        [place, str(rank), words[at][rank]]
        for at, place in enumerate(sheet["rows"]["labels"])
        for rank in range(5)
    ]


@pytest.mark.parametrize("model", ["bert", "transformer"])
@pytest.mark.parametrize(
    "name", ["predict.next", "predict.surprisal", "predict.layers", "predict.cache"]
)
def test_a_model_that_predicts_no_next_token_is_refused_as_such(runs, name, model):
    with pytest.raises(AbilityError, match="predict the next token"):
        shown(runs, name, text=TEXT, model=model)


def test_tokens_that_were_made_are_looked_at(runs):
    params = AtPosition(text=TEXT, new=3, made=2)
    (request,) = views.get("predict.layers").requests(params)
    (made,) = [runs.get(one) for one in views.get("predict.next").requests(params)]
    ids = [token.id for token in made.prompt] + [step.token.id for step in made.steps]
    assert runs.get(request).trace.ids == tuple(ids)
    _view, record = shown(runs, "predict.layers", text=TEXT, new="3", made="2")
    assert (record.position, record.token.id) == (len(ids) - 2, ids[-2])
