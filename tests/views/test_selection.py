"""A selection changes nothing that the browser was given: figures follow it by themselves."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from core import views
from core.figures.payload import Payload, unpack
from core.runs.store import Runs
from core.views import View
from core.views.given import opened
from core.views.params import at_rest, declared
from tests.views.records import choices_of, machines_of

TEXT = "The little dog saw the sea. The dog saw the sea"
# Words that choose something in the browser, where no list of them was declared.
WORDS = {"heads": ("0:1", "1:0,1"), "branch": ("0", "1"), "place": ("layer0", "layer0.head1")}
# What a figure shows while nothing is chosen; what is chosen stands over it (selection.js).
BY_ITSELF = frozenset({"selection", "default", "first", "sheet"})
# The name of the whole overview says which score it was made with; its tabs say which is shown.
NAMED_AS_SHOWN = {("attention.heads", "score"), ("translate.heads", "score")}


def in_browser(view: View[Any, Any]) -> list[str]:
    """The parameters that the browser changes by itself."""
    names = [field.name for field in dataclasses.fields(view.Params)]
    return [name for name in names if declared(view.Params, name).lives == "browser"]


def choices(view: View[Any, Any], name: str, runs: Runs, model: str) -> list[Any]:
    """What may be chosen: the ends of a range and the first few, or every word of a list."""
    said, kind = declared(view.Params, name), type(getattr(view.Params(), name))
    if kind is bool:
        return [False, True]
    if kind is str:
        return choices_of(view, name, runs, model) or list(WORDS[name])
    assert said.low is not None
    assert said.high is not None
    return sorted({int(said.low), *range(min(4, int(said.high) + 1)), int(said.high)})


def starts(view: View[Any, Any], runs: Runs, model: str) -> Iterator[Any]:
    """Parameters with nothing chosen, on a text and, where a page has one, on a worked example."""
    own = view.Params()
    given = {"text": TEXT, "model": model}
    known = {name: value for name, value in given.items() if hasattr(own, name)}
    sources = ("text", "worked") if hasattr(own, "source") else (None,)
    for source in sources:
        more = {} if source is None else {"source": source}
        params = at_rest(dataclasses.replace(own, **known, **more))
        if not view.needs.no_model:  # what reads pictures is given one
            params = opened(params, runs.model(params.model).encoders)
        yield params


def without_start(header: Any) -> Any:
    """A header without what a figure shows by itself."""
    if isinstance(header, dict):
        return {n: without_start(one) for n, one in header.items() if n not in BY_ITSELF}
    return [without_start(one) for one in header] if isinstance(header, list) else header


def payload(view: View[Any, Any], runs: Runs, params: Any) -> Payload:
    """What the browser is given."""
    record = view.compute([runs.get(request) for request in view.requests(params)], params)
    return unpack(view.show(record).payload().pack())


def each() -> list[Any]:
    """(view, model) for every view with something to select and every model that it can use."""
    return [
        pytest.param(view, model, id=f"{name}-{model}")
        for name, view in views.all_views().items()
        if in_browser(view)
        for model in machines_of(view)[: None if hasattr(view.Params(), "model") else 1]
    ]


def test_most_views_have_something_to_select():
    assert len({case.values[0].name for case in each()}) > 25


@pytest.mark.parametrize(("view", "model"), each())
def test_a_selection_changes_no_payload(runs, view, model):
    """What is drawn for it must be in the payload, whatever is selected when that is made."""
    for params in starts(view, runs, model):
        if (view.name, getattr(params, "source", "")) == ("norm.strip", "worked"):
            continue  # an example that is worked out has no tokens
        at = payload(view, runs, params)
        for name in in_browser(view):
            own = BY_ITSELF | ({"title"} if (view.name, name) in NAMED_AS_SHOWN else set())
            for value in choices(view, name, runs, model):
                found = payload(view, runs, dataclasses.replace(params, **{name: value}))
                kept = {n: one for n, one in at.header.items() if n not in own}
                same = {n: one for n, one in found.header.items() if n not in own}
                assert without_start(same) == without_start(kept), (name, value)
                assert found.arrays.keys() == at.arrays.keys(), (name, value)
                for array, numbers in found.arrays.items():
                    np.testing.assert_array_equal(numbers, at.arrays[array], f"{name}: {value}")


def test_what_is_chosen_is_all_that_a_payload_leaves_to_the_browser(runs):
    """At rest every parameter that lives there is at its default, and no other one is touched."""
    for view in views.all_views().values():
        names, own = in_browser(view), view.Params()
        chosen = {name: choices(view, name, runs, "transformer")[-1] for name in names}
        kept = {"text": "A dog"} if hasattr(own, "text") else {}
        assert at_rest(dataclasses.replace(own, **chosen, **kept)) == dataclasses.replace(
            own, **kept
        )
