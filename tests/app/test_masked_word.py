"""The masked-word page: what is hidden, what is said about it, and what survives bad input."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.views.masked.training import PAIR_EXAMPLES
from tests.app.answered import Figure, figures
from tests.app.test_pages import check, opened

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


def test_a_typed_mask_is_a_gap():
    app = opened(FILE, text="The cat sat on the [MASK].")
    check(app)
    said = drawn(app)["masked.strip"].said["facts"]
    assert said.startswith("BERT · 9 tokens · 1 word hidden · ran in ")
    assert said.endswith("click a word to hide it or to show it again, or type [MASK] in the text")


def test_a_click_says_which_words_are_hidden_now():
    strip = drawn(opened(FILE, text="The cat sat", hide="1"))["masked.strip"]
    assert [one["group"] for one in header(strip)["tokens"]] == [-1, 0, 1, 2, -1]
    assert header(strip)["toggles"] == "group"
    assert strip.said["acts"] == {"marked": {"": {"hide": "none"}, "*": {"hide": "{}"}}}


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


def test_a_partner_that_cannot_write_is_replaced_by_one_that_can():
    app = opened(FILE, partner="bert")
    check(app)
    found = drawn(app)
    assert not refused(app)
    assert "GPT, left only" in str(header(found["masked.beside"]))
    assert header(found["masked.beside"])["save"]["params"].get("partner", "gpt") == "gpt"


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


def test_without_a_text_all_its_figures_wait_and_those_of_the_pair_do_not():
    app = opened(FILE, text=" ")
    check(app)
    of_text = {name for name, one in drawn(app).items() if "text" in one.spec["reads"]}
    assert of_text == {
        "masked.strip", "masked.wordless", "masked.beside", "masked.each", "masked.why",
        "masked.example", "masked.dice",
    }  # fmt: skip
    assert not drawn(app)["masked.follows"].refused
