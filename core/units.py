"""What stands at a position of a stream."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from core.language import _
from core.spelling import bytes_label


class Unit(Protocol):
    """What a machine reads or writes one of at a time.

    Attributes:
        label: on a chip or an axis.
        spoken: in a sentence, in a question, for a screen reader.
        special: the model's own mark, such as [CLS]: nothing of what it was given.
    """

    @property
    def label(self) -> str: ...

    @property
    def spoken(self) -> str: ...

    @property
    def special(self) -> bool: ...


# What the marks are called on screen; others keep their own spelling.
SPECIAL_LABELS: Mapping[str, str] = {"<|endoftext|>": "⟨start⟩"}


@dataclass(frozen=True, slots=True)
class Token:
    """One token of an encoded text.

    Attributes:
        id: its row in the embedding table.
        piece: its name in the vocabulary, as the file spells it.
        data: the bytes it stands for (the normalised text's, for WordPiece).
        start, end: the characters of the original text it came from; equal
            when it came from none (a special token).
        special: the model's own mark, such as [CLS].
        unknown: the text here is not in the vocabulary ([UNK]); of a whole word ``data`` says it.
        continues: it goes on with the word of the token before it.
        named: it spells the name of a mark, or a part of it, which somebody typed: here it is text.
    """

    id: int
    piece: str
    data: bytes
    start: int
    end: int
    special: bool = False
    unknown: bool = False
    continues: bool = False
    named: bool = False

    @property
    def label(self) -> str:
        """How it is written on a chip or an axis.

        Bytes that are no whole character are shown as hexadecimal bytes, never as
        the replacement character; a leading space is a middle dot.
        """
        if self.special:
            return SPECIAL_LABELS.get(self.piece, self.piece)
        if self.unknown and not self.data:
            return self.piece
        text = bytes_label(self.data)
        return "##" + text if self.piece.startswith("##") else text

    @property
    def spoken(self) -> str:
        """The label without the dot of its leading space."""
        return self.label.removeprefix("·") or "·"


@dataclass(frozen=True, slots=True)
class Character:
    """One character of a text that is read letter by letter.

    Attributes:
        id: its row in the embedding table.
        text: the character.
        start: its place in the text.
        special: no character is a mark of the model's own.
    """

    id: int
    text: str
    start: int
    special: bool = False

    @property
    def label(self) -> str:
        """As a token of this character alone is written."""
        return bytes_label(self.text.encode("utf-8", "surrogatepass"))

    @property
    def spoken(self) -> str:
        """The label; of a space its name."""
        return _("space") if self.text == " " else self.label


@dataclass(frozen=True, slots=True)
class Patch:
    """A square of a picture.

    Attributes:
        row, column: of the patch among the patches, from the upper left one; from 0, and from 1
            on the screen, as people count the squares of a picture.
        special: no patch is a mark of the model's own.
    """

    row: int
    column: int
    special: bool = False

    @property
    def label(self) -> str:
        """Its row and column, counted from 1: 2·3."""
        return f"{self.row + 1}·{self.column + 1}"

    @property
    def spoken(self) -> str:
        """Its place in words."""
        sentence = _("the patch in row {row}, column {column}")
        return sentence.format(row=self.row + 1, column=self.column + 1)


@dataclass(frozen=True, slots=True)
class Marker:
    """A position that a model adds to what no text is: [CLS] before the patches of a picture.

    Attributes:
        label: its name.
        special: it is always one.
    """

    label: str
    special: bool = True

    @property
    def spoken(self) -> str:
        """The label, which is its name."""
        return self.label
