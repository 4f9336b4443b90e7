"""A text drawn as pictures of digits: what every view of it is computed from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.digits import index
from core.digits.index import Made
from core.figures import tokens
from core.figures.components import Stepper
from core.figures.text import Sentence, percent, sentence
from core.figures.values import Along
from core.language import N_, _
from core.models.needs import NO_MODEL
from core.runs.pictured import Pictured
from core.runs.requests import DigitsRequest, Request
from core.views.nearest import nearest
from core.views.params import MAX_SEED, param
from core.views.view import View

GUIDANCE = 3.0


@dataclass(frozen=True, slots=True)
class Drawing:
    """A text, the noise it is drawn from, and what is looked at.

    Attributes:
        draw_text: that the encoder reads.
        noise_seed: of the noise.
        guidance: how much the text counts.
        drawing_step: of the way from noise to picture; -1 for the last.
        drawn_picture: the picture whose attention is shown.
        looks_at: where in the network.
    """

    draw_text: str = param("draw a seven", label=N_("Text to draw"))
    noise_seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed of the noise"))
    guidance: float = param(GUIDANCE, low=0.0, high=8.0, label=N_("Guidance"))
    drawing_step: int = param(-1, low=-1, high=99, lives="browser", label=N_("Step"))
    drawn_picture: int = param(0, low=0, high=99, picked=True, label=N_("Picture"))
    looks_at: str = param(
        "coarse",
        choices={
            "before": N_("14 × 14 places, first"),
            "coarse": N_("7 × 7 places"),
            "after": N_("14 × 14 places, last"),
        },
        label=N_("Cross-attention at"),
    )


@dataclass(frozen=True, eq=False)
class Shown:
    """What is known of the generator, what it drew, and what of that is looked at."""

    made: Made
    run: Pictured
    params: Drawing

    @property
    def n_steps(self) -> int:
        """Steps of the way; the frames are one more."""
        return len(self.run.frames) - 1

    @property
    def at(self) -> int:
        """The frame that is looked at."""
        step = self.params.drawing_step
        return self.n_steps if step < 0 else nearest("drawing_step", step, self.n_steps)

    @property
    def drawn(self) -> int:
        """The picture that is looked at."""
        return nearest("drawn_picture", self.params.drawn_picture, self.run.frames.shape[1] - 1)

    @property
    def says(self) -> NDArray[np.float64]:
        """What the classifier says of all pictures of each frame: the mean, ``(F, 10)``."""
        mean: NDArray[np.float64] = self.run.shares.astype(np.float64).mean(axis=1)
        return mean

    @property
    def labels(self) -> list[str]:
        """Of the tokens."""
        return tokens.labels(self.run.tokens)

    @property
    def along(self) -> Along:
        """The frames as an axis."""
        return Along("step", _("step"), [str(n) for n in range(self.n_steps + 1)])

    @property
    def pictures(self) -> Along:
        """The pictures as an axis."""
        n = self.run.frames.shape[1]
        return Along("picture", _("picture"), [str(at) for at in range(n)])

    def selection(self) -> dict[str, int | str | None]:
        """By the names of the parameters."""
        return {"drawing_step": self.at, "drawn_picture": self.drawn}


class OfDrawing(View[Drawing, Shown]):
    """A view of one text that is drawn."""

    Params, needs = Drawing, NO_MODEL

    def requests(self, params: Drawing) -> tuple[Request, ...]:
        return (DigitsRequest(params.draw_text, params.noise_seed, params.guidance),)

    def compute(self, runs: Sequence[Any], params: Drawing) -> Shown:
        return Shown(index.read(), runs[0], params)

    def steps(self, record: Shown) -> Stepper:
        """From noise to picture."""
        titles = [when(record, at) for at in range(record.n_steps + 1)]
        return Stepper(
            title=_("From noise to picture"),
            alt=titles[record.at],
            selection=record.selection(),
            n=len(titles),
            first=record.at,
            field="drawing_step",
            before=1,
            titles=titles,
            texts=[self.said_of(record, at) for at in range(len(titles))],
            pace=160,
            keys=False,
        )

    @staticmethod
    def said_of(record: Shown, at: int) -> Sentence:
        """What the classifier reads in the pictures of a frame."""
        mean = record.says[at]
        best = int(mean.argmax())
        return sentence(
            _("The CNN gives “{digit}” {share} on average."),
            digit=str(best), share=percent(float(mean[best])),
        )  # fmt: skip


def when(record: Shown, at: int) -> str:
    """A frame in words."""
    if at == 0:
        return _("noise alone")
    return _("after step {n} of {all}").format(n=str(at), all=str(record.n_steps))


def spoken(record: Shown) -> str:
    """The text as a sentence quotes it; nothing for an empty one."""
    return record.params.draw_text.strip()
