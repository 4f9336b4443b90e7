"""The training of the generator: pictures with a text each, at a time between noise and picture."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from core.digits.drawing import noise
from core.digits.network import Drawer
from core.digits.reading import padded, read
from core.digits.texts import EMPTY, NAMES, TRAINED, every
from core.studies.digits.recipe import DigitsRecipe
from core.training.pictures import Labels, Pixels, read_pictures
from core.training.recipes.pictures import DIGITS as LABELS
from core.training.recipes.pictures import MNIST
from core.zoo import LoadedModel

SAVED = 120.0  # seconds from one checkpoint to the next


class Texts(NamedTuple):
    """What the frozen encoder makes of every text of the training, worked out once.

    Attributes:
        states: ``(1 + 10 N, S, D)``; first the empty text, then those of 0, of 1 and so on.
        mask: ``(1 + 10 N, S)``, True = a token.
        n: N, of each digit.
    """

    states: Tensor
    mask: Tensor
    n: int

    @classmethod
    def of(cls, encoder: LoadedModel) -> Texts:
        """The texts of ``core.digits.texts.TRAINED`` in both forms."""
        texts_ = [*every(TRAINED, "words"), *every(TRAINED, "numerals")]
        texts_.sort(key=lambda text: text.digit)
        texts = [EMPTY, *(text.text for text in texts_)]
        states, mask = padded([read(encoder, text).states for text in texts])
        return cls(states.clone(), mask, len(texts_) // len(NAMES))


class DenoisingBatch(NamedTuple):
    """Of a step: pictures ``(B, 1, 28, 28)`` from -1 to 1, noise, a time and the row of a text."""

    pictures: Tensor
    noise: Tensor
    time: Tensor
    text: Tensor


def examples(
    directory: Path, recipe: DigitsRecipe, n_texts: int, seed: int
) -> Iterator[DenoisingBatch]:
    """Steps without end; an epoch holds each picture once, but for what fills no step.

    Raises:
        CorpusError: the file is missing or damaged.
    """
    pixels, labels = read_pictures(directory / MNIST.file, LABELS)
    return _draw_examples(pixels, labels, recipe, n_texts, seed)


def _draw_examples(
    pixels: Pixels, labels: Labels, recipe: DigitsRecipe, n_texts: int, seed: int
) -> Iterator[DenoisingBatch]:
    n, per_epoch = recipe.rows, len(labels) // recipe.rows
    order = np.arange(0)
    for number in itertools.count():
        epoch, batch = divmod(number, per_epoch)
        if batch == 0:
            order = np.random.default_rng((seed, 1, epoch)).permutation(len(labels))
        rows = order[batch * n : (batch + 1) * n]
        rng = np.random.default_rng((seed, 2, number))
        named = 1 + labels[rows] * n_texts + rng.integers(0, n_texts, n)
        text = np.where(rng.random(n) < recipe.without, 0, named)
        pictures = torch.from_numpy(pixels[rows][..., 0]).float()[:, None] / 127.5 - 1
        yield DenoisingBatch(
            pictures,
            noise(n, int(rng.integers(0, 2**53))),
            torch.from_numpy(rng.random(n)).float(),
            torch.from_numpy(text),
        )


def loss_of(drawer: Drawer, examples: DenoisingBatch, texts: Texts) -> Tensor:
    """Mean squared error of the velocity, picture - noise (Lipman et al. 2023, equation 23)."""
    time = examples.time[:, None, None, None]
    between = (1 - time) * examples.noise + time * examples.pictures
    longest = int(texts.mask[examples.text].sum(dim=1).max())
    states, mask = texts.states[examples.text, :longest], texts.mask[examples.text, :longest]
    return F.mse_loss(
        drawer(between, examples.time, states, mask), examples.pictures - examples.noise
    )


@dataclass
class DigitTraining:
    """A run: the network, the mean of its weights, and how far it is.

    Attributes:
        recipe: what it follows.
        drawer: learns.
        step: updates done.
        seconds: they took.
        curve: (step, mean loss since the last point).
    """

    recipe: DigitsRecipe
    drawer: Drawer
    step: int = 0
    seconds: float = 0.0
    curve: list[tuple[int, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        # The channels of a place side by side: a tenth faster on a CPU.
        self.drawer.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.mean = {name: tensor.clone() for name, tensor in self.drawer.state_dict().items()}
        self.stopped = False
        self._since: list[float] = []
        self._optimiser = torch.optim.AdamW(
            self.drawer.parameters(), self.recipe.rate, (0.9, 0.99), weight_decay=0.0
        )

    def stop(self) -> None:
        """End after the step that it is at."""
        self.stopped = True

    def run(
        self, drawn: Iterator[DenoisingBatch], texts: Texts, *, minutes: float, steps: int | None,
        keep: Callable[[], None],
    ) -> None:  # fmt: skip
        """Learn until the clock stops it, or after a number of steps; ``keep`` writes it down."""
        began = saved = time.monotonic()
        while not self.stopped and self.step != steps:
            self._update(loss_of(self.drawer, next(drawn), texts))
            now = time.monotonic()
            self.seconds = now - began
            if steps is None and self.seconds >= 60 * minutes:
                break
            if now - saved >= SAVED:
                keep()
                saved = time.monotonic()

    def _update(self, loss: Tensor) -> None:
        recipe = self.recipe
        rise = min(1.0, (self.step + 1) / recipe.warmup)
        for group in self._optimiser.param_groups:
            group["lr"] = recipe.rate * rise / (1 + self.step / recipe.slows) ** 0.5
        self._optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.drawer.parameters(), recipe.clip)
        self._optimiser.step()
        self._since.append(loss.item())
        self.step += 1
        # In the beginning the mean is of few steps, so that it follows.
        decay = min(recipe.averaged, self.step / (self.step + 10))
        for name, tensor in self.drawer.state_dict().items():
            self.mean[name].lerp_(tensor, 1 - decay)
        if self.step % recipe.every == 0:
            self.curve.append((self.step, round(sum(self._since) / len(self._since), 5)))
            self._since = []
