"""The learner's own sentence, and the texts that stand in its place for a while.

``text`` is what the pages run. While that is a page's example or the text of an experiment or of a
lesson, hers waits under ``hers``; what waits is empty while she has typed none. The next page that
is opened runs hers again.

What is typed where a model translates belongs to those that translate: it is kept under ``abroad``
and runs wherever one does, while hers, which all other models read, waits.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from core.analysis.aligned import followed
from core.experiments import BY_ID
from core.spelling import composed
from core.views.params import OnText, to_query
from pages.parts import state
from pages.parts.names import Machine, Own
from pages.parts.runs import device, shared_runs
from pages.parts.session import own_session

TEXT, HERS, ABROAD = "text", "hers", "abroad"
COMMON = OnText().text  # the one example of all pages
SHARED = {"layer", "head", *to_query(Machine(), whole=True)}  # what she looks at on every page


def hers(values: Mapping[str, str]) -> str:
    """Her own sentence as a state has it; empty while she has typed none."""
    return values.get(HERS, values.get(TEXT, ""))


def typed() -> str:
    """Her own sentence; empty while she has typed none. The part that is run shows a change."""
    own, shown = state.read(Own).hers, state.read(OnText).text
    found = own if state.chosen(HERS) else shown if state.chosen(TEXT) else ""
    return found if found.strip() else ""


def typed_abroad() -> str:
    """What she has typed for models that translate; empty for none."""
    found = state.read(Own).abroad
    return found if found.strip() else ""


def as_typed(text: str) -> str:
    """What was typed of a text that is read: its letters may have come apart (``composed``)."""
    values = own_session().values
    kept = (values.get(name, "") for name in (TEXT, HERS, ABROAD))
    return next((one for one in kept if composed(one) == text), text)


def lent(text: str) -> dict[str, str | None]:
    """The changes of the state that put a text in the place of hers."""
    own = hers(own_session().values)
    return {TEXT: text, HERS: None if text == own else own}


def lend(text: str) -> None:
    """Open on a text in the place of hers, which is no change that she could undo."""
    values = own_session().values
    values[HERS], values[TEXT] = hers(values), text


def give_back() -> None:
    """Run her own sentence again, if another one stands in its place."""
    values = own_session().values
    if HERS in values:
        _give_back_settings()
        own = values.pop(HERS)
        values.pop(TEXT, None)
        if own:
            values[TEXT] = own


def _give_back_settings() -> None:
    """Where an experiment's text stands, put back what else it set and she has not changed since.

    A link says which experiment it was, and not what stood there before: then the default does.
    """
    session = own_session()
    values, put = session.values, session.tried[1]
    experiment = BY_ID.get(values.get("experiment", ""))
    if experiment is None or values.get(TEXT) != experiment.after.get(TEXT):
        return
    if not put:
        put = {name: (None, state.as_text(value)) for name, value in experiment.after.items()}
    for name, (was, now) in put.items():
        if name not in {TEXT, HERS, *SHARED} and values.get(name) == now:
            values.pop(name, None)
            if was is not None:
                values[name] = was
    values.pop("experiment")


def goes_along(before: Mapping[str, str], found: Collection[str], *, inside: bool) -> None:
    """Bring her sentence to where the browser has gone.

    Args:
        before: the state that it comes from.
        found: names that the link has brought.
        inside: it comes from another place of the app. A text that such a link brings is what is
            looked at there, and hers only if it was before.
    """
    values = own_session().values
    if HERS in found:
        if values[HERS] == values.get(TEXT):
            values.pop(HERS)
        return
    if TEXT not in found:
        give_back()
    elif not inside and values[TEXT] != COMMON:
        values.pop(HERS, None)  # who opens a link goes on with its sentence
    elif values[TEXT] == hers(before):
        values.pop(HERS, None)
    else:
        values[HERS] = hers(before)


def opens_on(example: str, *, instead: bool) -> None:
    """Have a page open on its example while she has typed nothing.

    Args:
        example: of the page; empty for everybody's.
        instead: the model cannot read hers, so that the example stands in its place.
    """
    session = own_session()
    values, before = session.values, session.example
    session.example = example
    if before != example and before and values.get(TEXT) == before:
        give_back()  # it was the example of another model
    if example and values.get(TEXT) in (None, example):
        values.setdefault(HERS, "")
        values[TEXT] = example
    elif instead:
        lend(example)
    elif TEXT not in values:
        give_back()


def opens_abroad(
    *, translates: bool, came: bool, asked: bool, cannot: Callable[[str], bool]
) -> None:
    """Run what she typed for models that translate where one does, and nowhere else.

    Args:
        translates: the page's model does.
        came: she has come to the page, or chosen its model, just now.
        asked: a link says which text runs.
        cannot: whether the model cannot read a text.
    """
    values = own_session().values
    kept = values.get(ABROAD, "")
    linked = came and asked and TEXT in values and HERS not in values
    if translates and linked and not cannot(values[TEXT]):
        values[ABROAD], values[HERS] = values[TEXT], ""  # as when it is typed here
    elif translates and came and not asked and kept.strip():
        lend(kept)
    elif not translates and not asked and HERS in values and kept and values.get(TEXT) == kept:
        give_back()


def type_in(text: str, model: str, *, abroad: bool = False, runs: bool = True) -> None:
    """Take over what she typed into the bar; where she looks follows its word.

    Args:
        text: that she typed.
        model: that reads it.
        abroad: the model that reads it there translates.
        runs: it is the text of the page; that of a lesson's step is found by the step.
    """
    if abroad:
        own = hers(own_session().values)
        looks = _looks(text, model) if runs else {}
        state.update({ABROAD: text, **({TEXT: text, HERS: own} if runs else {}), **looks})
        return
    changes: dict[str, Any] = {TEXT: text, HERS: None, **_looks(text, model)}
    if state.chosen("back_to"):  # the lesson that she goes back to runs it, too
        changes["back_text"] = text
    state.update(changes)


def _looks(text: str, model: str) -> dict[str, int | None]:
    """Where the tokens that are looked at stand in another text; nowhere if they do not.

    What a decoder writes is another text each time: only its source can be followed.
    """
    values = own_session().values
    before = state.read(OnText).text
    looked = {
        name: int(at)
        for name, at in values.items()
        if name.rpartition(".")[2] in ("token", "source_token") and at.isdecimal()
    }
    if not looked:
        return {}
    reads = shared_runs().model(model, device())
    labels = [[one.label for one in reads.tokens(one)] for one in (before, text)]
    own = "source_token" if len(reads.blueprint.streams) > 1 else "token"
    return {
        name: followed(at, *labels) if name.rpartition(".")[2] == own else None
        for name, at in looked.items()
    }
