"""A text drawn by the generator: encoded, drawn step by step, and what a classifier reads in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from core import zoo
from core.digits import models
from core.digits.drawing import STEPS, as_pixels, draw, noise
from core.digits.reading import read
from core.digits.texts import EMPTY
from core.runs.request import Context, Request, answer
from core.units import Token


@dataclass(frozen=True, slots=True)
class DigitsRequest(Request):
    """Pictures of digits, drawn for a text from noise, step by step.

    Attributes:
        text: as it was typed; cut to a few dozen tokens.
        seed: of the noise.
        guidance: how much the text counts (``core.digits.drawing.guided``).
    """

    lasts = "a while"
    text: str
    seed: int = 0
    guidance: float = 3.0


@dataclass(frozen=True, eq=False)
class DigitDrawings:
    """Pictures from noise to the last step. F frames, N pictures, S tokens, P places.

    Attributes:
        tokens: of the text, its end mark last.
        cut: what did not fit.
        states: of the text encoder ``(S, D)``.
        frames: pixels ``(F, N, 28, 28)``.
        weights: by the name of the reading (``core.digits.network.READINGS``): the mean of its
            heads' attention in each step, ``(F - 1, N, S, P)``; the tokens' add up to 1.
        shares: what the classifier says of each frame, ``(F, N, 10)``.
    """

    tokens: tuple[Token, ...]
    cut: str
    states: NDArray[np.float32]
    frames: NDArray[np.uint8]
    weights: Mapping[str, NDArray[np.float16]]
    shares: NDArray[np.float32]


PICTURES = 6  # of one text, each from a noise of its own


@answer.register
def pictured(request: DigitsRequest, _context: Context) -> DigitDrawings:
    """What the generator draws for a text; it and what it reads through are of no choice.

    Raises:
        CheckpointError: the generator is missing or damaged.
        ParameterError: the seed is out of its range.
        HalfCharacterError: the text is none that UTF-8 can write.
    """
    guided_model, drawer = models.load()
    encoder, judge = _loaded(guided_model.encoder), _loaded(guided_model.judges[0])
    text = read(encoder, request.text)
    drawn = draw(
        drawer, noise(PICTURES, request.seed), [text.states] * PICTURES,
        read(encoder, EMPTY).states, request.guidance, steps=STEPS, watched=True,
    )  # fmt: skip
    frames = as_pixels(drawn.frames).numpy()
    return DigitDrawings(
        tokens=text.tokens,
        cut=text.cut,
        states=text.states.numpy(),
        frames=frames,
        weights={
            name: _of_tokens(weights, len(text.tokens)) for name, weights in drawn.weights.items()
        },
        shares=_judged(judge, frames),
    )


@lru_cache(maxsize=2)
def _loaded(name: str) -> zoo.LoadedModel:
    """A model of the shelf, once in a process."""
    return zoo.load(name, "cpu")


def _of_tokens(weights: Tensor, n: int) -> NDArray[np.float16]:
    """``(steps, N, heads, places, S)`` with padding to ``(steps, N, n, places)``."""
    mean = weights.mean(dim=2)[..., :n].mT.contiguous()
    of_tokens: NDArray[np.float16] = mean.numpy().astype(np.float16)
    return of_tokens


@torch.inference_mode()
def _judged(judge: zoo.LoadedModel, frames: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The probability of each digit, ``(F, N, 10)``."""
    assert judge.encoders.pictures is not None
    numbers = judge.encoders.pictures.numbers(frames.reshape(-1, *frames.shape[2:], 1))
    shares = judge.model(torch.from_numpy(numbers)).float().softmax(dim=-1)
    probabilities: NDArray[np.float32] = shares.reshape(*frames.shape[:2], -1).numpy()
    return probabilities
