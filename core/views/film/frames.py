"""A text through the film of learning: what every view of it is computed from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.examples import GAP
from core.figures.components import Stepper
from core.figures.text import number, sentence
from core.figures.values import Along
from core.film import index
from core.film.index import Film, Frame
from core.language import N_, _, ngettext
from core.locale import grouped
from core.models.needs import NO_MODEL
from core.runs.filmed import Filmed
from core.runs.requests import FilmRequest, Request
from core.views.controls import Control
from core.views.nearest import nearest
from core.views.params import MAX_SEED, param
from core.views.view import Note, View
from core.views.weak import english_only


@dataclass(frozen=True, slots=True)
class Filming:
    """A text, and one moment of the training.

    Attributes:
        text: that every frame reads.
        frame: by its place in the film; -1 for the last.
        layer, head: whose attention is shown.
        token: the query; -1 for the last token.
        key: the key; -1 for the one that gets most.
        seed: of what is drawn.
    """

    text: str = param(GAP.removesuffix(" [MASK]."), label=N_("Text"))
    frame: int = param(-1, low=-1, high=99, picked=True, label=N_("Moment of the training"))
    layer: int = param(3, low=0, high=255, picked=True, label=N_("Layer"))
    head: int = param(2, low=0, high=255, picked=True, label=N_("Head"))
    token: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Token"))
    key: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Key"))
    seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed"))


@dataclass(frozen=True, eq=False)
class Shown:
    """The film, what its frames make of the text, and which of them is looked at."""

    film: Film
    run: Filmed
    params: Filming

    @property
    def frames(self) -> tuple[Frame, ...]:
        """All, in the order of training."""
        return self.film.frames

    @property
    def at(self) -> int:
        """The frame that is looked at."""
        last = len(self.frames) - 1
        return last if self.params.frame < 0 else nearest("frame", self.params.frame, last)

    @property
    def frame(self) -> Frame:
        return self.frames[self.at]

    @property
    def layer(self) -> int:
        return nearest("layer", self.params.layer, self.run.weights.shape[1] - 1)

    @property
    def head(self) -> int:
        return nearest("head", self.params.head, self.run.weights.shape[2] - 1)

    @property
    def steps(self) -> NDArray[np.float64]:
        """``(F,)`` of the frames."""
        return np.array([one.step for one in self.frames], np.float64)

    @property
    def when(self) -> str:
        """The moment in words."""
        return after(self.frame.step)

    @property
    def along(self) -> Along:
        """The frames as an axis."""
        return Along("frame", _("training step"), [grouped(one.step) for one in self.frames])

    def scores(self, name: str) -> NDArray[np.float64]:
        """A score of every head in every frame ``(F, L, H)``: "induction", say."""
        _frames, layers, heads = self.run.weights.shape[:3]
        return np.array([
            [[one.heads[f"{name}/{layer}.{head}"] for head in range(heads)]
             for layer in range(layers)] for one in self.frames
        ])  # fmt: skip

    def gains(self) -> NDArray[np.float64]:
        """``(F,)``: by how many nats a passage is easier when it is read a second time."""
        return np.array([one.heads["repeat_gain"] for one in self.frames])

    def selection(self) -> dict[str, int | str | None]:
        """By the names of the parameters."""
        return {"frame": self.at, "layer": self.layer, "head": self.head}


def after(step: int) -> str:
    """A moment of the training in words."""
    said = ngettext("after {n} step", "after {n} steps", step)
    return said.format(n=grouped(step)) if step else _("before training")


class OfFilm(View[Filming, Shown]):
    """A view of one frame among all."""

    Params, needs = Filming, NO_MODEL

    def requests(self, params: Filming) -> tuple[Request, ...]:
        return (FilmRequest(params.text, params.seed),)

    def compute(self, runs: Sequence[Any], params: Filming) -> Shown:
        return Shown(index.read(), runs[0], params)

    def controls(self, record: Shown) -> Sequence[Control]:
        _frames, layers, heads = record.run.weights.shape[:3]
        return (
            Control.numbered("layer", record.layer, layers),
            Control.numbered("head", record.head, heads),
        )

    def notes(self, record: Shown) -> Sequence[Note]:
        said = english_only(_("The film's model"), record.params.text)
        return (Note("info", sentence("{said}", said=said)),) if said else ()

    def steps(self, record: Shown) -> Stepper:
        """One moment after the other."""
        titles = [after(one.step) for one in record.frames]
        texts = [
            sentence(
                _("{tokens} tokens read, held-out loss {loss} nats per token"),
                tokens=grouped(one.tokens), loss=number(one.held),
            )
            for one in record.frames
        ]  # fmt: skip
        return Stepper(
            title=_("Moments of the training"),
            alt=titles[record.at],
            selection=record.selection(),
            n=len(titles),
            first=record.at,
            field="frame",
            titles=titles,
            texts=texts,
            pace=1100,
        )
