"""What results and their keys say they take, beside what they hold."""

from __future__ import annotations

import gc
import pickle
import sys
from typing import Any

import numpy as np
import pytest
import torch

from core.data.labelled_lines import our_lines
from core.decoding.settings import Sampling
from core.inputs import Batch, SourceTarget, Text
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
from core.runs.kinds.tokens import LearnRequest, LearnUnigramRequest, Tokenized, TokenizeRequest
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
from core.runs.request import Request
from core.runs.store import Runs
from core.sizes import held
from tests.conftest import loaded, tiny_bert, tiny_gpt, tiny_transformer
from tests.runs.kinds import KINDS

TEXT = "The cat sat on the mat and the dog saw the sea. " * 3
ASKED: dict[str, Request] = {
    "trace": TraceRequest("gpt", Text(TEXT)),
    "batch": TraceRequest("gpt", Batch((Text("a cat"), Text(TEXT)))),
    "onward": ContinuedRunRequest("gpt", Text(TEXT), 2),
    "translation": TraceRequest("transformer", SourceTarget("cat", "dog")),
    "read": PrefillRequest("gpt", TEXT),
    "generation": GenerateRequest("gpt", TEXT, 12, Sampling()),
    "traced generation": GenerationTraceRequest(GenerateRequest("gpt", TEXT, 12, Sampling())),
    "tokens": TokenizeRequest("bert", TEXT),
    "typed": RemarksRequest("bert", f"___ {TEXT} Ж "),
    "learnt": LearnRequest(TEXT, 40),
    "learned pieces": LearnUnigramRequest(TEXT, 40),
    "positions": PositionsRequest("sinusoidal", 40, 64),
    "gap": GapRequest("bert", "gpt", TEXT),
    "words": WordsRequest("gpt", "the cat", (("dog",), ("sea", "mat"))),
    "corrupted": MaskingRequest("bert", TEXT, 3),
    "gradient": GradientRequest("gpt", "the cat sat", 2),
    "at init": AtInitRequest("dconv", 3, 32),
    "faulty": FaultRequest("gpt", Text(TEXT), "leak"),
    "shelf costs": ShelfCostsRequest(),
    "times": AttentionTimesRequest(16),
    "cached": CacheSavingsRequest("gpt", TEXT),
    "liked": PreferenceTuningRequest("gpt", "short", (KLPenalty(), KLPenalty(0.0)), steps=1),
    "drawn": SampledTextsRequest("gpt", TEXT),
    "filmed": FilmRequest(TEXT),
    "pictured": DigitsRequest(TEXT),
    "practice": PracticeRequest("add", (TrainingSetup(), TrainingSetup(seed=1)), steps=20),
    "adam": AdamRequest((0.1, 0.2, -0.1), 0.1, (0.9, 0.98), 1e-9),
    "smoothing": SmoothingRequest((0.0, 1.0, 4.0), 2, 0.1),
    "look ahead": LookAheadRequest(2),
    "mended": DenoiseRequest("filler", "the cat sat on the mat", "spans", 0),
    "bias": BiasRequest("filler"),
    "cuts": CutsRequest("bert", our_lines(), "mean", "a cat"),
    "lines": LineCutsRequest("gpt", Text("the cat sat")),
    "exercise": ExerciseRequest("bert", "masked_words", TEXT, 3),
    "probe": ProbeRequest("gpt", "writes", TEXT),
    "search": SearchRequest("transformer", "cat", "beam", 2, 0.6, 1.0, 0, 4, 3),
    "hidden": SourceCostsRequest("transformer", SourceTarget("cat", "dog")),
    "second target": SecondTargetRequest("transformer", "cat", "dog", "cat"),
    "pace": ReadingTimesRequest("transformer", "cat"),
    "fine-tuned": FineTuneRequest("bert", our_lines(), "mean", ("frozen",)),
}


def truly(thing: Any, without: Any) -> int:
    """Every object that can be reached from it and from nothing of ``without``, by its size."""
    seen = {id(one) for one in _reached([without], set())}
    found = _reached([thing], seen)
    stored = {one.untyped_storage().data_ptr(): one.untyped_storage().nbytes()
              for one in found if isinstance(one, torch.Tensor)}  # fmt: skip
    return sum(map(_size, found)) + sum(stored.values())


def _reached(left: list[Any], seen: set[int]) -> list[Any]:
    found = []
    while left:
        one = left.pop()
        if id(one) in seen or isinstance(one, type | type(sys) | type(_size)):
            continue
        seen.add(id(one))
        found.append(one)
        left += gc.get_referents(one)
        if isinstance(one, np.ndarray) and one.base is not None:
            left.append(one.base)
    return found


def _size(one: Any) -> int:
    if isinstance(one, np.ndarray):
        return sys.getsizeof(one) + (0 if one.flags.owndata or _owned(one) else one.nbytes)
    return 0 if isinstance(one, np.dtype) else sys.getsizeof(one)


def _owned(one: np.ndarray) -> bool:
    """Whether another object, which is counted, holds its numbers."""
    return isinstance(one.base, np.ndarray | bytes | torch.Tensor)


@pytest.fixture(scope="module")
def machines(byte_bpe, wordpiece, filler):
    return {
        "filler": filler,
        "gpt": loaded(tiny_gpt(n_ctx=120), byte_bpe),
        "bert": loaded(tiny_bert(n_ctx=120), wordpiece),
        "transformer": loaded(tiny_transformer(vocab_size=300), byte_bpe),
    }


def test_every_kind_of_request_is_asked_here():
    assert {type(one) for one in ASKED.values()} == KINDS


@pytest.mark.parametrize("request_", ASKED.values(), ids=ASKED.keys())
def test_what_is_said_is_what_is_held(machines, request_):
    runs = Runs(load=lambda name, device: machines[name])
    result = runs.get(request_)
    if request_.lasts != "a moment":
        result = pickle.loads(pickle.dumps(result))  # as it comes from another process
    if isinstance(result, Tokenized):
        assert result.parts
    own = truly(result, [machines, sys.modules])
    key = truly(runs.key(request_), [machines, sys.modules])
    said = held(result) + held(runs.key(request_))
    assert 0.75 * (own + key) <= said <= 2 * (own + key) + 2000, (own, key, said)


def test_a_long_text_counts_in_the_key_of_a_small_result(machines):
    runs = Runs(load=lambda name, device: machines[name])
    runs.get(TokenizeRequest("gpt", "a" + " " * 20_000 + "Ж"))
    assert runs.nbytes > 80_000  # 4 bytes a character
