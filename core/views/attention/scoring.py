"""From one query and one key to one weight: the arithmetic, as this attention has it."""

from __future__ import annotations

from collections.abc import Mapping

from core.figures.components.arithmetic import (
    AskMask,
    Of,
    Products,
    ScaleBy,
    Softmax,
    Step,
    Sum,
    Value,
)
from core.language import N_, _
from core.views.attention.head import HeadRun

# How scores are made, by whether they are scaled and whether a bias is added.
SCALING = {
    (True, False): N_("Scale by 1/√d_head"),
    (True, True): N_("Scale by 1/√d_head, add the bias"),
    (False, True): N_("Add the bias of the distance"),
    (False, False): N_("Nothing is scaled or added"),
}
SCORES = {
    (True, False): N_("Scores q · k / √d_head"),
    (True, True): N_("Scores q · k / √d_head + bias"),
    (False, True): N_("Scores q · k + bias"),
    (False, False): N_("Scores q · k"),
}


def _of_pair(array: str) -> Of:
    return Of(array, row="token", col="key")


def pair_steps(record: HeadRun) -> list[list[Step]]:
    """The arithmetic from one query and one key to one weight, sheet by sheet."""
    compare = Products(
        title=_("Compare query and key"),
        name="q·k",
        a=Of("q", row="token", role="query"),
        b=Of("k", row="key", role="key"),
        result=_of_pair("dots"),
    )
    ask = AskMask(
        title=_("Mask"),
        may=_of_pair("may"),
        kept=_("“{row}” may attend to “{col}”."),
        hidden=_("“{row}” may not attend to “{col}”: its score becomes −∞."),
    )
    softmax = Softmax(
        title=_("Softmax over the row"),
        scores=Of("scores", row="token"),
        weights=Of("weights", row="token"),
        may=Of("may", row="token"),
        at="key",
        names="tokens",
    )
    return [[compare], _scoring(record), [ask], [softmax]]


def scores_said(record: HeadRun, templates: Mapping[tuple[bool, bool], str]) -> str:
    """What is said of scores, by whether they are scaled and whether a bias is added."""
    attention = record.attention
    return _(templates[attention.scale is not None, attention.bias is not None])


def _scoring(record: HeadRun) -> list[Step]:
    """From a dot product to a score."""
    scaled = _of_pair("scores" if record.bias is None else "scaled")
    steps: list[Step] = []
    if record.attention.scale is not None:
        by = f"/ √{record('q').shape[1]}"
        steps.append(ScaleBy(title=_(SCALING[True, False]), from_=_of_pair("dots"), by=by,
                             result=scaled))  # fmt: skip
    if record.bias is not None:
        terms = (scaled if steps else _of_pair("dots"), _of_pair("bias"))
        title = _(SCALING[False, True])
        steps.append(Sum(title=title, terms=terms, result=_of_pair("scores")))
    return steps or [Value(title=_(SCALING[False, False]), name="s", result=scaled)]
