"""Numbers and lists as the learner's language writes them."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import pytest

from core.errors import DeviceUnavailableError, InputTooLongError, UnknownModelError
from core.figures.text import Mark, number, percent, sentence
from core.language import N_, Phrase, _, use_language
from core.locale import Choice, Numeral, WordList, grouped, in_short, listed, row, spelt
from tests.architecture.tree import ROOT

NARROW = "\u202f"


@pytest.fixture
def french():
    use_language("fr")
    yield
    use_language("en")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"), (-0.0, "0"), (1, "1,00"), (-1.41421, "−1,41"), (0.0321, "0,0321"),
        (12300, f"12{NARROW}300"), (-12300, f"−12{NARROW}300"), (999.6, f"1{NARROW}000"),
        (123456, f"123{NARROW}456"), (1e6, "1,00·10⁶"), (-1.5e-7, "−1,50·10⁻⁷"),
        (5e-324, "4,94·10⁻³²⁴"), (1.7e308, "1,70·10³⁰⁸"),
        (float("inf"), "∞"), (float("-inf"), "−∞"), (float("nan"), "–"),
    ],
)  # fmt: skip
def test_numbers_in_french(french, value, text):
    assert number(value) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0_%"), (-0.1, "0_%"), (1e-9, "<_0,01_%"), (0.000123, "0,012_%"), (0.009, "0,90_%"),
        (0.0421, "4,2_%"), (0.0996, "10_%"), (0.5, "50_%"), (0.994, "99,4_%"),
        (0.9996, ">_99,9_%"), (1, "100_%"), (1.5, "150_%"), (float("nan"), "–"),
    ],
)  # fmt: skip
def test_shares_in_french(french, share, text):
    assert percent(share) == text.replace("_", NARROW)


@pytest.mark.parametrize(
    ("bits", "said"),
    [
        (0.17, "0,170 bit"), (-1.9, "−1,90 bit"), (2, "2,00 bits"), (12300, f"12{NARROW}300 bits"),
        (float("nan"), "– bits"),
    ],
)  # fmt: skip
def test_a_unit_agrees_with_the_number_before_it(french, bits, said):
    assert str(sentence("{n} {n:bit|bits}", n=Mark(number(bits), "accent"))) == said


def test_digits_can_be_asked_for_in_french(french):
    assert number(3.14159, 5) == "3,1416"
    assert grouped(1234567) == f"1{NARROW}234{NARROW}567"
    assert grouped(-1234) == f"-1{NARROW}234"
    assert grouped(999) == "999"
    assert spelt(f"{1234.56:,.1f}") == f"1{NARROW}234,6"


@pytest.mark.parametrize(
    ("code", "lists", "choices"),
    [
        ("en", ["", "a", "a, b", "a, b, c"], ["", "a", "a, b", "a, b, c"]),
        ("fr", ["", "a", "a et b", "a, b et c"], ["", "a", "a ou b", "a, b ou c"]),
        ("de", ["", "a", "a und b", "a, b und c"], ["", "a", "a oder b", "a, b oder c"]),
    ],
)
def test_lists(french, code, lists, choices):
    use_language(code)
    words = [list("abc")[:n] for n in range(4)]
    assert [listed(some) for some in words] == lists
    assert [listed(iter(some), "or") for some in words] == choices


@pytest.mark.parametrize(
    ("value", "text"),
    [(640, "640"), (1_000, "1 k"), (85_123, "85 k"), (411_172, "411 k"), (999_700, "1.0 M"),
     (6_967_296, "7.0 M"), (1_234_000_000, "1,234.0 M")],
)  # fmt: skip
def test_no_large_number_is_said_to_be_none(value, text):
    assert in_short(value) == text


def test_numbers_in_a_row_stay_apart(french):
    assert row([number(0.5, 2), number(0.25, 2)]) == "0,50\u202f; 0,25"
    use_language("en")
    assert row([number(0.5, 2), number(0.25, 2)]) == "0.50, 0.25"
    assert row([]) == ""


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", "1,234.5 12 %"),
        ("de", f"1.234,5{NARROW}12{NARROW}%"),
        ("it", "1.234,512%"),
        ("es-MX", "1,234.512%"),  # as a page names it
        ("pt_BR", "1.234,512%"),  # as a folder of catalogues names it
        ("xx", "1,234.5 12 %"),
        ("", "1,234.5 12 %"),
        ("what is this", "1,234.5 12 %"),
    ],
)
def test_each_language_has_its_signs_and_an_unknown_one_those_of_english(french, code, said):
    use_language(code)
    assert spelt("1,234.5 12 %") == said
    assert listed(["a", "b"])


def test_a_phrase_spells_what_it_holds_where_it_is_said(french):
    phrase = Phrase(
        N_("at most {n} of {all} or {one}"),
        n=Numeral("1,024"),
        all=WordList("abc"),
        one=Choice("de"),
    )
    for same in (phrase, copy.copy(phrase), pickle.loads(pickle.dumps(phrase))):
        assert str(same) == "at most 1,024 of a, b, c or d, e"
        assert _(same) == f"at most 1{NARROW}024 of a, b et c or d ou e"


def test_errors_spell_numbers_and_lists(french):
    error = InputTooLongError(limit=1024, got=2000)
    assert f"2{NARROW}000 jetons" in error.sentence()
    assert f"contient 1{NARROW}024\u00a0:" in error.sentence()
    assert "2,000 tokens" in str(error)
    device = DeviceUnavailableError("cuda", ["auto", "cpu"])
    assert device.sentence().endswith("auto ou cpu")
    assert str(device).endswith("auto, cpu")
    assert UnknownModelError("x", ["a", "b"]).sentence().endswith("a et b")
    assert str(UnknownModelError("x", [])).endswith("none")


def test_english_does_without_babel():
    code = (
        "import sys; from core.figures.text import number, percent; from core.locale import listed;"
        "number(1234.5), percent(0.5), listed('ab'); print('babel' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False"]
