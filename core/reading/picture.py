"""A picture: its pixels, scaled as those the model was trained on."""

from __future__ import annotations

import torch

from core.encoders import Encoders
from core.inputs import Picture
from core.reading.kinds import EXAMPLES, Fitted, Room, TruncatedTexts, fitted, rows_of
from core.reading.row import BatchRow
from core.tracing.trace import Stream


@rows_of.register
def _(given: Picture, encoders: Encoders) -> list[BatchRow]:
    assert encoders.pictures is not None  # a model that takes pictures has this encoder
    return [BatchRow(Stream(()), pixels=torch.from_numpy(encoders.pictures.read(given)))]


@fitted.register
def _(given: Picture, _room: Room) -> Fitted:
    return Fitted(given, (TruncatedTexts(),))


def _blank(encoders: Encoders) -> Picture:
    assert encoders.pictures is not None
    return encoders.pictures.blank


EXAMPLES[Picture] = _blank
