"""A text damaged in one of BART's ways: what the views of it show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np
from numpy.typing import NDArray

from core.analysis.mended import aligned, runs_of
from core.language import N_, name_of
from core.models.needs import Needs
from core.runs.mended import Mended
from core.runs.requests import MendRequest, Request
from core.text.noise import Noise
from core.views.controls import Control
from core.views.params import MAX_SEED, OnText, param
from core.views.view import View

NOISES = {
    "mask": N_("Masking"),
    "delete": N_("Deletion"),
    "infill": N_("Infilling"),
    "permute": N_("Permutation"),
    "rotate": N_("Rotation"),
}
MOVES = ("permute", "rotate")  # these hide nothing


@dataclass(frozen=True, slots=True)
class Damaging(OnText):
    """How a text is damaged.

    Attributes:
        noise: one of BART's five ways.
        noise_rate: share of the tokens that is hidden, by the ways that hide any.
        noise_seed: of the draws.
        moved_part: a part that changed its place; -1 for none.
        piece: a token of the text that is looked at; -1 for the first hidden one.
    """

    noise: str = param("infill", choices=NOISES, label=N_("Noise"))
    noise_rate: float = param(
        0.3, low=0.05, high=0.5, label=N_("Share of tokens hidden by the noise")
    )
    noise_seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed"))
    moved_part: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Part of the text"))
    piece: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Token of the text"))


@dataclass(frozen=True)
class Damage:
    """A damaged text, and how the model mends it.

    Attributes:
        run: the text, what is left of it, what the model says.
        params: what was asked for.
    """

    run: Mended
    params: Damaging

    @property
    def model(self) -> str:
        """Its name."""
        return name_of(self.params.model)

    @property
    def moves(self) -> bool:
        """Whether tokens change places, and none is hidden."""
        return self.params.noise in MOVES

    @property
    def at(self) -> int:
        """The token of the text that is looked at."""
        n = len(self.run.tokens)
        if self.params.piece >= 0:
            return min(self.params.piece, n - 1)
        return int(self.run.hidden.argmax())

    @property
    def n_hidden(self) -> int:
        """Tokens that the encoder does not see."""
        return int(self.run.hidden.sum())

    @property
    def found(self) -> NDArray[np.bool_]:
        """For each token of the text: given all before it, no other is likelier. ``(T,)``."""
        return self.run.wanted.found[: len(self.run.tokens)]

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """Where each token that the model writes stands in the text; -1 for nowhere."""
        return aligned([token.id for token in self.run.tokens], self.run.written.ids)

    @property
    def restored(self) -> NDArray[np.bool_]:
        """For each token of the text: the model writes it by itself, in its place. ``(T,)``."""
        found = np.zeros(len(self.run.tokens), bool)
        found[self.places[self.places >= 0]] = True
        return found

    @cached_property
    def parts(self) -> NDArray[np.int64]:
        """Of a text that changed places, which part each token of it belongs to: ``(T,)``."""
        return runs_of(self.run.origin[:-1], len(self.run.tokens))

    @property
    def moved(self) -> bool:
        """Whether anything stands in another place than before."""
        origin = self.run.origin[:-1]
        return bool((origin != np.arange(len(origin))).any())

    def selection(self) -> dict[str, int | None]:
        """By the names of the parameters."""
        return {"piece": self.at}


class OfDamage(View[Damaging, Damage]):
    """A view of a text that was damaged."""

    Params, needs = Damaging, Needs("denoise")

    def requests(self, params: Damaging) -> tuple[Request, ...]:
        noise = cast(Noise, params.noise)
        return (
            MendRequest(params.model, params.text, noise, params.noise_seed, params.noise_rate),
        )  # fmt: skip

    def controls(self, record: Damage) -> Sequence[Control]:
        return [Control.none("noise_rate")] if record.moves else []

    def compute(self, runs: Sequence[Mended], params: Damaging) -> Damage:
        return Damage(runs[0], params)
