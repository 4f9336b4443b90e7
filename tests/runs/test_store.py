"""Runs for all learners together: made once, kept within bounds, told apart by what matters."""

from __future__ import annotations

import dataclasses
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

from core import zoo
from core.encoders import Encoders
from core.errors import (
    DeviceUnavailableError,
    InputTooLongError,
    UnknownModelError,
    UnknownSiteError,
)
from core.inputs import Batch, Padded, Shuffled, Text
from core.models.gpt import GPT
from core.runs import store
from core.runs.kinds.gaps import GapRequest
from core.runs.kinds.tokens import LearnRequest
from core.runs.kinds.trace import TraceRequest
from core.runs.mask_spec import MaskSpec
from core.runs.store import Runs
from core.sizes import held
from core.text.trained import train_byte_bpe
from core.tracing import Edit, trace_run

TEXT = "The cat sat on the mat."

# --- models ------------------------------------------------------------------------


def test_a_model_is_loaded_once_however_its_device_is_named(runs, loads):
    assert not runs.has_model("gpt")
    assert runs.model("gpt") is runs.model("gpt", "cpu")
    assert loads == [("gpt", "cpu")]
    assert runs.has_model("gpt", "cpu")


def test_no_more_models_are_kept_than_allowed(make, loads):
    runs = make(max_model_bytes=1)
    for name in ("gpt", "bert", "gpt"):
        runs.model(name)
    assert [name for name, _ in loads] == ["gpt", "bert", "gpt"]
    assert runs.has_model("gpt")
    assert not runs.has_model("bert")


def test_the_model_used_longest_ago_goes_first(make, loads, gpt):
    runs = Runs(max_model_bytes=2 * gpt.nbytes, load=lambda name, device: loads.append(name) or gpt)
    for name in ("a", "b", "a", "c", "a"):
        runs.model(name)
    assert loads == ["a", "b", "c"]


def test_a_large_model_makes_room_and_is_kept(loads, gpt, bert):
    """It would be loaded for every click, else."""
    models = {"large": bert, "gpt": gpt}

    def load(name: str, _device: str):
        loads.append(name)
        return models.get(name, gpt)

    runs = Runs(max_model_bytes=bert.nbytes - 1, load=load)
    for name in ("gpt", "large", "large", "gpt"):
        runs.model(name)
    assert loads == ["gpt", "large", "gpt"]


def test_a_result_is_found_without_the_model_that_made_it(loads, gpt, bert):
    """Five models in turn were loaded for each answer that was kept, to be known by their bytes."""
    models = {"gpt": gpt, "bert": bert}

    def load(name: str, _device: str):
        loads.append(name)
        return models[name]

    runs = Runs(max_model_bytes=1, load=load, fingerprint=lambda name: models[name].fingerprint)
    requests = [TraceRequest(name, Text(TEXT)) for name in models]
    assert not any(map(runs.ready, requests))
    kept = [runs.get(request) for request in requests]
    assert loads == ["gpt", "bert"]
    assert all(map(runs.ready, requests))
    assert [runs.get(request) for request in (*requests, *requests)] == [*kept, *kept]
    assert loads == ["gpt", "bert"]


def test_a_model_on_the_shelf_is_known_by_its_files():
    for name in zoo.shelf():
        assert zoo.fingerprint(name) == zoo.load(name, "cpu").fingerprint, name


def test_what_cannot_be_loaded_is_the_callers_error_and_is_tried_again(runs, loads):
    for _ in range(2):
        with pytest.raises(UnknownModelError):
            runs.get(TraceRequest("none", Text(TEXT)))
    assert len(loads) == 2
    with pytest.raises(DeviceUnavailableError, match="device 'tpu' is not available here"):
        runs.model("gpt", "tpu")


# --- the cache ---------------------------------------------------------------------


def size_of(runs: Runs, request: TraceRequest) -> int:
    """What a result takes, with its key."""
    return runs.get(request).nbytes + held(runs.key(request))


def test_the_same_request_is_the_same_result(runs):
    first = runs.get(TraceRequest("gpt", Text(TEXT)))
    assert runs.get(TraceRequest("gpt", Text(TEXT))) is first
    assert runs.get(TraceRequest("gpt", Text(TEXT)), "cpu") is first
    assert runs.nbytes == size_of(runs, TraceRequest("gpt", Text(TEXT)))


@pytest.mark.parametrize(
    "change",
    [
        {"given": Text(TEXT + "!")},
        {"mask": MaskSpec("none")},
        {"mask": MaskSpec("prefix", 2)},
        {"edits": (Edit("blocks.0.attn.z", (0,)),)},
        {"edits": (Edit("blocks.0.attn.z", (0,), "mean"),)},
        {"sites": ("logits",)},
        {"given": Shuffled(Text(TEXT), 0)},
        {"given": Padded(Text(TEXT), ("a longer text that is longer",))},
    ],
    ids=str,
)
def test_a_different_request_is_another_result(runs, change):
    first = TraceRequest("gpt", Text(TEXT))
    a, b = runs.get(first), runs.get(dataclasses.replace(first, **change))
    assert a is not b
    assert runs.get(first) is a


def test_other_weights_are_another_result(gpt, bert):
    """Not the name, but what was learnt, tells models apart."""
    shelf = {"gpt": gpt, "other": bert}
    runs = Runs(load=lambda name, device: shelf[name], max_model_bytes=1)
    first = runs.get(TraceRequest("gpt", Text(TEXT)))
    changed = type(gpt.model)(gpt.config, torch.Generator().manual_seed(9)).double().eval()
    shelf["gpt"] = dataclasses.replace(gpt, model=changed)
    runs.model("other")  # which makes room
    second = runs.get(TraceRequest("gpt", Text(TEXT)))
    assert not np.allclose(second.trace["logits"], first.trace["logits"])


def changes(gpt):
    """The tiny GPT with one thing changed that no request names."""
    heads = GPT(dataclasses.replace(gpt.config, n_heads=4)).double().eval()
    heads.load_state_dict(gpt.model.state_dict())
    floats = GPT(gpt.config, torch.Generator().manual_seed(0)).eval()
    other = train_byte_bpe([TEXT * 9, "sat on " * 9], 300)
    return {
        "config": dataclasses.replace(gpt, model=heads),
        "dtype": dataclasses.replace(gpt, model=floats.requires_grad_(False)),
        "tokenizer": dataclasses.replace(gpt, encoders=Encoders(other)),
    }


@pytest.mark.parametrize("what", ["config", "dtype", "tokenizer"])
def test_a_model_that_changed_on_its_shelf_is_run_anew(gpt, what):
    """The same name and the same request, after the model was dropped and loaded again."""
    shelf = {"gpt": gpt, "other": gpt}
    runs = Runs(load=lambda name, device: shelf[name], max_model_bytes=1)
    request = TraceRequest("gpt", Text(TEXT))
    old = runs.get(request)
    shelf["gpt"] = changed = changes(gpt)[what]
    runs.model("other")
    new, expected = runs.get(request).trace, trace_run(changed, TEXT)
    assert new is not old.trace
    assert (new.config, new.dtype, new.ids) == (expected.config, expected.dtype, expected.ids)
    for name in new:
        np.testing.assert_array_equal(new[name], expected[name])


def test_a_partner_that_changed_is_asked_anew(gpt, bert):
    shelf = {"gpt": gpt, "bert": bert}
    runs = Runs(load=lambda name, device: shelf[name], max_model_bytes=1)
    request = GapRequest("bert", "gpt", TEXT)
    old = runs.get(request)
    assert runs.get(request) is old
    shelf["gpt"] = changes(gpt)["config"]
    new = runs.get(request)
    assert [word.prob for word in new.left.top] != [word.prob for word in old.left.top]


def test_another_device_is_another_result(gpt):
    """A run on a GPU has its own last digits."""
    elsewhere = dataclasses.replace(gpt, device=torch.device("cpu", 0))
    runs = Runs(load=lambda name, device: gpt if name == "gpt" else elsewhere)
    request = TraceRequest("gpt", Text(TEXT))
    first = runs.get(request)
    key = request, ((gpt.fingerprint, "cpu"),)
    assert runs.key(request) == key
    assert runs._results._kept[key].made is first
    assert runs.get(request) is first
    other = dataclasses.replace(request, model="elsewhere")
    assert runs.key(other) == (other, ((gpt.fingerprint, "cpu:0"),))


def test_results_stay_within_their_bytes(make):
    size = size_of(make(), TraceRequest("gpt", Text(TEXT), edits=(Edit("logits", (0, 9)),)))
    runs = make(max_bytes=3 * size)
    requests = [TraceRequest("gpt", Text(TEXT), edits=(Edit("logits", (0, n)),)) for n in range(8)]
    kept = [runs.get(request) for request in requests]
    assert runs.nbytes == 3 * size
    assert runs.get(requests[7]) is kept[7]
    assert runs.get(requests[0]) is not kept[0]
    assert runs.nbytes <= 3 * size


def test_what_was_used_longest_ago_goes_first(make):
    size = size_of(make(), TraceRequest("gpt", Text(TEXT), edits=(Edit("logits", (0, 9)),)))
    runs = make(max_bytes=2 * size)
    a, b, c = (TraceRequest("gpt", Text(TEXT), edits=(Edit("logits", (0, n)),)) for n in range(3))
    first = runs.get(a)
    runs.get(b)
    runs.get(a)
    runs.get(c)
    assert runs.get(a) is first


def test_a_result_larger_than_all_the_room_is_given_but_not_kept(make):
    runs = make(max_bytes=100)
    assert runs.get(TraceRequest("gpt", Text(TEXT))).trace.nbytes > 100
    assert runs.nbytes == 0


def test_results_of_several_parts_are_counted_whole(runs):
    batch = runs.get(TraceRequest("gpt", Batch((Text("a"), Text(TEXT)))))
    key = held(runs.key(TraceRequest("gpt", Batch((Text("a"), Text(TEXT))))))
    assert runs.nbytes == sum(run.nbytes for run in batch) + sys.getsizeof(batch) + key


def test_an_error_is_not_kept(runs, monkeypatch):
    request = TraceRequest("gpt", Text(TEXT), sites=("blocks.7.attn.q",))
    for _ in range(2):
        with pytest.raises(UnknownSiteError):
            runs.get(request)
    assert runs.nbytes == 0
    assert runs._results._under_way == {}


# --- many learners at once -----------------------------------------------------------


def test_a_class_that_opens_one_link_waits_for_one_run(make, loads, monkeypatch):
    """Twenty ask for the same at the same time: one model is loaded, one run made."""
    carried_out, entered = [], threading.Event()
    real = store.answer

    def slow(request, context):
        carried_out.append(request)
        entered.set()
        time.sleep(0.2)
        return real(request, context)

    monkeypatch.setattr(store, "answer", slow)
    runs = make()
    with ThreadPoolExecutor(20) as learners:
        found = list(learners.map(lambda _: runs.get(TraceRequest("gpt", Text(TEXT))), range(20)))
    assert len(carried_out) == 1
    assert len(loads) == 1
    assert all(one is found[0] for one in found)
    assert runs._results._under_way == {}


def test_an_error_reaches_everybody_who_waits(make, monkeypatch):
    def failing(*_args):
        time.sleep(0.1)
        raise InputTooLongError(32, 40)

    monkeypatch.setattr(store, "answer", failing)
    runs = make()

    def ask(_n: int) -> str:
        with pytest.raises(InputTooLongError) as caught:
            runs.get(TraceRequest("gpt", Text(TEXT)))
        return str(caught.value)

    with ThreadPoolExecutor(8) as learners:
        assert len(set(learners.map(ask, range(8)))) == 1


def test_many_threads_and_little_room_keep_the_books_straight(make):
    size = size_of(make(), TraceRequest("gpt", Text(TEXT), edits=(Edit("logits", (0, 9)),)))
    runs = make(max_bytes=3 * size)
    texts = [TEXT, "The dog.", "a", "The sea was blue."]

    def ask(n: int) -> bool:
        text = texts[n % 4]
        run = runs.get(TraceRequest("gpt", Text(text), edits=(Edit("logits", (0, n % 7)),)))
        return run.text == text

    with ThreadPoolExecutor(8) as learners:
        assert all(learners.map(ask, range(200)))
    assert runs.nbytes == sum(r.nbytes for r in runs._results._kept.values()) <= 3 * size


def test_results_without_a_model_are_kept_too(runs):
    before = runs.nbytes
    first = runs.get(LearnRequest("a text to learn from", 5))
    assert runs.nbytes > before
    assert runs.get(LearnRequest("a text to learn from", 5)) is first
    assert runs.get(LearnRequest("a text to learn from", 4)) is not first
