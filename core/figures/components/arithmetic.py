"""What a cell of a matrix is made of, step by step, with operands that Python computed.

Operands are named: ``Of("q", row="token")`` is the row of array ``q`` that the selection's
``token`` names, ``Of("scores", row="token", col="key")`` one number of it, ``Of("bias", at="col")``
one of a vector. JavaScript looks them up and writes them down; it computes nothing but the sums
that it shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Of:
    """A number, a row or a column of an array, by the fields of the selection that name it.

    Attributes:
        array: name of the array.
        row, col: fields that name a row and a column; one of them alone for a vector.
        at: the field that names an entry of a vector.
        role: colour.
    """

    array: str
    row: str | None = None
    col: str | None = None
    at: str | None = None
    role: str | None = None


@dataclass(frozen=True, kw_only=True)
class ArithmeticStep:
    """One line of arithmetic.

    Attributes:
        title: what is done.
        now: this is the step whose result the sheet shows.
    """

    kind: ClassVar[str]

    title: str
    now: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Products(ArithmeticStep):
    """A sum of products: a · b (+ an offset).

    Attributes:
        name: of the result, ``{col}`` for the selected column.
        a, b: the vectors.
        plus: a number that is added.
        upto: the field up to which the sum runs.
        may: which of the terms there are; the others are masked, and their products 0.
        names: the list of names of the terms; the largest are then drawn as bars.
        result: where it stands.
    """

    kind = "products"

    name: str
    a: Of
    b: Of
    result: Of
    plus: Of | None = None
    upto: str | None = None
    may: Of | None = None
    names: str | None = None


@dataclass(frozen=True, kw_only=True)
class ScaleBy(ArithmeticStep):
    """A number times or over a constant, which is given in words: "/ √64"."""

    kind = "scale"

    from_: Of
    by: str
    result: Of


@dataclass(frozen=True, kw_only=True)
class AskMask(ArithmeticStep):
    """Whether a query may attend to a key.

    Both sentences may have their places ``{query}`` and ``{key}``, or their words ``{row}`` and
    ``{col}``.
    """

    kind = "mask"

    may: Of
    kept: str
    hidden: str


@dataclass(frozen=True, kw_only=True)
class Softmax(ArithmeticStep):
    """e to a score, over the sum of those of the row."""

    kind = "softmax"

    scores: Of
    weights: Of
    at: str
    names: str
    may: Of | None = None


@dataclass(frozen=True, kw_only=True)
class Normalise(ArithmeticStep):
    """(x − mean) / √(var + eps)."""

    kind = "norm"

    x: Of
    mean: Of
    var: Of
    eps: str
    result: Of


@dataclass(frozen=True, kw_only=True)
class Affine(ArithmeticStep):
    """x · gain + shift."""

    kind = "affine"

    x: Of
    gain: Of
    shift: Of
    result: Of


@dataclass(frozen=True, kw_only=True)
class Sum(ArithmeticStep):
    """Numbers added up."""

    kind = "sum"

    terms: tuple[Of, ...]
    result: Of


@dataclass(frozen=True, kw_only=True)
class Value(ArithmeticStep):
    """A number that is only read off."""

    kind = "value"

    name: str
    result: Of
    names: str | None = None
    at: str | None = None


@dataclass(frozen=True, kw_only=True)
class NoteStep(ArithmeticStep):
    """A sentence in place of a calculation."""

    kind = "note"

    text: str


@dataclass(frozen=True, kw_only=True)
class Minus(ArithmeticStep):
    """a − b."""

    kind = "minus"

    a: Of
    b: Of
    result: Of


@dataclass(frozen=True, kw_only=True)
class Times(ArithmeticStep):
    """a · b."""

    kind = "times"

    a: Of
    b: Of
    result: Of


@dataclass(frozen=True, kw_only=True)
class Quotient(ArithmeticStep):
    """a / b, or "masked" where the mask forbids it."""

    kind = "quotient"

    a: Of
    b: Of
    result: Of
    may: Of | None = None


@dataclass(frozen=True, kw_only=True)
class Square(ArithmeticStep):
    """x²."""

    kind = "square"

    x: Of
    result: Of


@dataclass(frozen=True, kw_only=True)
class Apply(ArithmeticStep):
    """A number put through a named function: GELU(1.2) = 1.06."""

    kind = "apply"

    name: str
    x: Of
    result: Of


@dataclass(frozen=True, kw_only=True)
class Mean(ArithmeticStep):
    """The mean of a vector, optionally under a root with an eps."""

    kind = "mean"

    name: str
    of: Of
    result: Of
    root: bool | None = None
    eps: str | None = None


@dataclass(frozen=True, kw_only=True)
class StopsWay(ArithmeticStep):
    """From stop to stop, from a row towards a column.

    Attributes:
        from_, to: fields of the selection.
        reach: array that says whether there is a way.
        stops: array that says where to go next.
        names: the list of names of the stops.
        step: the sentence of one step, with ``{a}`` and ``{b}``.
        none, self_: the sentences where there is no way, and where start and end are one.
    """

    kind = "way"

    from_: str
    to: str
    reach: str
    stops: str
    names: str
    step: str
    none: str
    self_: str


@dataclass(frozen=True, kw_only=True)
class Ranks(ArithmeticStep):
    """Named amounts, one list for each row; ``list_`` names them."""

    kind = "ranks"

    list_: str
    role: str | None = None


Ranked = tuple[tuple[str, float], ...]
Arrays = dict[str, Any]
