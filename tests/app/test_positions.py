"""Embeddings and position: the controls, and what each model's page says of itself."""

from __future__ import annotations

import pytest

from tests.app.test_pages import check, opened
from tests.app.test_tokenization import in_link, said

PAGE = "text/positions.py"


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
    assert words.count("was cut off") == 1
    app = opened(PAGE, model="gpt", text="cat " * 60)
    assert "was cut off" not in said(app)


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
    # Four pairs are left, so the last one is shown; the link keeps what was asked for.
    assert app.slider(key="control-pair").value == 3
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
