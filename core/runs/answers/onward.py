"""A run that goes on: the text, and what the model puts behind it, in one trace."""

from __future__ import annotations

from core.inputs import Ids, Text
from core.runs.answering import Context, answer
from core.runs.answers.continued import behind
from core.runs.requests import OnwardRequest, TraceRequest
from core.runs.results import Onward, Run


@answer.register
def onward(request: OnwardRequest, context: Context) -> Onward:
    """The run, and how many of its last tokens the model wrote."""
    model = context.model(request.model)
    fitted = model.fitted(request.given)
    head = model.blueprint.head if model.blueprint.predicts_words else None
    continues = head is not None and head.ability == "next_token"
    if not continues or not isinstance(fitted.given, Text):
        return Onward(_run(TraceRequest(request.model, request.given), context), 0)
    ids = [token.id for token in model.tokens(fitted.given.text)]
    found = behind(model, ids, request.n)
    run = _run(TraceRequest(request.model, Ids((*ids, *found))), context)
    (row,) = fitted.rows
    return Onward(Run(run.trace, row.texts, row.cut, run.encoders), len(found))


def _run(request: TraceRequest, context: Context) -> Run:
    run: Run = context.ask(request)
    return run
