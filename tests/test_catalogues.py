"""The catalogues: complete, and as their language is written."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from core import language
from core.catalogues import Lack, lacks, report
from core.data import glossary
from core.language import available_languages, read_catalogue, use_language
from tests.architecture.tree import ROOT

LANGUAGES = available_languages()[1:]

TEMPLATE = """
msgid "Save"
msgstr ""

msgid "at least {n}"
msgstr ""

msgid "the last token is left out"
msgid_plural "the last {n} tokens are left out"
msgstr[0] ""
msgstr[1] ""
"""
PLURAL = """
msgid "the last token is left out"
msgid_plural "the last {n} tokens are left out"
msgstr[0] "%s"
msgstr[1] "%s"
"""
# Its forms are its own: which ones French has is said differently from one Babel to the next.
HEADER = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\\n"

"""
SAVE = 'msgid "Save"\nmsgstr "%s"\n\n'
LEAST = 'msgid "at least {n}"\nmsgstr "%s"\n'
WELL = PLURAL % ("le dernier", "les {n} derniers")


@pytest.fixture
def lacking(tmp_path, monkeypatch):
    """What a catalogue of these translations lacks."""

    def lacks_of(po: str) -> list[Lack]:
        place = tmp_path / "fr" / "LC_MESSAGES"
        place.mkdir(parents=True, exist_ok=True)
        (tmp_path / "glassformer.pot").write_text(TEMPLATE)
        (place / "glassformer.po").write_text(HEADER + po)
        monkeypatch.setattr(language, "LOCALE", tmp_path)
        return lacks("fr")

    return lacks_of


@pytest.fixture
def french():
    use_language("fr")
    yield
    use_language("en")


def said(code: str) -> list[tuple[str, str]]:
    """Every message of a catalogue with its translation, form by form."""
    pairs = []
    for message in read_catalogue(code):
        if isinstance(message.id, tuple):
            pairs += zip(message.id, message.string, strict=True)
        elif message.id:
            pairs.append((message.id, message.string))
    return pairs


def test_french_is_one_of_them():
    assert "fr" in LANGUAGES


@pytest.mark.parametrize("code", LANGUAGES)
def test_nothing_is_missing_fuzzy_or_obsolete_and_the_placeholders_are_the_same(code):
    assert lacks(code) == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_translation_explains_the_same_terms(code):
    pairs = [(english, own) for english, own in said(code) if "[[" in english + own]
    terms = [sorted(glossary.marked(english)) for english, _own in pairs]
    use_language(code)
    try:
        assert [sorted(glossary.marked(own)) for _english, own in pairs] == terms
    finally:
        use_language("en")
    assert len(pairs) > 5


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_translation_keeps_what_the_page_needs_around_and_in_it(code):
    def kept(text: str) -> tuple[object, ...]:
        blanks = (text[: len(text) - len(text.lstrip(" "))], text[len(text.rstrip(" ")) :])
        return *blanks, sorted(re.findall(r"\*\*|`|\$", text)), text.count("\n")

    assert [own for english, own in said(code) if kept(english) != kept(own)] == []


def test_french_blanks_do_not_break():
    """Before : ; ? ! and inside « » a line must not end."""
    wrong = r" [:;?!»]|[^\s\u00a0\u202f][;?!»]|«[^\u00a0\u202f]|[“”]|\w'\w"
    texts = [own for _english, own in said("fr")]
    texts += [one.text for one in glossary.glossary("fr").values()]
    assert [text for text in texts if re.search(wrong, text)] == []


def test_french_has_one_word_for_one_thing():
    """A norm is a vector's length, not LayerNorm; a guess of the reader's is a pronostic."""
    other = r"(?i)\bnormes?\b(?! de Frobenius)|étagère|conjectur|éteint|sous (ce|le|un) masque"
    assert [own for _english, own in said("fr") if re.search(other, own)] == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_term_is_explained_in_it(code):
    own, english = glossary.glossary(code), glossary.glossary()
    assert list(own) == list(english)
    assert [name for name, one in own.items() if one.text == english[name].text] == []
    assert [name for name, one in own.items() if one.parameter != english[name].parameter] == []


def test_an_english_form_of_a_term_is_understood_in_every_language(french):
    assert glossary.find("residual stream") == glossary.find("flux résiduel")
    assert "En anglais, « token »" in glossary.find("tokens").text.replace("\u00a0", " ")


def test_what_a_catalogue_lacks_is_found(lacking):
    well = SAVE % "Garder" + LEAST % "au moins {n}" + WELL
    assert lacking(well) == []
    assert lacking(SAVE % "" + WELL) == [Lack("Save", "missing"), Lack("at least {n}", "missing")]
    assert lacking("#, fuzzy" + "\n" + well) == [Lack("Save", "fuzzy")]
    assert lacking(well + '\nmsgid "Old"\nmsgstr "Vieux"\n') == [Lack("Old", "obsolete")]
    assert lacking(well + '\n#~ msgid "Old"\n#~ msgstr "Vieux"\n') == [Lack("Old", "obsolete")]


@pytest.mark.parametrize("wrong", ["au moins", "au moins {m}", "{n} {m}", "{n:.2f}", "{n!r}", "{n"])
def test_other_placeholders_are_found(lacking, wrong):
    assert lacking(SAVE % "Garder" + LEAST % wrong + WELL) == [Lack("at least {n}", "placeholders")]


def test_a_word_may_agree_with_what_stands_there_anyway(lacking):
    known = SAVE % "Garder" + WELL
    assert lacking(known + LEAST % "au moins {n} {n:bit|bits}") == []
    assert lacking(known + LEAST % "au moins {n:bit|bits}") != []


@pytest.mark.parametrize(
    ("forms", "why"),
    [
        (("le dernier", "les {n} derniers"), []),
        (("le dernier des {n}", "les {n} derniers"), []),
        (("le dernier", "les derniers"), ["placeholders"]),
        (("le {m}", "les {n}"), ["placeholders"]),
        (("le dernier", ""), ["missing"]),
    ],
)
def test_a_singular_may_do_without_its_number(lacking, forms, why):
    found = lacking(SAVE % "Garder" + LEAST % "{n}" + PLURAL % forms)
    assert [lack.why for lack in found] == why


def test_the_list_is_printed_language_by_language(lacking):
    lacking(SAVE % "" + LEAST % "{n}" + WELL)
    assert list(report()) == ["fr: 1 to do", "  missing: Save"]


def test_it_is_a_command():
    command = [sys.executable, "-m", "core.catalogues"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("fr: 0 to do")
