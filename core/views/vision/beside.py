"""What two models say that one picture shows: two bars for each label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.errors import ParameterError
from core.figures.components import BarFrame, BarRow, Bars
from core.figures.components.bars import Series
from core.figures.text import Mark, Sentence, join, sentence
from core.figures.values import Along, Values
from core.language import N_, _, name_of
from core.locale import in_quotes
from core.models.needs import Needs
from core.runs.requests import Request, TraceRequest
from core.runs.results import Run
from core.views.labels import LABELS
from core.views.view import View
from core.views.vision.distance import Reaching
from core.views.vision.picture import share_of
from core.views.vision.seen import Seen, picture_requests, seen

ROLES = ("weight", "accent")  # of the first and of the second


@dataclass(frozen=True)
class Both:
    """What each model makes of the picture.

    Attributes:
        seen: one for each model, with the same labels.
    """

    seen: Sequence[Seen]

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """The probability of each label ``(models, labels)``."""
        return np.stack([one.shares for one in self.seen])

    @property
    def labels(self) -> Sequence[str]:
        """What the picture may show."""
        return self.seen[0].labels


class Beside(View[Reaching, Both]):
    """A pair of bars for each label, in the order of the labels."""

    name, Params, needs = "vision.beside", Reaching, Needs("classify_image")

    def requests(self, params: Reaching) -> tuple[Request, ...]:
        own = picture_requests(params)
        if not params.convolutional:
            return own
        return (*own, TraceRequest(params.convolutional, params.given, sites=(LABELS,)))

    def compute(self, runs: Sequence[Run], params: Reaching) -> Both:
        first = seen(runs, params)
        others = [Seen(first.pixels, run.trace, params.convolutional) for run in runs[1:]]
        if any(one.head.labels != first.head.labels for one in others):
            raise ParameterError(
                "convolutional",
                params.convolutional,
                N_("a model that chooses among the same labels"),
            )
        return Both([first, *others])

    def values(self, record: Both) -> Mapping[str, Values]:
        models = Along("model", _("model"), [name_of(one.model) for one in record.seen])
        axes, best = (models, record.seen[0].along_labels), (0, record.seen[0].best)
        return {"probability": Values(_("probability"), record.shares, axes, selected=best)}

    def describe(self, record: Both) -> Sentence:
        return join(
            [
                sentence(
                    _("{model} sees {label}, with {share}."),
                    model=name_of(one.model),
                    label=Mark(in_quotes(one.labels[one.best]), "strong"),
                    share=share_of(one, one.best),
                )
                for one in record.seen
            ]
        )

    def draw(self, record: Both) -> Bars:
        models = [name_of(one.model) for one in record.seen]
        rows = [BarRow(str(n), label) for n, label in enumerate(record.labels)]
        return Bars(
            title=_("Probability of each label"),
            frames=[BarFrame(rows)],
            values=record.shares[None],
            series=[Series(*one) for one in zip(models, ROLES, strict=False)],
            given=True,
        )
