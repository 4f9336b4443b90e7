"""How the learner's language writes numbers and lists.

A number is made in English first, ``12,300.5`` or ``12 %``, and then given the signs of the
language: ``12 300,5``. English itself costs a look at which language it is. The signs are those of
CLDR, which ``Intl`` has in the browser too (assets/components/shared/numbers.js).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from core.language import SOURCE_LANGUAGE, _, form_of, language

if TYPE_CHECKING:
    from babel import Locale

NARROW = "\u202f"  # a narrow blank at which no line breaks
ENGLISH = MappingProxyType({".": ".", ",": ",", " ": " "})


@lru_cache(maxsize=32)
def _locale_of(code: str) -> Locale | None:
    """What CLDR says of a language; None for English and for one it does not know."""
    if code == SOURCE_LANGUAGE:
        return None
    # Babel takes 80 ms to import: only who needs another language waits for it, once.
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(code.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return None


@lru_cache(maxsize=32)
def signs(code: str) -> Mapping[str, str]:
    """What a language writes for the point, the comma and the blank of an English number.

    The blank is that before a percent sign: narrow, or nothing where the language has none.
    """
    locale = _locale_of(code)
    if locale is None:
        return ENGLISH
    symbols = locale.number_symbols["latn"]
    apart = any(char.isspace() for char in locale.percent_formats[None].pattern)
    return MappingProxyType(
        {".": symbols["decimal"], ",": symbols["group"], " ": NARROW if apart else ""}
    )


@lru_cache(maxsize=32)
def _table(code: str) -> Mapping[int, str]:
    return str.maketrans(dict(signs(code)))


def spelt(number: str) -> str:
    """A number written in English, ``f"{x:,.1f}"``, with the signs of the learner's language."""
    code = language()
    return number if code == SOURCE_LANGUAGE else number.translate(_table(code))


def grouped(value: int) -> str:
    """A whole number with its thousands apart: 12,300."""
    return spelt(f"{value:,}")


def agreeing(written: str, forms: Sequence[str]) -> str:
    """The form of a word beside a written number: 0,17 bit and 2,30 bits in French.

    Args:
        written: the number as the learner reads it, perhaps with words around it.
        forms: of the word, in the order of the catalogue's plural forms; the last one is taken
            where nothing can be read as a number.
    """
    point, comma = signs(language())["."], signs(language())[","]
    if "·10⁻" in written:
        return forms[min(form_of(0), len(forms) - 1)]
    plain = written.replace(comma, "").replace(point, ".").lstrip("+-−")
    try:
        return forms[min(form_of(int(float(plain))), len(forms) - 1)]
    except (ValueError, OverflowError):
        return forms[-1]


def in_short(value: int) -> str:
    """A large whole number in millions or thousands: 7.0 M, 411 k, 640."""
    if round(value / 1e3) >= 1000:  # 999,700 is 1.0 M, not 1,000 k
        return spelt(f"{value / 1e6:,.1f}") + " M"
    return f"{value / 1e3:.0f} k" if value >= 1000 else str(value)


def listed(items: Iterable[str], style: Literal["standard", "or"] = "standard") -> str:
    """Words as a list: "a, b, c" in English, "a, b et c" or "a, b ou c" in French.

    Args:
        items: the words.
        style: "or" where they are a choice.
    """
    locale = _locale_of(language())
    if locale is None:
        return ", ".join(items)
    from babel.lists import format_list

    return format_list(list(items), style, locale)


@lru_cache(maxsize=32)
def own_name(code: str) -> str:
    """What the speakers of a language call it: Français."""
    from babel import Locale

    return (Locale.parse(code).get_language_name() or code).capitalize()


def in_quotes(words: str) -> str:
    """Words that are quoted, in the marks of the learner's language."""
    return _("“{name}”").format(name=words)


def row(numbers: Iterable[str]) -> str:
    """Written numbers in a row; a semicolon parts them where a comma stands in them."""
    return (_("; ") if signs(language())["."] == "," else ", ").join(numbers)


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in a ``Phrase``, written in English; it is spelt where the phrase is said."""

    written: str

    def __format__(self, form: str) -> str:
        return spelt(self.written)


class WordList(tuple[str, ...]):
    """Words in a ``Phrase``; they become a list where the phrase is said."""

    __slots__ = ()

    def __format__(self, form: str) -> str:
        return listed(self)


class Choice(WordList):
    """Words in a ``Phrase``, of which one is to be chosen."""

    __slots__ = ()

    def __format__(self, form: str) -> str:
        return listed(self, "or")
