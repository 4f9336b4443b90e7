"""The Translate page: two streams, a target of one's own, and a text in the right language."""

from __future__ import annotations

import pytest

from core import views
from core.views.params import parse
from pages.parts.runs import shared_runs
from pages.parts.table import FRENCH
from tests.app.test_pages import check, headers, opened
from tests.app.test_state import link, values

FILE = "predictions/translate.py"
TARGET = "My black dog"


def test_it_opens_on_french_and_shows_both_streams():
    app = opened(FILE)
    check(app)
    assert values(app)["text"] == FRENCH
    assert "text" not in link(app)
    source, target = (one for one in headers(app, "token_strip") if one.get("heat_role"))
    assert [chip["label"] for chip in source["tokens"]][-1] == "</s>"
    assert target["heading"] is not None
    assert len(target["tokens"]) > 2
    (matrix,) = headers(app, "matrix")
    sheet = matrix["sheets"][0]
    assert len(sheet["rows"]["labels"]) == len(target["tokens"])
    assert len(sheet["cols"]["labels"]) == len(source["tokens"])


def test_a_target_of_ones_own_is_read_and_stands_in_the_link():
    app = opened(FILE)
    app.text_input(key="control-target").set_value(TARGET).run()
    check(app)
    assert link(app)["target"] == TARGET
    _source, target = (one for one in headers(app, "token_strip") if one.get("heat_role"))
    assert "".join(chip["label"] for chip in target["tokens"]).endswith("dog")


@pytest.mark.parametrize(("attention", "n_rows"), [("encoder", 10), ("decoder", 9), ("cross", 9)])
def test_each_attention_has_the_same_view(attention, n_rows):
    app = opened(FILE, text=FRENCH, target="The cat is sleeping on the table.", attention=attention)
    check(app)
    (matrix,) = headers(app, "matrix")
    assert len(matrix["sheets"][0]["rows"]["labels"]) == n_rows


def test_nobody_is_left_with_a_text_that_the_model_cannot_read():
    app = opened("attention/step_by_step.py", model="transformer")
    assert values(app)["text"] == FRENCH
    plain = opened("attention/step_by_step.py")
    assert values(plain).get("text") != FRENCH
    # What a link says stays, in any language.
    said = opened("attention/step_by_step.py", text=FRENCH, model="gpt")
    assert values(said)["text"] == FRENCH


def record(text: str, target: str = ""):
    """What the page's strips are made from, for the model that ships."""
    view = views.get("translate.target")
    values = {"model": "transformer", "text": text, "target": target, "layer": "0", "head": "0"}
    params, _problems = parse(view.Params, values)
    runs = shared_runs()
    return view.compute([runs.get(request) for request in view.requests(params)], params)


def expected_after(word: str, found) -> list[str]:
    """The likeliest tokens after a word of the target."""
    read = [token.data.decode().strip() for token in found.target.tokens]
    return [token.data.decode().strip() for token in found.words[read.index(word)]]


def test_the_experiments_show_what_they_promise():
    found = record(FRENCH)
    source = [token.data.decode().strip() for token in found.source.tokens]
    for row, word in ((2, "noir"), (3, "chat")):
        assert found.run("weights")[row, source.index(word)] > 0.9
    assert expected_after("black", record(FRENCH, "My black dog"))[0] == "cat"
    ami = record("Il a perdu son ami et il le cherche encore.")
    assert expected_after("for", ami)[:2] == ["it", "him"]


def test_a_page_opens_on_the_head_that_aligns_words_unless_a_layer_was_chosen():
    (matrix,) = headers(opened(FILE), "matrix")
    assert "layer 0" in matrix["sheets"][0]["title"]
    (matrix,) = headers(opened(FILE, layer="2"), "matrix")
    assert "layer 2" in matrix["sheets"][0]["title"]
