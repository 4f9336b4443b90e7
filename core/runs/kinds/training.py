"""Small trainings and measurements, watched step by step, and what can be followed by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.data.labelled_lines import read_lines
from core.language import N_
from core.live_training.at_init import at_init
from core.live_training.by_hand import adam_run, smoothed_loss
from core.live_training.fine_tuning import Body, cuts, tuned
from core.live_training.gradient_flow import gradient_flow
from core.live_training.look_ahead import look_ahead
from core.live_training.optimised import AdamRun, SmoothedLoss
from core.live_training.practice import practice
from core.live_training.records import AtInit, Cuts, Stacks
from core.runs.progress import Step
from core.runs.request import Context, Job, OfModel, Request, answer, job_steps


@dataclass(frozen=True, slots=True)
class GradientRequest(OfModel, Job):
    """How much of the loss's gradient reaches each block, with and without sums and norms.

    Attributes:
        text: whose loss it is.
        depth: freshly initialised blocks of the model's shape; 0 for its own, trained ones.
        seed: of the fresh blocks.
        spread: of the fresh blocks' weights: "fixed", "fan_in" or "larger".
    """

    says = N_("Sending gradients back through four stacks of layers")
    text: str
    depth: int = 0
    seed: int = 0
    spread: str = "fixed"


@dataclass(frozen=True, slots=True)
class AtInitRequest(Request):
    """A fresh stack of one block shape: the signal on its way up, the gradient on its way down.

    Attributes:
        shape: of ``core.shaped.shapes.SHAPES``.
        depth: layers.
        width: d_model.
        seed: of the weights and of the tokens.
        spread: of the weights: "fan_in", "larger" or "fixed".
    """

    lasts = "a while"
    shape: str
    depth: int
    width: int
    seed: int = 0
    spread: str = "fan_in"


@dataclass(frozen=True, slots=True)
class CutsRequest(OfModel):
    """Linear heads on what each layer of a body makes of labelled sentences.

    Attributes:
        lines: the sentences as they are typed (``core.data.labelled_lines``); empty for our own.
        pooled: what a head reads of a layer: "mean" of all tokens, or the "first" one.
        text: that every head is asked about.
    """

    lasts = "a while"
    lines: str
    pooled: str
    text: str


@dataclass(frozen=True, slots=True)
class FineTuneRequest(OfModel, Job):
    """A new head, trained on a frozen body, with the whole body, or with one from scratch.

    Attributes:
        lines, pooled: as of ``CutsRequest``.
        ways: of ``core.live_training.records.WAYS``, one after the other.
        seed: of the weights that are drawn.
    """

    says = N_("Training on the labelled sentences")
    lines: str
    pooled: str
    ways: tuple[str, ...]
    seed: int = 0


@dataclass(frozen=True, slots=True)
class LookAheadRequest(Job):
    """Two tiny models learn to predict the next token, one of them without a mask.

    Attributes:
        steps: of training.
        seed: of the weights and the texts.
    """

    says = N_("Training two tiny models")
    steps: int = 300
    seed: int = 0


@dataclass(frozen=True, slots=True)
class TrainingSetup:
    """How a small Transformer is trained.

    Attributes:
        rate: of learning, the largest.
        warmup: steps of its rise.
        smoothing: of the targets.
        seed: of weights and sequences.
    """

    rate: float = 5e-3
    warmup: int = 100
    smoothing: float = 0.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class PracticeRequest(Job):
    """A small Transformer learns an exercise, in one way or in several beside each other.

    Attributes:
        exercise: of ``core.live_training.exercises.EXERCISES``, or "text".
        ways: how; they take turns.
        steps: of each training; none for the model before the first one.
        text: that is to be continued, for the exercise "text".
    """

    says = N_("Training a small Transformer")
    exercise: str
    ways: tuple[TrainingSetup, ...] = (TrainingSetup(),)
    steps: int = 1200
    text: str = ""


@dataclass(frozen=True, slots=True)
class AdamRequest(Request):
    """One weight that Adam moves; needs no model.

    Attributes:
        gradients: one for each step.
        rate: of learning.
        betas: how much of the average of the gradients and of their squares is kept.
        eps: added to the root.
    """

    gradients: tuple[float, ...]
    rate: float
    betas: tuple[float, float]
    eps: float


@dataclass(frozen=True, slots=True)
class SmoothingRequest(Request):
    """A prediction judged by a smoothed target; needs no model.

    Attributes:
        logits: of all words.
        right: the word that came.
        smoothing: the share of the target that is spread.
        others_only: over the other words alone, not over all.
    """

    logits: tuple[float, ...]
    right: int
    smoothing: float
    others_only: bool = False


@job_steps.register
def gradients(request: GradientRequest, context: Context) -> Iterator[Step]:
    """How much of the loss's gradient reaches each block."""
    model = context.model(request.model)
    text = model.fit(request.text)[0]
    n = 1
    flow = gradient_flow(model, text, request.depth, request.seed, request.spread)
    for n_told, record in enumerate(flow, 1):
        if isinstance(record, Stacks):
            n = 2 * (record.depth + 1) + 2  # up, down, what they are, and the losses
        yield Step(n_told / n, record)


@job_steps.register
def looking_ahead(request: LookAheadRequest, _context: Context) -> Iterator[Step]:
    """Two tiny models, one of them without a mask."""
    for record in look_ahead(request.steps, request.seed):
        yield Step(record.step / max(1, record.steps), record)


@job_steps.register
def practising(request: PracticeRequest, _context: Context) -> Iterator[Step]:
    """A small Transformer from its first step on an exercise to its last, in each way by turns."""
    trainings = [
        practice(
            request.exercise,
            way.rate,
            way.warmup,
            way.smoothing,
            way.seed,
            request.steps,
            request.text,
        )
        for way in request.ways
    ]
    for records in zip(*trainings, strict=True):
        yield Step(records[0].step / max(1, records[0].steps), records)


@answer.register
def of_fresh_blocks(request: AtInitRequest, _context: Context) -> AtInit:
    """The signal and the gradient in a fresh stack of one block shape."""
    return at_init(request.shape, request.depth, request.width, request.seed, request.spread)


@answer.register
def cut_at_each_layer(request: CutsRequest, context: Context) -> Cuts:
    """Linear heads on each layer of a body, tried on labelled sentences and asked about a text."""
    body = Body(context.model(request.model), request.pooled)
    return cuts(body, read_lines(request.lines), request.text)


@job_steps.register
def fine_tuning(request: FineTuneRequest, context: Context) -> Iterator[Step]:
    """A new head in one way or several, each from its first step to its last."""
    body = Body(context.model(request.model), request.pooled)
    for record in tuned(body, read_lines(request.lines), request.ways, request.seed):
        done = request.ways.index(record.way) + record.step / record.steps
        yield Step(done / len(request.ways), record)


@answer.register
def moved_by_adam(request: AdamRequest, _context: Context) -> AdamRun:
    """A weight after each step, and the averages that moved it."""
    return adam_run(request.gradients, request.rate, request.betas, request.eps)


@answer.register
def judged(request: SmoothingRequest, _context: Context) -> SmoothedLoss:
    """A prediction, its target and the gradient on every word."""
    return smoothed_loss(
        request.logits, request.right, request.smoothing, others_only=request.others_only
    )
