"""Lines of attention cut: one run with a row for each, of which only the answer is recorded."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from core.analysis.distributions import softmax
from core.inputs import Batch, Text
from core.models import what_if
from core.models.blueprint import Attention, Blueprint
from core.runs.answering import Context, answer
from core.runs.lines import Lines, LinesRequest, change
from core.runs.requests import TraceRequest
from core.runs.results import Run
from core.tracing.editing import Replace, apply_edit
from core.tracing.edits import Edit
from core.tracing.recording import run_prepared
from core.tracing.trace import Trace
from core.zoo import LoadedModel

TOGETHER, LEAST = 1500, 4  # tokens of all rows together, and lines of however long a text


@answer.register
def cut(request: LinesRequest, context: Context) -> Lines:
    """Every head's strongest line into the last token, cut alone.

    Raises:
        AbilityError: the model does not continue texts.
        CoreError: the text cannot be run.
    """
    model = context.model(request.model)
    model.as_writer()
    run: Run = context.ask(TraceRequest(request.model, request.given))
    trace, blueprint = run.trace, run.trace.blueprint
    kind = next(one for one in blueprint.attentions if one.square)
    units = trace.streams[blueprint.stream].units
    probs = softmax(trace[blueprint.head.site][len(units) - 1].astype(np.float64))
    best = int(probs.argmax())
    keys, weights = _strongest(trace, kind)
    left = np.full(keys.shape, probs[best], np.float32)
    found = [(int(layer), int(head)) for layer, head in np.argwhere(keys >= 0)]
    names = [change(*at, len(units) - 1, int(keys[at])) for at in found]
    if found:
        left[tuple(np.transpose(found))] = _without(request, model, names, best)
    return Lines(units, run.words(best), float(probs[best]), keys, weights, left)


def _strongest(trace: Trace, kind: Attention) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Where each head's line comes from, and its weight."""
    units = trace.streams[trace.blueprint.stream].units
    last = len(units) - 1
    rests = [i for i, unit in enumerate(units) if getattr(unit, "special", False) or i == last]
    shape = (kind.n_layers, kind.n_heads or 1)
    keys, weights = np.full(shape, -1, np.int32), np.zeros(shape, np.float32)
    for layer in range(kind.n_layers):
        given = trace[f"{kind.prefix(layer)}.weights"]
        row = given.reshape(-1, *given.shape[-2:])[:, last].copy()
        row[:, rests] = 0.0
        weights[layer] = row.max(axis=1)
        keys[layer] = np.where(weights[layer] > 0, row.argmax(axis=1), -1)
    most = max(LEAST, TOGETHER // len(units))
    weaker = np.argsort(weights, axis=None)[: max(0, weights.size - most)]
    keys.flat[weaker], weights.flat[weaker] = -1, 0.0
    return keys, weights


def _without(
    request: LinesRequest, model: LoadedModel, names: Sequence[str], best: int
) -> Sequence[float]:
    """How likely a word is without each of some lines, which are read as rows of one batch."""
    given = model.fitted(request.given).given
    assert isinstance(given, Text)
    prepared = model.prepare(Batch((given,) * len(names)))
    site = model.blueprint.head.site
    changes = _cuts(names, model.blueprint)
    traces = run_prepared(model, prepared, (site,), changes=changes)
    return [float(softmax(one[site][-1].astype(np.float64))[best]) for one in traces]


def _cuts(names: Sequence[str], blueprint: Blueprint) -> Mapping[str, Replace]:
    """By site, what is done to its values: in each row of the batch one line is cut."""
    of_site: dict[str, list[tuple[int, Edit]]] = defaultdict(list)
    for n, name in enumerate(names):
        (edit,) = what_if.edits(what_if.read_several(name), blueprint)
        of_site[edit.site].append((n, edit))

    def cut_rows(edits: Sequence[tuple[int, Edit]], values: Tensor, _step: int | None) -> Tensor:
        values = values.clone()
        for n, edit in edits:
            values[n : n + 1] = apply_edit(edit, values[n : n + 1])
        return values

    return {site: partial(cut_rows, edits) for site, edits in of_site.items()}
