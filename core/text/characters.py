"""Bytes and characters: what a text may hold, and how vocabularies spell it."""

from __future__ import annotations

from core.errors import HalfCharacterError


def gpt2_byte_alphabet() -> dict[int, str]:
    """GPT-2's printable stand-in for each byte: itself when printable, else 256, 257, ... on.

    Radford et al. 2019, section 2.2; it keeps whitespace and control bytes out of vocabulary files.
    """
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    stand_ins = {byte: chr(byte) for byte in printable}
    for byte in range(256):
        stand_ins.setdefault(byte, chr(256 + len(stand_ins) - len(printable)))
    return stand_ins


BYTE_OF = {char: byte for byte, char in gpt2_byte_alphabet().items()}


def whole_characters(text: str) -> str:
    """The text as it is, if it is one that UTF-8 can write.

    Raises:
        HalfCharacterError: with the place of the first half of a surrogate pair.
    """
    try:
        text.encode()
    except UnicodeEncodeError as half:
        raise HalfCharacterError(half.start, text[half.start]) from None
    return text


def every_byte() -> str:
    """A text in which every byte occurs that UTF-8 has."""
    two = (*range(0x80, 0xC0), *range(0xC0, 0x800, 0x40))
    three, four = (0x800, *range(0x1000, 0x10000, 0x1000)), range(0x10000, 0x110000, 0x10000)
    return "".join(map(chr, (*range(0x80), *two, *three, *four)))
