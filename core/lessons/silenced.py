"""Runs that a lesson speaks of beside the one it shows: with one head of its layer at zero."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from core.runs.request import Request
from core.tracing.trace import Array, Trace
from core.views.attention.head import by_head, without_head


class Silenced(Mapping[int, Array]):
    """By a head of the layer that a figure shows: the logits once its output is set to zero."""

    def __init__(self, trace: Trace, params: Any, answer: Callable[[Request], Any]) -> None:
        self.trace, self.params, self.answer = trace, params, answer
        self.attention = trace.attention(getattr(params, "attention", ""))
        self.layer = min(params.layer, self.attention.n_layers - 1)

    def __getitem__(self, head: int) -> Array:
        request = without_head(self.trace, self.params, self.layer, int(head))
        logits: Array = self.answer(request).trace[request.sites[0]]
        return logits

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self)))

    def __len__(self) -> int:
        return len(by_head(self.trace, self.attention, self.layer))
