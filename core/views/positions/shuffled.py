"""How far each token's vector moves when the tokens change places, and what it is called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.figures.text import Mark, Sentence, number, percent, sentence
from core.language import _, name_of
from core.units import Unit

SHOWN = 40  # tokens of the shuffled text that are read out


@dataclass(frozen=True)
class Shuffled:
    """How far each token's vector moved.

    Attributes:
        tokens: of the text, in its order.
        order: which token stood at each place of the shuffled run.
        change: for each condition ``(T,)``, as a share of the vector's length: without mask and
            positions ("neither"), under the causal mask alone ("mask"), as the model is ("own").
        causal: the model has a mask that knows the order.
        whole: the vectors are what the model answers from, not an encoder's.
        model: id on the shelf.
        cut: what of the text did not fit.
    """

    tokens: tuple[Unit, ...]
    order: tuple[int, ...]
    change: Mapping[str, NDArray[np.float64]]
    causal: bool
    whole: bool
    model: str
    cut: str

    @property
    def same_order(self) -> bool:
        """Whether the shuffle left everything where it was."""
        return list(self.order) == list(range(len(self.order)))

    @property
    def stacked(self) -> NDArray[np.float64]:
        """``(conditions, T)``."""
        return np.stack(list(self.change.values()))


def called(record: Shuffled, condition: str) -> str:
    """What a condition is called."""
    words = {"neither": _("no positions"), "own": _("with positions")}
    if record.causal:
        words = {
            "neither": _("no mask, no positions"),
            "mask": _("causal mask alone"),
            "own": _("mask and positions"),
        }
    return words[condition]


def shuffled_text(record: Shuffled) -> str:
    """The tokens as the second run reads them."""
    shown = [record.tokens[at].label for at in record.order[:SHOWN]]
    return " ".join(shown) + " …" * (len(record.order) > SHOWN)


def said(record: Shuffled, condition: str) -> Sentence:
    """How far the vectors move under one condition."""
    change, name = record.change[condition], called(record, condition)
    if condition == "neither":  # nothing in it can tell the order
        largest = float(change.max())
        text = _("{model}, {name}: the same vectors, in the new order. Not one number has changed.")
        if largest:
            text = _("{model}, {name}: the same vectors, in the new order. The largest change is "
                     "{most} of a vector's length: rounding.")  # fmt: skip
        return sentence(
            text,
            model=name_of(record.model),
            name=Mark(name, "strong"),
            most=Mark(number(largest, 2), "position"),
        )
    return sentence(
        _("{name}: the vectors change by {mean} of their length on average."),
        name=Mark(name[:1].upper() + name[1:], "strong"),
        mean=Mark(percent(float(change.mean())), "position"),
    )
