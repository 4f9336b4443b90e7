"""Every query position against every key position, under one way of telling them apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from core.figures.components.plot import Heat, Plot, PlotAxis, Rule, Words
from core.figures.text import Mark, Sentence, number, sentence
from core.figures.values import Along, Values
from core.language import _, name_of
from core.models.needs import Needs
from core.runs.requests import Request
from core.views.positions.positional import SPAN, WAYS, Encoded, Floats
from core.views.positions.ways import BUCKETS, D_HEAD, Ways, way_requests, ways
from core.views.view import View

STRIDE = 5  # between the positions that are drawn
DRAWN = range(0, SPAN, STRIDE)


class PairsOfPositions(View[Encoded, Ways]):
    """Cosines, or T5's buckets."""

    name, Params, needs = "positions.pairs", Encoded, Needs(parts=("positions",))

    def requests(self, params: Encoded) -> tuple[Request, ...]:
        return way_requests(params)

    def compute(self, runs: Sequence[Any], params: Encoded) -> Ways:
        return ways(runs, params)

    def values(self, record: Ways) -> Mapping[str, Values]:
        axes = (
            Along("query", _("query position"), [str(at) for at in DRAWN]),
            Along("key", _("key position"), [_("key {k}").format(k=at) for at in DRAWN]),
        )
        if record.params.kind == "relative":
            return {"buckets": Values(_("bucket"), _grid(record).astype(int), axes)}
        return {"cosines": Values(_("cosine"), _grid(record), axes)}

    def describe(self, record: Ways) -> Sentence:
        kind = record.params.kind
        if kind == "learned":
            return _of_learned(record)
        return _of_buckets(record) if kind == "relative" else _of_formula(record)

    def draw(self, record: Ways) -> Plot:
        return Plot(
            title=_(WAYS[record.params.kind]),
            x=PlotAxis(title=_("key position"), range=(0, SPAN), grid=False),
            y=PlotAxis(title=_("query position"), range=(SPAN, 0), grid=False),
            series=[_heat(record)],
            rules=list(_end(record)),
            words=list(_nothing(record)),
            height=300,
        )


def _grid(record: Ways) -> Floats:
    """Every ``STRIDE``-th position: cosines, or T5's buckets; NaN where there is nothing."""
    at = list(DRAWN)
    if record.params.kind == "relative":
        offsets = np.subtract.outer(at, at)  # query minus key
        return record.buckets[SPAN - 1 - offsets].astype(np.float32)
    if record.params.kind == "learned":
        whole = np.full((SPAN, SPAN), np.nan, np.float32)
        n = len(record.learned)
        whole[:n, :n] = record.learned
        return whole[np.ix_(at, at)]
    values = record.sinusoidal if record.params.kind == "sinusoidal" else record.rotary
    return values[np.ix_(at, at)].astype(np.float32)


def _heat(record: Ways) -> Heat:
    """The colour of a bucket is how far it reaches, on either side."""
    at, values = list(DRAWN), _grid(record)
    where = _("query {q}, key {k}").format(q="{y}", k="{x}")
    if record.params.kind == "relative":
        return Heat(
            z=values % (BUCKETS // 2), x=at, y=at, kind="position", key=False, custom=values,
            hover=where + "\n" + _("bucket {b}").format(b="{custom}"),
        )  # fmt: skip
    return Heat(z=values, x=at, y=at, limit=1.0, key=False, hover=where + "\n{z:.6f}")


def _end(record: Ways) -> Iterator[Rule]:
    """Where the model's training ended."""
    if record.n_ctx < SPAN:
        yield Rule(x=record.n_ctx, role="text", dash="dot")
        yield Rule(y=record.n_ctx, role="text", dash="dot")


def _nothing(record: Ways) -> Iterator[Words]:
    """Where a learned table has no rows."""
    n = len(record.learned)
    if record.params.kind == "learned" and n < SPAN:
        yield Words(x=(n + SPAN) / 2, y=(n + SPAN) / 2, text=_("no rows"))


def _of_learned(record: Ways) -> Sentence:
    n = Mark(str(record.n_ctx), "position")
    if not len(record.learned):
        return sentence(
            _("One learned vector per position, added to the token's. {model} learned none: "
              "it adds the sinusoids, so there is nothing to compare."),
            model=name_of(record.params.model),
        )  # fmt: skip
    return sentence(
        _("One learned vector per position, added to the token's. The table has {n} rows. "
          "There is none for position {n}, so the text is cut there."),
        n=n,
    )  # fmt: skip


def _of_buckets(record: Ways) -> Sentence:
    return sentence(
        _("One learned number per head and distance bucket, added to the score. Keys at or "
          "before the query have buckets 0 to {before}, those after it {first} to {after}. On "
          "each side all distances from {far} on share the last bucket, so a text of any "
          "length fits. (The picture shows which of its {n} numbers each pair gets.)"),
        before=Mark(str(record.bucket(SPAN - 1)), "position"),
        first=Mark(str(record.bucket(-1)), "position"),
        after=Mark(str(record.bucket(1 - SPAN)), "position"),
        far=Mark(str(record.last_bucket_from()), "position"),
        n=str(BUCKETS),
    )  # fmt: skip


def _of_formula(record: Ways) -> Sentence:
    """Fixed vectors, and rotation."""
    fixed = record.params.kind == "sinusoidal"
    values = record.sinusoidal if fixed else record.rotary
    template = (
        _("One fixed vector per position, added to the token's. The formula continues past "
          "{n}: positions 0 and 5 have cosine {early}, {a} and {b} have {late}. But a model "
          "trained on {n} positions has never met the vectors past them, and usually gets "
          "worse there.")
        if fixed
        else _("Nothing is added: query and key are turned by an angle that grows with the "
               "position. The formula continues past {n}, and only the distance counts: two "
               "equal vectors ({d} ones) turned to positions 0 and 5 have cosine {early}, "
               "turned to {a} and {b} {late}. But a model trained on {n} positions has never "
               "met larger distances, and usually gets worse there.")
    )  # fmt: skip
    return sentence(
        template,
        n=Mark(str(record.n_ctx), "position"),
        d=str(D_HEAD),
        early=Mark(number(float(values[0, 5])), "position"),
        late=Mark(number(float(values[-6, -1])), "position"),
        a=str(SPAN - 6),
        b=str(SPAN - 1),
    )
