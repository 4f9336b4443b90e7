"""Which units fire on which tokens; any cell with its arithmetic and the unit's words."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.analysis.units import FUNCTIONS
from core.figures import tokens
from core.figures.components import Axis, How, Matrix, Scale, Sheet
from core.figures.components.arithmetic import Apply, Of, Products, Ranks, Step, Times
from core.figures.components.matrix import signed_limit
from core.figures.text import Mark, Sentence, join, number, sentence
from core.figures.values import Along, Values
from core.language import _
from core.locale import in_quotes, listed
from core.tracing.trace import Array
from core.views.ffn.unit import (
    N_WORDS,
    OfUnits,
    Units,
    direct_path,
    entering,
)

SHORT = {  # as a function is written before its argument
    "relu": "ReLU", "gelu": "GELU", "gelu_tanh": "GELU", "relu_squared": "ReLU²", "silu": "SiLU",
}  # fmt: skip


class UnitsOnTokens(OfUnits):
    """The strongest units against the tokens."""

    name, kept = "ffn.units", True

    def values(self, record: Units) -> Mapping[str, Values]:
        listed = record.listed
        units = Along("unit", _("unit"), [str(unit) for unit in listed])
        axes, at = (units, *record.along), (record.row, record.token)

        def of(label: str, site: str) -> Values:
            numbers = record.site(site)[:, listed].T
            return Values(label, numbers, axes, site=record.prefix + site, selected=at)

        positions = np.tile(np.arange(len(record.tokens)), (len(listed), 1))
        ranked = [record.words(row) for row in range(len(listed))]
        ranks = (units, Along("rank", _("rank"), [str(rank) for rank in range(2 * N_WORDS)]))
        return {
            "position": Values(_("position"), positions, axes, selected=at),
            "before": of(entering(record), "pre"),
            "after": of(_("after"), "post"),
            "words": Values(_("word"), np.array([[w for w, _n in row] for row in ranked]), ranks),
            "amounts": Values(
                measure(record), np.array([[n for _w, n in row] for row in ranked]), ranks
            ),
        }

    def describe(self, record: Units) -> Sentence:
        words = [in_quotes(word.removeprefix("·")) for word, _value in record.words(record.row)]
        gives = sentence(
            _("On “{token}”, unit {unit} has activation {value}."),
            unit=Mark(str(record.unit), "strong"),
            value=Mark(number(float(record.site("post")[record.token, record.unit])), "accent"),
            token=Mark(record.name(record.token), "query"),
        )
        template = (
            _(
                "One unit of this activation adds most to the logits of {most}, and least to those "
                "of {least}."
            )
            if record.to_logits
            else _(
                "The words whose vectors are most like what it writes: {most}. Least like "
                "it: {least}."
            )
        )
        named = sentence(template, most=listed(words[:N_WORDS]), least=listed(words[N_WORDS:]))
        return join([gives, named, *direct_path(record)])

    def draw(self, record: Units) -> Matrix:
        listed = record.listed
        post = record.site("post")[:, listed].T
        title = _title(record)
        sheet = Sheet(
            title=title,
            array="post",
            rows=Axis(
                [_("unit {i}").format(i=unit) for unit in listed],
                "unit",
                "accent",
                ids=listed,
                found=True,
            ),
            cols=Axis(tokens.labels(record.tokens), "token", "query"),
            scale=Scale("signed", signed_limit(post)),
            max_cell=26,
            row_height=26,
            alt="",
            axes=sentence(_("rows: units · columns: tokens · colour: activation")),
            how=How(_("{row} on “{col}”"), _steps(record)),
            source=record.trace.source(f"{record.prefix}post"),
        )
        return Matrix(
            selection=record.selection(),
            sheets=[sheet],
            lists={"words": [tuple(record.words(row)) for row in range(len(listed))]},
            arrays={
                "post": post,
                "pre": record.site("pre")[:, listed].T,
                "x": record.trace[record.reads],
                **_made_of(record),
            },
        )


def measure(record: Units) -> str:
    """What a unit's number for a word is."""
    return _("logit per unit of activation") if record.to_logits else _("cosine")


def _title(record: Units) -> str:
    if record.params.rank == "text":
        return _("The most active units anywhere in this text")
    return _("The most active units on “{token}”").format(token=record.name(record.token))


def _steps(record: Units) -> list[Step]:
    before = Of("pre", row="unit", col="token")
    return [
        Products(
            title=_("Before: the unit's row of W₁ times the token's vector"),
            name="h",
            a=Of("w_1", row="unit", role="residual"),
            b=Of("x", row="token", role="query"),
            plus=Of("b_1", at="unit") if record.stack.biases else None,
            result=before,
        ),
        *_after(record, before),
        Ranks(title=_words_title(record), list_="words", role="accent"),
    ]


def _after(record: Units, before: Of) -> list[Step]:
    """From before to after the activation function; with a gate, times that."""
    after = Of("post", row="unit", col="token", role="accent")
    title, name = _("After: the activation function"), SHORT[record.activation]
    if not record.stack.gated:
        return [Apply(title=title, now=True, name=name, x=before, result=after)]
    active, gate = (Of(array, row="unit", col="token") for array in ("active", "gate"))
    return [
        Apply(title=title, name=name, x=before, result=active),
        Products(
            title=_("The gate: the unit's row of its second matrix times the same vector"),
            name="g",
            a=Of("w_gate", row="unit", role="residual"),
            b=Of("x", row="token", role="query"),
            plus=Of("b_gate", at="unit") if record.stack.biases else None,
            result=gate,
        ),
        Times(title=_("After: multiplied by the gate"), now=True, a=active, b=gate, result=after),
    ]


def _made_of(record: Units) -> dict[str, Array]:
    """The rows of the matrices, and what a gated network computes on the way."""
    listed, weights, stack = record.listed, record.trace.weights, record.stack
    found: dict[str, Array] = {}
    for name in ("1", "gate") if stack.gated else ("1",):
        found[f"w_{name}"] = weights[f"{record.prefix}w_{name}.weight"][listed]
        if stack.biases:
            found[f"b_{name}"] = weights[f"{record.prefix}w_{name}.bias"][listed]
    if stack.gated:
        before = record.site("pre")[:, listed].T
        found["active"] = FUNCTIONS[record.activation](before).astype(np.float32)
        found["gate"] = record.site("gate")[:, listed].T
    return found


def _words_title(record: Units) -> str:
    if not record.to_logits:
        return _("Words whose vectors are most and least like what it writes (cosine)")
    # The token is named: another one can be pointed at while the list stays.
    return _("What one unit of this activation adds to the logits after “{token}” (scale "
             "of the final norm held fixed)").format(token=record.name(record.token))  # fmt: skip
