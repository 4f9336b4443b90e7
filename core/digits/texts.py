"""How a digit is asked for: the texts that the generator learned from, and those it never read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

Form = Literal["words", "numerals"]
NAMES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
IN_FRENCH = ("zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf")
# Each is read with every digit, as a word and as a numeral; {a} is the article before it.
TRAINED = (
    "{digit}",
    "{a} {digit}",
    "the number {digit}",
    "the digit {digit}",
    "draw {a} {digit}",
    "draw the number {digit}",
    "write {a} {digit}",
    "write the number {digit}",
    "a picture of {a} {digit}",
    "a picture of the number {digit}",
    "show me {a} {digit}",
    "show me the number {digit}",
    "this is {a} {digit}",
    "here is the number {digit}",
    "I want to see {a} {digit}",
    "she wrote {a} {digit}",
    "the child drew {a} {digit} on paper",
    "{a} {digit} on the wall",
    "a white {digit} on a black wall",
    "the {digit} is white",
    "{digit} is the number",
    "his number is {digit}",
    "{a} {digit}, please",
    "draw {a} {digit}, please",
    "please write {a} {digit} for me",
    "please show me {a} {digit}",
    "Draw {a} {digit}.",
    "Write the number {digit}.",
    "A picture of {a} {digit}.",
    "The number {digit}.",
)
# Held out: never read in training, with no digit.
HELD = (
    "draw the digit {digit}",
    "paint the number {digit}",
    "Please draw the number {digit}.",
    "can you draw {a} {digit} for my mother",
    "the teacher wrote {a} {digit} on the board",
    "I would like {a} {digit}",
    "look at this {digit}",
    "{digit} is what I want to see",
)
EMPTY = ""  # in place of one text in ten: what guidance starts from


class Asked(NamedTuple):
    """A text and the digit that it names."""

    text: str
    digit: int


def fill_template(template: str, digit: int, form: Form) -> Asked:
    """A template with a digit in it, as a word or as a numeral."""
    numeral = NAMES[digit] if form == "words" else str(digit)
    return Asked(template.format(digit=numeral, a="an" if digit == 8 else "a"), digit)


def every(templates: tuple[str, ...], form: Form) -> Iterator[Asked]:
    """Each template with each digit."""
    for template in templates:
        for digit in range(len(NAMES)):
            yield fill_template(template, digit, form)
