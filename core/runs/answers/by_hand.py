"""What can be followed by hand: one weight under Adam, one prediction under a smoothed target."""

from __future__ import annotations

from core.live_training.by_hand import adam_run, smoothed_loss
from core.live_training.optimised import AdamRun, SmoothedLoss
from core.runs.answering import Context, answer
from core.runs.requests import AdamRequest, SmoothingRequest


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
