"""Lines of attention cut: one run with a row for each, of which only the answer is recorded."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from core.analysis.aligned import standing
from core.analysis.distributions import softmax
from core.inputs import Batch, Text
from core.models import what_if
from core.models.blueprint import Attention
from core.models.what_if import Change
from core.runs.kinds.continuation import ContinuedRunRequest, changes_of
from core.runs.kinds.trace import Run, TraceRequest
from core.runs.request import Context, OfModel, answer
from core.tracing.editing import Replace, apply_edit
from core.tracing.edits import Edit
from core.tracing.recording import run_prepared
from core.tracing.trace import Trace
from core.units import Token, Unit
from core.zoo import LoadedModel


@dataclass(frozen=True, slots=True)
class LineCutsRequest(OfModel):
    """The strongest line of each head into the last token of a text, cut by itself.

    A line is the weight by which a token takes from another one; from a swapped word, that from
    all of its tokens. Cut, it is 0, and the others of its row keep their proportions. What a token
    gives itself, and the marks of a text, is left: there attention rests that has found nothing.
    Of a long text the strongest lines alone are cut.

    Attributes:
        given: what is read.
        off: what is changed in the run besides (``core.models.what_if``), a line that is cut
            already among it.
        first: what was given before words of it were swapped, as of ``ContinuedRunRequest``.
    """

    lasts = "a while"
    given: Text
    off: tuple[str, ...] = ()
    first: Text | None = None


def change(layer: int, head: int, row: int, key: int) -> str:
    """What cuts a line, as a link says it (``core.models.what_if``)."""
    return f"layer{layer}.head{head}.row{row}.key{key}.weight0"


@dataclass(frozen=True, eq=False)
class LineCuts:
    """What each line means to the word that was likeliest.

    Attributes:
        tokens: of the text.
        places: by the number of a token, as ``ContinuedRunRequest.off`` counts, all that stands
            there now.
        row: number of the last token.
        word: that was likeliest behind it.
        before: how likely.
        keys: number of the token that each head's line comes from, ``(layers, heads)``; -1 where
            it has none, or none that was cut.
        weights: of the lines, ``(layers, heads)``; 0 where there is none.
        left: how likely the word is without each line, ``(layers, heads)``.
        kept: how much of its probability it keeps then, at temperature 1, ``(layers, heads)``.
        most: layer and head of the line without which it is least likely, at temperature 1.
        at: position that most of that line comes from.
        then: the word that is likeliest without that line.
        is_cut: that line is cut already; ``before`` and ``weights`` are those with it.
    """

    tokens: Sequence[Unit]
    places: Sequence[Sequence[int]]
    row: int
    word: Token
    before: float
    keys: NDArray[np.int32]
    weights: NDArray[np.float32]
    left: NDArray[np.float32]
    kept: NDArray[np.float32]
    most: tuple[int, int]
    at: int
    then: Token
    is_cut: bool

    @property
    def n(self) -> int:
        """How many lines were cut."""
        return int((self.keys >= 0).sum())

    @property
    def key(self) -> int:
        """Number of the token that the line comes from which matters most."""
        return int(self.keys[self.most])

    @property
    def least(self) -> float:
        """How likely the word is without that line."""
        return float(self.left[self.most])

    @property
    def name(self) -> str:
        """What cuts that line."""
        return change(*self.most, self.row, self.key)


TOGETHER, LEAST = 1500, 4  # tokens of all rows together, and lines of however long a text


Places = Sequence[tuple[int, ...]]


@answer.register
def cut(request: LineCutsRequest, context: Context) -> LineCuts:
    """Every head's strongest line into the last token, cut alone.

    Without the line that was cut last they are found first: if it is the one that matters most,
    nothing else is to be found.

    Raises:
        AbilityError: the model does not continue texts.
        CoreError: the text cannot be run.
    """
    model = context.model(request.model)
    model.as_writer()
    row = len(_tokens(request, request.first or request.given, context)) - 1
    kind = next(attention for attention in model.blueprint.attentions if attention.square)
    cuts = [
        switch for switch in what_if.read_each(request.off)
        if switch.cuts and switch.query == row and switch.attention(model.blueprint) == kind
    ]  # fmt: skip
    if cuts:
        others = tuple(name for name in request.off if name != cuts[-1].name)
        line_cuts = _found(replace(request, off=others), model, context)
        if line_cuts.name == cuts[-1].name:
            return replace(line_cuts, is_cut=True)
    return _found(request, model, context)


def _found(request: LineCutsRequest, model: LoadedModel, context: Context) -> LineCuts:
    """The lines of a run in which something may be changed, none of them cut."""
    heat = what_if.temperature(what_if.read_each(request.off))
    run: Run = context.ask(_run(request)).run
    trace, blueprint = run.trace, run.trace.blueprint
    units = trace.streams[blueprint.stream].units
    first = units if request.first is None else _tokens(request, request.first, context)
    places = standing([unit.label for unit in first], [unit.label for unit in units])
    logits = trace[blueprint.head.site][len(units) - 1].astype(np.float64)
    probs, best = softmax(logits / heat), int(logits.argmax())
    kind = next(attention for attention in blueprint.attentions if attention.square)
    keys, weights = _strongest(trace, kind, places)
    probs_left = np.full(keys.shape, probs[best], np.float32)
    probs_kept = np.ones(keys.shape, np.float32)
    heads = [(int(layer), int(head)) for layer, head in np.argwhere(keys >= 0)]
    names = [change(*head, len(first) - 1, int(keys[head])) for head in heads]
    most, then = (0, 0), best
    if heads:
        base = [
            switch for switch in changes_of(_run(request), model, context)
            if what_if.is_there(switch, blueprint, trace.lengths.__getitem__)
        ]  # fmt: skip
        without = _without(request.given, model, base, [
            what_if.moved(switch, blueprint, lambda _stream, n: places[n])
            for switch in what_if.read_each(names)
        ])  # fmt: skip
        probs_left[tuple(np.transpose(heads))] = softmax(without / heat)[:, best]
        probs_kept[tuple(np.transpose(heads))] = softmax(without)[:, best] / softmax(logits)[best]
        n = int(softmax(without)[:, best].argmin())
        most, then = heads[n], int(without[n].argmax())
    query_rows = trace[f"{kind.prefix(most[0])}.weights"].reshape(-1, len(units), len(units))
    place = max(places[keys[most]], key=lambda i: query_rows[most[1], len(units) - 1, i])
    return LineCuts(
        units, places, len(first) - 1, run.words(best), float(probs[best]), keys, weights,
        probs_left, probs_kept, most, place, run.words(then), is_cut=False,
    )  # fmt: skip


def _run(request: LineCutsRequest) -> ContinuedRunRequest:
    """The run, with what is changed inside it: the temperature is at its end."""
    off = tuple(
        change_name for change_name in request.off if not change_name.startswith("temperature")
    )
    return ContinuedRunRequest(request.model, request.given, 0, off, request.first)


def _tokens(request: LineCutsRequest, given: Text, context: Context) -> Sequence[Token]:
    """The tokens of a text as the model reads them."""
    run: Run = context.ask(TraceRequest(request.model, given))
    return run.trace.tokens


def _strongest(
    trace: Trace, kind: Attention, places: Places
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Where each head's line comes from, by its number, and its weight."""
    units = trace.streams[trace.blueprint.stream].units
    last = len(units) - 1
    rests = [n for n, keys_of_place in enumerate(places)
             if any(units[i].special or i == last for i in keys_of_place)]  # fmt: skip
    shape = (kind.n_layers, kind.n_heads or 1)
    keys, weights = np.full(shape, -1, np.int32), np.zeros(shape, np.float32)
    for layer in range(kind.n_layers):
        layer_weights = trace[f"{kind.prefix(layer)}.weights"]
        last_rows = layer_weights.reshape(-1, *layer_weights.shape[-2:])[:, last]
        row = np.stack(
            [last_rows[:, list(keys_of_place)].sum(axis=1) for keys_of_place in places], axis=1
        )
        row[:, rests] = 0.0
        weights[layer] = row.max(axis=1)
        keys[layer] = np.where(weights[layer] > 0, row.argmax(axis=1), -1)
    most = max(LEAST, TOGETHER // len(units))
    weaker = np.argsort(weights, axis=None)[: max(0, weights.size - most)]
    keys.flat[weaker], weights.flat[weaker] = -1, 0.0
    return keys, weights


def _without(
    text: Text, model: LoadedModel, base: Sequence[Change], lines: Sequence[Sequence[Change]]
) -> NDArray[np.float64]:
    """The last logits without each of some lines, which are read as rows of one batch."""
    inputs = model.fitted(text).given
    assert isinstance(inputs, Text)
    prepared = model.prepare(Batch((inputs,) * len(lines)))
    site = model.blueprint.head.site
    cuts = _cuts([what_if.edits([*base, *line], model.blueprint) for line in lines])
    edits = what_if.edits(base, model.blueprint)
    traces = run_prepared(model, prepared, (site,), edits, changes=cuts)
    return np.stack([trace[site][-1] for trace in traces]).astype(np.float64)


def _cuts(rows: Sequence[Sequence[Edit]]) -> Mapping[str, Replace]:
    """By site, what is done to its weights: in each row of the batch another line is cut."""
    of_site: dict[str, list[tuple[int, Edit]]] = defaultdict(list)
    for n, edits in enumerate(rows):
        for edit in edits:
            if edit.site.endswith(".weights"):
                of_site[edit.site].append((n, edit))

    def cut_rows(edits: Sequence[tuple[int, Edit]], values: Tensor, _step: int | None) -> Tensor:
        values = values.clone()
        for n, edit in edits:
            values[n : n + 1] = apply_edit(edit, values[n : n + 1])
        return values

    return {site: partial(cut_rows, edits) for site, edits in of_site.items()}
