"""The catalogues as their translators edit them, and what they still lack.

``python -m core.catalogues`` lists it for every language.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Formatter
from typing import IO

from babel.messages import Catalog, Message
from babel.messages.pofile import read_po

from core import language
from core.yaml_files import read_yaml


@dataclass(frozen=True, slots=True)
class Lack:
    """What is wrong with a message of a catalogue.

    Attributes:
        message: in English.
        why: "missing", "fuzzy", "obsolete" or "placeholders".
    """

    message: str
    why: str


def texts_of_rows(
    file: IO[bytes], _keywords: object, _comments: object, options: Mapping[str, str]
) -> Iterator[tuple[int, str, str, list[str]]]:
    """The texts of a YAML list for Babel: of each row the fields that ``options`` names."""
    for row in read_yaml(Path(file.name)):
        for name in options["fields"].split():
            value = row.get(name, [])
            yield from (
                (1, "", text, []) for text in ([value] if isinstance(value, str) else value)
            )


def template() -> Catalog:
    """Every message of the app, not translated."""
    with (language.LOCALE / f"{language.DOMAIN}.pot").open("rb") as file:
        return read_po(file)


def lacks(code: str) -> list[Lack]:
    """What a language still lacks, message by message."""
    catalogue, messages = language.read_catalogue(code), template()
    lacking = []
    for message in messages:
        if not message.id:
            continue
        translated = catalogue.get(message.id)
        if why := _wrong(message, translated):
            lacking.append(Lack(_forms(message.id)[0], why))
    obsolete = [message for message in catalogue if message.id and message.id not in messages]
    obsolete += catalogue.obsolete.values()
    return lacking + [Lack(_forms(message.id)[0], "obsolete") for message in obsolete]


def _wrong(message: Message, translated: Message | None) -> str:
    if translated is None or not all(_forms(translated.string)):
        return "missing"
    if translated.fuzzy:
        return "fuzzy"
    # One thing may be said with its number or without: "1 token", "the last token".
    *allowed, last = map(_holes, _forms(message.id))
    *firsts, plural = map(_holes, _forms(translated.string))
    is_same = plural == last and all(hole in (*allowed, last) for hole in firsts)
    return "" if is_same else "placeholders"


def _forms(message: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    """The singular and the plurals, or the one form there is."""
    return (message or "",) if message is None or isinstance(message, str) else tuple(message)


def _holes(text: str) -> frozenset[tuple[str, str | None, str | None]]:
    """Where a message takes values, and how it writes them; None fits a broken brace.

    What a word of a translation agrees with is a value that stands there anyway.
    """
    try:
        parts = [(name, form, as_) for _text, name, form, as_ in Formatter().parse(text) if name]
    except ValueError:
        parts = [(text, None, None)]
    holes = {(str(name), form, as_) for name, form, as_ in parts}
    names = {name for name, form, _as in holes if "|" not in (form or "")}
    return frozenset(hole for hole in holes if "|" not in (hole[1] or "") or hole[0] not in names)


def report() -> Iterator[str]:
    """What every language lacks, line by line."""
    for code in language.available_languages()[1:]:
        lacking = lacks(code)
        yield f"{code}: {len(lacking)} to do"
        yield from (f"  {lack.why}: {lack.message}" for lack in lacking)


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in report())
