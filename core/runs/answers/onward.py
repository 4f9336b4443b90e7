"""A run that goes on: the text, and what the model puts behind it, in one trace."""

from __future__ import annotations

from dataclasses import replace

from core.errors import EditError
from core.inputs import Ids, Text
from core.models import places
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
    try:
        return _onward(request, context)
    except EditError:  # a key that this text does not have
        named = filter(None, map(places.read, request.off))
        off = tuple(one.name for one in named if one.key is None)
        return _onward(replace(request, off=off), context)


def _onward(request: OnwardRequest, context: Context) -> Onward:
    model = context.model(request.model)
    fitted = model.fitted(request.given)
    edits = _edits(request, model)
    head = model.blueprint.head if model.blueprint.predicts_words else None
    continues = head is not None and head.ability == "next_token"
    if not continues or not isinstance(fitted.given, Text):
        return Onward(_alone(request, edits, model, context), continues=False)
    ids = [token.id for token in model.tokens(fitted.given.text)]
    found = behind(model, ids, request.n)
    # Asked of nobody, who would keep it too.
    run = traced(TraceRequest(request.model, Ids((*ids, *found)), edits=edits), context)
    assert isinstance(run, Run)
    (row,) = fitted.rows
    own = Run(run.trace, row.texts, row.cut, run.encoders)
    return Onward(own, continues=True, n_written=len(found))


def _edits(request: OnwardRequest, model: LoadedModel) -> tuple[Edit, ...]:
    """What sets the places that are off to zero."""
    named = filter(None, map(places.read, request.off))
    found = ((one, one.output(model.blueprint)) for one in named)
    return tuple(Edit(*at, value=one.value) for one, at in found if at is not None)


def _alone(
    request: OnwardRequest, edits: tuple[Edit, ...], model: LoadedModel, context: Context
) -> Run:
    """The run of the input, which pages ask for too."""
    whole = TraceRequest(request.model, request.given)
    of = whole if edits and is_to_write(model, request.given) else None
    run: Run = context.ask(replace(whole, edits=edits, target_of=of))
    return run
