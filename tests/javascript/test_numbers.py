"""Numbers read alike in Python and in the browser."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from core.figures.text import enough, number, percent
from core.language import use_language
from core.locale import grouped

LANGUAGES = ["en", "fr", "de", "es", "it", "ja", "sv", "xx", "what is this"]


@pytest.fixture(params=LANGUAGES)
def language(request):
    use_language(request.param)
    yield request.param
    use_language("en")


def many_numbers() -> list[float]:
    """Numbers of every size, ties, neighbours of powers of ten, and what is no number."""
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2**63, 3000, dtype=np.uint64).view(np.float64)
    single = rng.integers(0, 2**31, 2000, dtype=np.uint32).view(np.float32)
    single = single[~np.isnan(single)].astype(np.float64)
    usual = rng.normal(size=3000) * 10.0 ** rng.integers(-6, 8, 3000)
    ties = np.concatenate([np.arange(-400, 400) / 8, np.arange(1, 400) * 2.5, np.arange(999) + 0.5])
    tens = 10.0 ** np.arange(-8, 9)
    near = np.concatenate([tens, np.nextafter(tens, 0), np.nextafter(tens, np.inf), tens * 0.9995])
    odd = [0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, 1.7e308]
    values = np.concatenate([bits, -bits[:500], single, usual, ties, near, -near, odd])
    return [float(value) for value in values]


@pytest.mark.parametrize("digits", [1, 2, 3, 6])
def test_numbers_read_alike_on_both_sides(call, digits):
    agree(many_numbers(), digits, call, "")


def test_numbers_read_alike_in_every_language(call, language):
    agree(many_numbers()[::7], 4, call, language)


def agree(values: list[float], digits: int, call, language: str) -> None:
    found = call("shared/numbers.js", "fmt", [(value, digits) for value in values], language)
    wrong = [
        (value, mine, theirs)
        for value, theirs in zip(values, found, strict=True)
        if (mine := number(value, digits)) != theirs
    ]
    assert not wrong, wrong[:5]


def test_both_sides_take_as_many_digits_for_a_quotient(call):
    values = [value for value in many_numbers()[5000:10000:5] if 1e-4 < abs(value) < 1e6]
    pairs = [(value, value / by) for value in values for by in (8, 5.656854249492381)]
    found = call("shared/numbers.js", "enough", pairs)
    assert found == [enough(*pair) for pair in pairs]
    assert set(found) > {3, 4}


def test_shares_read_alike_on_both_sides(call, language):
    rng = np.random.default_rng(1)
    values = np.concatenate([
        rng.random(4000), rng.random(2000) ** 8, 1 - rng.random(1000) ** 8, np.arange(2001) / 2000,
        rng.random(2000).astype(np.float32),
        [0, 1, 1.0000001, 1.006, 2, 12.345, -0.1, 1e-12, math.nan, math.inf, 1e13, 1e14, 1e300],
    ])  # fmt: skip
    found = call("shared/numbers.js", "percent", [(float(value),) for value in values], language)
    wrong = [
        (value, mine, theirs)
        for value, theirs in zip(values, found, strict=True)
        if (mine := percent(value)) != theirs
    ]
    assert not wrong, wrong[:5]


def test_thousands_stand_apart_on_both_sides(call, language):
    values = [0, 7, 999, 1000, 1234567, 10**15]
    found = call("shared/numbers.js", "grouped", [(str(value),) for value in values], language)
    assert found == [grouped(value) for value in values]


def test_french(call):
    """As it is to be read, not only alike."""
    said = [
        ("fmt", -12300, "−12\u202f300"), ("fmt", 0.0321, "0,0321"), ("fmt", -1.2e-5, "−1,20·10⁻⁵"),
        ("fmt", 0, "0"), ("fmt", math.nan, "–"), ("fmt", -math.inf, "−∞"),
        ("percent", 0.042, "4,2\u202f%"), ("percent", 1e-9, "<\u202f0,01\u202f%"),
        ("percent", 1, "100\u202f%"), ("percent", math.nan, "–"),
        ("grouped", "1234.5", "1\u202f234,5"), ("full", 0.1, "0,1"), ("full", -1e-7, "−10⁻⁷"),
    ]  # fmt: skip
    for name, value, text in said:
        assert call("shared/numbers.js", name, [(value,)], "fr") == [text]


def _plain(text: str) -> str:
    """9.16·10⁻⁵ as a program writes it."""
    by_e = re.sub(
        r"(?:(?<![\d·])|·)10(?=[⁻⁰¹²³⁴-⁹])", lambda f: "e" if f[0][0] == "·" else "1e", text
    )
    return by_e.translate(str.maketrans("−⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "--0123456789"))


def test_a_full_number_comes_back_exactly(call):
    rng = np.random.default_rng(2)
    single = (rng.normal(size=500) * 10.0 ** rng.integers(-9, 9, 500)).astype(np.float32)
    double = rng.normal(size=500)
    said = call("shared/numbers.js", "full", [(float(v),) for v in (*single, *double)])
    for value, text in zip(single, said[:500], strict=True):
        assert np.float32(_plain(text)) == value
        assert len(text.replace("−", "").replace(".", "").split("·10")[0].strip("0")) <= 9
    for value, text in zip(double, said[500:], strict=True):
        assert float(_plain(text)) == value
