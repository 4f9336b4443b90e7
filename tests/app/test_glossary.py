"""The glossary's page: what its list is given, and what its link may say."""

from __future__ import annotations

import pytest

from core.data.glossary import glossary
from core.language import use_language
from pages.parts.words import listing
from tests.app.test_pages import check, headers, in_browser, opened
from tests.app.test_state import link


def test_the_list_has_every_term_and_the_pages_that_use_it():
    app = opened("glossary.py")
    check(app)
    (given,) = headers(app, "glossary")
    terms = {one["id"]: one for one in given["terms"]}
    assert terms.keys() == glossary().keys()
    used = {name: [given["pages"][at][0] for at in one["pages"]] for name, one in terms.items()}
    assert "/masks" in used["causal-mask"]  # marked in a sentence
    assert "/next-token" in used["kv-cache"]  # named to the heading
    assert used["test-set"] == []
    assert given["labels"]["all"] == f"{len(terms)} terms"
    assert {one["english"] for one in given["terms"]} == {""}


def test_in_french_it_says_what_a_term_is_called_in_english_too():
    use_language("fr")
    try:
        terms = {one["id"]: one for one in listing().header["terms"]}
    finally:
        use_language("en")
    assert (terms["key"]["term"], terms["key"]["english"]) == ("clé", "key")
    assert terms["softmax"]["english"] == ""  # it is the same word


@pytest.mark.parametrize("said", ["softmax", "attention-weight", "no-such"])
def test_a_link_names_a_term(said):
    app = opened("glossary.py", term=said)
    check(app)
    assert in_browser(app)["values"]["term"] == said
    assert not app.warning


@pytest.mark.parametrize(("said", "wanted"), [
    ("<b>", "the name of a term"), ("a b", "the name of a term"),
    ("x" * 61, "at most 60 characters"),
])  # fmt: skip
def test_a_link_that_can_name_none_says_so(said, wanted):
    app = opened("glossary.py", term=said)
    check(app)
    assert "term" not in link(app)
    assert f"It must be {wanted}," in app.warning[0].value
