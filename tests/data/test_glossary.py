"""The glossary: its file, its marks in sentences, what it says of settings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from core.data import glossary
from core.language import use_language

LANGUAGES = sorted(path.stem for path in glossary.FILES.glob("*.yaml"))
# The signs that stand behind a blank in French, and the blank: narrow, but before a colon.
BLANKS = {";": "\u202f", "?": "\u202f", "!": "\u202f", "%": "\u202f", ":": "\u00a0", "»": "\u00a0"}


@pytest.fixture
def french() -> Iterator[None]:
    use_language("fr")
    yield
    use_language("en")


def own(code: str) -> dict[str, dict[str, Any]]:
    """What the file of a language itself says."""
    entries = yaml.safe_load((glossary.FILES / f"{code}.yaml").read_text("utf-8"))
    return {entry["id"]: entry for entry in entries}


def has(form: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(form.casefold())}(?!\w)", text.casefold()) is not None


def first_sentence(text: str) -> str:
    return re.split(r"(?<=[.?!]) ", text)[0]


def test_every_language_explains_every_term():
    assert LANGUAGES == ["en", "fr"]
    assert own("en").keys() == own("fr").keys()
    # What is no matter of language stands in one file.
    assert {name for entry in own("fr").values() for name in entry} == {
        "id",
        "term",
        "also",
        "text",
    }


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_term_is_said_once_and_in_sentences(code):
    terms = glossary.glossary(code).values()
    forms = [form.casefold() for one in terms for form in one.forms]
    assert len(set(forms)) == len(forms) > 200
    assert all(one.text.endswith(".") and len(one.text) < 280 for one in terms)
    assert all(len(one.text) < 240 for one in glossary.glossary().values())


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_word_marks_two_terms(code):
    """Neither as an id, nor as a form of an English sentence that nobody has translated."""
    terms = glossary.glossary(code)
    for known in (terms, glossary.glossary()):
        means = {form.casefold(): one.id for one in known.values() for form in one.forms}
        assert {id for id in terms if means.get(id, id) != id} == set()
        for one in terms.values():
            assert {means.get(form.casefold(), one.id) for form in one.forms} == {one.id}


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_term_is_explained_by_itself(code):
    """The first sentence does without it, and no two terms lead only to each other."""
    terms = glossary.glossary(code)
    first = {name: first_sentence(one.text) for name, one in terms.items()}
    leads = {
        name: {other for other, one in terms.items() if any(has(f, text) for f in one.forms)}
        for name, text in first.items()
    }
    assert [name for name in terms if name in leads[name]] == []
    if code == "en":
        assert [(a, b) for a in terms for b in leads[a] if a < b and a in leads[b]] == []


def test_every_item_of_the_curriculum_has_terms():
    terms = glossary.glossary("fr").values()
    items = {item for one in terms for item in one.items}
    assert items == {f"C{n}" for n in range(1, 30)}


def test_french_has_french_blanks():
    for entry in own("fr").values():
        for text in (entry["term"], *entry.get("also", ()), entry["text"]):
            for sign, blank in BLANKS.items():
                assert set(re.findall(rf"(?<=\w)(\s){re.escape(sign)}", text)) <= {blank}, text
            assert not re.search(r"\w[;?!%»]|« |“|”|\d \d{3}|\d\.\d", text), text


def test_a_french_sentence_marks_a_term_by_its_form_or_its_id(french):
    said = {glossary.find(word).term for word in ("Clés", "key", "keys")}
    assert said == {"clé"}
    html = glossary.as_html("La [[weight|part]] et le [[poids d'attention]].")
    assert html.count("data-term='weight'") == 2
    assert len(set(re.findall(r" id='weight-(\w+)'", html))) == 2
    assert re.search(r">part<span [^>]*><b>poids d’attention</b> La part", html)
    assert glossary.marked("[[kv-cache|ce cache]], [[attention weights]]") == ["kv-cache", "weight"]


@pytest.mark.parametrize("code", LANGUAGES)
def test_an_id_marks_its_term_in_every_language(code):
    use_language(code)
    try:
        assert all(glossary.marked(f"[[{id}|word]]") == [id] for id in glossary.glossary(code))
    finally:
        use_language("en")


def test_a_term_in_brackets_is_marked_by_them():
    """[MASK] is a token and mask a rule: the brackets are part of the word."""
    assert glossary.marked("[[[MASK]]], [[mask]], [[cls|[CLS]]]") == ["mask-token", "mask", "cls"]
    html = glossary.as_html("See [[[MASK]]].")
    assert re.search(r"data-term='mask-token' [^>]*>\[MASK\]<span", html)
    assert html.endswith("</span></span>.")


def test_a_language_without_a_file_has_the_english_terms():
    assert glossary.glossary("xx") == glossary.glossary()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- id: a\n  term: b\n", "needs id, term and text"),
        ("- {id: a, term: b, text: c}\n- {id: a, term: d, text: e}\n", "the same id"),
        ("- word\n", "needs id, term and text"),
    ],
)
def test_a_broken_file_says_what_is_wrong(text, said, tmp_path, monkeypatch):
    (tmp_path / "en.yaml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(glossary, "FILES", tmp_path)
    with pytest.raises(ValueError, match=said):
        glossary.glossary.__wrapped__()


def test_a_setting_says_what_it_means():
    assert "logits are divided" in glossary.of_parameter("temperature")
    assert glossary.of_parameter("new") == ""


def test_a_setting_says_it_in_french(french):
    assert "divise les logits" in glossary.of_parameter("temperature")


def test_a_term_is_explained_for_pointer_and_keyboard_and_escaped():
    said = glossary.as_html("A <b> and a [[logit|raw <score>]].")
    assert "A &lt;b&gt; and a <span class='glass-term' tabindex='0' data-term='logit' " in said
    (ident,) = re.findall(r"aria-describedby='([\w-]+)'", said)
    assert f"raw &lt;score&gt;<span class='explained' role='tooltip' id='{ident}'><b>logit" in said
    with pytest.raises(KeyError, match="no term 'nonsense'"):
        glossary.as_html("[[nonsense]]")


def test_a_term_in_brackets_can_be_marked():
    assert glossary.marked("[[[CLS]]] and [[[CLS]|a mark]]") == [glossary.find("[CLS]").id] * 2
    assert "[CLS]<span" in glossary.as_html("[[[CLS]]]")
