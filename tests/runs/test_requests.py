"""What is asked, as frozen data: a key of the cache, and all that decides the result is in it."""

from __future__ import annotations

import dataclasses
import pickle

import pytest

from core.decoding.settings import GREEDY, Sampling
from core.inputs import Pair, Text
from core.runs.kinds.continuation import ContinuedRunRequest
from core.runs.kinds.costs import AttentionTimesRequest, CacheSavingsRequest, ShelfCostsRequest
from core.runs.kinds.digits import DigitsRequest
from core.runs.kinds.faults import FaultRequest
from core.runs.kinds.film import FilmRequest
from core.runs.kinds.gaps import GapRequest, MaskingRequest
from core.runs.kinds.generation import GenerateRequest, GenerationTraceRequest, PrefillRequest
from core.runs.kinds.lines import LineCutsRequest
from core.runs.kinds.noise import DenoiseRequest
from core.runs.kinds.objectives import ExerciseRequest
from core.runs.kinds.positions import BiasRequest, PositionsRequest
from core.runs.kinds.preferences import KLPenalty, PreferenceTuningRequest, SampledTextsRequest
from core.runs.kinds.probes import ProbeRequest
from core.runs.kinds.remarks import RemarksRequest
from core.runs.kinds.search import SearchRequest
from core.runs.kinds.tokens import LearnRequest, LearnUnigramRequest, TokenizeRequest
from core.runs.kinds.trace import TraceRequest
from core.runs.kinds.training import (
    AdamRequest,
    AtInitRequest,
    CutsRequest,
    FineTuneRequest,
    GradientRequest,
    LookAheadRequest,
    PracticeRequest,
    SmoothingRequest,
    TrainingSetup,
)
from core.runs.kinds.translation import ReadingTimesRequest, SecondTargetRequest, SourceCostsRequest
from core.runs.kinds.words import WordsRequest
from core.runs.mask_spec import MaskSpec
from core.runs.request import Job, Request, answer, job_steps
from core.tracing import Edit
from tests.runs.kinds import KINDS

EACH = [
    (
        TraceRequest("gpt", Text("a"), MaskSpec("prefix", 2), "self", (Edit("x", (0, None)),)),
        {"model": "bert", "given": Pair("a", "b"), "mask": MaskSpec("prefix", 3),
         "attention": "cross", "edits": (), "sites": ("logits",),
         "target_of": TraceRequest("gpt", Text("b"))},
    ),
    (PrefillRequest("gpt", "a"), {"model": "bert", "text": "b"}),
    (
        GenerateRequest("gpt", "a", 3, GREEDY),
        {"model": "bert", "text": "b", "max_new": 4, "sampling": Sampling()},
    ),
    (
        ContinuedRunRequest("gpt", Text("a")),
        {"model": "x", "given": Text("b"), "n": 2, "off": ("layer0.ffn",), "first": Text("c")},
    ),
    (
        GenerationTraceRequest(GenerateRequest("gpt", "a", 3, GREEDY)),
        {"generation": GenerateRequest("gpt", "a", 4, GREEDY), "sites": ("logits",)},
    ),
    (TokenizeRequest("gpt", "a"), {"model": "bert", "text": "b", "masks": True}),
    (RemarksRequest("gpt", "a"), {"model": "bert", "text": "b"}),
    (LearnRequest("a", 3), {"corpus": "b", "merges": 4, "method": "wordpiece"}),
    (LearnUnigramRequest("a", 3), {"corpus": "b", "pieces": 4}),
    (PositionsRequest("relative", 3, 4), {"kind": "binary", "n": 4, "width": 5}),
    (
        GapRequest("bert", "gpt", "a"),
        {"model": "x", "partner": "y", "text": "b", "hide": "none", "token": 2},
    ),
    (WordsRequest("gpt", "a", ()), {"model": "x", "text": "b", "words": (("c",),), "n": 3}),
    (MaskingRequest("bert", "a", 0), {"model": "x", "text": "b", "seed": 1, "rate": 0.5}),
    (
        GradientRequest("gpt", "a"),
        {"model": "x", "text": "b", "depth": 1, "seed": 1, "spread": "larger"},
    ),
    (
        AtInitRequest("a", 4, 32),
        {"shape": "b", "depth": 5, "width": 64, "seed": 1, "spread": "larger"},
    ),
    (LookAheadRequest(), {"steps": 20, "seed": 1}),
    (
        PracticeRequest("reverse"),
        {"exercise": "copy", "ways": (TrainingSetup(1e-3), TrainingSetup(seed=1)), "steps": 2,
         "text": "a"},
    ),
    (
        AdamRequest((0.1, 0.2), 0.1, (0.9, 0.98), 1e-9),
        {"gradients": (0.1,), "rate": 1.0, "betas": (0.8, 0.98), "eps": 1e-8},
    ),
    (
        SmoothingRequest((0.0, 1.0), 0, 0.1),
        {"logits": (1.0, 1.0), "right": 1, "smoothing": 0.2, "others_only": True},
    ),
    (
        PreferenceTuningRequest("gpt", "animals"),
        {"model": "x", "preference": "short", "penalties": (KLPenalty(1.0), KLPenalty(seed=1)),
         "steps": 2},
    ),
    (SampledTextsRequest("gpt", "a"), {"model": "x", "text": "b", "n": 2, "new": 3, "seed": 1}),
    (FilmRequest("a"), {"text": "b", "seed": 1}),
    (DigitsRequest("a"), {"text": "b", "seed": 1, "guidance": 1.0}),
    (FaultRequest("gpt", Text("a")), {"model": "x", "given": Text("b"), "fault": "leak",
                                      "seed": 1}),
    (ShelfCostsRequest(), {"names": ("x",)}),
    (AttentionTimesRequest(16), {"n_source": 32}),
    (CacheSavingsRequest("gpt", "a"), {"model": "x", "text": "b"}),
    (
        DenoiseRequest("t5", "a", "spans", 0),
        {"model": "x", "text": "b", "noise": "masking", "seed": 1, "rate": 0.3, "mean": 2.0},
    ),
    (BiasRequest("t5"), {"model": "x", "attention": "decoder"}),
    (
        CutsRequest("bert", "a", "mean", "t"),
        {"model": "x", "lines": "b", "pooled": "cls", "text": "u"},
    ),
    (
        FineTuneRequest("bert", "a", "mean", ("frozen",)),
        {"model": "x", "lines": "b", "pooled": "cls", "ways": ("whole",), "seed": 1},
    ),
    (LineCutsRequest("gpt", Text("a")), {"model": "x", "given": Text("b"), "off": ("layer0.ffn",),
                                      "first": Text("c")}),
    (
        ExerciseRequest("bert", "next_token", "a", 0),
        {"model": "x", "objective": "denoise", "text": "b", "seed": 1, "noise": "delete"},
    ),
    (ProbeRequest("gpt", "gap"), {"model": "x", "probe": "chain", "text": "b"}),
    (
        SearchRequest("rnn", "a", "beam", 3, 0.6, 1.0, 0, 4, 2),
        {"model": "x", "text": "b", "method": "hand", "beams": 2, "alpha": 0.0,
         "temperature": 0.5, "seed": 1, "length": 5, "shown": 3, "walked": ((0,),)},
    ),
    (SourceCostsRequest("rnn", Text("a")), {"model": "x", "given": Text("b")}),
    (
        SecondTargetRequest("rnn", "a", "b", "c"),
        {"model": "x", "text": "d", "first": "e", "second": "f"},
    ),
    (ReadingTimesRequest("rnn", "a"), {"model": "x", "text": "b"}),
]  # fmt: skip


def test_every_kind_is_tested_and_answered():
    assert {type(one) for one, _ in EACH} == KINDS
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


@pytest.mark.parametrize(("one", "changes"), EACH, ids=lambda v: type(v).__name__)
def test_requests_are_plain_data(one, changes):
    """They key a cache, travel in a link's wake, and may be sent to another process."""
    again = pickle.loads(pickle.dumps(one))
    assert again == one
    assert hash(again) == hash(one)
    fields = [field.name for field in dataclasses.fields(one)]
    assert set(changes) == set(fields)
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(one, fields[0], None)
    others = [dataclasses.replace(one, **{name: value}) for name, value in changes.items()]
    assert len({one, *others}) == 1 + len(others)


def test_the_models_that_decide_a_result_are_named():
    assert LookAheadRequest().models == ()
    assert TraceRequest("gpt", Text("a")).models == ("gpt",)
    assert GapRequest("bert", "gpt", "a").models == ("bert", "gpt")
