"""A new head for a body that has learned something else: on frozen layers, or with all of them.

The head is linear and reads one vector of each sentence: that of the first token, [CLS] in a BERT,
or the mean over all its tokens. What the frozen body makes of a sentence is computed once; then a
head on any layer is logistic regression. The three ways that are trained step by step see the same
sentences, all of them in every step.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.data.labelled_lines import LabelledLine, LabelledLines
from core.inputs import Batch, Text
from core.live_training.linear_head import fitted_head
from core.live_training.records import WAYS, Cuts, Floats, Tuned
from core.models.calls import JudgesPairs
from core.models.prepared import Prepared
from core.seeds import checked_seed
from core.tracing.tap import Recorder

if TYPE_CHECKING:
    from core.zoo import LoadedModel

STEPS, EVERY = 24, 2  # of training; after so many it is tried out
BODY_RATE, HEAD_RATE = 1e-4, 1e-2
DECAY = 1e-2  # of a head that is fitted at once
WEIGHT_DECAY = 0.01  # Devlin et al. 2019, section A.2


@dataclass(frozen=True, slots=True)
class Body:
    """A model whose layers are made use of.

    Attributes:
        model: that judges pairs of sentences, so that it has a vector for all of its input.
        pooled: what a head reads: the "mean" over the tokens, or the "first" one.

    Raises:
        AbilityError: the model judges none.
    """

    model: LoadedModel
    pooled: str

    def __post_init__(self) -> None:
        self.model.as_judge()  # else an error before anything is read

    @property
    def places(self) -> tuple[str, ...]:
        """The sites of what enters the first layer, and of what each hands on."""
        return self.model.blueprint.sites("@layers")

    def prepare(self, texts: Sequence[str]) -> Prepared:
        """Sentences in one padded batch, cut to the model's room."""
        fitted = [self.model.fit(text)[0] for text in texts]
        return self.model.prepare(Batch(tuple(map(Text, fitted))))

    def read(self, judge: JudgesPairs, prepared: Prepared) -> Tensor:
        """What a head reads of each sentence on top of all layers ``(B, D)``."""
        (mask,) = prepared.masks.values()
        ids = prepared.tensors[self.model.blueprint.stream]
        return self.one_vector(judge.hidden(ids, types=prepared.types, mask=mask), prepared)

    def features(self, texts: Sequence[str]) -> list[Tensor]:
        """What a head reads of each sentence at each place: float64 ``(B, D)``, on the CPU."""
        prepared = self.prepare(texts)
        (mask,) = prepared.masks.values()
        recorder = Recorder(set(self.places).__contains__)
        with torch.no_grad():
            ids = prepared.tensors[self.model.blueprint.stream]
            self.model.as_judge().hidden(ids, types=prepared.types, mask=mask, tap=recorder)
            values = recorder.values
            return [self.one_vector(values[site], prepared).cpu().double() for site in self.places]

    def one_vector(self, x: Tensor, prepared: Prepared) -> Tensor:
        """``(B, T, D) -> (B, D)``; padding is left out of a mean."""
        if self.pooled == "first":
            return x[:, 0]
        stream = self.model.blueprint.stream
        lengths = torch.tensor(
            [len(row[stream].units) for row in prepared.streams], device=x.device
        )
        real = torch.arange(x.shape[1], device=x.device) < lengths[:, None]
        return (x * real[..., None]).sum(dim=1) / lengths[:, None]


def cuts(body: Body, lines: LabelledLines, text: str) -> Cuts:
    """A linear head on each layer of a frozen body, tried on what it has not seen.

    Args:
        body: whose layers are read.
        lines: labelled sentences.
        text: that every head is asked about.
    """
    texts = [line.text for line in (*lines.train, *lines.held)]
    train, held_out = (torch.tensor(lines.numbers(half)) for half in (lines.train, lines.held))
    n = len(train)
    right: list[tuple[float, float]] = []
    probs: list[Floats] = []
    for features in body.features([*texts, text]):
        mean, std = features[:n].mean(dim=0), features[:n].std(dim=0).clamp(min=1e-6)
        scaled = (features - mean) / std
        logits = fitted_head(scaled[:n], train, DECAY)(scaled)
        predicted = logits.argmax(dim=-1)
        right.append((_share(predicted[:n], train), _share(predicted[n:-1], held_out)))
        probs.append(logits[-1].softmax(dim=-1).numpy())
    shares = np.array(right)
    return Cuts(lines.labels, n, len(held_out), shares[:, 0], shares[:, 1], np.array(probs))


def tuned(
    body: Body, lines: LabelledLines, ways: Sequence[str] = WAYS, seed: int = 0, steps: int = STEPS
) -> Iterator[Tuned]:
    """Train a new head on the last layer in one way after the other.

    Args:
        body: what it stands on; a copy learns, the model itself stays as it is.
        lines: labelled sentences.
        ways: of ``WAYS``.
        seed: of the weights that are drawn for the body from scratch.
        steps: of AdamW, all sentences in each.
    """
    seed = checked_seed(seed)
    halves = [body.prepare([line.text for line in half]) for half in (lines.train, lines.held)]
    prepared = body.prepare(lines.asked) if lines.asked else None
    for way in ways:
        pupil = _HeadPupil(body, way, lines, seed)
        for step in range(steps + 1):
            loss, right = pupil.loss(halves[0], lines.train)
            if step % EVERY == 0 or step == steps:
                yield Tuned(
                    way, step, steps, loss.item(), right, pupil.right(halves[1], lines.held),
                    lines.labels, lines.asked, pupil.probs(prepared),
                )  # fmt: skip
            if step < steps:
                pupil.learn(loss)


class _HeadPupil:
    """A body and a new head, of which one or both learn."""

    def __init__(self, body: Body, way: str, lines: LabelledLines, seed: int) -> None:
        self._body, self._lines, self._frozen = body, lines, way == "frozen"
        model = body.model
        self._judge: Any = model.as_judge()
        if way == "scratch":
            drawn = torch.Generator().manual_seed(seed)
            self._judge = type(model.model)(model.config, drawn).to(model.device)
        elif way == "whole":
            self._judge = copy.deepcopy(model.model)
        width = model.blueprint.main.d_model
        self._head = nn.Linear(width, len(lines.labels), device=model.device)
        nn.init.zeros_(self._head.weight)
        nn.init.zeros_(self._head.bias)
        groups: list[dict[str, Any]] = [{"params": self._head.parameters(), "lr": HEAD_RATE}]
        if not self._frozen:
            self._judge.float().requires_grad_(True)
            groups.append({"params": self._judge.parameters(), "lr": BODY_RATE})
        self._optimiser = torch.optim.AdamW(groups, weight_decay=WEIGHT_DECAY)
        self._kept: dict[int, Tensor] = {}  # of a frozen body, by what it was given

    def _logits(self, prepared: Prepared) -> Tensor:
        if not self._frozen:
            return self._head(self._body.read(self._judge, prepared))
        if id(prepared) not in self._kept:
            with torch.no_grad():
                self._kept[id(prepared)] = self._body.read(self._judge, prepared).float()
        return self._head(self._kept[id(prepared)])

    def _labels(self, half: tuple[LabelledLine, ...]) -> Tensor:
        return torch.tensor(self._lines.numbers(half), device=self._body.model.device)

    def loss(self, prepared: Prepared, half: tuple[LabelledLine, ...]) -> tuple[Tensor, float]:
        """Nats a sentence, and the share of right labels."""
        with torch.enable_grad():
            logits, labels = self._logits(prepared), self._labels(half)
            return F.cross_entropy(logits, labels), _share(logits.argmax(dim=-1), labels)

    def learn(self, loss: Tensor) -> None:
        """Take a step of the optimiser."""
        self._optimiser.zero_grad()
        loss.backward()
        self._optimiser.step()

    @torch.no_grad()
    def right(self, prepared: Prepared, half: tuple[LabelledLine, ...]) -> float:
        """The share of right labels."""
        return _share(self._logits(prepared).argmax(dim=-1), self._labels(half))

    @torch.no_grad()
    def probs(self, prepared: Prepared | None) -> Floats:
        """What it says of sentences without a label ``(asked, labels)``."""
        if prepared is None:
            return np.zeros((0, len(self._lines.labels)))
        probs: Floats = self._logits(prepared).softmax(dim=-1).cpu().double().numpy()
        return probs


def _share(predicted: Tensor, labels: Tensor) -> float:
    return float((predicted == labels).float().mean())
