"""What views of one head alone share: the run they ask for, and its weights as values."""

from __future__ import annotations

from collections.abc import Sequence

from core.figures.values import Values
from core.language import _, ngettext
from core.runs.requests import Request
from core.runs.results import Run
from core.views.attention.head import (
    AtHead,
    HeadRun,
    head_controls,
    head_requests,
    head_run,
)
from core.views.controls import Control
from core.views.parts import head_at
from core.views.view import View


class OfHead(View[AtHead, HeadRun]):
    """A view of nothing but one head."""

    Params = AtHead

    def requests(self, params: AtHead) -> tuple[Request, ...]:
        return head_requests(params)

    def compute(self, runs: Sequence[Run], params: AtHead) -> HeadRun:
        return head_run(runs, params)

    def controls(self, record: HeadRun) -> Sequence[Control]:
        return head_controls(record)

    def facts(self, record: HeadRun) -> Sequence[str]:
        n, ms = len(record.queries), f"{record.trace.seconds * 1e3:.0f}"
        return (
            head_at(record),
            ngettext("{n} token", "{n} tokens", n).format(n=n),
            _("ran in {ms} ms").format(ms=ms),
            _("every number is from this run"),
        )


def weight_values(record: HeadRun) -> dict[str, Values]:
    """The head's weights, all of them."""
    return {
        "weights": Values(
            _("Attention weights"), record("weights"), record.along,
            site=record.prefix + "weights", selected=(record.query, record.key),
        )
    }  # fmt: skip
