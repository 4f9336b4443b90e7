"""The page on fine-tuning: what stands on it, and what a box full of nonsense does."""

from __future__ import annotations

import pytest

from core.data.labelled_lines import our_lines
from core.experiments import about
from pages.parts import runs as shelf
from tests.app.answered import figure, figures, words
from tests.app.played import of_page
from tests.app.test_pages import check, headers, opened

PAGE = "predictions/fine_tune.py"


def offered(app) -> dict[str, dict]:
    """What can be changed on the page, by its parameter."""
    return {one["name"]: one for found in figures(app) for one in found.controls}


def pressed(app) -> dict[str, dict]:
    """What the buttons of the page set, by what stands on them."""
    return {one["label"]: one["sets"] for row in headers(app, "presets") for one in row["buttons"]}


def test_lines_and_a_text_that_cannot_be_read_are_kept_and_the_label_still_stands():
    app = opened(PAGE, lines="happy: one\nnothing", text="👍")
    check(app)
    (bar,) = headers(app, "runbar")
    (unread,) = ("".join(part for part, _role in one["said"]) for one in bar["remarks"])
    assert unread == (
        "Nothing was read: BERT sentiment has no entry for “👍”. It answers all the same."
    )
    for view in ("tune.sentences", "tune.layers", "tune.said", "tune.learning", "tune.asked"):
        assert "Line 2 is not a label" in figure(app, view).refused
    assert offered(app)["lines"]["value"] == "happy: one\nnothing"
    assert "BERT sentiment chooses" in words(figure(app, "tune.text").said["reading"])
    assert "cut_layers" not in offered(app)


def test_our_sentences_can_be_put_into_the_box_and_taken_out():
    app = opened(PAGE)
    assert offered(app)["lines"]["value"] == ""
    assert "which share its pretraining" in str(of_page(app).question)
    (tried,) = headers(app, "experiments")
    assert [one["title"] for one in tried["cards"]] == [one.title for one in about("fine-tune")]
    assert pressed(app)["Edit our sentences"] == {"lines": our_lines()}
    assert pressed(app)["Use our sentences"] == {"lines": None}
    app = opened(PAGE, lines=our_lines())
    check(app)
    assert offered(app)["lines"]["value"].startswith("happy: ")
    said = words(figure(app, "tune.sentences").said["reading"])
    assert said == words(figure(opened(PAGE), "tune.sentences").said["reading"])


@pytest.mark.parametrize(
    ("model", "body"), [("bert_sentiment", "bert"), ("gpt", "bert"), ("t5", "bert")]
)
def test_the_body_is_the_one_that_the_page_names(model, body):
    app = opened(PAGE, model=model)
    check(app)
    assert figure(app, "tune.layers").spec["asks"] == {"model": body}
    cut = offered(app)["cut_layers"]
    assert cut["high"] == shelf.zoo.blueprint(body).main.n_layers
    assert any("The body is BERT" in one.value for one in app.markdown)
    assert {"learns", "pooled"} <= offered(app).keys()
    told = [one.value for one in app.info]
    assert any("writes them as words" in one for one in told) == (model == "t5")
