"""Inline Markdown of a question: the lesson's own, never that of a text it speaks of."""

from __future__ import annotations

import pytest

from core.lessons.filling import fill
from core.lessons.inline import parts


@pytest.mark.parametrize(("text", "found"), [
    ("plain", [["plain", ""]]),
    ("a **b** c", [["a ", ""], ["b", "strong"], [" c", ""]]),
    ("*a* `b*c*`", [["a", "em"], [" ", ""], ["b*c*", "code"]]),
    ("**a *b***", [["a ", "strong"], ["b", "strong em"]]),
    ("2 * 3 * 4, d_head and d_model", [["2 * 3 * 4, d_head and d_model", ""]]),
    ("<b>&amp;", [["<b>&amp;", ""]]),
    ("", []),
    ("2^1.40 = 2.64", [["2", ""], ["1.40", "sup"], [" = 2.64", ""]]),
    ("e^(x + 10), e^x and 2^{a b}.", [["e", ""], ["(x + 10)", "sup"], [", e", ""], ["x", "sup"],
                                      [" and 2", ""], ["a b", "sup"], [".", ""]]),
    ("`2^3` ^", [["2^3", "code"], [" ^", ""]]),
])  # fmt: skip
def test_bold_italic_and_code(text, found):
    assert parts(text, lambda said: fill(said, {})) == found


@pytest.mark.parametrize("word", ["**x**", "`", "*", "<img src=x>", "{{x}}", "\ue000", "_a_"])
def test_a_word_of_the_run_is_no_markup(word):
    said = parts("**{{x}}** and {{x}}, `{{x}}`", lambda text: fill(text, {"x": word}))
    assert said == [[word, "strong"], [f" and {word}, ", ""], [word, "code"]]


def test_a_product_in_a_hole_is_none_either():
    assert parts("{{x * 2}} *of* {{x * 3}}", lambda text: fill(text, {"x": 2})) == [
        ["4 ", ""], ["of", "em"], [" 6", ""],
    ]  # fmt: skip
