"""What the trainings and measurements that run beside a page tell, and what is known so far.

Numpy, no torch. Each is told record by record (``core.runs.progress``); what a view shows is made
of those that have come.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class KeptParts:
    """Which parts of the blocks are kept.

    Attributes:
        residual: each sub-layer's output is added to its input; else it replaces it.
        norms: the blocks' norms are applied; else left out.
    """

    residual: bool
    norms: bool


KEPT = (
    KeptParts(True, True),
    KeptParts(True, False),
    KeptParts(False, True),
    KeptParts(False, False),
)


@dataclass(frozen=True, slots=True)
class Stacks:
    """The four stacks, one a member of ``KEPT``, before anything runs through them.

    Attributes:
        n_tokens: of the text that are used.
        depth: blocks.
        fresh: they are freshly initialised, not the model's own.
        spread: of the fresh blocks' weights, as it was asked for.
    """

    n_tokens: int
    depth: int
    fresh: bool
    spread: str


@dataclass(frozen=True, eq=False)
class OnTheWayUp:
    """What enters the next block of each stack, or leaves the last one: each array is ``(4,)``.

    Attributes:
        size: mean length of the positions' vectors.
        alike: mean cosine between the vectors of different positions.
    """

    size: Floats
    alike: Floats


@dataclass(frozen=True, eq=False)
class OnTop:
    """Nats a token, of each stack ``(4,)``."""

    loss: Floats


@dataclass(frozen=True, eq=False)
class OnTheWayDown:
    """The gradient where it has come to: the norm of d loss / d x, of each stack ``(4,)``.

    It is that over all positions and components.
    """

    gradient: Floats


@dataclass(frozen=True, eq=False)
class StackGradients:
    """One stack. Places are the inputs of block 0, 1, ... and the output of the last.

    Attributes:
        gradient: its size at the last places, as many as it has come to.
        size, alike: at the first places, as many as the run has come to.
        loss: nats a token; NaN before the run has come to the top.
    """

    gradient: Floats
    size: Floats
    alike: Floats
    loss: float


@dataclass(frozen=True, eq=False)
class GradientFlow:
    """The four stacks on one text, as far as they are known.

    Attributes:
        stacks: what they are.
        flows: one a member of ``KEPT``.
    """

    stacks: Stacks
    flows: tuple[StackGradients, ...]

    @classmethod
    def of(cls, records: Sequence[object]) -> GradientFlow:
        """What the records say, of which there is one at least."""
        stacks = records[0]
        assert isinstance(stacks, Stacks)
        up = [record for record in records if isinstance(record, OnTheWayUp)]
        down = [record for record in records if isinstance(record, OnTheWayDown)]
        losses = next(
            (record.loss for record in records if isinstance(record, OnTop)), [np.nan] * len(KEPT)
        )
        return cls(
            stacks,
            tuple(
                StackGradients(
                    gradient=np.array([record.gradient[n] for record in reversed(down)]),
                    size=np.array([record.size[n] for record in up]),
                    alike=np.array([record.alike[n] for record in up]),
                    loss=float(losses[n]),
                )
                for n in range(len(KEPT))
            ),
        )

    @property
    def up(self) -> range:
        """The places that the run has come to."""
        return range(len(self.flows[0].size))

    @property
    def down(self) -> range:
        """The places that the gradient has come to."""
        return range(self.stacks.depth + 1 - len(self.flows[0].gradient), self.stacks.depth + 1)


WAYS = ("frozen", "whole", "scratch")  # how a new head learns: what else learns with it


@dataclass(frozen=True, eq=False)
class Cuts:
    """Linear heads on every layer of a body; place 0 is what enters the first one.

    Attributes:
        labels: among which they choose.
        n_train, n_held: sentences that they learned from, and that they are tried on.
        train, held: share of right labels, one a place.
        probs: what each says of the text ``(places, labels)``.
        nbytes: that it takes.
    """

    labels: tuple[str, ...]
    n_train: int
    n_held: int
    train: Floats
    held: Floats
    probs: Floats
    nbytes: int = 4096


@dataclass(frozen=True, eq=False)
class Tuned:
    """A head at a step of its training.

    Attributes:
        way: one of ``WAYS``.
        step, steps: which, and of how many.
        loss: nats a sentence that it learns from.
        train, held: share of right labels.
        labels: among which it chooses.
        asked, probs: sentences without a label, and what it says of them ``(asked, labels)``.
    """

    way: str
    step: int
    steps: int
    loss: float
    train: float
    held: float
    labels: tuple[str, ...]
    asked: tuple[str, ...]
    probs: Floats


@dataclass(frozen=True, slots=True)
class LearnedBits:
    """What two models have learned by a step of their training, in bits a symbol.

    Attributes:
        step, steps: which one, and of how many.
        causal_seen, unmasked_seen: their loss in training, where the answer stands in the text.
        causal_unseen, unmasked_unseen: their loss when the text ends before the answer, on texts
            that they were not trained on.
        floor: what no honest prediction can go below.
    """

    step: int
    steps: int
    causal_seen: float
    causal_unseen: float
    unmasked_seen: float
    unmasked_unseen: float
    floor: float


@dataclass(frozen=True, eq=False)
class LookAhead:
    """The two models, as far as they have come: of each ``LearnedBits`` one number a field.

    Attributes:
        step: of training at which they were asked.
        steps: that they are trained for.
        causal_seen, causal_unseen, unmasked_seen, unmasked_unseen, floor: as those of a record.
    """

    step: NDArray[np.int64]
    steps: int
    causal_seen: Floats
    causal_unseen: Floats
    unmasked_seen: Floats
    unmasked_unseen: Floats
    floor: float

    @classmethod
    def of(cls, records: Sequence[LearnedBits]) -> LookAhead:
        """What the records say, of which there is one at least."""
        return cls(
            step=np.array([record.step for record in records]),
            steps=records[0].steps,
            causal_seen=np.array([record.causal_seen for record in records]),
            causal_unseen=np.array([record.causal_unseen for record in records]),
            unmasked_seen=np.array([record.unmasked_seen for record in records]),
            unmasked_unseen=np.array([record.unmasked_unseen for record in records]),
            floor=records[0].floor,
        )

    @property
    def finished(self) -> bool:
        """They have been trained to the end."""
        return int(self.step[-1]) == self.steps


@dataclass(frozen=True, eq=False)
class InThreeWays:
    """The heads that were asked for, as far as they have come.

    Attributes:
        ways: of ``WAYS``.
        told: what was told of each way that has begun, the first step first.
        n_held: sentences that they are tried on.
    """

    ways: tuple[str, ...]
    told: Mapping[str, tuple[Tuned, ...]]
    n_held: int = 0

    @classmethod
    def of(cls, records: Sequence[Tuned], ways: tuple[str, ...] = WAYS) -> InThreeWays:
        """What the records say, of which there is one at least."""
        by_way = {way: tuple(record for record in records if record.way == way) for way in ways}
        return cls(ways, {way: of_way for way, of_way in by_way.items() if of_way})

    @property
    def last(self) -> Mapping[str, Tuned]:
        """What is known last of each way."""
        return {way: of_way[-1] for way, of_way in self.told.items()}

    @property
    def finished(self) -> bool:
        """All have come to their last step."""
        last = self.last
        return len(last) == len(self.ways) and all(
            record.step == record.steps for record in last.values()
        )


@dataclass(frozen=True, eq=False)
class AtInit:
    """A fresh stack of one block shape. Place 0 is what enters it, place n what layer n - 1 gives.

    Attributes:
        loss: nats a token.
        size: root mean square of the stream, one a place.
        gradient: that of the gradient of the loss there.
        parts: root mean square of each site of a block, by its name within it, one a layer.
    """

    loss: float
    size: Floats
    gradient: Floats
    parts: Mapping[str, Floats]
