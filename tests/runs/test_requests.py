"""What is asked, as frozen data: a key of the cache, and all that decides the result is in it."""

from __future__ import annotations

import dataclasses
import pickle
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest

from core.inputs import Text
from core.runs.kinds.gaps import GapRequest
from core.runs.kinds.trace import TraceRequest
from core.runs.kinds.training import LookAheadRequest
from core.runs.mask_spec import MaskSpec
from core.runs.request import Job, Request, answer, job_steps
from core.tracing import Edit
from tests.runs.kinds import KINDS


def test_every_kind_is_answered():
    for kind in KINDS:
        assert kind in (job_steps if issubclass(kind, Job) else answer).registry


def test_what_lasts_long_is_a_job_that_says_what_it_does():
    for kind in KINDS:
        assert (kind.lasts == "long") == issubclass(kind, Job)
        if issubclass(kind, Job):
            assert kind.says


def test_what_nobody_answers_is_a_bug():
    with pytest.raises(TypeError, match="nobody answers a Request"):
        answer(Request(), None)
    with pytest.raises(TypeError, match="nobody tells of a Job"):
        job_steps(Job(), None)


@pytest.mark.parametrize(
    "kind", sorted(KINDS, key=lambda kind: kind.__name__), ids=lambda kind: kind.__name__
)
def test_requests_are_plain_data(kind):
    """They key a cache: all that they say counts, and nothing of it changes."""
    frozen(kind, set())


def frozen(kind: Any, seen: set[Any]) -> None:
    """Fails for what cannot be a key: data that change, or of which not all counts."""
    if get_origin(kind) is Literal or kind in (str, int, float, bool, bytes, NoneType, ...):
        return
    if get_origin(kind) in (tuple, Union, UnionType):
        for one in get_args(kind):
            frozen(one, seen)
        return
    if kind in seen:
        return
    seen.add(kind)
    said, hints = kind.__dataclass_params__, get_type_hints(kind)
    assert (said.frozen, said.eq) == (True, True), kind
    for field in dataclasses.fields(kind):
        assert field.compare, (kind, field.name)
        assert field.hash is None, (kind, field.name)
        frozen(hints[field.name], seen)


def test_requests_travel_to_another_process():
    one = TraceRequest("gpt", Text("a"), MaskSpec("prefix", 2), "self", (Edit("x", (0, None)),))
    again = pickle.loads(pickle.dumps(one))
    assert (again, hash(again)) == (one, hash(one))


def test_the_models_that_decide_a_result_are_named():
    assert LookAheadRequest().models == ()
    assert TraceRequest("gpt", Text("a")).models == ("gpt",)
    assert GapRequest("bert", "gpt", "a").models == ("bert", "gpt")
