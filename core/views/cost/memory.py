"""What a shape takes in memory: its weights, its training, its key-value cache."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.analysis.costs import ADAM, Amount
from core.figures.components import BarFrame, BarRow, Bars
from core.figures.text import Mark, Sentence, join, number, sentence
from core.figures.values import Along, Values
from core.language import _
from core.locale import grouped
from core.views.cost.bill import arithmetic
from core.views.cost.planned import OfPlan, Plan

GB, WHOLE, HALF = 1e9, 4, 2  # bytes of a gigabyte, of a number in 32 and in 16 bits


@dataclass(frozen=True)
class _Line:
    """What is kept, and its arithmetic in bytes."""

    id: str
    label: str
    bytes: Amount


class Memory(OfPlan):
    """A bar for each thing that is kept."""

    name = "cost.memory"

    def counts(self, record: Plan) -> dict[str, Values]:
        kept = _lines(record)
        along = (Along("kept", _("kept"), [line.label for line in kept]),)
        one = {line.id: line.bytes.n for line in kept}
        return {
            "bytes": Values(_("bytes"), np.array([line.bytes.n for line in kept]), along),
            "parameters": Values(_("all parameters"), np.array(record.machine.parameters)),
            "cache_bytes": Values(_("bytes of the key-value cache"), np.array(one.get("cache", 0))),
            **{
                name: Values(line.label, np.array(line.bytes.n / GB), unit=_("GB"))
                for line in kept for name in [f"{line.id}_gb"]
            },
        }  # fmt: skip

    def describe(self, record: Plan) -> Sentence:
        one = {line.id: number(line.bytes.n / GB) for line in _lines(record)}
        said = [sentence(
            _("With {small} bytes a number the weights of {machine} take {weights} GB. Training "
              "with Adam takes {times} numbers of {large} bytes for each: {adam} GB."),
            machine=Mark(record.name, "strong"), small=str(HALF), large=str(WHOLE),
            weights=Mark(one["half"], "accent"), times=str(ADAM), adam=Mark(one["adam"], "accent"),
        )]  # fmt: skip
        if "cache" in one:
            said.append(sentence(
                _("The key-value cache of one full context takes {cache} GB."),
                cache=Mark(one["cache"], "accent"),
            ))  # fmt: skip
        return join(said)

    def draw(self, record: Plan) -> Bars:
        title = _("Memory of {machine}, in GB").format(machine=record.name)
        kept = _lines(record)
        rows = [
            BarRow(
                line.id,
                _("{label}: {value}").format(
                    label=line.label, value=f"{arithmetic(line.bytes)} = {grouped(line.bytes.n)}"
                ),
            )
            for line in kept
        ]
        return Bars(
            title=title,
            frames=[BarFrame(rows, title=sentence(title))],
            values=np.array([[[line.bytes.n / GB for line in kept]]]),
            unit="number",
            stacked=True,
        )


def _lines(record: Plan) -> list[_Line]:
    """What is kept; a cache only by what writes."""
    machine = record.machine
    n, cache = machine.parameters, machine.kept
    found = [
        _Line("whole", _("Weights in 32 bits"), Amount(1, ((n, WHOLE),))),
        _Line("half", _("Weights in 16 bits"), Amount(1, ((n, HALF),))),
        _Line("adam", _("Training with Adam: weight, gradient and two means"),
              Amount(1, ((n, ADAM, WHOLE),))),
    ]  # fmt: skip
    if cache.n:
        (factors,) = cache.products
        found.append(_Line("cache", _("Key-value cache of a full context in 16 bits"),
                           Amount(cache.times, ((*factors, HALF),))))  # fmt: skip
    return found
