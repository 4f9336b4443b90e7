"""A picture that a model has seen: what the views of pictures are computed from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import softmax
from core.encoders import Encoders
from core.examples import LOOKER
from core.figures.values import Along
from core.inputs import Picture
from core.language import _
from core.models.parts import Head
from core.models.picture_parts import Patches
from core.runs.requests import TraceRequest
from core.runs.results import Run
from core.samples import label_called
from core.tracing.trace import Trace
from core.views.given import first_picture, picture_of, picture_param
from core.views.labels import LABELS
from core.views.params import model_param


@dataclass(frozen=True, slots=True)
class OnPicture:
    """What views of pictures need: a picture and the model that looks at it.

    Attributes:
        picture: as links have it (``core.inputs.Picture``), or the name of a sample
            (``core.samples``); empty for the first one that the model can read.
        model: id on the shelf.
    """

    picture: str = picture_param()
    model: str = model_param(LOOKER)

    def opened(self, encoders: Encoders) -> Self:
        """See ``core.views.opening``: a sample, or an empty sheet where none has the size."""
        if self.picture or encoders.pictures is None:
            return self
        return replace(self, picture=first_picture(encoders))

    @property
    def given(self) -> Picture:
        """What the model looks at.

        Raises:
            ParameterError: it stands for no picture.
        """
        return picture_of(self.picture)


@dataclass(frozen=True)
class Seen:
    """A picture and what a model made of it.

    Attributes:
        pixels: ``(height, width)`` bytes, or ``(height, width, 3)``.
        trace: of the run.
        model: its id.
    """

    pixels: NDArray[np.uint8]
    trace: Trace
    model: str

    @property
    def is_empty(self) -> bool:
        """Whether all its pixels are the same: nothing is drawn."""
        return bool((self.pixels == self.pixels[0, 0]).all())

    @property
    def head(self) -> Head:
        """The model's head for labels."""
        return self.trace.blueprint.classifier

    @property
    def labels(self) -> Sequence[str]:
        """What the picture may show."""
        return [label_called(label) for label in self.head.labels]

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """The probability of each label."""
        return softmax(self.trace[self.head.site])

    @property
    def best(self) -> int:
        """The most likely label, by its number."""
        return int(self.shares.argmax())

    @property
    def patches(self) -> Patches | None:
        """How the model cuts pictures; None for one that does not."""
        return next(iter(self.trace.blueprint.patches), None)

    @cached_property
    def names(self) -> list[str]:
        """What stands at the positions of the model's stream, as sentences say it."""
        return [unit.spoken for unit in self.trace.units]

    @property
    def along_labels(self) -> Along:
        """The labels, for the numbers."""
        return Along("label", _("label"), list(self.labels))


def pixels_of(picture: Picture) -> NDArray[np.uint8]:
    """The bytes of a picture as rows and columns."""
    flat = np.frombuffer(picture.pixels, np.uint8)
    sides = (picture.height, picture.width)
    return flat.reshape(sides if picture.channels == 1 else (*sides, picture.channels))


def picture_requests(params: OnPicture, *sites: str) -> tuple[TraceRequest, ...]:
    """The run on the picture, with the logits of its labels."""
    return (TraceRequest(params.model, params.given, sites=(LABELS, *sites)),)


def seen(runs: Sequence[Run], params: OnPicture) -> Seen:
    """What the model made of the picture."""
    return Seen(pixels_of(params.given), runs[0].trace, params.model)
