"""A target of span corruption as chips in the colours of its spans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core.figures import tokens
from core.figures.components import Strip
from core.figures.text import Sentence, percent
from core.figures.values import Along, Values
from core.language import _
from core.runs.mended import Target
from core.views.noise.spans import Spans, chip, strip_of

LONG = 60  # tokens that were written from which a strip is folded


def target_values(target: Target) -> Mapping[str, Values]:
    """The tokens with their probabilities, and what is likeliest at each place."""
    n = len(target.tokens)
    axes = (Along("token", _("token"), [str(at) for at in range(n)]),)
    return {
        "token": Values(_("token"), np.array(tokens.labels(target.tokens), object), axes),
        "probability": Values(_("probability"), target.probs, axes),
        "best": Values(
            _("most likely there"), np.array(tokens.labels(target.best), object), axes
        ),
        "best_probability": Values(_("its probability"), target.best_probs, axes),
    }  # fmt: skip


def written_strip(
    record: Spans,
    target: Target,
    title: str,
    readings: Sequence[Sentence] | None = None,
) -> Strip:
    """The chips.

    Args:
        record: whose spans give them their colours.
        target: what is written.
        title: of the figure.
        readings: below, one for each span.
    """
    pairs = zip(target.tokens, record.groups(target), strict=True)
    chips = [chip(token, group, record.run.marks) for token, group in pairs]
    notes = [percent(float(prob)) for prob in target.probs]
    more: dict[str, Any] = {} if readings is None else {"readings": readings}
    return strip_of(record, title, chips, notes=notes, long=LONG, **more)
