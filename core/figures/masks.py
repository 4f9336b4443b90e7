"""Views of masks: who may look at whom, at whose cost, and what the model says under it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import softmax
from core.analysis.masks import Leaks, leaks, masked_softmax, next_stops, share_kept, way
from core.errors import CoreError
from core.figures import svg, tokens
from core.figures.attention import looked_at
from core.figures.params import OnText, param
from core.figures.payload import Payload
from core.figures.text import (
    Mark,
    Sentence,
    join,
    number,
    percent,
    quoted,
    sentence,
    token_label,
)
from core.figures.theme import Mode
from core.figures.view import WHOLE_TABLE, ComponentView, Table, register
from core.language import N_, _, ngettext
from core.requests import OWN_MASK, BatchRequest, MaskKind, MaskSpec, Request, TraceRequest
from core.runs import Run
from core.text.tokenizer import MASK, Token
from core.tracing.sites import source_line
from core.tracing.trace import Trace

Array = NDArray[np.float32]
MAX_SENTENCES = 5  # of a batch, the learner's own among them
PAD_LABEL = "⟨pad⟩"
_HEADS = ("logits", "mlm.logits")  # whichever the model has
_LOGITS = ("*logits",)

KINDS: dict[MaskKind, str] = {
    "none": N_("none"),
    "causal": N_("causal"),
    "padding": N_("padding"),
    "prefix": N_("prefix"),
    "window": N_("sliding window"),
    "painted": N_("painted by hand"),
}
SIZES: dict[MaskKind, int] = {"prefix": 4, "window": 3}  # where a kind starts when it is chosen


@dataclass(frozen=True, slots=True)
class UnderMask(OnText):
    """One head under a mask.

    Attributes:
        mask: written as ``MaskSpec`` says.
        layer, head: counted from 0.
        token: the query; -1 for a hidden word or one near the end.
        key: the key; -1 for the one that gets most.
        sheet: which matrix is shown.
        batch: the other sentences of a padded batch, one a line.
        sentence: which of them is looked at; 0 is the text itself.
        row, col, stage: of the worked example.
    """

    mask: str = param("own")
    layer: int = param(2, low=0, high=255)
    head: int = param(0, low=0, high=255)
    token: int = param(-1, low=-1, high=100_000)
    key: int = param(-1, low=-1, high=100_000)
    sheet: int = param(0, low=0, high=20)
    batch: str = param("The cat sat on the mat.\nStop!")
    sentence: int = param(1, low=0, high=100)
    row: int = param(2, low=0, high=100_000)
    col: int = param(1, low=0, high=100_000)
    stage: int = param(2, low=0, high=20)


def read_mask(text: str) -> tuple[MaskSpec, CoreError | None]:
    """The mask of a link; the model's own, and what was wrong, when it cannot be read."""
    try:
        return MaskSpec.parse(text), None
    except CoreError as problem:
        return OWN_MASK, problem


def _lines(params: UnderMask) -> list[str]:
    """What was typed as the other sentences."""
    return [line for line in params.batch.splitlines() if line.strip()]


def sentences(params: UnderMask) -> tuple[str, ...]:
    """The batch: the learner's text and the other lines."""
    return (params.text, *_lines(params)[: MAX_SENTENCES - 1])


@dataclass(frozen=True, eq=False)
class MaskRun:
    """One run under a mask, and what it is compared with.

    Attributes:
        params: what was asked for.
        spec: the mask, the model's own by its name.
        trace: the run under it.
        own: weights of the head under the model's own mask, ``(T, T)``.
        logits: under the mask, ``(T, V)``; ``base`` what they are compared with.
        base_name: the mask of ``base``.
        own_kind: the model's own mask.
        n: tokens that are text; the rest is padding.
        cut: what did not fit.
        words: from an id to its token.
        batch: the tokens of every sentence, when there are several.
        too_long: which of them did not fit the context, counted from 0.
        alone: largest difference of the logits from those of the sentence run by itself.
    """

    params: UnderMask
    spec: MaskSpec
    trace: Trace
    own: Array
    logits: Array
    base: Array
    base_name: str
    own_kind: MaskKind
    n: int
    cut: str
    words: Any
    batch: tuple[tuple[Token, ...], ...] = ()
    too_long: tuple[int, ...] = ()
    alone: float = 0.0

    @property
    def layer(self) -> int:
        return min(self.params.layer, self.trace.topology.n_layers - 1)

    @property
    def head(self) -> int:
        return min(self.params.head, self.trace.topology.n_heads - 1)

    def site(self, name: str) -> Array:
        """A site of this head."""
        return self.trace[f"blocks.{self.layer}.attn.{name}"][self.head]

    @property
    def labels(self) -> list[str]:
        text = tokens.labels(self.trace.tokens[: self.n])
        return [*text, *[PAD_LABEL] * (len(self.trace.tokens) - self.n)]

    @property
    def query(self) -> int:
        """The selected token; else a hidden word, or one with text on both sides."""
        last = len(self.trace.tokens) - 1
        if self.params.token >= 0:
            return min(self.params.token, last)
        masks = [at for at in range(self.n) if self.trace.tokens[at].piece == MASK]
        return masks[0] if masks else max(min(1, self.n - 1), self.n - 3)

    @property
    def key(self) -> int:
        if self.params.key >= 0:
            return min(self.params.key, len(self.trace.tokens) - 1)
        return int(self.site("weights")[self.query].argmax())

    @property
    def predicts_next(self) -> bool:
        return self.trace.topology.head == "next_token"

    @cached_property
    def open_weights(self) -> NDArray[np.float64]:
        """What the weights would be if this head's row were not masked."""
        scores = self.site("scores")
        return masked_softmax(scores, np.ones_like(scores, bool))

    @cached_property
    def kept(self) -> NDArray[np.float64]:
        """The share of each query's attention that the mask leaves."""
        return share_kept(self.site("scores"), self.trace.mask)

    @cached_property
    def leaks(self) -> Leaks:
        """Who sees what is still to come."""
        return leaks(self.trace.mask, self.trace.topology.n_layers, self.n)

    @cached_property
    def stops(self) -> NDArray[np.int64]:
        """The first stop on the way from each position to each."""
        return next_stops(self.trace.mask, self.leaks.needed)

    def name(self, at: int) -> str:
        """A token inside a sentence."""
        return quoted(self.trace.tokens[at]) if at < self.n else PAD_LABEL

    def selection(self) -> dict[str, Any]:
        """The part of the state that components share, as they read it."""
        p = self.params
        return {
            "mask": str(self.spec),
            "token": self.query, "key": self.key, "sheet": p.sheet,
            "sentence": min(p.sentence, max(0, len(self.batch) - 1)),
            "row": p.row, "col": p.col, "stage": p.stage,
        }  # fmt: skip


def spec_for(kind: MaskKind, run: MaskRun) -> str:
    """The mask to go to when a kind is chosen; painting starts from the mask that is shown."""
    if kind == "painted":
        side = run.n
        return str(MaskSpec.painted(run.trace.mask[:side, :side]))
    return str(MaskSpec(kind, SIZES.get(kind, 0)))


# --- words --------------------------------------------------------------------------------------


def reading(run: MaskRun, query: int) -> Sentence:
    """What one query may see, and what that does to its attention in this head."""
    if query >= run.n:
        return sentence(_("This is padding: it is computed with the rest and thrown away."))
    may = run.trace.mask[query]
    seen, n = int(may.sum()), len(may)
    name = Mark(run.name(query), "query")
    if not seen:
        return sentence(_("“{query}” may look at nothing: its row of weights is all zeros."),
                        query=name)  # fmt: skip
    if seen == n:
        all_of_them = (
            _("“{query}” is the last token and may look at all {n}.")
            if query == n - 1
            else _("“{query}” may look at all {n} tokens, those after it too.")
        )
        first = sentence(all_of_them, query=name, n=str(n))
        return join([first, *_leak_of(run, query)])
    first = sentence(
        ngettext(
            "“{query}” may look at {seen} of {n} tokens.",
            "“{query}” may look at {seen} of {n} tokens.",
            seen,
        ),
        query=name,
        seen=str(seen),
        n=str(n),
    )
    kept = float(run.kept[query])
    cost = sentence(
        _("The hidden ones would have {share} of its attention; the rest is divided by {kept}."),
        share=Mark(percent(1.0 - kept), "weight"),
        kept=Mark(number(kept), "weight"),
    )
    return join([first, cost, *_leak_of(run, query)])


def notices(run: MaskRun) -> list[str]:
    """What was asked for and cannot be shown as it is."""
    found = []
    side, n = run.spec.size, len(run.trace.tokens)
    if run.spec.kind == "painted" and side != n:
        laid = _("The painted mask is {side} × {side} and this text has {n} tokens:").format(
            side=side, n=n
        )
        rest = (
            _("for the tokens after it the model's own mask holds.")
            if side < n
            else _("what it says of more tokens is left out.")
        )
        found.append(f"{laid} {rest}")
    left_out = len(_lines(run.params)) - (MAX_SENTENCES - 1)
    if run.batch and left_out > 0:
        found.append(
            ngettext(
                "A batch here has at most {most} sentences: the last line is left out.",
                "A batch here has at most {most} sentences: the last {n} lines are left out.",
                left_out,
            ).format(most=MAX_SENTENCES, n=left_out)
        )
    if run.too_long:
        found.append(
            ngettext(
                "The model's context holds {most} tokens: sentence {which} was cut.",
                "The model's context holds {most} tokens: sentences {which} were cut.",
                len(run.too_long),
            ).format(most=run.trace.config.n_ctx, which=", ".join(map(str, run.too_long)))
        )
    return found


def _leak_of(run: MaskRun, query: int) -> list[Sentence]:
    """Whether one position can see its answer."""
    if not run.predicts_next or query + 1 >= run.n or not run.leaks.answer[query]:
        return []
    return [
        sentence(
            _("It can see its answer, “{answer}”."),
            answer=Mark(run.name(query + 1), "warning"),
        )
    ]


def warning(run: MaskRun) -> Sentence | None:
    """Whether positions of a next-token model can see what they are asked for, and how."""
    if not run.predicts_next:
        return None
    found, n = run.leaks, run.n
    answers = np.flatnonzero(found.answer)
    if not len(answers):
        if not found.positions:
            return None
        at = found.positions[0]
        first = int(np.flatnonzero(found.needed[at, at + 1 : n] > 0)[0]) + at + 1
        return sentence(
            _("Leak: “{query}” can see “{later}”, which comes after it, though not the very next "
              "token."),
            query=run.name(at), later=run.name(first),
        )  # fmt: skip
    through = answers[~found.direct[answers]]
    how_many = ngettext(
        "Leak: {n} of {all} positions (dashed above) can see the token it is asked for.",
        "Leak: {n} of {all} positions (dashed above) can see the tokens they are asked for.",
        len(answers),
    ).format(n=len(answers), all=n - 1)
    parts = [sentence("{text}", text=how_many)]
    if len(through):
        parts.append(_roundabout(run, int(through[0]), len(through), len(answers)))
    else:
        at = int(answers[0])
        parts.append(
            sentence(
                _("“{query}” may look straight at “{answer}”."),
                query=run.name(at),
                answer=run.name(at + 1),
            )
        )
    if run.spec.kind == "prefix":
        parts.append(
            sentence(
                _("A prefix model is therefore asked for nothing inside its prefix, only after it.")
            )
        )
    return join(parts)


def _roundabout(run: MaskRun, at: int, n_through: int, n_all: int) -> Sentence:
    """How an answer arrives although no cell of the mask shows it."""
    stops = way(run.stops, at, at + 1)
    count = (
        _("All of them only through other tokens:")
        if n_through == n_all
        else ngettext(
            "{n} of them only through other tokens:",
            "{n} of them only through other tokens:",
            n_through,
        ).format(n=n_through)
    )
    through = "”, “".join(run.name(stop) for stop in stops[1:-1])
    return sentence(
        _("{count} “{answer}” reaches “{query}” by way of “{through}”, one block a step."),
        count=count,
        answer=run.name(at + 1),
        query=run.name(at),
        through=through,
    )


def in_a_batch(record: MaskRun) -> Sentence:
    """What the padding does to the prediction, and what masking it gives back."""
    if record.n == len(record.trace.tokens):
        return sentence(
            _("No sentence of the batch is longer: this one needs no padding, and its logits are "
              "those it has by itself, to within {alone}."),
            alone=number(record.alone, 2),
        )  # fmt: skip
    seen = float(np.abs(record.base[: record.n] - record.logits[: record.n]).max())
    same = sentence(
        _("Run by itself the sentence gives the same logits, to within {alone}: the mask takes "
          "the padding out again."),
        alone=number(record.alone, 2),
    )  # fmt: skip
    if record.own_kind == "causal":
        return join([
            same,
            sentence(
                _("Here the padding mask is not even needed: the padding comes after the text, "
                  "and the causal mask hides it (largest change without: {seen})."),
                seen=number(seen, 2),
            ),
        ])  # fmt: skip
    return join([
        same,
        sentence(
            _("If it could be seen, they would change by up to {seen}."),
            seen=Mark(number(seen, 2), "warning"),
        ),
    ])  # fmt: skip


def _rule(run: MaskRun) -> tuple[str, str]:
    """Why a cell is open, and why it is closed."""
    closed = _("its score becomes −∞, its weight 0.")
    kept, hidden = {
        "none": (_("No mask: every query may look at every key."), ""),
        "causal": (
            _("Key {key} does not come after query {query}: kept."),
            _("Key {key} comes after query {query}: hidden,"),
        ),
        "padding": (
            _("Key {key} is a token of the sentence: kept."),
            _("Key {key} is padding, or comes after a query that may not look ahead: hidden,"),
        ),
        "prefix": (
            _("Key {key} stands in the prefix or does not come after query {query}: kept."),
            _("Key {key} comes after query {query} and is not in the prefix: hidden,"),
        ),
        "window": (
            _("Key {key} is among the last {n} up to query {query}: kept."),
            _("Key {key} is not among the last {n} up to query {query}: hidden,"),
        ),
        "painted": (
            _("You left key {key} open for query {query}."),
            _("You closed key {key} for query {query}:"),
        ),
    }[run.spec.kind]
    size = str(run.spec.size)
    return kept.replace("{n}", size), f"{hidden} {closed}".replace("{n}", size)


# --- the views ----------------------------------------------------------------------------------


class _UnderMaskView(ComponentView[UnderMask, MaskRun]):
    """What views of a run under a mask share."""

    Params = UnderMask
    sites = ("blocks.*.attn.*", *_HEADS)

    def requests(self, params: UnderMask) -> tuple[Request, ...]:
        spec, _problem = read_mask(params.mask)
        if spec.kind == "padding":
            batch = sentences(params)
            at = min(params.sentence, len(batch) - 1)
            row = TraceRequest(params.model, batch[at], beside=batch)
            masked = TraceRequest(params.model, batch[at], mask=spec, beside=batch)
            alone = TraceRequest(params.model, batch[at], sites=_LOGITS)
            return masked, row, BatchRequest(params.model, batch, sites=_LOGITS), alone
        own = TraceRequest(params.model, params.text)
        extremes = (MaskSpec("none"), MaskSpec("causal"))
        others = tuple(
            TraceRequest(params.model, params.text, mask=one, sites=_LOGITS) for one in extremes
        )
        under = own if spec == OWN_MASK else TraceRequest(params.model, params.text, mask=spec)
        return under, own, *others

    def compute(self, runs: Sequence[Any], params: UnderMask) -> MaskRun:
        spec, _problem = read_mask(params.mask)
        under, own = runs[0], runs[1]
        own_kind: MaskKind = "causal" if under.trace.topology.causal else "none"
        if spec.kind == "own":
            spec = MaskSpec(own_kind)
        batch: tuple[tuple[Token, ...], ...] = ()
        too_long: tuple[int, ...] = ()
        base, base_name, alone = (
            own,
            _("its own mask ({kind})").format(kind=_(KINDS[own_kind])),
            0.0,
        )
        n = len(under.trace.tokens) - under.n_padding
        if spec.kind == "padding":
            batch = tuple(run.trace.tokens for run in runs[2])
            too_long = tuple(i for i, run in enumerate(runs[2]) if run.cut)
            base_name = _("padding not masked")
            alone = float(np.abs(_logits(runs[3]) - _logits(under)[:n]).max())
        elif np.array_equal(under.trace.mask, own.trace.mask):
            # Compared with itself a mask says nothing: the other extreme stands beside it.
            opposite = "none" if own_kind == "causal" else "causal"
            base = runs[2] if opposite == "none" else runs[3]
            base_name = _("no mask") if opposite == "none" else _("a causal mask")
        layer = min(params.layer, own.trace.topology.n_layers - 1)
        head = min(params.head, own.trace.topology.n_heads - 1)
        return MaskRun(
            params=params, spec=spec, trace=under.trace,
            own=own.trace[f"blocks.{layer}.attn.weights"][head],
            logits=_logits(under), base=_logits(base), base_name=base_name, own_kind=own_kind,
            n=n, cut=under.cut, words=under.words, batch=batch, too_long=too_long,
            alone=alone,
        )  # fmt: skip

    def describe(self, record: MaskRun) -> Sentence:
        leak = warning(record)
        return join([reading(record, record.query), *([leak] if leak else [])])

    def table(self, record: MaskRun) -> Table:
        labels, weights = record.labels, record.site("weights")
        every = len(labels) <= WHOLE_TABLE
        return Table(
            (_("query"), _("key"), _("may attend"), _("weight under its own mask"),
             _("weight under this mask")),
            [
                (labels[i], labels[j], int(record.trace.mask[i, j]), float(record.own[i, j]),
                 float(weights[i, j]))
                for i in (range(len(labels)) if every else [record.query])
                for j in range(len(labels))
            ],
        )  # fmt: skip

    def svg(self, record: MaskRun, mode: Mode) -> str:
        return svg.matrix(
            self.title(record),
            record.labels,
            record.labels,
            record.site("weights"),
            mode,
            mask=record.trace.mask,
            alt=str(self.describe(record)),
            note=_("rows: queries · columns: keys · hatched: masked"),
        )


def _logits(run: Run) -> Array:
    return run.trace[_HEADS[0] if run.trace.topology.head == "next_token" else _HEADS[1]]


@register
class MaskStrip(_UnderMaskView):
    """The tokens: what the selected one may see, and how its attention is shared among them."""

    name = "masks.strip"
    component = "token_strip"

    def title(self, record: MaskRun) -> str:
        return _("What “{query}” may look at").format(query=record.name(record.query))

    def payload(self, record: MaskRun) -> Payload:
        chips = [tokens.chip(token) for token in record.trace.tokens]
        for at in range(record.n, len(chips)):
            title = _("padding: it fills the row up to the batch's longest")
            chips[at] |= {"label": PAD_LABEL, "kind": "special", "title": title}
        leaky = [int(at) for at in np.flatnonzero(record.leaks.answer)]
        return Payload(
            {
                "tokens": chips,
                "cut": tokens.cut_text(record.cut),
                "field": "token",
                "default": record.query,
                "marked": leaky if record.predicts_next else [],
                "heat_role": "weight",
                "heat_limit": 1.0,
                "heat_unit": "share",
                "readings": [reading(record, at).as_data() for at in range(len(chips))],
                "selection": record.selection(),
                "labels": tokens.strip_labels() | {"strip": self.title(record)},
            },
            {"heat": record.site("weights"), "may": record.trace.mask.astype(np.uint8)},
        )


@register
class MaskGrid(_UnderMaskView):
    """The mask as a matrix, what it lets through over all blocks, and the weights under it."""

    name = "masks.grid"
    component = "matrix"

    def title(self, record: MaskRun) -> str:
        return self._titles(record)[self._sheet(record)]

    @staticmethod
    def _titles(record: MaskRun) -> list[str]:
        """Of the sheets."""
        return [
            _("Who may look at whom: {kind}").format(kind=_(KINDS[record.spec.kind])),
            _("Who can hear of whom through {n} blocks").format(n=record.trace.topology.n_layers),
            _("Weights of layer {layer}, head {head}").format(layer=record.layer, head=record.head),
            _("Weights here minus weights under its own mask"),
        ]

    def _sheet(self, record: MaskRun) -> int:
        """The chosen one."""
        return min(record.params.sheet, len(self._titles(record)) - 1)

    def describe(self, record: MaskRun) -> Sentence:
        return self._said(record)[self._sheet(record)]

    def _said(self, record: MaskRun) -> list[Sentence]:
        """What each sheet shows, in words."""
        seen, query = super().describe(record), record.query
        words = [record.name(at) for at in range(len(record.labels))]
        weights, needed = record.site("weights"), record.leaks.needed[query]
        heard = sentence(
            _("Through {n} blocks “{query}” can hear of {heard} of {all} tokens, of {direct} "
              "directly."),
            n=str(record.trace.topology.n_layers),
            query=Mark(words[query], "query"),
            heard=str(int((needed >= 0).sum())),
            all=str(len(needed)),
            direct=str(int(((needed >= 0) & (needed <= 1)).sum())),
        )  # fmt: skip
        most = int(weights[query].argmax())
        gives = sentence(
            _("Under this mask “{query}” gives {share} of its attention to {key}."),
            query=Mark(words[query], "query"),
            share=Mark(percent(float(weights[query, most])), "weight"),
            key=looked_at(words, query, most),
        )
        change = np.abs(weights - record.own)
        row, col = map(int, np.unravel_index(int(change.argmax()), change.shape))
        changed = (
            sentence(
                _("The weight that changes most is that of “{query}” for {key}: {before} under its "
                  "own mask, {after} here."),
                query=Mark(words[row], "query"),
                key=looked_at(words, row, col),
                before=Mark(percent(float(record.own[row, col])), "weight"),
                after=Mark(percent(float(weights[row, col])), "weight"),
            )
            if change[row, col]
            else sentence(_("No weight differs from that under its own mask."))
        )  # fmt: skip
        given = join([gives, seen]) if weights[query].any() else seen
        return [seen, join([heard, seen]), given, join([changed, seen])]

    def table(self, record: MaskRun) -> Table:
        pairs, needed = super().table(record), record.leaks.needed
        blocks = needed if len(needed) <= WHOLE_TABLE else needed[[record.query]]
        return Table(
            (*pairs.columns, _("blocks until the query holds something of the key")),
            [
                (*row, "" if n < 0 else int(n))
                for row, n in zip(pairs.rows, blocks.reshape(-1), strict=True)
            ],
        )

    def svg(self, record: MaskRun, mode: Mode) -> str:
        arrays, at = self._arrays(record), self._sheet(record)
        return svg.sheet(
            self._sheets(record, arrays)[at],
            arrays,
            mode,
            title=self.title(record),
            alt=str(self.describe(record)),
        )

    def _arrays(self, record: MaskRun) -> dict[str, NDArray[Any]]:
        may, weights = record.trace.mask, record.site("weights")
        ahead = self._ahead(record)
        needed = record.leaks.needed
        ways = np.where(needed > 1, 2, 1) + np.where(ahead, 2, 0)
        return {
            "cells": np.where(ahead, 2, 1).astype(np.uint8),
            "may": may.astype(np.uint8),
            "ways": ways.astype(np.uint8),
            "needed": np.maximum(needed, 0).astype(np.uint8),
            "reach": (needed >= 0).astype(np.uint8),
            "scores": record.site("scores"),
            "weights": weights,
            "open": record.open_weights.astype(np.float32),
            "kept": record.kept.astype(np.float32),
            "change": weights - record.own,
            "stops": np.maximum(record.stops, 0).astype(np.uint16),
        }

    def payload(self, record: MaskRun) -> Payload:
        arrays = self._arrays(record)
        return Payload(
            {
                "sheets": self._sheets(record, arrays),
                "sheet_field": "sheet",
                "sheet": record.params.sheet,
                "names": {
                    "tokens": record.labels,
                    "words": [record.name(at) for at in range(len(record.labels))],
                },
                "selection": record.selection(),
                "labels": tokens.matrix_labels(),
            },
            arrays,
        )

    @staticmethod
    def _ahead(record: MaskRun) -> NDArray[np.bool_]:
        """Cells that show a next-token model something that is still to come."""
        size = len(record.trace.mask)
        ahead = np.triu(np.ones((size, size), bool), 1)
        ahead[:, record.n :] = False
        return ahead & record.predicts_next

    def _sheets(self, record: MaskRun, arrays: dict[str, NDArray[Any]]) -> list[dict[str, Any]]:
        n_layers = record.trace.topology.n_layers
        pair: dict[str, Any] = {
            "rows": {"labels": record.labels, "field": "token", "role": "query"},
            "cols": {"labels": record.labels, "field": "key", "role": "key"},
            "max_cell": 16 if record.batch else 26,  # under a batch there is less room
            "row_height": 16 if record.batch and len(record.labels) <= 22 else None,
        }
        axes = [
            [_("rows: "), "plain"], [_("queries"), "query"],
            [_(" · columns: "), "plain"], [_("keys"), "key"],
            [_(" · hatched: masked"), "plain"],
        ]  # fmt: skip
        how = {"title": _("How “{row}” weighs “{col}”"), "steps": self._steps(record)}
        line = source_line(f"blocks.{record.layer}.attn.weights")
        shared = pair | {
            "mask": "may",
            "axes": axes,
            "how": how,
            "source": {"path": line.path, "line": line.line, "code": line.code},
        }
        ahead = self._ahead(record)
        hidden = {"label": _("hidden"), "role": "surface"}
        painting = record.spec.kind == "painted"
        titles, alts = self._titles(record), [str(said) for said in self._said(record)]
        return [
            shared
            | {
                "tab": _("Who may look"),
                "title": _("Click or drag to open and close cells") if painting
                else titles[0],
                "array": "cells",
                "scale": {"kind": "category"},
                "categories": [
                    hidden,
                    {"label": _("may look"), "role": "weight", "share": 0.55},
                    {"label": _("may look, and that is ahead of it"), "role": "warning",
                     "text": "!"},
                ],
                "paint": {"array": "may", "field": "mask"} if painting else None,
                "alt": alts[0],
                "axes": [*axes, *([[_(" · !: looks ahead"), "warning"]]
                                  if (ahead & record.trace.mask).any() else [])],
            },
            pair
            | {
                "tab": _("Through all blocks"),
                "title": titles[1],
                "array": "ways",
                "mask": "reach",
                "scale": {"kind": "category"},
                "categories": [
                    hidden,
                    {"label": _("directly"), "role": "weight", "share": 0.55},
                    {"label": _("through other tokens"), "role": "residual", "share": 0.55},
                    {"label": _("directly, and that is ahead of it"), "role": "warning"},
                    {"label": _("through other tokens, and that is ahead of it"),
                     "role": "warning"},
                ],
                "counts": "needed",
                "alt": alts[1],
                "how": {
                    "title": _("How “{col}” comes to “{row}”"),
                    "steps": [
                        {
                            "kind": "way", "now": True,
                            "title": _("A shortest way, block after block"),
                            "stops": "stops", "reach": "reach", "names": "words",
                            "from": "token", "to": "key",
                            "step": _("“{a}” looks at “{b}”"),
                            "self": _("It is the position itself: the stream keeps it."),
                            "none": _("There is none: {n} blocks are too few, or no chain of "
                                      "open cells leads there.").replace("{n}", str(n_layers)),
                        }
                    ],
                },
                "axes": [[_("number: blocks until the row holds something of the column · "
                            "hatched: never"), "plain"]],
            },
            shared
            | {
                "tab": _("Weights"),
                "title": titles[2],
                "array": "weights",
                "scale": {"kind": "weight", "limit": 1.0},
                "alt": alts[2],
            },
            shared
            | {
                "tab": _("Change"),
                "title": titles[3],
                "array": "change",
                "mask": None,
                "scale": {
                    "kind": "signed",
                    "limit": max(0.05, float(np.abs(arrays["change"]).max())),
                },
                "alt": alts[3],
                "axes": axes[:4],
            },
        ]  # fmt: skip

    def _steps(self, record: MaskRun) -> list[dict[str, Any]]:
        kept, hidden = _rule(record)
        cell = {"row": "token", "col": "key"}
        return [
            {
                "kind": "mask", "title": _("Ask the mask"), "now": True,
                "may": {"array": "may", **cell}, "kept": kept, "hidden": hidden,
            },
            {
                "kind": "softmax", "title": _("Softmax over the scores that are left"),
                "scores": {"array": "scores", "row": "token"},
                "weights": {"array": "weights", "row": "token"},
                "may": {"array": "may", "row": "token"}, "at": "key", "names": "tokens",
            },
            {
                "kind": "quotient",
                "title": _("The same: its share without a mask, over the share that is left"),
                "a": {"array": "open", **cell}, "b": {"array": "kept", "at": "token"},
                "may": {"array": "may", **cell},
                "result": {"array": "weights", **cell, "role": "weight"},
            },
        ]  # fmt: skip


@register
class MaskPrediction(_UnderMaskView):
    """What the model says under the mask, beside what it says under its own."""

    name = "masks.prediction"
    component = "bars"
    N_EACH = 6

    def title(self, record: MaskRun) -> str:
        return self._title(record, record.query)

    def _title(self, record: MaskRun, at: int) -> str:
        if record.predicts_next:
            return _("What comes after “{token}”").format(token=record.name(at))
        return _("What stands at “{token}”").format(token=record.name(at))

    def _answer(self, record: MaskRun, at: int) -> Token | None:
        """What the text has where position ``at`` predicts; None where it has nothing or a gap."""
        at += 1 if record.predicts_next else 0
        found = record.trace.tokens[at] if at < record.n else None
        return None if found is None or found.piece == MASK else found

    def probabilities(self, record: MaskRun, at: int) -> tuple[Array, Array]:
        """Before and under the mask, over the vocabulary, ``(V,)`` each."""
        pair = softmax(np.stack([record.base[at], record.logits[at]]))
        return np.asarray(pair[0], np.float32), np.asarray(pair[1], np.float32)

    def _frame(self, record: MaskRun, at: int) -> tuple[list[int], Array, Array]:
        """Ids of the words that are shown, likeliest first, and both distributions."""
        before, under = self.probabilities(record, at)
        k = self.N_EACH
        best = {int(i) for p in (before, under) for i in np.argpartition(-p, k)[:k]}
        answer = self._answer(record, at)
        if answer is not None:
            best.add(answer.id)
        return sorted(best, key=lambda i: -max(before[i], under[i])), before, under

    def describe(self, record: MaskRun) -> Sentence:
        before, under = self.probabilities(record, record.query)
        first, then = int(before.argmax()), int(under.argmax())
        parts = [
            sentence(
                _("The likeliest is “{a}” with {p} ({base}) and “{b}” with {q} under this mask."),
                a=Mark(quoted(record.words(first)), "strong"),
                p=percent(float(before[first])),
                base=record.base_name,
                b=Mark(quoted(record.words(then)), "accent"),
                q=Mark(percent(float(under[then])), "accent"),
            )
        ]
        if record.batch:
            parts.append(in_a_batch(record))
        return join(parts)

    def payload(self, record: MaskRun) -> Payload:
        size = len(record.trace.tokens)
        found = [self._frame(record, at) for at in range(size)]
        n_rows = max(len(ids) for ids, _before, _under in found)
        probs = np.zeros((size, 2, n_rows), np.float32)
        frames = []
        for at, (ids, before, under) in enumerate(found):
            probs[at, 0, : len(ids)], probs[at, 1, : len(ids)] = before[ids], under[ids]
            answer = self._answer(record, at)
            title = self._title(record, at)
            frames.append(
                {
                    "rows": [
                        {
                            "id": str(i),
                            "label": token_label(record.words(i)),
                            "chosen": answer is not None and i == answer.id,
                        }
                        for i in ids
                    ],
                    "title": [[title, "plain"]],
                    "alt": title,
                    "note": self._note(record, at, before, under),
                }
            )
        return Payload(
            {
                "frames": frames,
                "stages": [],
                "series": [
                    {"label": record.base_name, "role": "residual"},
                    {"label": self._this(record), "role": "accent"},
                ],
                "follow": {"field": "token", "first": record.query},
                "selection": record.selection(),
                "alt": str(self.describe(record)),
                "labels": {"cut": _("cut")},
            },
            {"probs": probs},
        )

    def _this(self, record: MaskRun) -> str:
        if record.spec.kind == record.own_kind:
            return _("its own mask ({kind})").format(kind=_(KINDS[record.own_kind]))
        return _("this mask ({kind})").format(kind=_(KINDS[record.spec.kind]))

    def _note(self, record: MaskRun, at: int, before: Array, under: Array) -> str:
        answer = self._answer(record, at)
        if at >= record.n or answer is None:
            return ""
        text = (
            _("The text goes on with “{word}”: {p} → {q}.")
            if record.predicts_next
            else _("The text has “{word}” there: {p} → {q}.")
        )
        return text.format(
            word=quoted(answer),
            p=percent(float(before[answer.id])),
            q=percent(float(under[answer.id])),
        )

    def table(self, record: MaskRun) -> Table:
        ids, before, under = self._frame(record, record.query)
        return Table(
            (_("token"), _("id"), record.base_name, self._this(record)),
            [(token_label(record.words(i)), i, float(before[i]), float(under[i])) for i in ids],
        )

    def svg(self, record: MaskRun, mode: Mode) -> str:
        ids, _before, under = self._frame(record, record.query)
        return svg.bars(
            self.title(record),
            [token_label(record.words(i)) for i in ids],
            [float(under[i]) for i in ids],
            mode,
            alt=str(self.describe(record)),
        )


@register
class MaskBatch(_UnderMaskView):
    """A batch of sentences of different length: the short rows are filled up with padding."""

    name = "masks.batch"
    component = "matrix"

    def title(self, record: MaskRun) -> str:
        return _("The batch: one row a sentence")

    def describe(self, record: MaskRun) -> Sentence:
        lengths = [len(row) for row in record.batch] or [record.n]
        return sentence(
            _("{n} sentences of {lengths} tokens in one table of {longest} columns; the rest is "
              "padding."),
            n=str(len(lengths)),
            lengths=", ".join(str(length) for length in lengths),
            longest=str(max(lengths)),
        )  # fmt: skip

    def _grid(self, record: MaskRun) -> tuple[NDArray[np.uint8], list[list[str]]]:
        rows = record.batch or (record.trace.tokens[: record.n],)
        longest = max(len(row) for row in rows)
        real = np.zeros((len(rows), longest), np.uint8)
        texts = []
        for i, row in enumerate(rows):
            real[i, : len(row)] = 1
            texts.append([*tokens.labels(row), *[PAD_LABEL] * (longest - len(row))])
        return real, texts

    def payload(self, record: MaskRun) -> Payload:
        real, texts = self._grid(record)
        return Payload(
            {
                "sheets": [
                    {
                        "title": self.title(record),
                        "array": "real",
                        "mask": "real",
                        "masked_text": PAD_LABEL,
                        "texts": texts,
                        "rows": {"labels": [_("sentence {i}").format(i=i) for i in
                                            range(len(texts))],
                                 "field": "sentence", "role": "accent"},
                        "cols": {"labels": [str(i) for i in range(real.shape[1])],
                                 "field": "token", "hide": True},
                        "scale": {"kind": "category"},
                        "categories": [{"label": _("padding"), "role": "surface"},
                                       {"label": _("token"), "role": "surface"}],
                        "max_cell": 88,
                        "row_height": 20,
                        "alt": str(self.describe(record)),
                    }
                ],
                "selection": record.selection(),
                "labels": tokens.matrix_labels() | {"masked": _("padding")},
            },
            {"real": real},
        )  # fmt: skip

    def table(self, record: MaskRun) -> Table:
        real, texts = self._grid(record)
        return Table(
            (_("sentence"), _("position"), _("token"), _("padding")),
            [(i, j, texts[i][j], int(not real[i, j])) for i in range(len(texts))
             for j in range(real.shape[1])],
        )  # fmt: skip

    def svg(self, record: MaskRun, mode: Mode) -> str:
        real, texts = self._grid(record)
        return svg.matrix(
            self.title(record),
            [str(i) for i in range(len(texts))],
            [str(j) for j in range(real.shape[1])],
            np.zeros(real.shape),
            mode,
            mask=real.astype(bool),
            texts=texts,
            alt=str(self.describe(record)),
            note=_("rows: sentences · columns: positions · hatched: padding"),
        )
