"""Interface text in the language of the thread that shows it."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest
from babel.messages import Catalog
from babel.messages.pofile import write_po

from core import language
from core.errors import CheckpointError, InputTooLongError, ParameterError
from core.language import N_, Phrase, _, available_languages, name_of, ngettext, use_language


@pytest.fixture
def german(tmp_path, monkeypatch):
    """A small catalogue."""
    place = tmp_path / "de" / "LC_MESSAGES"
    place.mkdir(parents=True)
    catalogue = Catalog(locale="de")
    catalogue.add("Save", "Speichern")
    catalogue.add(("{n} token", "{n} tokens"), ("{n} Token", "{n} Tokens"))
    template = "the text has {got} tokens and the model's context holds {limit}: shorten the text"
    catalogue.add(template, "{got} Tokens, aber nur {limit} passen in den Kontext")
    catalogue.add("{name} is {got}; it must be {wanted}", "{name} ist {got}, nötig ist {wanted}")
    catalogue.add("{where}: {problem}", "in {where}: {problem}")
    catalogue.add("not readable {kind} ({reason})", "{kind} nicht lesbar ({reason})")
    catalogue.add("at least {n}", "mindestens {n}")
    catalogue.add("0 or above", "0 oder mehr")
    catalogue.add("text", "Text")
    with (place / "glassformer.po").open("wb") as out:
        write_po(out, catalogue)
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
    assert str(error) == "the text has 9 tokens and the model's context holds 8: shorten the text"


def test_a_phrase_is_the_english_text(german):
    use_language("de")
    phrase = Phrase(N_("at least {n}"), n=3)
    assert phrase == str(phrase) == f"{phrase}" == "at least 3"
    assert hash(phrase) == hash("at least 3")
    assert type(str(phrase)) is str


def test_a_phrase_is_said_in_it_with_the_phrases_inside(german):
    broken = Phrase(N_("not readable {kind} ({reason})"), kind=N_("text"), reason="byte 3")
    nested = Phrase(
        N_("not readable {kind} ({reason})"), kind="", reason=Phrase("at least {n}", n=3)
    )
    assert _(broken) == "not readable text (byte 3)"
    use_language("de")
    assert _(broken) == "Text nicht lesbar (byte 3)"
    assert _(nested) == " nicht lesbar (mindestens 3)"
    assert _(Phrase("not in the {where}", where="catalogue")) == "not in the catalogue"


def test_what_an_error_says_in_words_is_said_in_it(german):
    kind = Phrase(N_("not readable {kind} ({reason})"), kind=N_("text"), reason="byte 3")
    errors = {
        ParameterError("k", 0, Phrase(N_("at least {n}"), n=1)): "k ist 0, nötig ist mindestens 1",
        ParameterError("k", -1, N_("0 or above")): "k ist -1, nötig ist 0 oder mehr",
        CheckpointError("a.md", kind): "in a.md: Text nicht lesbar (byte 3)",
    }
    assert [str(error) for error in errors] == [
        "k is 0; it must be at least 1",
        "k is -1; it must be 0 or above",
        "a.md: not readable text (byte 3)",
    ]
    assert [error.sentence() for error in errors] == list(map(str, errors))
    use_language("de")
    assert [error.sentence() for error in errors] == list(errors.values())


@pytest.mark.parametrize("value", ["{", "}{", "{n}", "{0.__class__}", "%s", ""])
def test_a_value_of_a_phrase_is_never_a_template(german, value):
    inner = Phrase("at least {n}", n=value)
    phrase = Phrase("not readable {kind} ({reason})", kind=value, reason=inner)
    assert phrase == f"not readable {value} (at least {value})"
    use_language("de")
    assert _(phrase) == f"{value} nicht lesbar (mindestens {value})"


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda phrase: pickle.loads(pickle.dumps(phrase))]
)
def test_a_copy_of_a_phrase_is_said_as_the_phrase_is(german, copied):
    phrase = copied(Phrase("at least {n}", n="{n}"))
    assert phrase == "at least {n}"
    use_language("de")
    assert _(phrase) == "mindestens {n}"


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("gpt", "GPT"),
        ("vit", "ViT"),
        ("cnn", "CNN"),
        ("transformer", "Transformer"),
        ("rnn", "RNN"),
        ("rnn_attention", "RNN + attention"),
        ("elmo", "ELMo"),
        ("rnn_self", "RNN + self-attention"),
        ("encoder_causal", "Causal encoder"),
        ("bert_sentiment", "BERT sentiment"),
        ("bert_nli", "BERT NLI"),
        ("vit_cifar", "ViT CIFAR"),
    ],
)
def test_a_model_has_the_name_that_people_write(model, name):
    assert name_of(model) == name


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


def test_a_models_name_in_words_is_in_the_catalogue():
    assert {name_of("encoder_causal"), name_of("rnn_self")} == set(language.IN_WORDS)
