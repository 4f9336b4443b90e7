"""What stands at a position of a stream."""

from __future__ import annotations

from dataclasses import dataclass


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
        unknown: the text here is not in the vocabulary ([UNK]).
        continues: it goes on with the word of the token before it.
    """

    id: int
    piece: str
    data: bytes
    start: int
    end: int
    special: bool = False
    unknown: bool = False
    continues: bool = False
