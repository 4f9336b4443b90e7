"""Lines of attention cut: one run with a row for each, of which only the answer is recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from core.analysis.distributions import softmax
from core.inputs import Batch, Text
from core.models.blueprint import Attention
from core.runs.answering import Context, answer
from core.runs.lines import Lines, LinesRequest
from core.runs.requests import TraceRequest
from core.runs.results import Run
from core.tracing.editing import Replace
from core.tracing.recording import run_prepared
from core.tracing.trace import Trace
from core.zoo import LoadedModel

Places = list[tuple[int, int]]  # layer and head of each line


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
    if found:
        left[tuple(np.transpose(found))] = _without(request, model, kind, keys, found, best)
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
    return keys, weights


def _without(
    request: LinesRequest, model: LoadedModel, kind: Attention, keys: NDArray[np.int32],
    places: Places, best: int,
) -> Sequence[float]:  # fmt: skip
    """How likely a word is without each of some lines, which are read as rows of one batch."""
    given = model.fitted(request.given).given
    assert isinstance(given, Text)
    prepared = model.prepare(Batch((given,) * len(places)))
    site = model.blueprint.head.site
    changes = _cuts(kind, keys, places)
    traces = run_prepared(model, prepared, (site,), changes=changes)
    return [float(softmax(one[site][-1].astype(np.float64))[best]) for one in traces]


def _cuts(kind: Attention, keys: NDArray[np.int32], places: Places) -> Mapping[str, Replace]:
    """In each row of the batch one weight is 0, and the others of its row add up to 1 again."""

    def of_layer(layer: int) -> Replace:
        def cut_lines(values: Tensor, _step: int | None) -> Tensor:
            values = values.clone()
            for n, (at, head) in enumerate(places):
                if at == layer:
                    given = values[n, head] if kind.n_heads else values[n]
                    given[-1, int(keys[layer, head])] = 0.0
                    given[-1] /= given[-1].sum()
            return values

        return cut_lines

    return {f"{kind.prefix(layer)}.weights": of_layer(layer) for layer in range(kind.n_layers)}
