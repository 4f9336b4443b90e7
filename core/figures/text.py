"""Sentences with marked words, numbers as people read them, tokens as they are shown."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Literal

from core.locale import agreeing, spelt

Role = Literal[
    "plain", "query", "key", "value", "weight", "position", "residual", "accent", "muted", "strong",
    "warning",
]  # fmt: skip

MINUS = "−"
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
MOST_DIGITS = 9  # that tell a 32-bit number from its neighbours
HUGE = 1e15  # from which on a number is not written out: its last digits say nothing
_ROOM = Context(prec=800)  # digits: a double has 309 before its point, and 326 zeros after it
_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+!|~$<>&-])")
# What is made a link, an icon or a picture of although it was escaped, and what parts it.
_FOUND_AGAIN, _JOINER = re.compile(r"(?<=:)(?=[\w/+])|(?<=[wW]{3})(?=\.)|(?<=@)(?=\w)"), "\u2060"


@dataclass(frozen=True, slots=True)
class Mark:
    """A word of a sentence that has a colour of its own."""

    text: str
    role: Role


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence in parts. ``str`` gives it plain, for text alternatives."""

    parts: tuple[Mark, ...]

    def __str__(self) -> str:
        return "".join(part.text for part in self.parts)

    def as_data(self) -> list[list[str]]:
        """Pairs of text and role, as components read them."""
        return [[part.text, part.role] for part in self.parts]


def sentence(template: str, **values: Mark | Sentence | str) -> Sentence:
    """Fill a translated template: ``sentence(_("“{q}” looks at “{k}”"), q=Mark(...), k=...)``.

    A value without a role is plain; one of several parts keeps theirs. Braces in values stay as
    they are. A translation may have a word agree with a number that is no whole one:
    ``{bits} {bits:bit|bits}``.
    """
    parts: list[Mark] = []
    offset = 0
    for match in re.finditer(r"\{(\w+)(?::([^{}|]+(?:\|[^{}|]+)+))?\}", template):
        if match.start() > offset:
            parts.append(Mark(template[offset : match.start()], "plain"))
        value = values[match.group(1)]
        if match.group(2):
            text = value if isinstance(value, Sentence) else Sentence((_marked(value),))
            parts.append(Mark(agreeing(str(text), match.group(2).split("|")), "plain"))
        elif isinstance(value, Sentence):
            parts += value.parts
        else:
            parts.append(_marked(value))
        offset = match.end()
    if offset < len(template):
        parts.append(Mark(template[offset:], "plain"))
    return Sentence(tuple(parts))


def _marked(value: Mark | str) -> Mark:
    return value if isinstance(value, Mark) else Mark(value, "plain")


def join(sentences: Sequence[Sentence]) -> Sentence:
    """Several sentences with spaces between them."""
    parts: list[Mark] = []
    for n, part in enumerate(sentences):
        if n:
            parts.append(Mark(" ", "plain"))
        parts += part.parts
    return Sentence(tuple(parts))


def ends_itself(words: str) -> bool:
    """Whether words end as a sentence does, so that they need no full stop when they are quoted."""
    return words.endswith((".", "!", "?", "…"))


def number(value: float, digits: int = 3) -> str:
    """A number with ``digits`` significant digits and a real minus sign: −1.41, 9.16·10⁻⁵."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else MINUS + "∞"
    if value == 0:
        return "0"
    exact = Decimal(abs(float(value)))
    size = _rounded(exact, digits).adjusted()  # after rounding: 9.996 is 10.0
    if size >= 6 or size < -4:
        text = _by_ten(f"{_rounded(exact, digits).scaleb(-size):.{digits - 1}f}", size)
    else:
        text = f"{_to_decimals(exact, max(0, digits - 1 - size)):,f}"
    return spelt((f"-{text}" if value < 0 else text).replace("-", MINUS))


def _by_ten(mantissa: str, exponent: int) -> str:
    """A number times a power of ten, as one writes it by hand; of 1 only the power."""
    power = "10" + str(exponent).translate(_RAISED)
    return power if mantissa == "1" else f"{mantissa}·{power}"


def as_read(value: float, digits: int = 3) -> float:
    """The number that ``number`` writes, which a reader goes on with."""
    if not math.isfinite(value) or value == 0:
        return value
    exact = Decimal(abs(float(value)))
    decimals = max(0, digits - 1 - _rounded(exact, digits).adjusted())
    return math.copysign(float(_to_decimals(exact, decimals)), value)


def enough(value: float, product: float, digits: int = 3) -> int:
    """How many digits a number is shown with, so that what is made of it comes out as shown.

    −20.8 / 8 is −2.60, but −20.75 / 8 is −2.59. A reader who divides finds the number that stands
    there.

    Args:
        value: that is multiplied or divided.
        product: what comes of it.
        digits: that both have at least.
    """
    if not (value and math.isfinite(value) and math.isfinite(product)):
        return digits
    by, shown = product / value, number(product, digits)
    tried = range(digits, MOST_DIGITS)
    right = (n for n in tried if number(as_read(value, n) * by, digits) == shown)
    return next(right, MOST_DIGITS)


def decimal(value: float, decimals: int) -> str:
    """A number with so many decimals: 0.50, −1.41, 12,300.0."""
    if not abs(value) < HUGE:
        return number(value)
    text = f"{_to_decimals(Decimal(float(value)), decimals):,f}"
    return spelt(text.removeprefix("-") if not float(text.replace(",", "")) else text).replace(
        "-", MINUS
    )


def _rounded(exact: Decimal, digits: int) -> Decimal:
    """To so many significant digits; a tie goes up, as JavaScript has it, so that both agree."""
    return Context(prec=digits, rounding=ROUND_HALF_UP).create_decimal(exact)


def _to_decimals(exact: Decimal, decimals: int) -> Decimal:
    """To so many decimals; a tie goes up."""
    return exact.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP, _ROOM)


def percent(share: float) -> str:
    """A share as people read it: 73 %, 4.2 %, 200 %; never a wrong 0 % or 100 %."""
    value = 100 * float(share)
    if math.isnan(value):
        return "–"
    if value <= 0:
        return spelt("0 %")
    if value < 0.01:
        return spelt("< 0.01 %")
    if value >= HUGE:
        return number(value) + spelt(" %")
    if 99.95 <= value < 100.5:
        return spelt("100 %" if value >= 100 else "> 99.9 %")
    exact, decimals = Decimal(value), 0
    if not (9.95 <= value < 99 or value > 100):
        decimals = 1 if value >= 1 else 1 - _rounded(exact, 2).adjusted()
    return spelt(f"{_to_decimals(exact, decimals)} %")


def share(value: float, digits: int = 3) -> str:
    """A share with so many significant digits, for a reader who goes on with it: 17.2 %, 1.35 %."""
    if not 1e-4 <= value < 0.999:
        return percent(value)
    exact = Decimal(100 * float(value))
    decimals = max(0, digits - 1 - _rounded(exact, digits).adjusted())
    return spelt(f"{_to_decimals(exact, decimals)} %")


def shortened(text: str, most: int) -> str:
    """The beginning of a text that a sentence or a label has no room for."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def harmless(words: str) -> str:
    """Words of which Markdown and HTML take nothing for their own, whoever wrote them."""
    line = re.sub(r"(?<!\s)\s*\n\s*", " ", words)  # a new one may be a heading, or code
    return _SPECIAL.sub(r"\\\1", _FOUND_AGAIN.sub(_JOINER, line))
