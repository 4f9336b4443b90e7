"""Interface text in the language of the thread that shows it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from babel.messages import Catalog, mofile

from core import language
from core.errors import InputTooLongError
from core.language import N_, _, available_languages, ngettext, use_language


@pytest.fixture
def german(tmp_path, monkeypatch):
    """A catalogue with two messages."""
    place = tmp_path / "de" / "LC_MESSAGES"
    place.mkdir(parents=True)
    catalogue = Catalog(locale="de")
    catalogue.add("Save", "Speichern")
    catalogue.add(("{n} token", "{n} tokens"), ("{n} Token", "{n} Tokens"))
    template = "{got} tokens, but the model's context holds {limit}; shorten the text"
    catalogue.add(template, "{got} Tokens, aber nur {limit} passen in den Kontext")
    with (place / "glassformer.mo").open("wb") as out:
        mofile.write_mo(out, catalogue)
    monkeypatch.setattr(language, "LOCALE", tmp_path)
    language._catalogue.cache_clear()
    yield
    use_language("en")
    language._catalogue.cache_clear()


def test_english_is_as_written():
    use_language("en")
    assert _("Save") == "Save"
    assert [ngettext("{n} token", "{n} tokens", n) for n in (0, 1, 2)] == [
        "{n} tokens", "{n} token", "{n} tokens"
    ]  # fmt: skip
    assert available_languages()[0] == "en"


def test_a_constant_is_marked_and_left_alone():
    assert N_("Save") == "Save"


def test_another_language(german):
    assert available_languages() == ("en", "de")
    use_language("de")
    assert _("Save") == "Speichern"
    assert ngettext("{n} token", "{n} tokens", 1) == "{n} Token"
    assert _("not in the catalogue") == "not in the catalogue"


def test_errors_are_said_in_it_and_logged_in_english(german):
    use_language("de")
    error = InputTooLongError(8, 9)
    assert error.sentence() == "9 Tokens, aber nur 8 passen in den Kontext"
    assert str(error) == "9 tokens, but the model's context holds 8; shorten the text"


@pytest.mark.parametrize("code", ["xx", "", "../../etc", "de\x00", "a" * 5000])
def test_an_unknown_language_is_english(code):
    use_language(code)
    assert _("Save") == "Save"
    use_language("en")


def test_each_thread_has_its_own(german):
    use_language("de")
    with ThreadPoolExecutor(1) as other:
        assert other.submit(_, "Save").result() == "Save"
    assert _("Save") == "Speichern"
