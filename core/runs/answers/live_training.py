"""Tiny trainings, and what training feels, worked out while the page waits."""

from __future__ import annotations

from core.live_training.gradient_flow import gradient_flow
from core.live_training.look_ahead import look_ahead
from core.live_training.records import GradientFlow, LookAhead
from core.runs.answering import Context, answer
from core.runs.requests import GradientRequest, LookAheadRequest


@answer.register
def gradients(request: GradientRequest, context: Context) -> GradientFlow:
    """How much of the loss's gradient reaches each block."""
    model = context.model(request.model)
    text = model.fit(request.text)[0]
    return gradient_flow(model, text, request.depth, request.seed, request.spread)


@answer.register
def looking_ahead(request: LookAheadRequest, _context: Context) -> LookAhead:
    """Two tiny models, one of them without a mask."""
    return look_ahead(request.steps, request.seed)
