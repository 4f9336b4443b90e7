"""Spans cut out of a text, as T5 learns from it: what the views of span corruption show."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from core.figures import tokens
from core.figures.components import Chip, Strip
from core.figures.text import Mark, Sentence, join, percent, sentence, shortened
from core.language import N_, _, name_of
from core.models.needs import Needs
from core.runs.mended import Mended, Target
from core.runs.requests import MendRequest, Request
from core.spelling import visible
from core.units import Token
from core.views.nearest import nearest
from core.views.params import MAX_SEED, OnText, param
from core.views.view import View

SHOWN = 60  # characters of a span that a sentence repeats


@dataclass(frozen=True, slots=True)
class Spanning(OnText):
    """Which spans of a text are cut out.

    Attributes:
        span_rate: share of the tokens that is hidden.
        span_mean: tokens of a span on average.
        span_seed: of the draws.
        span: the one that is looked at; -1 for the first.
    """

    span_rate: float = param(0.15, low=0.05, high=0.5, label=N_("Share of tokens hidden in spans"))
    span_mean: float = param(3.0, low=1.0, high=10.0, label=N_("Mean length of a span"))
    span_seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed"))
    span: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Span"))


@dataclass(frozen=True)
class Piece:
    """What stands behind one sentinel of a target.

    Attributes:
        tokens: of the span, without the sentinel before it.
        prob: of all of them and of the mark that ends the span, each after those before it; NaN
            where the sentinel is missing.
    """

    tokens: tuple[Token, ...]
    prob: float

    @property
    def text(self) -> str:
        """As it reads, the spaces within it as they are."""
        return read(self.tokens)


@dataclass(frozen=True)
class Spans:
    """A text with its spans, and what the model fills in.

    Attributes:
        run: the text, what was cut out, what the model says.
        params: what was asked for.
    """

    run: Mended
    params: Spanning

    @property
    def at(self) -> int:
        """The span that is looked at."""
        return nearest("span", max(0, self.params.span), len(self.run.spans) - 1)

    @property
    def model(self) -> str:
        """Its name."""
        return name_of(self.params.model)

    @cached_property
    def truth(self) -> Sequence[Piece]:
        """What was cut out, span by span."""
        return self._pieces(self.run.wanted)

    @cached_property
    def filled(self) -> Sequence[Piece]:
        """What the model writes behind each sentinel."""
        return self._pieces(self.run.written)

    def groups(self, target: Target) -> list[int | None]:
        """To which span each token of a target belongs; None behind the last one."""
        found: list[int | None] = []
        now: int | None = None
        n_marks = 0
        for token in target.tokens:
            if token.id in self.run.marks:
                # One mark for all is counted; of many each has its number.
                number = self.run.marks.index(token.id) if len(self.run.marks) > 1 else n_marks
                now = number if number < len(self.run.spans) else None
                n_marks += 1
            found.append(None if token.special and token.id not in self.run.marks else now)
        return found

    def _pieces(self, target: Target) -> list[Piece]:
        groups = self.groups(target)
        found = []
        for span in range(len(self.run.spans)):
            if span not in groups:
                found.append(Piece((), math.nan))
                continue
            first = groups.index(span) + 1
            end = first
            while end < len(groups) and not target.tokens[end].special:
                end += 1
            prob = math.prod(map(float, target.probs[first : end + 1]))
            found.append(Piece(target.tokens[first:end], prob))
        return found

    @property
    def hidden(self) -> list[int]:
        """Places in the right target of the tokens that are hidden: neither mark nor end."""
        groups = self.groups(self.run.wanted)
        tokens_ = self.run.wanted.tokens
        return [at for at, group in enumerate(groups)
                if group is not None and tokens_[at].id not in self.run.marks]  # fmt: skip

    @property
    def n_found(self) -> int:
        """Hidden tokens than which none is likelier, told all before."""
        return int(self.run.wanted.found[self.hidden].sum())

    @property
    def n_exact(self) -> int:
        """Spans that are written as they were."""
        return sum(a.tokens == b.tokens for a, b in zip(self.truth, self.filled, strict=True))

    def _compared(self, span: int) -> list[Sentence]:
        """Why the model's own words can be less likely than those that were cut out."""
        truth, filled = self.truth[span], self.filled[span]
        if math.isnan(filled.prob) or filled.tokens == truth.tokens:
            return []
        before = zip(self.truth[:span], self.filled[:span], strict=True)
        if any(right.tokens != own.tokens for right, own in before):
            return [sentence(_("It has filled a gap before this one with other words, so the two "
                               "shares do not compare."))]  # fmt: skip
        if filled.prob >= truth.prob:
            return []
        return [sentence(_("At each step it takes the most likely token. That need not lead to "
                           "the most likely span."))]  # fmt: skip

    def sentinel(self, span: int) -> str:
        """The label of the mark that stands for a span."""
        marks = [token.label for token, at in zip(self.run.shown, self.run.origin, strict=True)
                 if at < 0 and token.id in self.run.marks]  # fmt: skip
        return marks[span]

    def reading(self, span: int) -> Sentence:
        """What stood behind a sentinel, what the model writes there, and how likely each is."""
        truth, filled = self.truth[span], self.filled[span]
        parts = [
            sentence(
                _("{mark} stands for “{truth}”. The model gives it {share}."),
                mark=self.sentinel(span),
                truth=Mark(shortened(truth.text, SHOWN), "strong"),
                share=Mark(percent(truth.prob), "accent"),
            )
        ]
        if math.isnan(filled.prob):
            parts.append(sentence(_("By itself it leaves this gap out.")))
        elif filled.tokens == truth.tokens:
            parts.append(sentence(_("By itself it writes the same.")))
        elif not filled.text:
            parts.append(
                sentence(_("By itself it writes nothing there, with {share}."),
                         share=percent(filled.prob))
            )  # fmt: skip
        else:
            parts.append(
                sentence(_("By itself it writes “{text}”, with {share}."),
                         text=Mark(shortened(filled.text, SHOWN), "accent"),
                         share=percent(filled.prob))
            )  # fmt: skip
        parts.extend(self._compared(span))
        parts.append(sentence(_("Each share is the probability of the words and of the mark that "
                                "follows them.")))  # fmt: skip
        return join(parts)

    def selection(self) -> dict[str, int | None]:
        """By the names of the parameters."""
        return {"span": self.at}


def read(several: Sequence[Token]) -> str:
    """Tokens as they read, the spaces between words as they are."""
    text = b"".join(token.data for token in several).decode(errors="replace")
    return visible(text.strip()).replace("·", " ")


def span_requests(params: Spanning) -> tuple[Request, ...]:
    """The run that the views of span corruption share."""
    return (
        MendRequest(
            params.model, params.text, "spans", params.span_seed, params.span_rate,
            params.span_mean,
        ),
    )  # fmt: skip


def chip(token: Token, group: int | None, marks: Sequence[int]) -> Chip:
    """A chip in the colour of its span; of a sentinel it is said what it stands for."""
    made = tokens.chip(token, group=group)
    if token.id not in marks or group is None:
        return made
    return replace(made, title=_("stands for what is hidden here"))


def strip_of(record: Spans, title: str, chips: Sequence[Chip], **more: Any) -> Strip:
    """Chips in the colours of the spans, of which one is selected.

    Args:
        record: of the spans.
        title: of the figure.
        chips: in order.
        more: of a strip.
    """
    return Strip(
        title=title,
        selection=record.selection(),
        tokens=chips,
        field="span",
        default=record.at,
        grouped=True,
        coloured=True,
        heading=sentence(title),
        name=title,
        **more,
    )


class OfSpans(View[Spanning, Spans]):
    """A view of a text with spans cut out."""

    Params, needs = Spanning, Needs("fill_spans")

    def requests(self, params: Spanning) -> tuple[Request, ...]:
        return span_requests(params)

    def compute(self, runs: Sequence[Mended], params: Spanning) -> Spans:
        return Spans(runs[0], params)
