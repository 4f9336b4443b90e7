"""Pages on an encoder that lacks heads: what it can do is shown, what it cannot is said."""

from __future__ import annotations

from tests.app.test_pages import check, opened


def test_whose_gradients_are_shown_is_said(bare_encoder):
    """Without a word to predict there is no loss."""
    app = opened("block/layernorm.py", model=bare_encoder)
    assert "BARE cannot predict words; GPT is used here." in [info.value for info in app.info]


def test_who_judges_pairs_is_said_where_the_chosen_one_cannot(without_pairs):
    app = opened("predictions/masked_word.py", model=without_pairs, text="The cat sat on the mat")
    check(app)
    said = "WORDS cannot judge whether one sentence follows another; BERT is used here."
    assert [info.value for info in app.info] == [said]
    assert not app.error
