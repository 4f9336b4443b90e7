"""Lines of attention cut: a run for each, of which only the answer is recorded."""

from __future__ import annotations

import numpy as np

from core.analysis.distributions import softmax
from core.models import what_if
from core.runs.answering import Context, answer
from core.runs.answers.trace import traced
from core.runs.lines import Lines, LinesRequest
from core.runs.requests import TraceRequest
from core.runs.results import Run
from core.tracing.edits import Edit


@answer.register
def cut(request: LinesRequest, context: Context) -> Lines:
    """Every head's strongest line into the last token, cut alone.

    Raises:
        AbilityError: the model does not continue texts.
        CoreError: the text cannot be run.
    """
    context.model(request.model).as_writer()
    run: Run = context.ask(TraceRequest(request.model, request.given))
    trace, blueprint = run.trace, run.trace.blueprint
    site = blueprint.head.site
    kind = next(one for one in blueprint.attentions if one.square)
    units = trace.streams[blueprint.stream].units
    row = len(units) - 1

    def likely(edits: tuple[Edit, ...]) -> np.ndarray:
        asked = TraceRequest(request.model, request.given, edits=edits, sites=(site,))
        found = traced(asked, context) if edits else run  # asked of nobody, who would keep it
        assert isinstance(found, Run)
        return softmax(found.trace[site][row].astype(np.float64))

    probs = likely(())
    best = int(probs.argmax())
    n_heads = kind.n_heads or 1
    keys = np.full((kind.n_layers, n_heads), -1, np.int32)
    weights = np.zeros(keys.shape, np.float32)
    left = np.full(keys.shape, probs[best], np.float32)
    rests = [i for i, unit in enumerate(units) if getattr(unit, "special", False) or i == row]
    for layer, head in np.ndindex(keys.shape):
        given = np.atleast_3d(trace[f"{kind.prefix(layer)}.weights"].T).T[head, row].copy()
        given[rests] = 0.0
        key = int(given.argmax())
        if given[key] <= 0:
            continue
        change = what_if.read(f"layer{layer}.head{head}.row{row}.key{key}.weight0")
        assert change is not None
        edits = what_if.edits([change], blueprint)
        keys[layer, head], weights[layer, head] = key, given[key]
        left[layer, head] = likely(edits)[best]
    return Lines(units, run.words(best), float(probs[best]), keys, weights, left)
