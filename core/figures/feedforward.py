"""Views of the feed-forward network: its units, what they fire on, what they write, its curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.analysis.units import (
    FUNCTIONS,
    gelu,
    gelu_tanh,
    logits_per_one,
    strongest,
    word_cosines,
)
from core.figures import svg, tokens
from core.figures.params import OnText, param
from core.figures.payload import Payload
from core.figures.text import Mark, Sentence, join, number, percent, quoted, sentence, token_label
from core.figures.theme import INSIDE, PALETTES, Mode, styled
from core.figures.view import ComponentView, PlotView, Table, register
from core.language import N_, _
from core.requests import Request, TraceRequest
from core.runs import Run
from core.tracing.sites import source_line
from core.tracing.trace import Trace

Array = NDArray[np.float32]
N_UNITS = 12  # rows of the figure
N_WORDS = 4  # that a unit has most to do with, and as many at the other end
REACH = 4.0  # the curves are drawn at least this far to both sides

NAMES = {
    "relu": N_("ReLU"),
    "gelu": N_("GELU (erf)"),
    "gelu_tanh": N_("GELU (tanh)"),
    "relu_squared": N_("squared ReLU"),
    "silu": N_("SiLU"),
    "gated": N_("gated SiLU"),
}
FORMULAS = {
    "relu": r"\max(0, h)",
    "gelu": r"h \cdot \Phi(h) = \tfrac{h}{2}\left(1 + \mathrm{erf}\,\tfrac{h}{\sqrt 2}\right)",
    "gelu_tanh": r"\tfrac{h}{2}\left(1 + \tanh\left(\sqrt{2/\pi}"
    r"\,(h + 0.044715\,h^3)\right)\right)",
    "relu_squared": r"\max(0, h)^2",
    "silu": r"h \cdot \sigma(h) = \frac{h}{1 + e^{-h}}",
    "gated": r"h \cdot \sigma(h) \cdot g",
}
SHORT = {  # as a function is written before its argument
    "relu": "ReLU", "gelu": "GELU", "gelu_tanh": "GELU", "relu_squared": "ReLU²", "silu": "SiLU",
}  # fmt: skip
GATES = (-1.0, 0.5, 1.0, 2.0)  # values of the gate that are drawn


@dataclass(frozen=True, slots=True)
class AtUnit(OnText):
    """A unit of a layer, and a token.

    Attributes:
        layer, token: counted from 0; token -1 for the last word.
        unit: its number; -1 for the strongest.
        rank: which units are listed: the strongest for the "token" or anywhere in the "text".
        function: which non-linearity is drawn; "own" is the model's.
    """

    layer: int = param(2, low=0, high=255)
    token: int = param(-1, low=-1, high=100_000)
    unit: int = param(-1, low=-1, high=100_000)
    rank: str = param("token", choices=("token", "text"))
    function: str = param("own", choices=("own", *NAMES))


@dataclass(frozen=True, eq=False)
class Units:
    """One layer's feed-forward network on a text.

    Attributes:
        run: the whole run.
        params: what was asked for.
    """

    run: Run
    params: AtUnit

    @property
    def trace(self) -> Trace:
        return self.run.trace

    @property
    def layer(self) -> int:
        return min(self.params.layer, self.trace.topology.n_layers - 1)

    @property
    def token(self) -> int:
        names = self.trace.tokens
        chosen = self.params.token
        return tokens.last_word(names) if chosen < 0 else min(chosen, len(names) - 1)

    def site(self, name: str) -> Array:
        """A site of this layer's network, ``(T, ...)``."""
        return self.trace[f"blocks.{self.layer}.ffn.{name}"]

    @property
    def n(self) -> int:
        """How many units there are."""
        return int(self.site("post").shape[1])

    @property
    def activation(self) -> str:
        """The model's own non-linearity."""
        return str(self.trace.config.activation)

    @property
    def function(self) -> str:
        """The one that is drawn."""
        return self.activation if self.params.function == "own" else self.params.function

    @cached_property
    def listed(self) -> list[int]:
        """The units that are shown, strongest first; the selected one is always among them."""
        post = self.site("post")
        sizes = post[self.token] if self.params.rank == "token" else np.abs(post).max(axis=0)
        found = strongest(sizes, N_UNITS)
        if 0 <= self.params.unit < self.n and self.params.unit not in found:
            found[-1] = self.params.unit
        return found

    @property
    def unit(self) -> int:
        chosen = self.params.unit
        return chosen if 0 <= chosen < self.n else self.listed[0]

    @property
    def to_logits(self) -> bool:
        """Only a norm and the output matrix stand between the last block and the logits."""
        topology = self.trace.topology
        return topology.final_norm and topology.head == "next_token"

    @property
    def last(self) -> bool:
        """No block follows."""
        return self.layer == self.trace.topology.n_layers - 1

    @cached_property
    def per_word(self) -> Array:
        """Each listed unit against every word: logits for each 1 of it, or else cosines."""
        if self.to_logits:
            return logits_per_one(self.trace, self.layer, self.listed, self.token)
        return word_cosines(self.trace, self.layer, self.listed)

    def words(self, row: int) -> list[tuple[str, float]]:
        """The words with a listed unit's largest numbers, then those with its smallest."""
        order = np.argsort(-self.per_word[row], kind="stable")
        chosen = [*order[:N_WORDS], *order[-N_WORDS:]]
        return [(token_label(self.run.words(int(i))), float(self.per_word[row, i])) for i in chosen]

    def name(self, at: int) -> str:
        """A token inside a sentence."""
        return quoted(self.trace.tokens[at])

    def selection(self) -> dict[str, int]:
        """The part of the state that components share, as they read it."""
        return {"token": self.token, "unit": self.unit, "layer": self.layer}


class _UnitView(ComponentView[AtUnit, Units]):
    """What views of a layer's units share."""

    Params = AtUnit

    def requests(self, params: AtUnit) -> tuple[Request, ...]:
        return (TraceRequest(params.model, params.text),)

    def compute(self, runs: Sequence[Run], params: AtUnit) -> Units:
        return Units(runs[0], params)


def reading(record: Units, at: int) -> Sentence:
    """How many units answer to one token, and which does most."""
    pre, post = record.site("pre")[at], record.site("post")[at]
    best = strongest(post, 1)[0]
    everywhere = record.site("post")[:, best]
    most = int(np.abs(everywhere).argmax())
    where = (
        _("nowhere in this text does it reach more")
        if most == at
        else _("on “{other}” it reaches {value}").format(
            other=record.name(most), value=number(float(everywhere[most]))
        )
    )
    return sentence(
        _("“{token}” makes {n} of {all} units positive, {share}. The strongest is unit {unit} with "
          "{value}; {where}."),
        token=Mark(record.name(at), "query"),
        n=str(int((pre > 0).sum())),
        all=f"{record.n:,}",
        share=percent(float((pre > 0).mean())),
        unit=Mark(str(best), "strong"),
        value=Mark(number(float(post[best])), "accent"),
        where=where,
    )  # fmt: skip


@register
class UnitStrip(_UnitView):
    """The tokens, coloured by how much the selected unit fires on each."""

    name = "ffn.strip"
    component = "token_strip"

    def title(self, record: Units) -> str:
        return _("Unit {unit} of block {layer} on every token").format(
            unit=record.unit, layer=record.layer
        )

    def describe(self, record: Units) -> Sentence:
        return reading(record, record.token)

    def payload(self, record: Units) -> Payload:
        heat = record.site("post")[:, record.listed].T
        n = len(record.trace.tokens)
        return Payload(
            {
                "tokens": [tokens.chip(token) for token in record.trace.tokens],
                "cut": tokens.cut_text(record.run.cut),
                "field": "token",
                "default": record.token,
                "heat_field": "unit",
                "heat_ids": record.listed,
                "heat_role": "signed",
                "heat_limit": float(np.abs(heat).max()) or 1.0,
                "heat_digits": 2,
                "readings": [reading(record, at).as_data() for at in range(n)],
                "selection": record.selection(),
                "heading": sentence(
                    _("What the selected unit gives on each token, after the non-linearity")
                ).as_data(),
                "labels": tokens.strip_labels() | {"strip": self.title(record)},
            },
            {"heat": np.ascontiguousarray(heat, np.float32)},
        )

    def table(self, record: Units) -> Table:
        pre, post = record.site("pre")[:, record.unit], record.site("post")[:, record.unit]
        return Table(
            (_("position"), _("token"), _("before"), _("after")),
            [
                (at, label, float(pre[at]), float(post[at]))
                for at, label in enumerate(tokens.labels(record.trace.tokens))
            ],
        )

    def svg(self, record: Units, mode: Mode) -> str:
        post = record.site("post")[:, record.unit]
        return svg.chips(
            self.title(record),
            tokens.labels(record.trace.tokens),
            [number(float(v), 2) for v in post],
            [float(v) for v in np.clip(post / (np.abs(post).max() or 1.0), 0.0, 1.0)],
            mode,
            alt=str(self.describe(record)),
            role="accent",
        )


def direct_path(record: Units) -> list[Sentence]:
    """What the numbers of a unit before the last block leave out; nothing to say of others."""
    if record.last or not record.to_logits:
        return []
    return [sentence(_("This is the direct path alone: the later blocks read it too."))]


@register
class UnitsOnTokens(_UnitView):
    """Which units fire on which tokens; any cell with its arithmetic and the unit's words."""

    name = "ffn.units"
    component = "matrix"

    def title(self, record: Units) -> str:
        if record.params.rank == "text":
            return _("The units that fire most anywhere in this text")
        return _("The units that fire most on “{token}”").format(token=record.name(record.token))

    def describe(self, record: Units) -> Sentence:
        row = record.listed.index(record.unit)
        words = [f"“{word.removeprefix('·')}”" for word, _value in record.words(row)]
        gives = sentence(
            _("Unit {unit} gives {value} on “{token}”."),
            unit=Mark(str(record.unit), "strong"),
            value=Mark(number(float(record.site("post")[record.token, record.unit])), "accent"),
            token=Mark(record.name(record.token), "query"),
        )
        template = (
            _("Each 1 of it adds most to the logits of {most}, and least to those of {least}.")
            if record.to_logits
            else _("The words whose vectors are most like what it writes: {most}; least: {least}.")
        )
        named = sentence(
            template, most=", ".join(words[:N_WORDS]), least=", ".join(words[N_WORDS:])
        )
        return join([gives, named, *direct_path(record)])

    def payload(self, record: Units) -> Payload:
        weights, block = record.trace.weights, f"blocks.{record.layer}.ffn."
        listed = record.listed
        post = np.ascontiguousarray(record.site("post")[:, listed].T)
        cell = {"row": "unit", "col": "token"}
        read = self._read(record)
        line = source_line(f"{block}post")
        sheet = {
            "title": self.title(record),
            "array": "post",
            "rows": {
                "labels": [_("unit {i}").format(i=i) for i in listed],
                "ids": listed,
                "field": "unit",
                "role": "accent",
            },
            "cols": {
                "labels": tokens.labels(record.trace.tokens),
                "field": "token",
                "role": "query",
            },
            "scale": {"kind": "signed", "limit": float(np.abs(post).max()) or 1.0},
            "max_cell": 26,
            "row_height": 26,
            "alt": str(self.describe(record)),
            "axes": [[_("rows: units · columns: tokens · colour: after the non-linearity"),
                      "plain"]],
            "how": {"title": _("{row} on “{col}”"), "steps": self._steps(record, cell)},
            "source": {"path": line.path, "line": line.line, "code": line.code},
        }  # fmt: skip
        return Payload(
            {
                "sheets": [sheet],
                "lists": {"words": [record.words(row) for row in range(len(listed))]},
                "selection": record.selection(),
                "labels": tokens.matrix_labels(),
            },
            {
                "post": post,
                "pre": np.ascontiguousarray(record.site("pre")[:, listed].T),
                "x": read,
                "w_1": np.ascontiguousarray(weights[f"{block}w_1.weight"][listed]),
                "b_1": np.ascontiguousarray(weights[f"{block}w_1.bias"][listed]),
            },
        )

    @staticmethod
    def _read(record: Units) -> Array:
        """What the network reads: the normed stream, or the stream itself in a post-norm block."""
        pre = record.trace.topology.arrangement == "pre"
        name = "ln_2.out" if pre else "ln_1.out"
        return record.trace[f"blocks.{record.layer}.{name}"]

    def _steps(self, record: Units, cell: dict[str, str]) -> list[dict[str, Any]]:
        return [
            {
                "kind": "products",
                "title": _("Before: the unit's row of W₁, times the token's vector"),
                "name": "h",
                "a": {"array": "w_1", "row": "unit", "role": "residual"},
                "b": {"array": "x", "row": "token", "role": "query"},
                "plus": {"array": "b_1", "at": "unit"},
                "result": {"array": "pre", **cell},
            },
            {
                "kind": "apply", "now": True,
                "title": _("After: the non-linearity"),
                "name": SHORT[record.activation],
                "x": {"array": "pre", **cell},
                "result": {"array": "post", **cell, "role": "accent"},
            },
            {
                "kind": "ranks",
                "title": self._words_title(record),
                "list": "words",
                "role": "accent",
            },
        ]  # fmt: skip

    @staticmethod
    def _words_title(record: Units) -> str:
        if not record.to_logits:
            return _("Words whose vectors are most and least like what it writes: the cosine")
        # The token is named: another one can be pointed at while the list stays.
        return _("What each 1 of it adds directly to the logits after “{token}”, the final norm's "
                 "divisor held fixed").format(token=record.name(record.token))  # fmt: skip

    def table(self, record: Units) -> Table:
        labels = tokens.labels(record.trace.tokens)
        pre, post = record.site("pre"), record.site("post")
        return Table(
            (_("unit"), _("position"), _("token"), _("before"), _("after")),
            [
                (unit, at, label, float(pre[at, unit]), float(post[at, unit]))
                for unit in record.listed
                for at, label in enumerate(labels)
            ],
        )

    def svg(self, record: Units, mode: Mode) -> str:
        post = record.site("post")[:, record.listed].T
        return svg.matrix(
            self.title(record),
            [_("unit {i}").format(i=i) for i in record.listed],
            tokens.labels(record.trace.tokens),
            post,
            mode,
            role="signed",
            limit=float(np.abs(post).max()) or 1.0,
            alt=str(self.describe(record)),
        )


@register
class WordsWritten(_UnitView):
    """The words that what the selected unit writes has most and least to do with.

    Where a final norm and the output matrix follow the blocks, by what it adds to
    their logits. Elsewhere (BERT: a norm after every sum, and a head of its own) no
    logit follows from the column alone, and they go by its cosine with their vectors.
    """

    name = "ffn.words"
    component = "matrix"
    N = 8

    def title(self, record: Units) -> str:
        return _("What unit {unit} of block {layer} writes").format(
            unit=record.unit, layer=record.layer
        )

    @staticmethod
    def _ends() -> list[str]:
        return [_("most"), _("least")]

    @staticmethod
    def _measure(record: Units) -> str:
        if record.to_logits:
            return _("what each 1 of it adds to a word's logit: its column of W₂, through the "
                     "final norm (its divisor as on “{token}”) and the output matrix").format(
                token=record.name(record.token))  # fmt: skip
        return _("cosine of its column of W₂ with a word's vector in the token table")

    def _lists(self, record: Units) -> tuple[list[list[str]], Array]:
        """Words and numbers: those with the largest, and those with the smallest."""
        own = record.per_word[record.listed.index(record.unit)]
        order = np.argsort(-own, kind="stable")
        ids = np.stack([order[: self.N], order[::-1][: self.N]])
        labels = [[token_label(record.run.words(int(i))) for i in row] for row in ids]
        return labels, np.asarray(own[ids], np.float32)

    def describe(self, record: Units) -> Sentence:
        labels, values = self._lists(record)
        unit = Mark(str(record.unit), "strong")
        value, word = Mark(number(float(values[0, 0])), "accent"), labels[0][0].removeprefix("·")
        if not record.to_logits:
            return sentence(
                _("Of all words, the vector of “{word}” is most like what unit {unit} writes: "
                  "their cosine is {value}. Norms and the model's own head still follow, so it is "
                  "no measure of what the model predicts."),
                unit=unit, value=value, word=word,
            )  # fmt: skip
        given = float(record.site("post")[record.token, record.unit])
        counted = sentence(
            _("On “{token}” unit {unit} gives {given}; each 1 of it adds {value} to the logit of "
              "“{word}” as the next token. That holds for this token, the final norm's divisor "
              "held fixed."),
            unit=unit, value=value, word=word,
            token=Mark(record.name(record.token), "query"),
            given=Mark(number(given), "accent"),
        )  # fmt: skip
        return join([counted, *direct_path(record)])

    def payload(self, record: Units) -> Payload:
        labels, values = self._lists(record)
        sheet = {
            "title": self.title(record),
            "array": "values",
            "texts": labels,
            "rows": {"labels": self._ends(), "field": "row", "role": "accent"},
            "cols": {"labels": [str(i) for i in range(self.N)], "field": "col", "hide": True},
            "scale": {"kind": "signed", "limit": float(np.abs(values).max()) or 1.0},
            "max_cell": 130,
            "least_cell": 66,
            "row_height": 28,
            "alt": str(self.describe(record)),
            "axes": [[self._measure(record), "plain"]],
        }
        return Payload({"sheets": [sheet], "labels": tokens.matrix_labels()}, {"values": values})

    def table(self, record: Units) -> Table:
        labels, values = self._lists(record)
        return Table(
            (
                _("end"),
                _("rank"),
                _("token"),
                _("logit per 1 of the unit") if record.to_logits else _("cosine"),
            ),
            [
                (name, rank, labels[row][rank], float(values[row, rank]))
                for row, name in enumerate((_("most"), _("least")))
                for rank in range(self.N)
            ],
        )

    def svg(self, record: Units, mode: Mode) -> str:
        labels, values = self._lists(record)
        return svg.matrix(
            self.title(record),
            self._ends(),
            [str(i) for i in range(self.N)],
            values,
            mode,
            role="signed",
            limit=float(np.abs(values).max()) or 1.0,
            texts=labels,
            alt=str(self.describe(record)),
        )


@register
class Curve(PlotView[AtUnit, Units]):
    """The non-linearity, with the token's own values marked on it."""

    name = "ffn.curve"
    Params = AtUnit

    def title(self, record: Units) -> str:
        return _("{function}: all units on “{token}”").format(
            function=_(NAMES[record.function]), token=record.name(record.token)
        )

    def requests(self, params: AtUnit) -> tuple[Request, ...]:
        return (TraceRequest(params.model, params.text),)

    def compute(self, runs: Sequence[Run], params: AtUnit) -> Units:
        return Units(runs[0], params)

    def points(self, record: Units) -> tuple[Array, NDArray[np.float64]]:
        """Every unit's value for the token: before, and after the function that is drawn."""
        pre = record.site("pre")[record.token]
        if record.function == record.activation:
            return pre, record.site("post")[record.token].astype(np.float64)
        return pre, FUNCTIONS["silu" if record.function == "gated" else record.function](pre)

    def describe(self, record: Units) -> Sentence:
        pre, after = self.points(record)
        parts = [
            sentence(
                _("Before, the {n} values lie between {low} and {high}; after {function} {small} "
                  "of them are closer to 0 than 0.2."),
                n=f"{record.n:,}",
                low=number(float(pre.min())),
                high=number(float(pre.max())),
                function=_(NAMES[record.function]),
                small=Mark(percent(float((np.abs(after) < 0.2).mean())), "accent"),
            )
        ]  # fmt: skip
        if record.function.startswith("gelu"):
            x = np.linspace(-REACH, REACH, 2001)
            apart = float(np.abs(gelu(x) - gelu_tanh(x)).max())
            parts.append(
                sentence(
                    _("The two forms of GELU are never more than {apart} apart."),
                    apart=number(apart, 2),
                )
            )
        if record.function != record.activation:
            parts.append(
                sentence(
                    _("The model itself has {own}: these are its values before, put through "
                      "another function."),
                    own=_(NAMES[record.activation]),
                )
            )  # fmt: skip
        return join(parts)

    def figure(self, record: Units, mode: Mode) -> go.Figure:
        palette = PALETTES[mode]
        pre, after = self.points(record)
        reach = max(REACH, float(np.abs(pre).max()) * 1.05)
        x = np.linspace(-reach, reach, 401)
        figure = go.Figure()
        if record.function == "gated":
            for gate in GATES:
                figure.add_scatter(
                    x=x, y=FUNCTIONS["silu"](x) * gate, mode="lines",
                    name=_("gate g = {g}").format(g=number(gate, 1)),
                    line={"width": 2.5 if gate == 1 else 1.2}, hovertemplate="%{y:.4g}",
                )  # fmt: skip
        else:
            figure.add_scatter(
                x=x, y=FUNCTIONS[record.function](x), mode="lines",
                name=_(NAMES[record.function]), line={"color": palette.muted, "width": 2},
                hovertemplate="%{y:.4g}",
            )  # fmt: skip
        self._mark(figure, record, pre, after, palette.residual, palette.accent)
        # How many units lie where, low behind the curve.
        figure.add_histogram(
            x=pre, yaxis="y2", name=_("how many units"), nbinsx=60,
            marker={"color": palette.residual}, opacity=0.3,
            hovertemplate=_("{n} units").format(n="%{y}") + "<extra></extra>",
        )  # fmt: skip
        counts, _edges = np.histogram(pre, 60)
        most = max(1, int(counts.max()))
        figure.update_layout(
            height=400,
            yaxis2={
                "overlaying": "y", "side": "right", "range": [0, 4 * most],
                "tickvals": sorted({0, most // 2, most}), "showgrid": False, "zeroline": False,
            },
        )  # fmt: skip
        # A few far-off units must not flatten the bend at 0, which is what the curve is about.
        figure.update_xaxes(range=[-REACH, max(REACH, float(pre.max()) * 1.05)])
        figure = styled(
            figure, mode, title=self.title(record), x=_("before the non-linearity, h"),
            y=_("after it"),
        )  # fmt: skip
        figure.update_layout(yaxis2_title=_("how many units"), legend=INSIDE)
        return figure

    @staticmethod
    def _mark(
        figure: go.Figure,
        record: Units,
        pre: Array,
        after: NDArray[np.float64],
        plain: str,
        accent: str,
    ) -> None:
        """Every unit as a dot, the selected one larger, with its number."""
        names = [str(i) for i in range(len(pre))]
        hover = _("unit {u}: {x} → {y}").format(u="%{text}", x="%{x:.4g}", y="%{y:.4g}")
        figure.add_scatter(
            x=pre, y=after, mode="markers", name=_("units"), text=names,
            marker={"color": plain, "size": 5, "opacity": 0.45},
            hovertemplate=hover + "<extra></extra>",
        )  # fmt: skip
        unit = record.unit
        figure.add_scatter(
            x=[pre[unit]], y=[after[unit]], mode="markers+text", text=[names[unit]],
            textposition="middle left", name=_("unit {i}").format(i=unit),
            marker={"color": accent, "size": 11}, hovertemplate=hover + "<extra></extra>",
        )  # fmt: skip

    def table(self, record: Units) -> Table:
        pre, after = self.points(record)
        return Table(
            (_("unit"), _("before"), _("after {function}").format(function=record.function)),
            [(i, float(pre[i]), float(after[i])) for i in range(record.n)],
        )
