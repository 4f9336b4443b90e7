"""The methods that cut words into pieces, and what the page on tokenization says of each."""

from __future__ import annotations

from dataclasses import dataclass

from core.yaml_files import read_rows


@dataclass(frozen=True, slots=True)
class Method:
    """A method that cuts words into pieces, and what the page says of it.

    Attributes:
        name: of it.
        view: that cuts a word step by step.
        values: of the parameter that stand for it.
        cuts: how it cuts a word (translate with ``_``, as the next two).
        learns: how it learns its entries.
        codes: how short a code it gives, beside Huffman's.
        cut_by: the line of a file that decides how a word is cut, after the file's name.
        learned_by: the same of how entries are learned.
    """

    name: str
    view: str
    values: tuple[str, ...]
    cuts: str
    learns: str
    codes: str
    cut_by: tuple[str, str]
    learned_by: tuple[str, str]


BY = {method.name: method for method in read_rows("methods.yaml", Method)}
