"""What a model that chooses among labels says: a bar for each, and the numbers behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.figures.components import BarFrame, BarRow, Bars
from core.figures.text import sentence
from core.figures.values import Along, Values
from core.language import _, name_of

LABELS = "@labels"  # the site of the logits for labels, whatever a model calls it


def label_values(
    labels: Sequence[str], shares: NDArray[np.float64], logits: NDArray[Any], site: str
) -> Mapping[str, Values]:
    """The numbers.

    Args:
        labels: what may be said.
        shares: the probability of each.
        logits: of each.
        site: of the logits.
    """
    axes, best = (Along("label", _("label"), list(labels)),), (int(shares.argmax()),)
    return {
        "probability": Values(_("probability"), shares, axes, selected=best),
        "logit": Values(_("logit"), logits, axes, site=site, selected=best),
    }


def label_title(model: str) -> str:
    """What bars are called of what a model says, by its id."""
    return _("{model}: probability of each label").format(model=name_of(model))


def label_bars(title: str, labels: Sequence[str], shares: NDArray[np.float64]) -> Bars:
    """A bar for each label, in the order of the labels.

    Args:
        title: of all.
        labels: what may be said.
        shares: the probability of each.
    """
    best = int(shares.argmax())
    rows = [BarRow(str(n), label, chosen=n == best) for n, label in enumerate(labels)]
    return Bars(
        title=title,
        frames=[BarFrame(rows, title=sentence("{title}", title=title))],
        short=True,
        values=shares.reshape(1, 1, -1),
        given=True,
    )
