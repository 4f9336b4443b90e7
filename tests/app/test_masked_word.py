"""The masked-word page: what is hidden, what is said about it, and what survives bad input."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.answers.names import in_words
from core.views.masked.training import PAIR_EXAMPLES
from tests.app.answered import Figure, figures, words
from tests.app.test_pages import as_shown, check, in_browser, opened

FILE = "predictions/masked_word.py"


def drawn(app: AppTest) -> dict[str, Figure]:
    """The figures of the page by name, as far as there is something to draw."""
    found = {one.spec["view"]: one for one in figures(app) if one.spec["drawn"]}
    return {name: one for name, one in found.items() if "absent" not in one.said}


def header(figure: Figure) -> dict[str, Any]:
    assert figure.answer is not None, figure.refused
    return figure.answer.header


def refused(app: AppTest) -> dict[str, str]:
    """By figure, why there is none."""
    return {name: one.refused for name, one in drawn(app).items() if one.refused}


def notes(figure: Figure) -> list[str]:
    """Those that are said of a figure."""
    return [words(said) for kind, said in figure.said["notes"] if kind in figure.spec["notes"]]


def test_a_typed_mask_is_a_gap():
    app = opened(FILE, text="The cat sat on the [MASK].")
    check(app)
    said = drawn(app)["masked.strip"].said["facts"]
    assert said.startswith("BERT · 9 tokens · 1 word hidden · ran in ")
    assert said.endswith("click a word to hide it or to show it again, or type [MASK] in the text")


def test_a_link_hides_the_words_it_names():
    app = opened(FILE, hide="0,2,4")
    check(app)
    assert "3 words hidden" in drawn(app)["masked.strip"].said["facts"]


def test_a_click_says_which_words_are_hidden_now():
    strip = drawn(opened(FILE, text="The cat sat", hide="1"))["masked.strip"]
    assert [one["group"] for one in header(strip)["tokens"]] == [-1, 0, 1, 2, -1]
    assert header(strip)["toggles"] == "group"
    assert strip.said["acts"] == {"marked": {"": {"hide": "none"}, "*": {"hide": "{}"}}}


def test_the_strip_can_be_saved_as_every_figure_can():
    def saved(**link: str) -> dict[str, Any]:
        asked = [one for one in figures(opened(FILE, **link)) if one.spec["saves"]]
        found = {header(one)["save"]["view"]: header(one)["save"] for one in asked}
        assert {"masked.strip", "masked.example"} <= found.keys()
        params: dict[str, Any] = found["masked.strip"]["params"]
        return params

    saved()
    # Its files are of the words that are hidden now.
    first = saved(hide="1,2")
    assert first["hide"] == "1,2"
    assert "text" not in first  # that which all pages begin with
    assert saved(text="A dog barks.")["text"]


def test_a_text_without_a_word_is_not_saved():
    found = figures(opened(FILE, text="🙂🙂"))
    saved = {one.spec["view"] for one in found if one.spec["saves"] and not one.refused}
    assert saved == {"masked.follows"}  # which is of another text
    (strip,) = [one for one in found if one.spec["view"] == "masked.wordless"]
    assert not strip.spec["saves"]


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
    # The first figure that is refused says it, all others nothing (test_masked_word in a browser).
    (said,) = set(refused(app).values())
    assert said.startswith("The model knows no word of this text")
    assert next(iter(refused(app))) == "masked.strip"
    strip = drawn(app)["masked.wordless"]
    assert [chip["label"] for chip in header(strip)["tokens"]] == chips


@pytest.mark.parametrize("text", ["A cat", "🙂 cat", "[MASK]"])
def test_a_text_with_a_word_is_shown_once(text):
    app = opened(FILE, text=text)
    assert "masked.wordless" not in drawn(app)
    assert header(drawn(app)["masked.strip"])["tokens"]


def test_a_gap_alone_is_filled_and_makes_no_training_example():
    app = opened(FILE, text="[MASK]")
    check(app)
    assert refused(app).keys() == {"masked.example", "masked.dice"}
    assert all("knows no word" in one for one in refused(app).values())
    assert "1 word hidden" in drawn(app)["masked.strip"].said["facts"]


def test_pieces_behind_each_mask_are_shown_where_one_is_hidden():
    assert "masked.each" in drawn(opened(FILE, hide="1"))
    assert "masked.each" not in drawn(opened(FILE, hide="none"))


def test_the_default_model_is_one_that_can_and_no_choice_is_overruled():
    app = opened(FILE)
    assert not app.info
    app = opened(FILE, model="gpt")
    assert any("cannot fill in hidden words" in info.value for info in app.info)
    assert header(drawn(app)["masked.strip"])


def test_a_partner_that_cannot_write_is_replaced_by_one_that_can():
    app = opened(FILE, partner="bert")
    check(app)
    found = drawn(app)
    assert not refused(app)
    assert "GPT, left only" in str(header(found["masked.beside"]))
    assert header(found["masked.beside"])["save"]["params"].get("partner", "gpt") == "gpt"


def test_rolling_again_takes_the_next_seed():
    dice = drawn(opened(FILE, dice_seed="3"))["masked.dice"]
    (seed,) = dice.controls
    assert (seed["name"], seed["value"], seed["low"], seed["high"]) == ("dice_seed", "3", 0, 9999)
    (shown,) = dice.spec["controls"]
    assert shown == {"name": "dice_seed", "kind": "number", "again": "Roll the dice again"}


def test_the_sentences_of_a_pair_can_be_changed_and_an_example_is_loaded():
    app = opened(FILE, first="A cat sat.")
    fields = [one for figure in figures(app) for one in figure.controls if one["kind"] == "line"]
    assert [(one["label"], one["value"]) for one in fields] == [
        ("First sentence", "A cat sat."),
        ("Second sentence", "It ran to the hall and began to bark."),
    ]
    judged = drawn(app)["masked.follows"]
    rows = [row["id"] for row in header(judged)["frames"][0]["rows"]]
    picked = judged.said["acts"]["pick"]
    assert picked.keys() == set(rows)
    assert picked["-1"] == {}
    for n, one in enumerate(PAIR_EXAMPLES):
        assert picked[str(n)] == {"first": one.first, "second": one.second}


def test_sentences_are_judged_whatever_they_are():
    for first, second in (("", ""), ("x" * 5000, "y" * 5000), ("<b>", "[SEP]")):
        app = opened(FILE, first=first, second=second)
        check(app)
        assert not refused(app)


def test_what_the_judge_does_not_read_is_said():
    app = opened(FILE, first="word " * 3000)
    check(app)
    judged = drawn(app)["masked.follows"]
    assert "cut" in judged.spec["says"]
    assert "is left out: " in judged.said["cut"][1]
    assert not any("Type two sentences" in one for one in notes(judged))
    app = opened(FILE, second=" ")
    check(app)
    judged = drawn(app)["masked.follows"]
    assert judged.said["cut"] == []
    assert any("Type two sentences" in one for one in notes(judged))


def test_what_the_judge_has_no_entry_for_is_said_of_its_own_sentences():
    judged = drawn(opened(FILE, first="A 🙂 sat.", text="A 🙁 sat."))
    assert "🙂" in words(judged["masked.follows"].said["changes"])
    assert "🙁" not in words(judged["masked.strip"].said["changes"])  # it is, under the box


def test_a_wrong_setting_is_reported_once():
    app = opened(FILE, hide="all of them", dice_seed="-4")
    check(app)
    said = [as_shown(warning.value) for warning in app.warning]
    assert sum(f"{in_words('hide')} = “all of them”" in one for one in said) == 1
    assert sum(f"{in_words('dice_seed')} = “-4”" in one for one in said) == 1
    assert in_browser(app)["values"].keys().isdisjoint({"hide", "dice_seed"})


def test_without_a_text_all_its_figures_wait_and_those_of_the_pair_do_not():
    app = opened(FILE, text=" ")
    check(app)
    of_text = {name for name, one in drawn(app).items() if "text" in one.spec["reads"]}
    assert of_text == {
        "masked.strip", "masked.wordless", "masked.beside", "masked.each", "masked.why",
        "masked.example", "masked.dice",
    }  # fmt: skip
    assert not drawn(app)["masked.follows"].refused


def test_a_piece_of_the_example_is_looked_at_in_the_link():
    app = opened(FILE, example_token="3")
    check(app)
    example = header(drawn(app)["masked.example"])
    assert in_browser(app)["values"] == {"example_token": "3"}
    assert "example_token" in example["selection"]
    assert "example_token" in example["save"]["fields"]


def test_the_line_of_code_is_of_the_head_that_fills_the_gap():
    beside = drawn(opened(FILE))["masked.beside"]
    assert "source" in beside.spec["says"]
    assert "core/models/bert.py" in beside.said["source"]
