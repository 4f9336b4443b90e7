"""The tokens, with how much of the last state's gradient comes back to the state of each."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.analysis.through_time import back_through_gru, back_through_lstm
from core.figures.components import Strip
from core.figures.text import Mark, Sentence, number, percent, sentence
from core.figures.values import Values
from core.language import _
from core.tracing.trace import Array
from core.views.recurrent.arithmetic import kind_of
from core.views.recurrent.run import OfState, StateRun, strip_of


class GradientThroughTime(OfState):
    """Under each token the gradient of the last state's length, which begins with size 1."""

    name = "recurrent.gradient"

    def values(self, record: StateRun) -> Mapping[str, Values]:
        along, place, back = record.along[:1], (record.token,), gradient(record)
        own = record.cells[0]
        length = np.linalg.norm(record(own), axis=1)
        found = {
            "length": Values(
                _("length of the state"), length, along, site=record.prefix + own, selected=place
            )
        }
        if back is not None:
            label = _("gradient of the last state's length")
            found["gradient"] = Values(label, back, along, selected=place)
        return found

    def describe(self, record: StateRun) -> Sentence:
        return reading(record, record.token, gradient(record))

    def draw(self, record: StateRun) -> Strip:
        found = gradient(record)
        most = 0.0 if found is None else float(found.max(initial=0.0))
        return strip_of(
            record, _("How much gradient comes back through time"), self.describe(record),
            heat=found,
            heat_limit=None if found is None else max(most, 1.0),
            heat_unit="share" if found is not None and most <= 1 else None,
            readings=[reading(record, at, found) for at in range(len(record.units))],
        )  # fmt: skip


def gradient(record: StateRun) -> Array | None:
    """Its size at each state, ``(T,)``; None for an unknown kind of cell, or one begun unseen."""
    kind = kind_of(record)
    before = None if kind is None else record.before(kind.carried)
    w = record.trace.weights.get(f"{record.prefix}w_h.weight")
    b = record.trace.weights.get(f"{record.prefix}w_h.bias")
    if kind is None or before is None or w is None or b is None:
        return None
    way = slice(None, None, -1 if record.direction == "backward" else 1)
    cells, earlier = {name: record(name)[way] for name in record.cells}, before[way]
    if kind.carried == "cell":
        return np.asarray(back_through_lstm(cells, earlier, w)[way], np.float32)
    return np.asarray(back_through_gru(cells, earlier, w, b)[way], np.float32)


def reading(record: StateRun, at: int, found: Array | None) -> Sentence:
    """What comes back to one state, of what comes back to all."""
    name = record.units[at].spoken
    if found is None:
        return sentence(_("How these states are made is not known, so no gradient is drawn."))
    size = float(found[at])
    return sentence(
        _("At “{token}” the gradient is {share} of what it is at the last state."),
        token=Mark(name, "query"),
        share=Mark(percent(size) if size <= 1 else number(size), "residual"),
    )
