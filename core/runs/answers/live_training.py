"""Small trainings and measurements that a learner watches, step by step."""

from __future__ import annotations

from collections.abc import Iterator

from core.data.labelled_lines import read_lines
from core.live_training.at_init import at_init
from core.live_training.fine_tuning import Body, cuts, tuned
from core.live_training.gradient_flow import gradient_flow
from core.live_training.look_ahead import look_ahead
from core.live_training.practice import practice
from core.live_training.records import AtInit, Cuts, Stacks
from core.runs.answering import Context, answer, tell
from core.runs.requests import (
    AtInitRequest,
    CutsRequest,
    FineTuneRequest,
    GradientRequest,
    LookAheadRequest,
    PracticeRequest,
)
from core.runs.told import Step


@tell.register
def gradients(request: GradientRequest, context: Context) -> Iterator[Step]:
    """How much of the loss's gradient reaches each block."""
    model = context.model(request.model)
    text = model.fit(request.text)[0]
    n = 1
    flow = gradient_flow(model, text, request.depth, request.seed, request.spread)
    for told, record in enumerate(flow, 1):
        if isinstance(record, Stacks):
            n = 2 * (record.depth + 1) + 2  # up, down, what they are, and the losses
        yield Step(told / n, record)


@tell.register
def looking_ahead(request: LookAheadRequest, _context: Context) -> Iterator[Step]:
    """Two tiny models, one of them without a mask."""
    for record in look_ahead(request.steps, request.seed):
        yield Step(record.step / max(1, record.steps), record)


@tell.register
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


@tell.register
def fine_tuning(request: FineTuneRequest, context: Context) -> Iterator[Step]:
    """A new head in one way or several, each from its first step to its last."""
    body = Body(context.model(request.model), request.pooled)
    for record in tuned(body, read_lines(request.lines), request.ways, request.seed):
        done = request.ways.index(record.way) + record.step / record.steps
        yield Step(done / len(request.ways), record)
