"""Runs for all learners together: made once, kept within bounds, told apart by what matters."""

from __future__ import annotations

import dataclasses
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

from core import runs as module
from core.decoding.sampling import GREEDY, Sampling
from core.errors import (
    AbilityError,
    DeviceUnavailableError,
    InputTooLongError,
    NoRoomError,
    ParameterError,
    UnknownModelError,
    UnknownSiteError,
)
from core.models.gpt import GPT
from core.requests import (
    BatchRequest,
    CorruptRequest,
    GapRequest,
    GenerateRequest,
    GradientRequest,
    MaskSpec,
    PositionsRequest,
    TokenizeRequest,
    TraceRequest,
)
from core.runs import TOP, Runs, mask_matrix, shuffled
from core.text.tokenizer import train_byte_bpe
from core.tracing import Edit, trace_run
from tests.conftest import loaded, tiny_bert

TEXT = "The cat sat on the mat."


@pytest.fixture
def loads() -> list[tuple[str, str]]:
    """Every load that was asked for."""
    return []


@pytest.fixture
def make(gpt, bert, loads):
    """A store of runs over the tiny models."""

    def load(name: str, device: str):
        loads.append((name, device))
        if name not in ("gpt", "bert"):
            raise UnknownModelError(name, ("bert", "gpt"))
        return gpt if name == "gpt" else bert

    return lambda **limits: Runs(load=load, **limits)


@pytest.fixture
def runs(make) -> Runs:
    return make()


# --- models ------------------------------------------------------------------------


def test_a_model_is_loaded_once_however_its_device_is_named(runs, loads):
    assert not runs.has_model("gpt")
    assert runs.model("gpt") is runs.model("gpt", "cpu")
    assert loads == [("gpt", "cpu")]
    assert runs.has_model("gpt", "cpu")


def test_no_more_models_are_kept_than_allowed(make, loads):
    runs = make(max_models=1)
    for name in ("gpt", "bert", "gpt"):
        runs.model(name)
    assert [name for name, _ in loads] == ["gpt", "bert", "gpt"]
    assert runs.has_model("gpt")
    assert not runs.has_model("bert")


def test_the_model_used_longest_ago_goes_first(make, loads, gpt):
    runs = Runs(max_models=2, load=lambda name, device: loads.append(name) or gpt)
    for name in ("a", "b", "a", "c", "a"):
        runs.model(name)
    assert loads == ["a", "b", "c"]


def test_what_cannot_be_loaded_is_the_callers_error_and_is_tried_again(runs, loads):
    for _ in range(2):
        with pytest.raises(UnknownModelError):
            runs.get(TraceRequest("none", TEXT))
    assert len(loads) == 2
    with pytest.raises(DeviceUnavailableError, match="device 'tpu' is not available here"):
        runs.model("gpt", "tpu")


# --- the cache ---------------------------------------------------------------------


def test_the_same_request_is_the_same_result(runs):
    first = runs.get(TraceRequest("gpt", TEXT))
    assert runs.get(TraceRequest("gpt", TEXT)) is first
    assert runs.get(TraceRequest("gpt", TEXT), "cpu") is first
    assert runs.nbytes == first.nbytes


@pytest.mark.parametrize(
    "change",
    [
        {"text": TEXT + "!"},
        {"mask": MaskSpec("none")},
        {"mask": MaskSpec("prefix", 2)},
        {"edits": (Edit("blocks.0.attn.z", (0,)),)},
        {"edits": (Edit("blocks.0.attn.z", (0,), "mean"),)},
        {"sites": ("logits",)},
        {"shuffle": 0},
        {"beside": ("a longer text that is longer",)},
    ],
    ids=str,
)
def test_a_different_request_is_another_result(runs, change):
    first = TraceRequest("gpt", TEXT)
    a, b = runs.get(first), runs.get(dataclasses.replace(first, **change))
    assert a is not b
    assert runs.get(first) is a


def test_other_weights_are_another_result(gpt, bert):
    """Not the name, but what was learnt, tells models apart."""
    shelf = {"gpt": gpt}
    runs = Runs(load=lambda name, device: shelf[name], max_models=1)
    first = runs.get(TraceRequest("gpt", TEXT))
    changed = type(gpt.model)(gpt.config, torch.Generator().manual_seed(9)).double().eval()
    shelf["gpt"] = dataclasses.replace(gpt, model=changed)
    runs._models.clear()
    second = runs.get(TraceRequest("gpt", TEXT))
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
        "tokenizer": dataclasses.replace(gpt, tokenizer=other),
    }


@pytest.mark.parametrize("what", ["config", "dtype", "tokenizer"])
def test_a_model_that_changed_on_its_shelf_is_run_anew(gpt, what):
    """The same name and the same request, after the model was dropped and loaded again."""
    shelf = {"gpt": gpt, "other": gpt}
    runs = Runs(load=lambda name, device: shelf[name], max_models=1)
    request = TraceRequest("gpt", TEXT)
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
    runs = Runs(load=lambda name, device: shelf[name], max_models=1)
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
    request = TraceRequest("gpt", TEXT)
    first = runs.get(request)
    assert (gpt.fingerprint, "cpu", request) in runs._results
    assert runs.get(request) is first


def test_results_stay_within_their_bytes(make):
    size = make().get(TraceRequest("gpt", TEXT)).nbytes
    runs = make(max_bytes=3 * size)
    requests = [TraceRequest("gpt", TEXT, edits=(Edit("logits", (0, n)),)) for n in range(8)]
    kept = [runs.get(request) for request in requests]
    assert runs.nbytes == 3 * size
    assert runs.get(requests[7]) is kept[7]
    assert runs.get(requests[0]) is not kept[0]
    assert runs.nbytes <= 3 * size


def test_what_was_used_longest_ago_goes_first(make):
    size = make().get(TraceRequest("gpt", TEXT)).nbytes
    runs = make(max_bytes=2 * size)
    a, b, c = (TraceRequest("gpt", TEXT, edits=(Edit("logits", (0, n)),)) for n in range(3))
    first = runs.get(a)
    runs.get(b)
    runs.get(a)
    runs.get(c)
    assert runs.get(a) is first


def test_a_result_larger_than_all_the_room_is_given_but_not_kept(make):
    runs = make(max_bytes=100)
    assert runs.get(TraceRequest("gpt", TEXT)).trace.nbytes > 100
    assert runs.nbytes == 0


def test_results_of_several_parts_are_counted_whole(runs):
    batch = runs.get(BatchRequest("gpt", ("a", TEXT)))
    assert runs.nbytes == sum(run.nbytes for run in batch)


def test_an_error_is_not_kept(runs, monkeypatch):
    request = TraceRequest("gpt", TEXT, sites=("blocks.7.attn.q",))
    for _ in range(2):
        with pytest.raises(UnknownSiteError):
            runs.get(request)
    assert runs.nbytes == 0
    assert runs._under_way == {}


# --- many learners at once -----------------------------------------------------------


def test_a_class_that_opens_one_link_waits_for_one_run(make, loads, monkeypatch):
    """Twenty ask for the same at the same time: one model is loaded, one run made."""
    carried_out, entered = [], threading.Event()
    real = module._carry_out

    def slow(request, model, ask):
        carried_out.append(request)
        entered.set()
        time.sleep(0.2)
        return real(request, model, ask)

    monkeypatch.setattr(module, "_carry_out", slow)
    runs = make()
    with ThreadPoolExecutor(20) as learners:
        found = list(learners.map(lambda _: runs.get(TraceRequest("gpt", TEXT)), range(20)))
    assert len(carried_out) == 1
    assert len(loads) == 1
    assert all(one is found[0] for one in found)
    assert runs._under_way == {}


def test_an_error_reaches_everybody_who_waits(make, monkeypatch):
    def failing(*_args):
        time.sleep(0.1)
        raise InputTooLongError(32, 40)

    monkeypatch.setattr(module, "_carry_out", failing)
    runs = make()

    def ask(_n: int) -> str:
        with pytest.raises(InputTooLongError) as caught:
            runs.get(TraceRequest("gpt", TEXT))
        return str(caught.value)

    with ThreadPoolExecutor(8) as learners:
        assert len(set(learners.map(ask, range(8)))) == 1


def test_many_threads_and_little_room_keep_the_books_straight(make):
    size = make().get(TraceRequest("gpt", TEXT)).nbytes
    runs = make(max_bytes=3 * size)
    texts = [TEXT, "The dog.", "a", "The sea was blue."]

    def ask(n: int) -> bool:
        text = texts[n % 4]
        run = runs.get(TraceRequest("gpt", text, edits=(Edit("logits", (0, n % 7)),)))
        return run.text == text

    with ThreadPoolExecutor(8) as learners:
        assert all(learners.map(ask, range(200)))
    assert runs.nbytes == sum(r.nbytes for r in runs._results.values()) <= 3 * size


# --- what the requests give ------------------------------------------------------------


def test_a_trace_is_that_of_trace_run(runs, gpt):
    run = runs.get(TraceRequest("gpt", TEXT))
    expected = trace_run(gpt, TEXT)
    assert run.trace.ids == expected.ids
    np.testing.assert_allclose(run.trace["logits"], expected["logits"], atol=1e-6)
    assert (run.text, run.cut) == (TEXT, "")
    assert run.words(run.trace.ids[1]).id == run.trace.ids[1]


def test_ids_run_in_place_of_the_text(runs, gpt):
    ids = gpt.encode(TEXT)
    letters = tuple(i for token in ids for i in gpt.tokenizer.encode(gpt.decode([token])[:1]))
    run = runs.get(TraceRequest("gpt", "another text", ids=letters))
    assert run.trace.ids == letters
    assert (run.text, run.cut) == (gpt.decode(letters), "")
    with pytest.raises(ParameterError, match="id is 99999"):
        runs.get(TraceRequest("gpt", TEXT, ids=(99_999,)))


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_a_text_that_is_too_long_is_cut_and_the_cut_is_kept(runs, model):
    long = "The cat sat on the mat. " * 40
    run = runs.get(TraceRequest(model, long))
    assert len(run.trace.ids) == 32
    assert run.text + run.cut == long


def test_a_pair_is_cut_at_the_end_of_the_second_text_first(runs, bert):
    run = runs.get(TraceRequest("bert", "The cat sat.", second="and the dog " * 40))
    assert len(run.trace.ids) <= 32
    assert run.text == "The cat sat."
    assert run.cut
    both = runs.get(TraceRequest("bert", "The cat sat. " * 40, second="x"))
    assert len(both.trace.ids) <= 32
    assert ("The cat sat. " * 40).startswith(both.text)


def alone(model):
    """A store of runs over one model."""
    return Runs(load=lambda _name, _device: model)


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("n_ctx", "first", "second", "kept"),
    [
        (3, "The cat", "A dog", 3),  # the marks alone
        (4, "a", "b", 4),
        (5, "the cat sat", "the dog sat", 5),
        (8, "猫" * 20_000, "the dog sat " * 2_000, 8),
        (8, "a", "a.b" * 6_000, 8),
        (32, "a.b" * 6_000, "猫" * 20_000, 32),
    ],
)
def test_a_pair_is_cut_to_the_smallest_context(wordpiece, n_ctx, first, second, kept):
    runs = alone(loaded(tiny_bert(n_ctx=n_ctx), wordpiece))
    run = runs.get(TraceRequest("bert", first, second=second))
    assert len(run.trace.ids) == kept
    assert first.startswith(run.text)
    rest = first[len(run.text) :]
    assert run.cut.startswith(rest)
    assert second.endswith(run.cut[len(rest) :])


def test_what_fits_of_a_pair_is_not_cut(wordpiece):
    runs = alone(loaded(tiny_bert(n_ctx=4), wordpiece))
    for first, second in (("a", ""), ("", "b")):
        run = runs.get(TraceRequest("bert", first, second=second))
        assert (run.text, run.cut, len(run.trace.ids)) == (first, "", 4)


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "request_",
    [
        TraceRequest("bert", "a"),
        TraceRequest("bert", "a", second="b"),
        BatchRequest("bert", ("a", "b c")),
        TokenizeRequest("bert", "a"),
        GapRequest("bert", "bert", "a"),
        CorruptRequest("bert", "a", 0),
        GradientRequest("bert", "a"),
    ],
    ids=lambda one: type(one).__name__,
)
def test_a_context_without_room_for_a_text_is_an_error(wordpiece, request_):
    runs = alone(loaded(tiny_bert(n_ctx=1), wordpiece))
    with pytest.raises(NoRoomError, match="no text fits; choose another model"):
        runs.get(request_)


def test_a_model_that_knows_one_segment_takes_no_pair(wordpiece):
    runs = alone(loaded(tiny_bert(n_types=1), wordpiece))
    with pytest.raises(AbilityError, match="reading two segments"):
        runs.get(TraceRequest("bert", "a", second="b"))
    assert runs.get(TraceRequest("bert", "a")).text == "a"


def test_a_context_without_room_for_a_pair_is_an_error(wordpiece):
    runs = alone(loaded(tiny_bert(n_ctx=2), wordpiece))
    with pytest.raises(NoRoomError, match="context holds 2, and its own marks take 3"):
        runs.get(TraceRequest("bert", "a", second="b"))


def test_a_shuffle_moves_tokens_but_no_marks(runs, bert):
    plain, mixed = (runs.get(TraceRequest("bert", TEXT, shuffle=s)) for s in (None, 3))
    assert sorted(mixed.order) == list(range(len(plain.trace.ids)))
    assert mixed.order[0] == 0
    assert mixed.order[-1] == len(plain.trace.ids) - 1
    assert mixed.trace.ids == tuple(plain.trace.ids[at] for at in mixed.order)
    assert mixed.order != tuple(range(len(mixed.order)))
    assert shuffled(plain.trace.tokens, 3) == mixed.order


def test_beside_a_longer_text_a_row_is_filled_up(runs, gpt):
    alone = runs.get(TraceRequest("gpt", "The cat"))
    filled = runs.get(TraceRequest("gpt", "The cat", beside=(TEXT,)))
    n, longest = len(alone.trace.ids), len(gpt.encode(TEXT))
    assert filled.n_padding == longest - n
    assert filled.trace.ids == alone.trace.ids + (gpt.tokenizer.pad_id,) * filled.n_padding
    # Causal attention: what stands behind changes nothing before.
    np.testing.assert_allclose(filled.trace["logits"][:n], alone.trace["logits"], atol=1e-6)
    hidden = runs.get(TraceRequest("gpt", "The cat", beside=(TEXT,), mask=MaskSpec("padding")))
    assert not hidden.trace.mask[:, n:].any()


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_padding_has_no_part_in_a_mean(runs, model):
    """A row filled up beside a longer one is edited as if it stood alone."""
    edits = (Edit("blocks.0.attn.z", (0,), "mean"), Edit("embed.positions", (), "mean"))
    request = TraceRequest(model, "The cat", edits=edits)
    alone = runs.get(request).trace
    filled = runs.get(dataclasses.replace(request, beside=(TEXT,), mask=MaskSpec("padding"))).trace
    n = len(alone.ids)
    assert len(filled.ids) > n
    for site in ("blocks.0.attn.z", "blocks.1.attn.out", "blocks.1.resid_post"):
        own = (..., slice(n), slice(None))
        np.testing.assert_allclose(filled[site][own], alone[site][own], atol=1e-6)


def test_a_batch_is_its_texts_one_by_one(runs):
    for run, text in zip(runs.get(BatchRequest("gpt", ("a", TEXT))), ("a", TEXT), strict=True):
        alone = runs.get(TraceRequest("gpt", text))
        np.testing.assert_allclose(run.trace["logits"], alone.trace["logits"], atol=1e-6)


def test_a_tokenized_text(runs, gpt, bert):
    found = runs.get(TokenizeRequest("gpt", TEXT))
    assert [token.id for token in found.tokens] == gpt.encode(TEXT)
    assert found.code is gpt.code
    assert runs.get(TokenizeRequest("bert", "É[MASK]")).normalized[:2] == ("e", "[")


def test_positions_need_no_model(runs, loads):
    table = runs.get(PositionsRequest("sinusoidal", 50, 8))
    assert table.values.shape == (50, 8)
    assert runs.get(PositionsRequest("sinusoidal", 50, 8)) is table
    assert loads == []


# --- masks -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("none", ["xxx", "xxx", "xxx"]),
        ("causal", ["x..", "xx.", "xxx"]),
        ("prefix:2", ["xx.", "xx.", "xxx"]),
        ("prefix:99", ["xxx", "xxx", "xxx"]),
        ("window:1", ["x..", ".x.", "..x"]),
        ("window:0", ["x..", ".x.", "..x"]),
        ("padding", ["x..", "xx.", "xx."]),
    ],
)
def test_masks_become_matrices(text, rows):
    found = mask_matrix(MaskSpec.parse(text), 3, causal=True, n_padding=1)
    assert ["".join("x" if cell else "." for cell in row) for row in found] == rows


def test_the_models_own_mask_is_left_to_the_model():
    assert mask_matrix(MaskSpec(), 3, causal=True) is None


def test_a_painted_mask_of_another_size_lies_on_the_models_own():
    small = MaskSpec.painted(np.array([[0, 1], [1, 0]], bool))
    found = mask_matrix(small, 3, causal=True)
    assert found.tolist() == [[False, True, False], [True, False, False], [True, True, True]]
    assert mask_matrix(small, 1, causal=False).tolist() == [[False]]
    assert mask_matrix(small, 3, causal=False)[0].tolist() == [False, True, True]


def test_causal_asked_of_a_model_that_sees_both_sides(runs):
    run = runs.get(TraceRequest("bert", TEXT, mask=MaskSpec("causal")))
    assert (run.trace.mask == np.tri(len(run.trace.ids), dtype=bool)).all()


# --- generation --------------------------------------------------------------------


def test_a_generation_keeps_its_steps_as_numpy(runs, gpt):
    generation = runs.get(GenerateRequest("gpt", TEXT, 6, Sampling(1.0, 0, 1.0, seed=3)))
    n = len(gpt.encode(TEXT))
    assert [token.id for token in generation.prompt] == gpt.encode(TEXT)
    assert len(generation.following) == n
    assert [(s.computed, s.reused) for s in generation.steps] == [(n, 0)] + [
        (1, n + at) for at in range(len(generation.steps) - 1)
    ]
    per_position = 2 * 2 * 16 * 8  # keys and values, layers, d_model, bytes of a float64
    assert [s.cache_bytes for s in generation.steps] == [
        (n + at) * per_position for at in range(len(generation.steps))
    ]
    for step in generation.steps:
        assert step.token in step.candidates.tokens
        assert step.seconds > 0


def test_candidates_are_the_likeliest_and_the_one_taken(runs, gpt):
    generation = runs.get(GenerateRequest("gpt", TEXT, 8, Sampling(5.0, 0, 1.0, seed=1)))
    for c in (*generation.following, *(s.candidates for s in generation.steps)):
        assert len(c.tokens) == len(c.raw) == TOP
        assert (np.diff(c.raw[:-1]) <= 1e-9).all()
        assert c.kept == 300
    ids = gpt.encode(TEXT)
    for at, c in enumerate(generation.following[:-1]):
        assert ids[at + 1] in [token.id for token in c.tokens]


def test_filters_leave_what_they_say(runs):
    generation = runs.get(GenerateRequest("gpt", TEXT, 4, Sampling(1.0, 5, 0.9)))
    for step in generation.steps:
        c = step.candidates
        assert c.kept <= 5
        assert (c.after_top_k > 0).sum() == 5
        assert (c.after_top_p > 0).sum() == c.kept
        assert c.after_top_p.sum() == pytest.approx(1, abs=1e-5)


def test_a_generation_says_whether_the_model_ended_it(runs, gpt, monkeypatch):
    sampling = Sampling(1.0, 0, 1.0, seed=1)
    generation = runs.get(GenerateRequest("gpt", TEXT, 6, sampling))
    assert not generation.ended
    ids = [step.token.id for step in generation.steps]
    monkeypatch.setattr(type(gpt.tokenizer), "end_of_text_id", ids[3])
    again = runs.get(GenerateRequest("gpt", TEXT, 7, sampling))
    assert again.ended
    assert len(again.steps) == ids.index(ids[3]) + 1


def test_a_model_that_cannot_go_on_says_so(runs):
    with pytest.raises(AbilityError, match="going on with a text"):
        runs.get(GenerateRequest("bert", TEXT, 3, GREEDY))
