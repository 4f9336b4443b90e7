"""Embeddings and position: the controls, and what each model's page says of itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core import zoo
from core.checkpoints import native
from core.zoo import LoadedModel
from tests.app.test_controls import controls
from tests.app.test_pages import check, headers, opened
from tests.app.test_tokenization import in_link
from tests.machines.shelf import instead

PAGE = "text/positions.py"


def said(app) -> str:
    """All words that the page wrote itself."""
    return re.sub(r"<[^>]*>", "", " ".join(element.proto.body for element in app.get("html")))


def test_what_is_folded_away_is_not_run_until_it_is_opened():
    app = opened(PAGE, folded=True)
    check(app)
    assert not app.slider
    assert not app.get("plotly_chart")
    assert len(app.expander) == 3
    app.session_state["fold-waves"] = True
    app.run()
    check(app)
    assert {slider.label for slider in app.slider} == {"d_model", "Positions", "Pair i"}


def test_opens_on_the_papers_table():
    app = opened(PAGE)
    check(app)
    sizes = {slider.label: slider.value for slider in app.slider}
    assert sizes["d_model"] == 512
    assert sizes["Positions"] == 50


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_the_shuffle_is_shown_for_both_models(model):
    app = opened(PAGE, model=model)
    check(app)
    words = said(app)
    assert "BERT, " in words
    assert "GPT, " in words
    assert words.count("rounding") == 2


def test_what_the_other_models_context_does_not_hold_is_said():
    app = opened(PAGE, model="gpt", text="cat " * 160)  # GPT holds 256 tokens, BERT 128
    check(app)
    words = said(app)
    assert words.count("is left out: ") == 1
    app = opened(PAGE, model="gpt", text="cat " * 60)
    assert "is left out: " not in said(app)


def test_the_shuffle_has_a_seed_of_its_own():
    app = opened(PAGE, seed="5")
    before = said(app)
    app.number_input(key="control-shuffle_seed").set_value(1).run()
    check(app)
    assert said(app) != before
    assert in_link(app, "shuffle_seed") == "1"
    assert app.session_state["glassformer"].values["seed"] == "5"


def test_the_table_follows_its_sliders():
    app = opened(PAGE, pair="200")
    app.slider(key="control-d_model").set_value(8).run()
    check(app)
    app.run()  # what lies further down is drawn when it is near
    check(app)
    # Four pairs are left, so the last one is shown; the link keeps what was asked for.
    assert controls(app)["pair"].value == 3
    assert in_link(app, "d_model") == "8"
    app.slider(key="control-d_model").set_value(2).run()
    check(app)
    app.slider(key="control-positions").set_value(600).run()
    check(app)
    assert not app.error


def test_an_odd_width_from_a_link_does_no_harm():
    app = opened(PAGE, d_model="77", positions="3")
    check(app)
    assert not app.error


# --- a model with two towers and fixed sinusoids ------------------------------------------


@pytest.fixture
def translator(transformer: LoadedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Its id on the shelf, where it stands beside those that ship."""
    for name in zoo.shelf():
        (tmp_path / name).symlink_to(zoo.SHELF / name)
    native.save(tmp_path / "translator", "transformer", transformer.model, transformer.encoders)
    instead(monkeypatch, tmp_path)
    return "translator"


def strip_of(app) -> dict:
    """What the strip of tokens is given."""
    (header,) = headers(app, "token_strip")
    return header


def test_the_tokens_of_either_tower_can_be_looked_up(translator):
    app = opened(PAGE, model=translator, text="the cat sat")
    check(app)
    assert strip_of(app)["heading"] == [["Tokens of the ", "plain"], ["source", "plain"]]
    assert [token["label"] for token in strip_of(app)["tokens"]][1:-1] == ["the", "cat", "sat"]
    app.button_group(key="control-stream").set_value("target").run()
    check(app)
    assert in_link(app, "stream") == "target"
    said_above = "".join(text for text, _role in strip_of(app)["heading"])
    assert said_above == "Tokens of the target, written by the model itself"
    assert not opened(PAGE).get("button_group")


def test_what_it_did_not_learn_is_shown_of_a_model_that_did(translator):
    app = opened(PAGE, model=translator, text="The cat told the dog a story.")
    check(app)
    (notice,) = (one for one in app.info if "position table" in one.value)
    assert notice.value.startswith("TRANSLATOR learned no position table")
    assert notice.value.endswith("are those of GPT.")
    words = said(app)
    assert "No rule said what a position is" in words
    # Its encoder is shuffled in place of BERT, which reads both ways too.
    assert "TRANSLATOR, no positions" in words
    assert "GPT, no mask, no positions" in words
    assert words.count("rounding") == 2
    assert not opened(PAGE, model="gpt").info
