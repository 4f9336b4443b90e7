"""A text as an example to learn from: what is given, what is wanted, and where each belongs.

A token's place is the character of the text that it stands for, or in front of which it stands:
-1 before the text, its length behind it. What is given stands at the place that is predicted from
there, so that everything about one word has one place, whatever the way of learning.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.units import Token

Ints = NDArray[np.int64]
BEFORE = -1  # the place of what stands before a text


@dataclass(frozen=True, eq=False)
class Example:
    """Tokens that are given, and those that are wanted.

    Attributes:
        given, given_at: what a model reads, and the place of each ``(G,)``.
        wanted, wanted_at: what counts in its loss, and the place of each ``(W,)``.
    """

    given: tuple[Token, ...]
    given_at: Ints
    wanted: tuple[Token, ...]
    wanted_at: Ints


def example(
    inputs: Sequence[Token], given_at: Sequence[int], targets: Sequence[Token],
    wanted_at: Sequence[int],
) -> Example:  # fmt: skip
    """An exercise from any sequences of tokens and of their places."""
    positions = (np.array(places, np.int64) for places in (given_at, wanted_at))
    first, second = positions
    return Example(tuple(inputs), first, tuple(targets), second)


def mark(piece: str, number: int = -1) -> Token:
    """A mark that a tokenizer does not have.

    Args:
        piece: how it is written.
        number: its id, below all ids of tokens.
    """
    return Token(number, piece, b"", 0, 0, special=True)


def place(token: Token, text: str, first: int = 0) -> int:
    """Where a token of a text stands, without the space before it.

    Args:
        token: with its offsets.
        text: that they count in.
        first: where that text begins in the whole.
    """
    match = re.search(r"\S", text[token.start : token.end])
    return first + token.start + (match.start() if match else 0)


def places(tokens: Sequence[Token], text: str, first: int = 0) -> list[int]:
    """The place of each token; marks stand before the first of the others, or behind them."""
    positions, has_text = [], False
    for token in tokens:
        is_text = token.end > token.start
        has_text |= is_text
        positions.append(
            place(token, text, first) if is_text else first + len(text) if has_text else BEFORE
        )
    return positions


def from_left(tokens: Sequence[Token], positions: Sequence[int]) -> Example:
    """Each token from all before it: what is given stands one place to the left."""
    return example(tokens[:-1], positions[1:], tokens[1:], positions[1:])


def from_right(tokens: Sequence[Token], positions: Sequence[int]) -> Example:
    """Each token from all after it."""
    return example(tokens[1:], positions[:-1], tokens[:-1], positions[:-1])


def mended(
    tokens: Sequence[Token], text: str, shown: Sequence[Token], origin: Ints,
    targets: Sequence[Token], wanted_at: Sequence[int],
) -> Example:  # fmt: skip
    """A damaged text, and what is to be written for it.

    Args:
        tokens: of the text, without marks.
        text: it.
        shown: what is left of it, marks included.
        origin: which of the tokens each of ``shown`` was; -1 for a mark.
        targets, wanted_at: what is to be written.
    """
    starts = [*places(tokens, text), len(text)]
    in_order = (np.diff(origin[origin >= 0]) > 0).all()
    positions, after = [], 0
    for number, was in enumerate(origin.tolist()):
        if not in_order:  # sentences that changed places: whatever is read at a place
            positions.append(starts[min(number, len(tokens))])
            continue
        positions.append(starts[was] if was >= 0 else starts[min(after, len(tokens))])
        after = was + 1 if was >= 0 else after
    # The end mark, and a mark that hides nothing there, stand behind the text.
    for number in range(len(shown) - 1, -1, -1):
        if origin[number] >= 0 or not _is_end(shown[number]):
            break
        positions[number] = len(text)
    return example(shown, positions, targets, wanted_at)


def _is_end(token: Token) -> bool:
    return token.piece == "</s>"


def spans_at(
    spans: Sequence[tuple[int, int]], positions: Sequence[int], n_wanted: int
) -> list[int]:
    """The places of what T5 writes: each mark where its span begins, and the span behind it.

    Args:
        spans: first token and the one behind the last, of each.
        positions: the places of the text's tokens, and of its end.
        n_wanted: how many tokens are written; those behind the spans stand at the end.
    """
    chosen: list[int] = []
    for first, behind in spans:
        chosen += [positions[first], *positions[first:behind]]
    return [*chosen, *[positions[-1]] * (n_wanted - len(chosen))]
