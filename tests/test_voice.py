"""Retired words stay out of what the app says; the terms of a page are explained on it."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_file

from core.data import glossary
from core.language import N_
from core.training.recipes import RECIPES
from pages.parts.table import TABLE, offered
from pages.parts.words import used_on
from tests.app.answered import figures
from tests.app.played import of_page
from tests.app.test_pages import headers, opened
from tests.architecture.tree import ROOT

# The voice of the app: what a sentence says instead stands behind it.
RETIRED = {
    r"\blearnt\b(?!\})": "learned",
    r"\b(go|goes|going) on with\b": "continue",
    r"\b(may look|looks? at|look straight)\b": "attend to",
    r"\bhears? of\b": "influence",
    r"\b(fire|fires)\b": "is active",
    r"\bin sight\b": "visible",
    r"\blikel(ier|iest)\b": "more likely, most likely",
    r"\bblocks?\b": "layer",
    r"\b(a|an) (head|token|position|text) (and|with) (bucket|a bucket)\b": "per head and bucket",
    r"\bbits a (token|symbol|character)\b": "bits per token",
    r"mirror image|share that is left|[Aa]sk the mask": "no cleverness",
    r"\bhand(s|ed) over\b": "pass on",
    r"\b(is|was) told\b|[Nn]obody told": "said plainly",
    r"\bof whom\b|\bNor (does|do|is)\b": "two sentences",
    r"\bsimply\b": "left out",
    r"[a-z]!": "a full stop",
    r"\bmix into\b": "project back",
    r"(?<!without a mask )[Aa]ttention does not see order": "without a mask",
}


@cache
def sentences() -> list[str]:
    """Everything that goes through the catalogue, collected from the sources."""
    found: list[str] = []
    keywords = {**DEFAULT_KEYWORDS, "N_": None}
    for path in (ROOT / "app.py", *ROOT.glob("core/**/*.py"), *ROOT.glob("pages/**/*.py")):
        for _line, said, _comments, _context in extract_from_file("python", path, keywords):
            found += [said] if isinstance(said, str) else said
    return [*found, *(one for row in TABLE for one in (row.question, row.claim))]


def terms() -> list[str]:
    return [one.text for one in glossary.glossary().values()]


@pytest.mark.parametrize("pattern", RETIRED)
def test_no_sentence_has_a_retired_word(pattern):
    assert len(sentences()) > 1000
    assert [one for one in (*sentences(), *terms()) if re.search(pattern, one)] == []


@pytest.mark.parametrize("row", offered(), ids=lambda row: row.file)
def test_the_hard_words_of_a_page_are_explained_on_it(row):
    """Those that a first-year student has not met: each stands on the page with its meaning."""
    app = opened(row.file)
    shown = " ".join(one.body for one in (*app.get("html"), *app.markdown) if one.body)
    explained = set(re.findall(r"data-term='([\w-]+)'", shown))
    if headers(app, "lesson"):  # the browser asks for its screen
        screen = json.dumps(of_page(app).screen)
        explained |= set(re.findall(r'"data-term": "([\w-]+)"', screen))
    assert explained
    # The glossary leads to this page from no term that is not explained here.
    assert {name for name, rows in used_on().items() if row in rows} <= explained
    shown = re.sub(r"<span class='explained'.*?</span>", "", shown)
    text = re.sub(r"<[^>]*>|\$[^$]*\$", " ", shown).casefold()
    labels = {one["label"] for asked in figures(app) for one in asked.controls}
    hard = ["logit", "residual-stream", "entropy", "induction", "gain", "jacobian", "softmax"]
    hard += ["causal-mask", "surprisal", "cross-attention", "activation-function", "huffman"]
    for name in hard:
        term = glossary.glossary()[name]
        used = any(re.search(rf"\b{re.escape(form.casefold())}\b", text) for form in term.forms)
        assert not used or name in explained or term.term in labels, name


def test_our_bert_saw_twice_the_papers_share_of_hidden_tokens():
    said = N_("The BERT on this page was trained with twice as many")
    assert any(said in one for one in sentences())
    assert RECIPES["bert", "cpu"].task.rate == pytest.approx(2 * 0.15)


def test_every_marked_term_is_in_the_glossary():
    marked = [name for one in sentences() for name in glossary.marked(one)]
    assert len(set(marked)) > 20
