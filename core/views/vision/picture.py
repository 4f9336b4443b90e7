"""The picture as the model is given it: pixels, and the patches that they are cut into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.components import Picture
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.language import _
from core.models.needs import Needs
from core.runs.requests import Request
from core.runs.results import Run
from core.views.view import Note, View
from core.views.vision.seen import OnPicture, Seen, picture_requests, seen


class Pixels(View[OnPicture, Seen]):
    """Pixels with the borders of the patches over them."""

    name, Params, needs = "vision.picture", OnPicture, Needs("classify_image")

    def requests(self, params: OnPicture) -> tuple[Request, ...]:
        return picture_requests(params)

    def compute(self, runs: Sequence[Run], params: OnPicture) -> Seen:
        return seen(runs, params)

    def values(self, record: Seen) -> Mapping[str, Values]:
        height, width = record.pixels.shape[:2]
        axes = [
            Along("row", _("row"), [str(n) for n in range(height)]),
            Along("column", _("column"), [str(n) for n in range(width)]),
        ]
        shares = record.pixels.astype(np.float32) / 255
        if shares.ndim == 3:
            axes.append(Along("channel", _("channel"), [_("red"), _("green"), _("blue")]))
        return {"pixels": Values(_("brightness of the pixel"), shares, tuple(axes))}

    def describe(self, record: Seen) -> Sentence:
        height, width = record.pixels.shape[:2]
        whole = sentence(
            _("The picture has {height} × {width} pixels."), height=str(height), width=str(width)
        )
        cut = record.patches
        if cut is None:
            return join([whole, sentence(_("The model reads all of them at once."))])
        return join(
            [
                whole,
                sentence(
                    _("It is cut into {rows} × {columns} patches. Each patch of {size} × {size} "
                      "pixels is a row of {n} numbers."),
                    rows=str(cut.rows), columns=str(cut.columns), size=str(cut.size),
                    n=Mark(str(cut.n_numbers), "accent"),
                ),
            ]
        )  # fmt: skip

    def notes(self, record: Seen) -> Sequence[Note]:
        """The patch of the paper, whose numbers a lecture counts wrongly."""
        if record.patches is None:
            return ()
        side, channels, printed = 16, 3, 786
        return (
            Note(
                "erratum",
                sentence(
                    _("A patch of {side} × {side} pixels in {channels} colours has {right} "
                      "numbers. Some lecture notes say {printed}."),
                    side=str(side), channels=str(channels), right=str(side * side * channels),
                    printed=str(printed),
                ),
            ),
        )  # fmt: skip

    def acts(self, record: Seen) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
        """What is drawn on it."""
        return {"picture": {"*": {"picture": "{}"}}}

    def draw(self, record: Seen) -> Picture:
        return Picture(
            title=_("The picture in pixels"),
            pixels=record.pixels,
            patch=None if record.patches is None else record.patches.size,
        )


def share_of(record: Seen, label: int) -> Mark:
    """The probability of a label as sentences have it."""
    return Mark(percent(float(record.shares[label])), "accent")
