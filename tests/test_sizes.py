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
from core.runs import requests as kinds
from core.runs.requests import Request
from core.runs.results import Tokenized
from core.runs.store import Runs
from tests.conftest import loaded, tiny_bert, tiny_gpt, tiny_transformer

TEXT = "The cat sat on the mat and the dog saw the sea. " * 3
ASKED: dict[str, Request] = {
    "trace": kinds.TraceRequest("gpt", Text(TEXT)),
    "batch": kinds.TraceRequest("gpt", Batch((Text("a cat"), Text(TEXT)))),
    "onward": kinds.OnwardRequest("gpt", Text(TEXT), 2),
    "translation": kinds.TraceRequest("transformer", SourceTarget("cat", "dog")),
    "read": kinds.PrefillRequest("gpt", TEXT),
    "generation": kinds.GenerateRequest("gpt", TEXT, 12, Sampling()),
    "traced generation": kinds.GenerationTraceRequest(
        kinds.GenerateRequest("gpt", TEXT, 12, Sampling())
    ),
    "tokens": kinds.TokenizeRequest("bert", TEXT),
    "typed": kinds.TypedRequest("bert", f"___ {TEXT} Ж "),
    "learnt": kinds.LearnRequest(TEXT, 40),
    "learned pieces": kinds.LearnUnigramRequest(TEXT, 40),
    "positions": kinds.PositionsRequest("sinusoidal", 40, 64),
    "gap": kinds.GapRequest("bert", "gpt", TEXT),
    "words": kinds.WordsRequest("gpt", "the cat", (("dog",), ("sea", "mat"))),
    "corrupted": kinds.CorruptRequest("bert", TEXT, 3),
    "gradient": kinds.GradientRequest("gpt", "the cat sat", 2),
    "at init": kinds.AtInitRequest("dconv", 3, 32),
    "faulty": kinds.FaultRequest("gpt", Text(TEXT), "leak"),
    "shelf costs": kinds.ShelfCostsRequest(),
    "times": kinds.TimesRequest(16),
    "cached": kinds.CachedRequest("gpt", TEXT),
    "liked": kinds.LikeRequest("gpt", "short", (kinds.Leash(), kinds.Leash(0.0)), steps=1),
    "drawn": kinds.DrawnRequest("gpt", TEXT),
    "filmed": kinds.FilmRequest(TEXT),
    "pictured": kinds.DigitsRequest(TEXT),
    "practice": kinds.PracticeRequest("add", (kinds.Way(), kinds.Way(seed=1)), steps=20),
    "adam": kinds.AdamRequest((0.1, 0.2, -0.1), 0.1, (0.9, 0.98), 1e-9),
    "smoothing": kinds.SmoothingRequest((0.0, 1.0, 4.0), 2, 0.1),
    "look ahead": kinds.LookAheadRequest(2),
    "mended": kinds.MendRequest("filler", "the cat sat on the mat", "spans", 0),
    "bias": kinds.BiasRequest("filler"),
    "cuts": kinds.CutsRequest("bert", our_lines(), "mean", "a cat"),
    "fine-tuned": kinds.FineTuneRequest("bert", our_lines(), "mean", ("frozen",)),
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
    shared = (Request, kinds.Job, kinds.OfModel)
    every = {cls for cls in vars(kinds).values() if isinstance(cls, type)
             and issubclass(cls, Request) and cls not in shared}  # fmt: skip
    assert {type(one) for one in ASKED.values()} == every


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
    assert 0.75 * (own + key) <= runs.nbytes <= 2 * (own + key) + 2000, (own, key, runs.nbytes)


def test_a_long_text_counts_in_the_key_of_a_small_result(machines):
    runs = Runs(load=lambda name, device: machines[name])
    runs.get(kinds.TokenizeRequest("gpt", "a" + " " * 20_000 + "Ж"))
    assert runs.nbytes > 80_000  # 4 bytes a character
