"""Two tiny models learn the same texts, one with a causal mask, one without any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.figures.components.plot import Curve, Plot, PlotAxis, Rule
from core.figures.components.plot.parts import Dash
from core.figures.text import Mark, Sentence, number, sentence
from core.figures.values import Along, Values
from core.language import _
from core.live_training.records import LookAhead
from core.models.needs import NO_MODEL
from core.runs.requests import LookAheadRequest, Request
from core.runs.told import Told
from core.views.view import View


@dataclass(frozen=True, slots=True)
class NoSettings:
    """The experiment has none."""


class LearningWithout(View[NoSettings, LookAhead]):
    """Their losses while they learn, where the answer is in sight and where it is not."""

    name, Params, needs = "masks.learning", NoSettings, NO_MODEL

    def requests(self, params: NoSettings) -> tuple[Request, ...]:
        return (LookAheadRequest(),)

    def compute(self, runs: Sequence[Told], params: NoSettings) -> LookAhead:
        return LookAhead.of(runs[0].records)

    def values(self, record: LookAhead) -> Mapping[str, Values]:
        steps = Along("step", _("step"), [str(step) for step in record.step])
        floor = Values(
            _("bits: the least that any honest prediction needs"), np.array(record.floor)
        )
        losses = {one.name: Values(one.label, one.bits, (steps,)) for one in _losses(record)}
        return {**losses, "floor": floor}

    def describe(self, record: LookAhead) -> Sentence:
        if not record.finished:
            return sentence(
                _("After {step} of {steps} training steps, the model without a mask needs {seen} "
                  "bits per symbol in training, and {unseen} bits when the next symbol is not "
                  "written yet."),
                step=str(record.step[-1]),
                steps=str(record.steps),
                seen=Mark(number(float(record.unmasked_seen[-1])), "warning"),
                unseen=Mark(number(float(record.unmasked_unseen[-1])), "warning"),
            )  # fmt: skip
        return sentence(
            _("Without a mask the training loss falls to {seen} bits, below the {floor} that "
              "any honest prediction needs: the model copies the answer from the next "
              "position. When the next symbol is not written yet, it needs {unseen} bits. "
              "With the causal mask it is {causal_seen} and {causal_unseen}."),
            seen=Mark(number(float(record.unmasked_seen[-1])), "warning"),
            floor=number(record.floor),
            unseen=Mark(number(float(record.unmasked_unseen[-1])), "warning"),
            causal_seen=Mark(number(float(record.causal_seen[-1])), "accent"),
            causal_unseen=Mark(number(float(record.causal_unseen[-1])), "accent"),
        )  # fmt: skip

    def draw(self, record: LookAhead) -> Plot:
        floor = _("no honest prediction manages with less than {n} bit").format(
            n=number(record.floor, 1)
        )
        return Plot(
            title=_("Learning the next symbol, with and without a mask"),
            x=PlotAxis(title=_("training step"), range=(0, max(1, record.steps))),
            y=PlotAxis(title=_("loss, bits per symbol"), from_zero=True),
            series=[
                Curve(
                    x=record.step, y=one.bits, name=one.label, role=one.role, dash=one.dash,
                    hover="{name}: {y:.4f}",
                )
                for one in _losses(record)
            ],
            rules=[Rule(y=record.floor, text=floor, role="residual", dash="dot")],
            unified=True,
            height=340,
        )  # fmt: skip


class _Loss(NamedTuple):
    """One loss over the steps, with its stable name."""

    name: str
    label: str
    bits: NDArray[np.float64]
    role: str
    dash: Dash


def _losses(record: LookAhead) -> list[_Loss]:
    """Of both models, in training and where the text ends before the answer."""
    return [
        _Loss("unmasked_seen", _("no mask, answer visible"), record.unmasked_seen, "warning",
              "solid"),
        _Loss("unmasked_unseen", _("no mask, answer not written yet"), record.unmasked_unseen,
              "warning", "dash"),
        _Loss("causal_seen", _("causal mask, in training"), record.causal_seen, "accent",
              "solid"),
        _Loss("causal_unseen", _("causal mask, answer not written yet"), record.causal_unseen,
              "accent", "dash"),
    ]  # fmt: skip
