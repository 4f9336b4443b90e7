"""Every feature on a device that is not the CPU and has no float64: what it gives on the CPU."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping

import numpy as np
import pytest
import torch

from core.decoding.settings import GREEDY, Sampling
from core.inputs import Batch, Padded, Pair, Shuffled, SourceTarget, Text
from core.nn.masks import causal_mask, padding_mask
from core.nn.positions import rotary_angles, rotate
from core.predict import fill_masks, generate, next_sentence, next_tokens, translate
from core.runs.kinds.gaps import GapRequest, MaskingRequest
from core.runs.kinds.generation import GenerateRequest
from core.runs.kinds.trace import TraceRequest
from core.runs.kinds.training import GradientRequest
from core.runs.kinds.words import WordsRequest
from core.runs.mask_spec import MaskSpec
from core.runs.store import Runs
from core.tracing import Edit, trace_run
from tests.conftest import loaded, tiny_bert, tiny_gpt, tiny_rnn, tiny_transformer
from tests.other_device import OTHER, OtherDevice

TEXT = "The cat told the dog a story."


@pytest.fixture(autouse=True)
def _there() -> Iterator[None]:
    with OtherDevice():
        yield


@pytest.fixture
def pair(byte_bpe, wordpiece):
    """For each device the machines with the same weights, in float32."""

    def on(device):
        models = (
            loaded(tiny_gpt(), byte_bpe),
            loaded(tiny_bert(vocab_size=wordpiece.vocab_size), wordpiece),
            loaded(tiny_transformer(vocab_size=wordpiece.vocab_size), wordpiece),
            loaded(tiny_rnn(vocab_size=wordpiece.vocab_size), wordpiece),
        )
        return {
            m.architecture: dataclasses.replace(m, model=m.model.to(device), device=device)
            for m in models
        }

    return on(torch.device("cpu")), on(OTHER)


def numbers(value: object, name: str = "") -> Iterator[tuple[str, object]]:
    """Every array, number and text in a result but what tells of the machine."""
    if dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            if field.name not in ("device", "seconds"):
                yield from numbers(getattr(value, field.name), f"{name}.{field.name}")
    elif isinstance(value, Mapping):
        for key in value:
            yield from numbers(value[key], f"{name}[{key}]")
    elif isinstance(value, list | tuple):
        for n, one in enumerate(value):
            yield from numbers(one, f"{name}[{n}]")
    elif isinstance(value, np.ndarray | torch.Tensor | int | float | str | bytes):
        yield name, value.cpu().numpy() if isinstance(value, torch.Tensor) else value


def same(here: object, there: object, atol: float = 1e-6) -> None:
    one, other = dict(numbers(here)), dict(numbers(there))
    assert one.keys() == other.keys()
    assert one
    for name, value in one.items():
        if isinstance(value, str | bytes):
            assert value == other[name], name
        else:
            np.testing.assert_allclose(value, other[name], rtol=1e-5, atol=atol, err_msg=name)


# --- the device itself --------------------------------------------------------------


def test_it_computes_what_the_cpu_does():
    x, y = torch.randn(3, 4), torch.randn(4, 2)
    there = x.to(OTHER) @ y.to(OTHER)
    assert there.device == OTHER
    assert (there.cpu() == x @ y).all()
    assert torch.tensor([1, 2], device=OTHER).sum().item() == 3


def test_it_has_no_float64():
    x = torch.randn(3, device=OTHER)
    assert x.cpu().double().dtype == torch.float64
    with pytest.raises(TypeError, match="no float64"):
        x.double()


def test_it_does_not_mix_with_the_cpu():
    with pytest.raises(RuntimeError, match="tensors on two devices"):
        torch.randn(3) + torch.randn(3, device=OTHER)


# --- the models, as a notebook calls them -------------------------------------------


def test_models_take_ids_types_and_masks_from_the_cpu(pair):
    ids, mask = torch.tensor([[1, 2, 3, 4]]), causal_mask(4, 4)
    types = torch.tensor([[0, 0, 1, 1]])
    (gpt, there_gpt), (bert, there_bert) = (
        [models[name].model for models in pair] for name in ("gpt", "bert")
    )
    same([gpt(ids), gpt(ids, mask=mask)], [there_gpt(ids), there_gpt(ids, mask=mask)])
    assert there_gpt(ids).device == OTHER
    same(
        [bert(ids), bert(ids, types=types, mask=mask), bert.hidden(ids, types=types)],
        [there_bert(ids), there_bert(ids, types=types, mask=mask),
         there_bert.hidden(ids, types=types)],
    )  # fmt: skip
    transformer, there_transformer = (models["transformer"].model for models in pair)
    hidden = padding_mask([3, 4], 4)
    two = torch.tensor([[1, 2, 3, 4], [5, 6, 7, 8]])
    for masks in ({}, {"encoder_mask": hidden, "cross_mask": hidden}):
        # A token's row counts four times here, so the last digit of a float32 does.
        here, there = (of(two, two, **masks) for of in (transformer, there_transformer))
        same(here, there, atol=4e-6)
    states = transformer.begin(ids), there_transformer.begin(ids)
    for new in (torch.tensor([[2, 3]]), torch.tensor([[4]]), torch.tensor([[5]])):
        same(*(state.push(new) for state in states), atol=4e-6)
    forks = [state.fork([0, 0], 2) for state in states]
    same(*(fork.push(torch.tensor([[6], [7]])) for fork in forks), atol=4e-6)
    cache = there_gpt.make_cache()
    there_gpt(ids[:, :3], cache=cache)
    same(gpt(ids)[:, 3:], there_gpt(ids[:, 3:], cache=cache))


def test_answers_are_the_same(pair):
    def ask(gpt, bert, transformer, **_others):
        return [
            next_tokens(gpt, TEXT),
            list(generate(gpt, TEXT, max_new=5, sampling=GREEDY)),
            list(generate(gpt, TEXT, max_new=5, sampling=Sampling(1.2, 40, 0.9, 1.3))),
            fill_masks(bert, "The [MASK] told the dog a [MASK]."),
            next_sentence(bert, "The cat sat.", "The dog sat."),
            translate(transformer, TEXT, beams=3),
        ]

    same(*(ask(**models) for models in pair))


def test_a_trace_with_a_mask_and_an_edit_is_the_same(pair):
    def ask(gpt, bert, transformer, rnn):
        n = len(bert.encode(TEXT))
        zero = [Edit("blocks.0.attn.z", (1,))]
        return [
            trace_run(gpt, ["The cat", TEXT]),
            trace_run(bert, TEXT, mask=np.tri(n, dtype=bool), edits=zero),
            trace_run(bert, ("The cat sat.", "The dog sat.")),
            trace_run(transformer, TEXT),
            trace_run(transformer, ["The cat", TEXT]),
            trace_run(transformer, TEXT, target="The dog", mask=np.eye(3, dtype=bool)),
            trace_run(rnn, TEXT),
            trace_run(rnn, TEXT, target="The dog"),
        ]

    same(*(ask(**models) for models in pair))


def test_vectors_can_be_turned():
    x, angles = torch.randn(5, 4), rotary_angles(torch.arange(5), 4)
    same(rotate(x, angles), rotate(x.to(OTHER), rotary_angles(torch.arange(5, device=OTHER), 4)))


# --- what the pages ask for ---------------------------------------------------------


@pytest.mark.parametrize(
    "request_",
    [
        TraceRequest("gpt", Shuffled(Text(TEXT), 1), MaskSpec("window", 3)),
        TraceRequest("bert", Pair(TEXT, "The cat sat.")),
        TraceRequest("bert", Padded(Text(TEXT), (TEXT + TEXT,))),
        TraceRequest("bert", Batch((Text("The cat"), Text(TEXT)))),
        TraceRequest("transformer", SourceTarget(TEXT, "The dog"), MaskSpec("none"), "cross"),
        GenerateRequest("gpt", TEXT, 4, Sampling()),
        GapRequest("bert", "gpt", TEXT),
        WordsRequest("gpt", "The cat", (("dog", "Dog"),), 3),
        MaskingRequest("bert", TEXT, seed=1, rate=0.4),
        GradientRequest("gpt", TEXT),
        GradientRequest("bert", TEXT),
        GradientRequest("gpt", TEXT, depth=3),
        GradientRequest("transformer", TEXT),
    ],
    ids=lambda request: f"{type(request).__name__}-{request.model}",
)
def test_a_request_gives_the_same(request_, pair):
    same(*(Runs(load=lambda name, _, of=of: of[name]).get(request_, "cpu") for of in pair))
