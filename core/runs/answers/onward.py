"""A run that goes on: the text, and what the model puts behind it, in one trace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.analysis.aligned import standing
from core.errors import EditError
from core.inputs import Ids, Input, Text
from core.models import what_if
from core.runs.answering import Context, answer
from core.runs.answers.continued import behind
from core.runs.answers.trace import traced
from core.runs.requests import OnwardRequest, TraceRequest
from core.runs.results import Onward, Run
from core.tracing.edits import Edit
from core.tracing.writing import is_to_write
from core.zoo import LoadedModel


@answer.register
def onward(request: OnwardRequest, context: Context) -> Onward:
    """The run, and how many of its last tokens the model wrote."""
    model = context.model(request.model)
    changes = changes_of(request, model, context)
    try:
        return _onward(request, what_if.edits(changes, model.blueprint), model, context)
    except EditError:  # a position that this text does not have
        labels = _labels(request, request.given, context)
        there = [
            one for one in changes
            if what_if.is_there(one, model.blueprint, lambda stream: len(labels[stream]))
        ]  # fmt: skip
        return _onward(request, what_if.edits(there, model.blueprint), model, context)


def _counts(change: what_if.Change, model: LoadedModel) -> bool:
    """Whether it names a position."""
    edit = change.edit(model.blueprint)
    return change.kind in ("weight", "score") or (edit is not None and None in edit.index)


def _onward(
    request: OnwardRequest, edits: tuple[Edit, ...], model: LoadedModel, context: Context
) -> Onward:
    fitted = model.fitted(request.given)
    head = model.blueprint.head if model.blueprint.predicts_words else None
    continues = head is not None and head.ability == "next_token"
    if not continues or not isinstance(fitted.given, Text):
        return Onward(_alone(request, edits, model, context), continues=False)
    tokens = model.tokens(fitted.given.text)
    ids = [token.id for token in tokens]
    found = behind(model, ids, request.n)
    # Asked of nobody, who would keep it too.
    run = traced(TraceRequest(request.model, Ids((*ids, *found)), edits=edits), context)
    assert isinstance(run, Run)
    (row,) = fitted.rows
    stream = run.trace.main  # whose ids do not know where in the text they stood
    known = replace(stream, units=(*tokens, *stream.units[len(tokens) :]))
    trace = replace(run.trace, streams={run.trace.blueprint.stream: known})
    own = Run(trace, row.texts, row.cut, run.encoders)
    return Onward(own, continues=True, n_written=len(found))


def changes_of(
    request: OnwardRequest, model: LoadedModel, context: Context
) -> list[what_if.Change]:
    """What is changed; after a swap, at the positions where the tokens stand now."""
    found = what_if.read_each(request.off)
    if request.first is None or not any(_counts(one, model) for one in found):
        return found
    first, now = (_labels(request, given, context) for given in (request.first, request.given))
    places = {stream: standing(labels, now[stream]) for stream, labels in first.items()}

    def where(stream: str, position: int) -> Sequence[int]:
        there = places[stream]
        return there[position] if position < len(there) else (position,)

    return [each for one in found for each in what_if.moved(one, model.blueprint, where)]


def _labels(request: OnwardRequest, given: Input, context: Context) -> dict[str, list[str]]:
    """The tokens of each stream of a plain run."""
    run: Run = context.ask(TraceRequest(request.model, given))
    return {name: [one.label for one in of.units] for name, of in run.trace.streams.items()}


def _alone(
    request: OnwardRequest, edits: tuple[Edit, ...], model: LoadedModel, context: Context
) -> Run:
    """The run of the input, which pages ask for too."""
    whole = TraceRequest(request.model, request.given)
    first = whole if request.first is None else TraceRequest(request.model, request.first)
    changed = bool(edits) or request.first is not None
    of = first if changed and is_to_write(model, request.given) else None
    run: Run = context.ask(TraceRequest(request.model, request.given, edits=edits, target_of=of))
    return run
