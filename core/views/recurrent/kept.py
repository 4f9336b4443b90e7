"""The tokens, with how much of the state each step leaves as it was."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.figures.components import Strip
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Values
from core.language import _
from core.tracing.trace import Array
from core.views.recurrent.arithmetic import kind_of
from core.views.recurrent.run import OfState, StateRun, strip_of


class Kept(OfState):
    """Under each token the share that stays of the state, mean over its units."""

    name = "recurrent.kept"

    def values(self, record: StateRun) -> Mapping[str, Values]:
        along, place = record.along[:1], (record.token,)
        found = {
            "length": Values(
                _("length of the state"), np.linalg.norm(record(record.cells[0]), axis=1), along,
                site=record.prefix + record.cells[0], selected=place,
            )
        }  # fmt: skip
        share = kept(record)
        if share is not None:
            label = _("share of the state that stays, mean over its units")
            found["kept"] = Values(label, share, along, selected=place)
        return found

    def describe(self, record: StateRun) -> Sentence:
        return reading(record, record.token)

    def draw(self, record: StateRun) -> Strip:
        share = kept(record)
        length = np.linalg.norm(record(record.cells[0]), axis=1)
        limit = 1.0 if share is not None else float(length.max()) or 1.0
        return strip_of(
            record, _("How much of the state each step keeps"), self.describe(record),
            heat=length if share is None else share,
            heat_limit=limit,
            heat_unit="share" if share is not None else None,
            readings=[reading(record, at) for at in range(len(record.units))],
        )  # fmt: skip


def kept(record: StateRun) -> Array | None:
    """How much stays at each step, mean over the units, ``(T,)``; None where no gate says that."""
    kind = kind_of(record)
    return None if kind is None else np.asarray(record(kind.keeps).mean(axis=1), np.float32)


def reading(record: StateRun, at: int) -> Sentence:
    """What one step does to the state."""
    share, name = kept(record), record.units[at].spoken
    length = float(np.linalg.norm(record(record.cells[0])[at]))
    after = sentence(
        _("After “{token}” the state has length {length}."),
        token=Mark(name, "query"),
        length=Mark(number(length), "strong"),
    )
    if share is None:
        return after
    stays = sentence(
        _("At “{token}” the gates keep {share} of the state, mean over its {n} units."),
        token=Mark(name, "query"), share=Mark(percent(float(share[at])), "residual"),
        n=str(record.width),
    )  # fmt: skip
    return join([stays, after])
