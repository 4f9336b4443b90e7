"""What is done with each toy besides looking at it: kept, traced, edited, masked, written with.

The checked-in table ``shown.DEEDS`` says what works. Learning is in test_taught.py.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from core import show, views, zoo
from core.data.samples import samples
from core.decoding.settings import Sampling
from core.errors import AbilityError, EditError, EmptyInputError, InputTooLongError, ParameterError
from core.figures.live import Placed
from core.inputs import Batch, Input, SourceTarget, Text
from core.models.blueprint import Attention, Blueprint, Head, Norm, Recurrence, Stack
from core.models.picture_parts import ConvolutionalStem
from core.predict import generate, translate
from core.runs.kinds.generation import GenerateRequest
from core.runs.kinds.trace import TraceRequest
from core.runs.mask_spec import MaskSpec
from core.runs.store import Runs
from core.tracing import Edit, Trace, trace_run
from core.tracing.sites import recorded
from core.views.map.strip import strip_payload
from core.zoo import LoadedModel
from tests.machines import shown
from tests.machines.doing import done
from tests.machines.toys import TOYS

TEXT = "The cat sat on the mat"
GREEDY = Sampling(temperature=0)
OPENED = [
    pytest.param(toy, name, id=f"{toy}-{name}")
    for column, toy in enumerate(TOYS)
    for name, lacks in shown.VIEWS.items()
    if not lacks[column]
]
each_toy = pytest.mark.parametrize("toy", TOYS)


@pytest.fixture(scope="module")
def toys(root) -> dict[str, LoadedModel]:
    """By name, as the shelf has them."""
    return {name: zoo.load(name, "cpu", root) for name in TOYS}


@pytest.fixture(scope="module")
def runs(toys) -> Runs:
    return Runs(load=lambda name, _device: toys[name])


def read_by(model: LoadedModel) -> Input:
    """What is given to it; targets are ours, so that no edit has another one written."""
    if not model.blueprint.reads_text:
        return samples()[0].picture
    several = len(model.blueprint.streams) > 1
    return SourceTarget(TEXT, "The dog sat") if several else Text(TEXT)


def traced(model: LoadedModel, *edits: Edit, **more: Any) -> Trace:
    trace = trace_run(model, read_by(model), edits=edits, **more)
    assert isinstance(trace, Trace)
    return trace


def same(one: np.ndarray, other: np.ndarray) -> bool:
    return bool(np.array_equal(one, other))


def test_the_table_has_a_cell_for_each_toy():
    assert {len(lacks) for lacks in shown.DEEDS.values()} == {len(TOYS)}
    assert shown.DEEDS["map"] == shown.VIEWS["map.flow"]


# --- kept, traced -------------------------------------------------------------------


@each_toy
def test_it_is_kept(root, made, toys, toy):
    kept = done("kept", toy, lambda: toys[toy])
    mine = replace(made[toy], architecture=kept.architecture)
    assert zoo.fingerprint(toy, root) == kept.fingerprint == mine.fingerprint
    assert zoo.describe(toy, root)["architecture"] == kept.architecture
    assert zoo.blueprint(toy, root) == mine.blueprint
    assert zoo.abilities(toy, root) == mine.abilities
    before, after = traced(mine), traced(kept)
    assert list(before) == list(after)
    for name in before:  # loaded weights are laid out another way, and sums rounded so
        np.testing.assert_allclose(after[name], before[name], atol=1e-5, err_msg=name)
    others = [toys[name].fingerprint for name in TOYS if name != toy]
    assert kept.fingerprint not in others


@each_toy
def test_every_value_is_recorded(toys, toy):
    model = toys[toy]
    trace = done("traced", toy, lambda: traced(model))
    assert list(trace) == list(recorded(model.catalogue))
    for name, site in model.catalogue.items():
        assert trace[name].ndim == len(site.axes), name
        assert not np.isnan(trace[name]).any(), name
    head = model.blueprint.heads[0]
    with torch.inference_mode():
        untraced = model.model(*model.prepare(read_by(model)).tensors.values())[0]
    np.testing.assert_allclose(trace[head.site], untraced.numpy(), atol=1e-5)


@each_toy
def test_rows_of_a_batch_are_each_as_alone_and_there_must_be_some(toys, toy):
    model = toys[toy]
    rows = [Text(TEXT), Text("a dog"), Text("The cat")]
    if not model.blueprint.reads_text:
        rows = [one.picture for one in samples()[:3]]
    for row, trace in zip(rows, trace_run(model, Batch(tuple(rows))), strict=True):
        for name, values in trace_run(model, row).items():
            np.testing.assert_allclose(trace[name], values, atol=1e-5, err_msg=name)
    with pytest.raises(EmptyInputError if model.blueprint.reads_text else ParameterError):
        trace_run(model, Batch(()))


@each_toy
def test_a_text_that_is_too_long_is_counted_in_what_it_reads(toys, toy):
    model = toys[toy]
    if model.blueprint.reads_text:
        units = "characters" if toy == "letters" else "tokens"
        with pytest.raises(InputTooLongError, match=f"has [0-9]+ {units} and"):
            trace_run(model, "a cat " * 60)


# --- edited -------------------------------------------------------------------------


def values_of(blueprint: Blueprint) -> list[str]:
    """A value of each kind of layer; of recurrent ones those that no step makes."""
    found = []
    for part in blueprint.parts:
        if isinstance(part, Stack):
            found += [f"{part.block(0)}.{name}" for name in ("attn.weights", "attn.z", "ffn.out")]
        elif isinstance(part, ConvolutionalStem):
            found.append(part.maps(0))
        elif isinstance(part, Norm):
            found.append(f"{part.prefix}.out")
        elif isinstance(part, Head):
            found.append(part.site)
        elif not isinstance(part, Recurrence | Attention):
            found.append(part.terms[0])
    return found


@each_toy
def test_an_edit_changes_what_follows_and_nothing_before(toys, toy):
    model = toys[toy]
    plain, (head, *_) = traced(model), model.blueprint.heads
    for site in values_of(model.blueprint):
        edits = [Edit(site, (), 0.7), Edit(site)]
        edits += [Edit(site, (), "mean")] if plain[site].ndim > 1 else []
        for edit in edits:
            edited = done("edited", toy, lambda edit=edit: traced(model, edit))
            assert put_in(edit.value, plain[site], edited[site]), edit
            assert not same(plain[head.site], edited[head.site]), edit
            before = list(plain)[: list(plain).index(site)]
            assert all(same(plain[name], edited[name]) for name in before), edit


def put_in(value: object, plain: np.ndarray, edited: np.ndarray) -> bool:
    wanted = np.full_like(plain, 0 if value in ("zero", "mean") else value)
    if value == "mean":
        wanted += plain.mean(axis=-2, keepdims=True)
    return bool(np.allclose(edited, wanted, atol=1e-6))


@each_toy
def test_an_edit_at_a_step_changes_the_next_and_not_the_one_before(toys, toy):
    model = toys[toy]
    plain, (head, *_) = traced(model), model.blueprint.heads
    for part in model.blueprint.recurrences:
        for way in part.directions:
            layer = part.layer(0, way)
            edited = traced(model, Edit(f"{layer}.hidden", (1,), 0.7))
            before, after = (0, 2) if way == "forward" else (2, 0)
            for site in (name for name in plain if name.startswith(layer)):
                assert same(plain[site][before], edited[site][before]), site
                assert not same(plain[site][after], edited[site][after]), site
                assert same(plain[site][1], edited[site][1]) is not site.endswith("hidden"), site
            assert (edited[f"{layer}.hidden"][1] == np.float32(0.7)).all()
            assert not same(plain[head.site], edited[head.site])


@each_toy
def test_a_causal_machine_edited_at_a_position_says_the_same_before_it(toys, toy):
    model = toys[toy]
    plain = traced(model)
    for stack in (one for one in model.blueprint.stacks if one.causal):
        edited = traced(model, Edit(f"{stack.block(0)}.ffn.out", (3,), 0.7))
        site = model.blueprint.heads[0].site
        assert same(plain[site][:3], edited[site][:3])
        assert not same(plain[site][3], edited[site][3])


@each_toy
def test_a_mean_over_positions_needs_all_of_them(toys, toy):
    model, layers = toys[toy], toys[toy].blueprint.recurrences
    site = f"{layers[0].layer(0, 'forward')}.hidden" if layers else values_of(model.blueprint)[0]
    edited = done("averaged", toy, lambda: traced(model, Edit(site, (), "mean")))
    assert edited is None or put_in("mean", traced(model)[site], edited[site])
    with pytest.raises(EditError, match="has no such site"):
        traced(model, Edit("nowhere"))


# --- masked, written with -----------------------------------------------------------


@each_toy
def test_a_mask_stands_in_place_of_its_own(toys, runs, toy):
    model = toys[toy]
    given = TraceRequest(toy, read_by(model), mask=MaskSpec("opposite"))
    asked = done("masked", toy, lambda: runs.get(given, "cpu"))
    plain, (head, *_) = traced(model), model.blueprint.heads
    if asked is None:
        done("masked", toy, lambda: traced(model, mask=np.ones((3, 3), bool)))
        return
    assert not same(asked.trace[head.site], plain[head.site])
    mine = plain.mask.copy()
    mine[1:, 0] = False
    masked, weights = traced(model, mask=mine), f"{model.attention().prefix(0)}.weights"
    assert same(masked.mask, mine)
    assert (masked[weights][..., 1:, 0] == 0).all()
    assert (plain[weights][..., 1:, 0] > 0).all()
    np.testing.assert_allclose(masked[weights].sum(axis=-1), 1, atol=1e-5)
    assert not same(masked[head.site], plain[head.site])


@each_toy
def test_it_goes_on_with_a_text(toys, runs, toy):
    model, request = toys[toy], GenerateRequest(toy, TEXT, 4, GREEDY)
    steps = done("written", toy, lambda: [*generate(model, TEXT, max_new=4, sampling=GREEDY)])
    told = done("written", toy, lambda: runs.get(request, "cpu"))
    if steps is not None:
        assert len(steps) == 4
        assert [one.token.id for one in told.steps] == [one.token for one in steps]
        logits = trace_run(model, TEXT)[model.blueprint.head.site]
        assert steps[0].token == logits[-1].argmax()


@each_toy
def test_it_translates(toys, toy):
    found = done("translated", toy, lambda: translate(toys[toy], TEXT, beams=2))
    if found is not None:
        assert found.tokens
        assert len(found.best) == 2
        assert found.best[0].score >= found.best[1].score


# --- seen ---------------------------------------------------------------------------


@each_toy
def test_its_strip_shows_the_parts_that_it_has(toys, toy):
    strip = done("strip", toy, lambda: strip_payload(toys[toy].blueprint, ["maps", "tokens"], {}))
    lines = [line["parts"] for line in strip.header["lines"]]
    assert [" ".join(part["id"] for part in line) for line in lines] == shown.STRIPS[toy]
    lit = {part["id"] for line in lines for part in line if part["lit"]}
    assert lit == {"maps" if toy == "eyes" else "tokens"} - ({"tokens"} if toy == "seer" else set())


@each_toy
def test_the_run_of_it_is_drawn(root, toy):
    found = done("map", toy, lambda: show.show("map.flow", model=toy, text=TEXT, device="cpu"))
    assert found is None or found.svg().startswith("<svg")


@pytest.mark.parametrize(("toy", "name"), OPENED)
def test_the_front_door_opens_and_its_file_needs_nothing_else(root, toy, name):
    has_text = hasattr(views.get(name).Params, "text")
    given = {"model": toy} | ({"text": TEXT} if has_text else {})
    figure = done("shown", toy, lambda: show.show(name, device="cpu", **given))
    assert figure.params.model == toy
    assert figure.values
    page = done("live", toy, figure.html)
    assert Placed(figure.component).packed() in page
    assert f"/{figure.component.folder}.js" in page
    addresses = re.findall(r"\b(?:https?|wss?)://[^\s\"'`<>)]+", page)
    assert {one for one in addresses if not one.startswith("http://www.w3.org/")} == set()


@each_toy
def test_the_front_door_says_what_it_lacks(root, toy):
    for name, lacks in shown.VIEWS.items():
        said = lacks[list(TOYS).index(toy)]
        if said:
            with pytest.raises(AbilityError) as caught:
                show.show(name, model=toy, device="cpu")
            assert (
                str(caught.value).partition("; choose ")[0] == f"model {toy.upper()} cannot {said}"
            )
