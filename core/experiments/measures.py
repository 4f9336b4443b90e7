"""What an experiment reads from a view's values: a number, or a word in quotes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from core.figures.values import Values
from core.locale import in_quotes

Figures = Mapping[str, Values]


def at(values: Figures, name: str, *place: int) -> float | str:
    """One number of an array, by its place."""
    return _plain(values[name].array[place])


def selected(values: Figures, name: str) -> float | str:
    """The number that the view has selected."""
    return _plain(values[name].value)


def most(values: Figures, name: str) -> float:
    """The largest number of an array."""
    return float(values[name].array.max())


def least(values: Figures, name: str) -> float:
    """The smallest number of an array."""
    return float(values[name].array.min())


def mean(values: Figures, name: str) -> float:
    """The mean of an array."""
    return float(values[name].array.mean())


def count(values: Figures, name: str) -> float:
    """How many entries an array has along its first axis."""
    return float(len(values[name].array))


def label(values: Figures, name: str) -> str:
    """What the selected number of an array belongs to."""
    (place, *_rest) = _selected(values[name])
    return named(str(values[name].axes[0].labels[place]))


def of_the_first(values: Figures, name: str) -> str:
    """What the first number of an array belongs to."""
    return values[name].axes[0].labels[0]


def later(values: Figures) -> float:
    """The share of a head's attention that goes to later tokens, mean over the queries."""
    return float(np.triu(values["weights"].array, 1).sum(axis=1).mean())


def ahead(values: Figures) -> float:
    """The share of the selected query's attention that goes to later tokens."""
    (query, *_key) = _selected(values["weights"])
    return float(values["weights"].array[query, query + 1 :].sum())


def on_the_second_source_token(values: Figures) -> float:
    """The weight of the selected target token on the source's second token."""
    (target, *_source) = _selected(values["weights"])
    return float(values["weights"].array[target, 1])


def best_word_under_the_mask(values: Figures) -> str:
    """The most likely token under the mask, at the selected position."""
    under, position = values["under"], values["position"].array
    (place, *_rest) = _selected(under)
    rows = np.flatnonzero(position == position[place])
    return named(under.axes[0].labels[rows[under.array[rows].argmax()]])


def top_word(values: Figures) -> str:
    """The most likely word at the selected place."""
    (place, *_rank) = _selected(values["probability"])
    return named(str(values["word"].array[place, 0]))


def standard_deviation(values: Figures) -> float:
    """Of the vector that is normalised."""
    return float(values["var"].value) ** 0.5


def silent_units(values: Figures) -> float:
    """How many units are exactly 0 after the function."""
    return float((values["after"].array == 0).sum())


def repeated_threes(values: Figures) -> float:
    """The share of three tokens in a row that stood there before, of those that were written."""
    words = [str(values["token"].array[place]) for place in _written(values)]
    threes = [tuple(words[n : n + 3]) for n in range(len(words) - 2)]
    return 1 - len(set(threes)) / len(threes)


def mean_surprisal(values: Figures) -> float:
    """Bits per token of what was written."""
    return float(values["bits"].array[_written(values)].mean())


def most_alike(values: Figures) -> float:
    """The largest cosine of two positions that are not neighbours: 8 or more apart."""
    products = values["inner_product"].array
    return float(np.max(products[8:]) / products[0])


def sign_changes(values: Figures) -> float:
    """How often the sine changes its sign over the positions."""
    sine = values["sine"].array[1:]  # which is 0 at position 0
    return float(np.count_nonzero(np.signbit(sine[1:]) != np.signbit(sine[:-1])))


def named(token: str) -> str:
    """A token in quotes, without the dot of its leading space."""
    return in_quotes(token.removeprefix("·") or "·")


def _plain(value: Any) -> float | str:
    return named(value) if isinstance(value, str) else float(value)


def _selected(values: Values) -> tuple[int, ...]:
    assert values.selected is not None
    return values.selected


def _written(values: Figures) -> list[int]:
    """The places of the tokens that the model wrote."""
    sources = values["from"].array
    return [place for place in range(len(sources)) if sources[place] != sources[0]]
