"""The masked-word page: what is hidden, what is said about it, and what survives bad input."""

from __future__ import annotations

import pytest

from pages.parts.names import in_words
from tests.app.test_controls import controls
from tests.app.test_pages import as_shown, check, dimmed, headers, in_browser, opened

FILE = "predictions/masked_word.py"


def headline(app) -> str:
    return " ".join(element.proto.body for element in app.get("html"))


def test_a_typed_mask_is_a_gap():
    app = opened(FILE, text="The cat sat on the [MASK].")
    check(app)
    assert "1 word hidden" in headline(app)


def test_a_link_hides_the_words_it_names():
    app = opened(FILE, hide="0,2,4")
    check(app)
    assert "3 words hidden" in headline(app)


def strips(app) -> list[dict]:
    """What every token strip is given."""
    return headers(app, "token_strip")


def test_the_strip_can_be_saved_as_every_figure_can():
    app = opened(FILE)
    own = [*headers(app, "save"), *(strip for strip in strips(app) if "save" in strip)]
    assert {"masked.strip", "masked.example"} <= {one["save"]["view"] for one in own}
    # Its files are of the words that are hidden now.
    first = headers(opened(FILE, hide="1,2"), "save")[0]
    assert first["save"]["view"] == "masked.strip"
    assert first["save"]["params"]["hide"] == "1,2"
    assert "text" not in first["save"]["params"]  # that which all pages begin with
    assert headers(opened(FILE, text="A dog barks."), "save")[0]["save"]["params"]["text"]


def test_a_text_without_a_word_is_not_saved():
    (strip,) = strips(opened(FILE, text="🙂🙂"))
    assert "save" not in strip


@pytest.mark.parametrize(
    ("text", "chips"),
    [
        ("🙂🙂", ["[CLS]", "[UNK]", "[SEP]"]),
        ("\u200b", ["[CLS]", "[SEP]"]),
        ("\x00\x01", ["[CLS]", "[SEP]"]),
    ],
)
def test_a_text_without_a_word_is_said_once_and_shown(text, chips):
    app = opened(FILE, text=text)
    check(app)
    (error,) = app.error
    assert error.value.startswith("The model knows no word of this text")
    (strip,) = strips(app)
    assert [chip["label"] for chip in strip["tokens"]] == chips


def test_a_gap_alone_is_filled_and_makes_no_training_example():
    app = opened(FILE, text="[MASK]")
    check(app)
    (error,) = app.error
    assert "knows no word" in error.value
    assert "1 word hidden" in headline(app)


def test_the_default_model_is_one_that_can_and_no_choice_is_overruled():
    app = opened(FILE)
    assert not app.info
    app = opened(FILE, model="gpt")
    assert any("cannot fill in hidden words" in info.value for info in app.info)


def test_rolling_again_takes_the_next_seed():
    app = opened(FILE, dice_seed="3")
    (button,) = [b for b in app.button if b.label == "Roll the dice again"]
    button.click().run()
    check(app)
    assert controls(app)["dice_seed"].value == 4


def test_sentences_are_judged_whatever_they_are():
    for first, second in (("", ""), ("x" * 5000, "y" * 5000), ("<b>", "[SEP]")):
        check(opened(FILE, first=first, second=second))


def test_what_the_judge_does_not_read_is_said():
    app = opened(FILE, first="word " * 3000)
    check(app)
    assert "is left out: " in headline(app)
    assert not any("Type two sentences" in info.value for info in app.info)
    app = opened(FILE, second=" ")
    check(app)
    assert "is left out: " not in headline(app)
    assert any("Type two sentences" in info.value for info in app.info)


def test_a_wrong_setting_is_reported_once():
    app = opened(FILE, hide="all of them", dice_seed="-4")
    check(app)
    said = [as_shown(warning.value) for warning in app.warning]
    assert sum(f"{in_words('hide')} = “all of them”" in one for one in said) == 1
    assert sum(f"{in_words('dice_seed')} = “-4”" in one for one in said) == 1
    controls(app)["dice_seed"].set_value(5).run()  # she has gone on
    assert not app.warning


def test_without_a_text_its_figures_stand_back_and_those_of_the_pair_do_not():
    app = opened(FILE, text=" ")
    check(app)
    assert dimmed(app) == {
        "masked-strip", "masked-beside", "masked-each", "masked-why", "masked-example",
        "masked-dice",
    }  # fmt: skip


def test_a_piece_of_the_example_is_looked_at_in_the_link():
    app = opened(FILE, example_token="3")
    check(app)
    (_hidden, example) = strips(app)
    assert in_browser(app)["chosen"] == {"example_token": 3}
    assert "example_token" in example["selection"]
    assert "example_token" in example["save"]["fields"]
