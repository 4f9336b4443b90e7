"""Cross-attention of the generator: from which places of the picture each token is read."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.figures.components import Tile, Tiles
from core.figures.payload import as_bytes
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.language import _
from core.views.digits.drawing import OfDrawing, Shown, when


class Looks(OfDrawing):
    """A tile for each token: the picture, and how much each of its places attends to the token."""

    name = "digits.looks"

    def values(self, record: Shown) -> Mapping[str, Values]:
        weights = _weights(record)
        places = [str(n) for n in range(weights.shape[3])]
        steps = [str(n) for n in range(1, record.n_steps + 1)]
        axes = (
            Along("step", _("step"), steps),
            record.pictures,
            Along("token", _("token"), record.labels),
            Along("place", _("place"), places),
        )
        step = max(0, record.at - 1)
        at = (step, record.drawn, int(_means(record, step).argmax()), 0)
        return {"weights": Values(_("attention weight"), weights.astype(np.float32), axes,
                                  selected=at)}  # fmt: skip

    def describe(self, record: Shown) -> Sentence:
        first, last = (_means(record, step) for step in (0, record.n_steps - 1))
        said = [
            sentence(
                _("In the first step, the places of picture {n} give “{token}” the most attention: "
                  "{share} on average. Equal weights would be {even}."),
                n=str(record.drawn), even=percent(1 / len(first)), **_named(record, first),
            ),
            sentence(
                _("In the last step it is “{token}” with {share}."), **_named(record, last)
            ),
        ]  # fmt: skip
        if last.argmax() == len(last) - 1:
            said.append(sentence(
                _("The end mark is a token too. Its vector has read the whole text inside T5.")
            ))  # fmt: skip
        return join(said)

    def draw(self, record: Shown) -> Tiles:
        weights, frames = _weights(record)[:, record.drawn], record.run.frames[:, record.drawn]
        n_steps, n_tokens, n_places = weights.shape
        side = math.isqrt(n_places)
        # Before the first step nothing has attended; its own attention stands there, too.
        steps = [0, *range(n_steps)]
        largest = weights.max(axis=(0, 2), keepdims=True).astype(np.float64)
        heat = as_bytes(weights / np.maximum(largest, 1e-6), 0.0, 1.0)
        return Tiles(
            title=_("Cross-attention to each token, picture {n}").format(n=record.drawn),
            selection=record.selection(),
            tiles=[
                Tile(
                    _("“{token}”, {when}").format(
                        token=record.run.tokens[token].spoken, when=when(record, at)
                    ),
                    f"{record.labels[token]} · {percent(float(weights[step, token].mean()))}",
                )
                for at, step in enumerate(steps)
                for token in range(n_tokens)
            ],
            pictures=np.repeat(frames, n_tokens, axis=0),
            heat=heat[steps].reshape(-1, 1, side, side),
            heat_field="heat",
            columns=min(n_tokens, 8),
            side=112.0,
            frames=len(steps),
            frame_field="drawing_step",
            note=_("Colour: how much of its attention each place gives to this token. The scale "
                   "ends at the token's largest weight in all steps. Below: the mean over the "
                   "places. Weights are means over the heads."),
        )  # fmt: skip


def _weights(record: Shown) -> NDArray[np.float16]:
    """``(steps, N, S, P)`` where the learner looks."""
    return record.run.weights[record.params.looks_at]


def _means(record: Shown, step: int) -> NDArray[np.float64]:
    """In the picture that is looked at, the mean weight of each token ``(S,)``."""
    own = _weights(record)[step, record.drawn].astype(np.float64)
    mean: NDArray[np.float64] = own.mean(axis=1)
    return mean


def _named(record: Shown, means: NDArray[np.float64]) -> dict[str, Mark]:
    """The token that gets the most, and how much."""
    most = int(means.argmax())
    return {
        "token": Mark(record.run.tokens[most].spoken, "key"),
        "share": Mark(percent(float(means[most])), "weight"),
    }
