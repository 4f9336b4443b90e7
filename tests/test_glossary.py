"""The glossary: its file, its marks in sentences, what it says of settings."""

from __future__ import annotations

import pytest

from core import glossary


def test_every_term_is_said_once_and_in_sentences():
    terms = glossary.glossary().values()
    forms = [form.casefold() for one in terms for form in one.forms]
    assert len(set(forms)) == len(forms) > 80
    assert all(one.text.endswith(".") and len(one.text) < 240 for one in terms)


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


def test_a_term_is_explained_for_pointer_and_keyboard_and_escaped():
    said = glossary.as_html("A <b> and a [[logit|raw <score>]].")
    assert "A &lt;b&gt; and a <span class='glass-term' tabindex='0' data-term='logit'>" in said
    assert "raw &lt;score&gt;<span class='explained' role='tooltip'><b>logit</b>" in said
    with pytest.raises(KeyError, match="no term 'nonsense'"):
        glossary.as_html("[[nonsense]]")
