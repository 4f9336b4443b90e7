"""Pages on an encoder that lacks heads: what it can do is shown, what it cannot is said."""

from __future__ import annotations

import pytest

from pages.parts.table import TABLE
from tests.app.answered import figures
from tests.app.test_pages import check, opened
from tests.app.test_state import link

OF_ANY = [row for row in TABLE if row.needs.ability == "any" and row.file != "shelf.py"]
OF_SOME = [row for row in TABLE if row.needs.ability not in ("any", "none", "translate")]


@pytest.mark.parametrize("row", OF_ANY, ids=lambda row: row.file)
def test_a_page_for_every_model_shows_a_bare_encoder(row, bare_encoder):
    app = opened(row.file, model=bare_encoder)
    check(app)
    assert not app.error
    assert not any(one.refused for one in figures(app))
    assert not any("this page shows" in info.value for info in app.info)


def test_whose_gradients_are_shown_is_said(bare_encoder):
    """Without a word to predict there is no loss."""
    app = opened("block/layernorm.py", model=bare_encoder)
    assert "BARE cannot predict words; GPT is used here." in [info.value for info in app.info]


def test_attention_is_for_every_model():
    files = {row.file for row in OF_ANY}
    assert {"attention/step_by_step.py", "attention/all_heads.py"} <= files


@pytest.mark.parametrize("row", OF_SOME, ids=lambda row: row.file)
def test_a_page_that_needs_words_says_that_another_is_shown(row, bare_encoder):
    app = opened(row.file, model=bare_encoder)
    check(app)
    assert not app.error
    assert any(info.value.startswith("BARE cannot ") for info in app.info)
    assert link(app)["model"] == bare_encoder  # the choice is kept


def test_who_judges_pairs_is_said_where_the_chosen_one_cannot(without_pairs):
    app = opened("predictions/masked_word.py", model=without_pairs, text="The cat sat on the mat")
    check(app)
    said = "WORDS cannot judge whether one sentence follows another; BERT is used here."
    assert [info.value for info in app.info] == [said]
    assert not app.error


def test_one_that_judges_pairs_is_asked_itself():
    app = opened("predictions/masked_word.py", model="bert")
    check(app)
    assert not app.info
