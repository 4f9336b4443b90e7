"""Texts of a lesson as HTML: formulas as MathML, and words of a run as they were typed."""

from __future__ import annotations

import re
from html import escape
from xml.etree import ElementTree

import pytest

from core.lessons import FILES
from core.lessons.printed.prose import formula, prose

NASTY = (
    "</style></title><script>hit()</script> <b onclick=hit()>x $y$ [[softmax]] {{T}} ![a](b) & \"'"
)


def test_words_of_a_run_are_neither_markdown_nor_formula():
    terms = {}
    said = prose("He said {{word}}.", {"word": NASTY}, terms)
    assert said == f"<p>He said {escape(NASTY, quote=False).replace(chr(34), '&quot;')}.</p>\n"
    assert terms == {}


FORMULAS = sorted(
    {
        re.sub(r"\{\{.*?\}\}", "70.7", found[1])
        for path in FILES.glob("*/*.md")
        for found in re.finditer(r"\$([^$]+)\$", path.read_text(encoding="utf-8"))
    }
)
MATHML = {"math", "mrow", "mi", "mn", "mo", "msub", "msup", "msubsup", "msqrt", "mover", "munder",
          "munderover", "mspace", "mfrac", "mtext", "mstyle", "mtable", "mtr", "mtd"}  # fmt: skip


@pytest.mark.parametrize("latex", FORMULAS)
def test_every_formula_is_mathml(latex):
    made = formula(latex)
    root = ElementTree.fromstring(made)
    tags = {one.tag.removeprefix("{http://www.w3.org/1998/Math/MathML}") for one in root.iter()}
    assert root.tag.endswith("math")
    assert tags <= MATHML
    assert "\\" not in "".join(root.itertext())


def test_formulas_are_set_as_a_book_sets_them():
    assert "<mi>head</mi>" in formula(r"\sqrt{d_\mathrm{head}}")
    assert "<mn>2,72</mn>" in formula(r"e \approx 2{,}72")
    assert "<mn>70,7</mn>" in formula(r"\sqrt{5000} \approx 70,7")
    assert 'display="block"' in formula("x", block=True)


@pytest.mark.parametrize(
    "latex",
    [r"\text{<b>hit</b>}", r"\text{<script>hit()</script>}", r"\href{javascript:hit()}{x}",
     r"\class{\" onclick=\"hit()}{x}", r"\style{color: red}{x}", "<b>_"],
)  # fmt: skip
def test_a_formula_lets_nothing_else_through(latex):
    assert formula(latex) == f"<code>{escape(latex)}</code>"
