"""One head of one kind of attention: its run, its weights as a matrix, and one row of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from core.figures import tokens
from core.figures.components import Axis, By, Matrix, Scale, Sheet, Strip
from core.figures.components.base import Selected
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _, ngettext
from core.locale import listed
from core.models.blueprint import Attention
from core.models.needs import Needs
from core.models.roles import handed_on_in
from core.runs.kinds.trace import ATTENTION, Run, TraceRequest
from core.runs.request import Request
from core.tracing.edits import Edit
from core.tracing.trace import Array, Mask, Trace
from core.views.controls import Control
from core.views.nearest import nearest
from core.views.params import OnText, param
from core.views.parts import attention_called, head_at, titled
from core.views.view import View

# --- every array of one head: what the arithmetic of its cells is made of -------------


def arrays_of(record: HeadRun) -> dict[str, NDArray[Any]]:
    """Its sites, its own slices of the projections, and what these are given."""
    weights, prefix = record.trace.weights, record.prefix
    n_units = record("q").shape[1]
    rows = slice(record.head * n_units, (record.head + 1) * n_units)
    arrays: dict[str, NDArray[Any]] = {
        name: record(name) for name in ("q", "k", "v", "dots", "scores", "weights", "z")
    }
    for name in "qkv":
        arrays[f"w_{name}"] = weights[f"{prefix}w_{name}.weight"][rows]
        if record.biased:
            arrays[f"b_{name}"] = weights[f"{prefix}w_{name}.bias"][rows]
    if record.bias is not None:
        arrays["bias"] = record.bias
        if record.attention.scale is not None:
            arrays["scaled"] = arrays["dots"] / np.float32(record.attention.scale)
    w_o = weights[f"{prefix}w_o.weight"][:, rows]
    source = record.source
    return arrays | {
        "x": record.trace[record.attention.reads(record.layer)],
        **({} if source is None else {"source": record.trace[source]}),
        "w_o": w_o,
        "out": (record("z") @ w_o.T).astype(np.float32),
        "all_heads": record("out"),
        "may": record.mask.astype(np.uint8),
    }


# --- one head of one kind of attention: what most views of attention are computed from


@dataclass(frozen=True, slots=True)
class AtHead(OnText):
    """One head, one query, one key.

    Attributes:
        attention: which kind, in a model that has several.
        layer, head: counted from 0.
        token: the query; -1 for the last token that can look around.
        key: the key; -1 for the one that gets most.
        step: of the computation.
        col: the component of a vector.
    """

    attention: str = param("", part="attention", picked=True, label=N_("Attention"))
    layer: int = param(5, low=0, high=255, picked=True, label=N_("Layer"))
    head: int = param(3, low=0, high=255, picked=True, label=N_("Head"))
    token: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Token"))
    key: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Key"))
    step: int = param(6, low=0, high=8, lives="browser", label=N_("Step"))
    col: int = param(0, low=0, high=100_000, lives="browser", label=N_("Column"))


@dataclass(frozen=True)
class HeadRun:
    """One head of a run.

    Attributes:
        trace: the run.
        cut: what of the text did not fit.
        attention: which kind.
        layer, head: in the model's range.
        params: what was asked for.
    """

    trace: Trace
    cut: str
    attention: Attention
    layer: int
    head: int
    params: AtHead

    @property
    def prefix(self) -> str:
        """Of the sites of this layer's attention."""
        return f"{self.attention.prefix(self.layer)}."

    @property
    def mask(self) -> Mask:
        """Which query may attend to which key, ``(Tq, Tk)``."""
        return self.trace.masks[self.attention.name]

    @property
    def n_heads(self) -> int:
        return len(self.weights(self.layer))

    def weights(self, layer: int) -> Array:
        """The weights of all heads of a layer, ``(H, Tq, Tk)``."""
        return by_head(self.trace, self.attention, layer)

    def __call__(self, site: str) -> Array:
        """A site of this head, or of this layer when it has no heads."""
        values = self.trace[self.prefix + site]
        return values[self.head] if values.ndim == 3 else values

    # --- tokens --------------------------------------------------------------------------

    @cached_property
    def queries(self) -> list[str]:
        """The labels of the rows."""
        return tokens.labels(self.trace.streams[self.attention.queries].units)

    @cached_property
    def keys(self) -> list[str]:
        """The labels of the columns."""
        return tokens.labels(self.trace.streams[self.attention.keys].units)

    @cached_property
    def query_words(self) -> list[str]:
        """The queries as sentences name them."""
        return [t.spoken for t in self.trace.streams[self.attention.queries].units]

    @cached_property
    def key_words(self) -> list[str]:
        """The keys as sentences name them."""
        return [t.spoken for t in self.trace.streams[self.attention.keys].units]

    # --- what is selected ----------------------------------------------------------------

    @property
    def query(self) -> int:
        units = self.trace.streams[self.attention.queries].units
        last = len(units) - 1
        if self.params.token >= 0:
            return nearest("token", self.params.token, last)
        return tokens.last_word(units)

    @property
    def key(self) -> int:
        if self.params.key >= 0:
            return nearest("key", self.params.key, len(self.keys) - 1)
        return int(self("weights")[self.query].argmax())

    def selection(self) -> dict[str, int | str | By | None]:
        """By the names of the parameters; while no key is chosen, the one that gets most."""
        most = By("token", self("weights").argmax(axis=1).tolist())
        return {
            "token": self.query,
            "key": most if self.params.key < 0 else self.key,
            "layer": self.layer,
            "head": self.head,
            "step": self.params.step,
            "col": nearest("col", self.params.col, self.width - 1),
        }

    @property
    def width(self) -> int:
        """Components of what its queries are made from, the widest vector there is."""
        return int(self.trace[self.attention.reads(self.layer)].shape[-1])

    # --- axes ----------------------------------------------------------------------------

    @property
    def rows(self) -> Axis:
        """Queries down the side of a matrix."""
        return Axis(self.queries, "token", "query")

    @property
    def columns(self) -> Axis:
        """The axis of the keys, along the foot of a matrix."""
        return Axis(self.keys, "key", "key")

    @property
    def along(self) -> tuple[Along, Along]:
        """The same for the numbers."""
        return Along("query", _("query"), self.queries), Along("key", _("key"), self.keys)

    def of_pairs(self, *, hatched: bool = True) -> Sentence:
        """What rows and columns are, and whether what is masked is drawn hatched."""
        if self.attention.square:
            rows, columns = _("rows: queries"), _("columns: keys")
        else:
            rows = _("rows: queries, target tokens")
            columns = _("columns: keys, source tokens")
        parts = [Mark(rows, "query"), Mark(" · ", "plain"), Mark(columns, "key")]
        if hatched and not self.mask.all():
            parts.append(Mark(" · " + _("hatched: masked"), "muted"))
        return Sentence(tuple(parts))

    # --- every array of the head ---------------------------------------------------------

    @cached_property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Its sites, its own slices of the projections, and what these are given."""
        return arrays_of(self)

    @property
    def biased(self) -> bool:
        """Its linear maps add a vector."""
        return f"{self.prefix}w_q.bias" in self.trace.weights

    @property
    def bias(self) -> Array | None:
        """What is added to its scores, ``(Tq, Tk)``; None where nothing is."""
        return None if self.attention.bias is None else self.trace[self.attention.bias][self.head]

    @property
    def source(self) -> str | None:
        """The site that keys and values are made from, where it is not that of the queries."""
        attention = self.attention
        return None if attention.square else handed_on_in(self.trace.blueprint, attention.keys)


def head_requests(params: OnText) -> tuple[TraceRequest, ...]:
    """The run that all views of attention share: 1.3 MB of 20 tokens, where all of it takes 3.2."""
    return (TraceRequest(params.model, params.given, sites=(ATTENTION,)),)


def without_head(trace: Trace, params: OnText, layer: int, head: int) -> TraceRequest:
    """The same run with the output of one head set to zero, for its logits.

    Args:
        trace: of the whole run.
        params: that it was asked for with; ``attention`` says which kind.
        layer, head: in the model's range.
    """
    prefix = trace.attention(getattr(params, "attention", "")).prefix(layer)
    (whole,) = head_requests(params)
    edits, sites = (Edit(f"{prefix}.z", (head,)),), (trace.blueprint.site("@logits"),)
    return replace(whole, edits=edits, sites=sites, target_of=whole)


def head_run(runs: Sequence[Run], params: AtHead) -> HeadRun:
    """The head that was asked for, brought into the model's range."""
    trace = runs[0].trace
    attention = trace.attention(params.attention)
    layer = nearest("layer", params.layer, attention.n_layers - 1)
    head = nearest("head", params.head, len(by_head(trace, attention, layer)) - 1)
    return HeadRun(trace, runs[0].cut, attention, layer, head, params)


def head_controls(run: HeadRun) -> Sequence[Control]:
    """A choice of layer and head, as far as there are several."""
    return (
        Control.numbered("layer", run.layer, run.attention.n_layers),
        Control.numbered("head", run.head, run.n_heads),
    )


def by_head(trace: Trace, attention: Attention, layer: int) -> Array:
    """The weights of all heads of a layer, ``(H, Tq, Tk)``."""
    weights = trace[f"{attention.prefix(layer)}.weights"]
    return weights if weights.ndim == 3 else weights[None]  # attention without heads is one head


class AttentionReader(Protocol):
    """What knows its kind of attention, and the keys as sentences name them."""

    @property
    def attention(self) -> Attention: ...

    @property
    def key_words(self) -> Sequence[str]: ...


def key_name(run: AttentionReader, query: int, key: int) -> Sentence:
    """What a query attends to, in words; of a word that comes twice, which one."""
    if run.attention.square and key == query:
        return Sentence((Mark(_("itself"), "key"),))
    word = Mark(run.key_words[key], "key")
    if run.key_words.count(run.key_words[key]) > 1:
        return sentence(_("“{key}” (position {at})"), key=word, at=str(key))
    return sentence(_("“{key}”"), key=word)


def reading(run: HeadRun, query: int, hidden_from_it: Sequence[int] = ()) -> Sentence:
    """What one query attends to, in words; the learner may have hidden keys, which no mask says."""
    weights, may = run("weights")[query], run.mask[query]
    query_word = Mark(run.query_words[query], "query")
    if not may.any():
        return sentence(
            _("“{query}” may attend to nothing: all its weights are 0."), query=query_word
        )
    best, *others = map(int, np.argsort(-weights, kind="stable"))
    values: dict[str, str | Mark | Sentence] = {
        "query": query_word,
        "share": Mark(percent(float(weights[best])), "weight"),
        "key": key_name(run, query, best),
    }
    text = _("“{query}” gives {share} of its attention to {key}.")
    if others and weights[others[0]] > 0.05:
        text = _("“{query}” gives {share} of its attention to {key} and {second} to {other}.")
        values["second"] = Mark(percent(float(weights[others[0]])), "weight")
        values["other"] = key_name(run, query, others[0])
    hidden = int((~may).sum())
    if hidden_from_it:
        names = [str(key_name(run, query, key)) for key in hidden_from_it]
        addition = sentence(_("You have hidden {keys} from it."), keys=listed(names))
    elif not hidden:
        last = run.attention.square and query == len(run.mask) - 1 and not run.mask.all()
        addition = (
            sentence(_("It is the last token, so no token is masked for it."))
            if last
            else sentence(_("No token is masked."))
        )
    else:
        addition = sentence(
            ngettext(
                "The one token after it is masked.", "The {n} tokens after it are masked.", hidden
            ),
            n=str(hidden),
        )
    return join([sentence(text, **values), addition])


# --- what views of one head alone share: the run they ask for, and its weights as values


class HeadView(View[AtHead, HeadRun]):
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

    def selection(self, record: HeadRun) -> Selected:
        return record.selection()


def weight_values(record: HeadRun) -> dict[str, Values]:
    """The head's weights, all of them."""
    return {
        "weights": Values(
            _("Attention weights"), record("weights"), record.along,
            site=record.prefix + "weights", selected=(record.query, record.key),
        )
    }  # fmt: skip


# --- one head's attention weights as a matrix -----------------------------------------


class AttentionWeightsView(HeadView):
    """Rows are queries, columns keys, and each row sums to 1."""

    name = "attention.weights"
    needs = Needs(parts=("attention",))

    def values(self, record: HeadRun) -> Mapping[str, Values]:
        return weight_values(record)

    def describe(self, record: HeadRun) -> Sentence:
        return reading(record, record.query)

    def site(self, record: HeadRun) -> str:
        return record.prefix + "weights"

    def draw(self, record: HeadRun) -> Matrix:
        blueprint, what = record.trace.blueprint, _("Attention weights")
        if len(blueprint.attentions) > 1:
            what = titled(what, attention_called(blueprint, record.attention))
        title = titled(what, head_at(record))
        return Matrix(
            title=title,
            sheets=[
                Sheet(
                    title=title,
                    array="weights",
                    rows=record.rows,
                    cols=record.columns,
                    scale=Scale("weight", 1.0),
                    mask="may",
                    axes=record.of_pairs(),
                )
            ],
            arrays={"weights": record("weights"), "may": record.mask.astype(np.uint8)},
        )


# --- the keys as a text, coloured by how much the selected query attends to each ------


class AttentionRowView(HeadView):
    """One row of the weights, on the tokens themselves."""

    name = "attention.row"
    needs = Needs(parts=("attention",))

    def values(self, record: HeadRun) -> Mapping[str, Values]:
        return weight_values(record)

    def describe(self, record: HeadRun) -> Sentence:
        return reading(record, record.query)

    def draw(self, record: HeadRun) -> Strip:
        stream, n = record.trace.streams[record.attention.queries], len(record.queries)
        title = _("What “{query}” attends to").format(query=record.query_words[record.query])
        square = record.attention.square
        heading = _("Queries: tokens of the {stream}").format(stream=_(record.attention.queries))
        return Strip(
            title=title,
            tokens=[tokens.chip(token) for token in stream.tokens],
            cut=tokens.cut_text(record.cut),
            default=record.query,
            heading=None if square else sentence(heading),
            heat_role="weight",
            heat_limit=1.0,
            heat_unit="share",
            # Where the keys are other tokens, their weights stand in the matrix.
            heat=record("weights") if square else None,
            may=record.mask if square else None,
            readings=[reading(record, query) for query in range(n)],
        )
