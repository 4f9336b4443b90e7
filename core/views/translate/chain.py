"""p(next | source, so far), step by step: the tokens so far, and the sum of their logarithms."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from core.figures import tokens
from core.figures.components import Follow, Stepper, Strip
from core.figures.text import Mark, Sentence, decimal, join, percent, sentence
from core.figures.values import Along, Values
from core.language import _
from core.units import Token
from core.views.translate.translation import OfTranslation, Translation

TINY = float(np.finfo(np.float32).tiny)  # the smallest share whose logarithm is taken


class Chain(OfTranslation):
    """The target as far as it is written, each token with its log-probability."""

    name = "translate.chain"

    def values(self, record: Translation) -> Mapping[str, Values]:
        along = (Along("token", _("token"), tokens.labels(record.target.units)),)
        logs = log_probs(record)
        place = (record.at,)
        return {
            "log_prob": Values(_("log-probability"), logs, along, _("nats"), selected=place),
            "sum": Values(_("sum so far"), _sums(logs), along, _("nats"), selected=place),
            "ends": Values(_("log-probability of the end mark"), np.log(_floor(record.ends)),
                           along, _("nats")),
        }  # fmt: skip

    def describe(self, record: Translation) -> Sentence:
        return _step(record, record.at)

    def draw(self, record: Translation) -> Strip:
        n = len(record.target.tokens)
        logs = log_probs(record)
        life = np.stack([np.arange(n), np.full(n, n + 1)], axis=1)
        return Strip(
            title=_("The target so far, loss −log p in nats"),
            selection={"token": record.at},
            name=_("Target so far"),
            tokens=[
                tokens.chip(token, born=record.target.written and not token.special)
                for token in record.target.tokens
            ],
            default=record.at,
            heading=sentence(_("The target so far, under each token its loss −log p (nats)")),
            heat=-logs,
            heat_role="accent",
            heat_limit=max(1.0, float(np.nan_to_num(-logs).max())),
            life=life,
            follow=Follow("token", first=record.at),
            readings=[_step(record, at) for at in range(n)],
        )

    def steps(self, record: Translation) -> Stepper | None:
        n = len(record.target.tokens)
        if n < 2:
            return None
        titles = [
            _("p(next | source, “{so_far}”)").format(so_far=so_far(record, at)) for at in range(n)
        ]
        return Stepper(
            title=_("Step by step"),
            alt=titles[record.at],
            selection={"token": record.at},
            n=n,
            first=record.at,
            field="token",
            titles=titles,
        )


def log_probs(record: Translation) -> NDArray[np.float64]:
    """Of each token of the target, ``(T,)``; NaN for the start mark."""
    return np.log(_floor(record.given))


def _floor(shares: NDArray[np.float32]) -> NDArray[np.float64]:
    """Shares that have a logarithm: a float32 may be too small for one."""
    return np.maximum(shares.astype(np.float64), TINY)


def _sums(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Up to each token; 0 at the start mark, which is given."""
    return np.nan_to_num(logs).cumsum()


def so_far(record: Translation, at: int) -> str:
    """The target up to a position, as it reads."""
    return text_of(record.target.tokens[: at + 1])


def text_of(written: Iterable[Token]) -> str:
    """Tokens as they read, without the model's marks."""
    words = [token.data for token in written if not token.special]
    return b"".join(words).decode(errors="replace").strip()


def _step(record: Translation, at: int) -> Sentence:
    """What a step reads, what it gives the next token, and the sum with it."""
    logs, following = log_probs(record), at + 1
    reads = sentence(
        _("Step {n} reads the whole source and {k} tokens of the target."),
        n=str(at), k=str(at + 1),
    )  # fmt: skip
    if following == len(record.target.tokens):
        share, name = float(record.ends[at]), sentence(_("the end mark"))
    else:
        share = float(record.given[following])
        name = sentence("“{token}”", token=Mark(record.target.tokens[following].spoken, "accent"))
    before = float(_sums(logs)[at])
    # What is written adds up to the last digit: a logarithm is the difference of two sums.
    before, total = (round(1000 * one) for one in (before, before + math.log(max(share, TINY))))
    given = sentence(
        _("It gives {share} to {token}, a log-probability of {log}. With the {before} so far the "
          "sum is {sum}."),
        share=Mark(percent(share), "accent"), token=name, log=decimal((total - before) / 1000, 3),
        before=decimal(before / 1000, 3), sum=Mark(decimal(total / 1000, 3), "strong"),
    )  # fmt: skip
    return join([reads, given])
