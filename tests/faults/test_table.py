"""Faults put into tiny machines: each changes what it says, and the machine stays whole."""

from __future__ import annotations

import numpy as np
import pytest

from core.errors import ParameterError
from core.faults.table import BY_ID, FAULTS, LADDER, hidden, possible
from core.inputs import Text
from core.runs.kinds.faults import FaultRequest
from core.runs.store import Runs

TEXT = "the cat sat on the mat and the dog"


@pytest.fixture(scope="module")
def runs(gpt, bert, transformer, t5, bart):
    models = {"gpt": gpt, "bert": bert, "transformer": transformer, "t5": t5, "bart": bart}
    return Runs(load=lambda name, device: models[name])


def of(runs, fault, model="gpt"):
    found = runs.get(FaultRequest(model, Text(TEXT), fault))
    return found, found.healthy.trace, found.broken.trace


def logits(trace):
    return trace[trace.blueprint.site("@logits")]


def weights(trace, layer=0):
    return trace[f"{trace.attention('').prefix(layer)}.weights"]


@pytest.mark.parametrize("model", ["gpt", "bert", "transformer", "t5", "bart"])
def test_every_fault_that_a_machine_can_have_changes_its_answer(runs, model):
    blueprint = runs.model(model).blueprint
    assert len(hidden(blueprint)) >= 9
    for fault in possible(blueprint):
        _found, healthy, broken = of(runs, fault.id, model)
        assert np.isfinite(logits(broken)).all(), fault.id
        moved = any(not np.array_equal(healthy[name], broken[name]) for name in healthy.arrays)
        # Before training gains are 1, and BERT's queries are its keys.
        assert moved or fault.id in ("no_gain", "swapped"), fault.id


def test_the_machine_itself_stays_whole(runs):
    model = runs.model("gpt")
    before = model.fingerprint
    first = logits(of(runs, "no_residual")[1])
    for fault in possible(model.blueprint):
        assert np.array_equal(logits(of(runs, fault.id)[1]), first)
    assert model.fingerprint == before


def test_the_wrong_axis_adds_up_down_the_columns(runs):
    broken = weights(of(runs, "wrong_axis")[2])
    assert np.allclose(broken.sum(axis=-2), 1, atol=1e-5)
    assert not np.triu(broken, 1).any()


def test_masks_that_are_missing_or_off_by_one_say_so(runs):
    _found, healthy, leak = of(runs, "leak")
    ahead = of(runs, "one_ahead")[2]
    assert not np.triu(weights(healthy), 1).any()
    assert np.triu(weights(leak), 2).any()
    assert np.triu(weights(ahead), 1).any()
    assert not np.triu(weights(ahead), 2).any()
    assert leak.masks["self"].all()


def test_two_pairs_look_alike_in_the_first_layer(runs):
    """Heads that are joined wrongly attend as they should there."""
    _found, healthy, scrambled = of(runs, "scrambled")
    turned = of(runs, "not_transposed")[2]
    for broken in (scrambled, turned):
        assert np.array_equal(weights(healthy), weights(broken))
        assert not np.allclose(weights(healthy, 1), weights(broken, 1))
    assert not np.allclose(logits(scrambled), logits(turned))


def test_the_scores_that_are_not_scaled_are_those_times_the_root(runs):
    _found, healthy, broken = of(runs, "unscaled")
    scale = healthy.attention("").scale
    sharper = weights(healthy).astype(np.float64) ** scale  # what is masked stays 0
    assert np.allclose(sharper / sharper.sum(-1, keepdims=True), weights(broken), atol=1e-4)


def test_without_residual_sums_the_last_part_alone_is_left(runs):
    _found, healthy, broken = of(runs, "no_residual")
    last = healthy.blueprint.main.output
    assert np.linalg.norm(broken[last]) < np.linalg.norm(healthy[last])


def test_only_dropout_is_a_matter_of_chance(runs):
    for fault in possible(runs.model("gpt").blueprint):
        found, _healthy, broken = of(runs, fault.id)
        same = np.array_equal(logits(broken), logits(found.again.trace))
        assert same == (fault.id != "dropped"), fault.id


def test_padding_is_hidden_from_the_healthy_and_seen_by_the_broken(runs):
    found, healthy, broken = of(runs, "padding", "bert")
    own = len(runs.model("bert").tokens(TEXT))
    assert found.fault == "padding"
    assert weights(healthy).shape[-1] > own
    assert not weights(healthy)[..., own:].any()
    assert weights(broken)[..., own:].any()


def test_a_seed_draws_every_fault_but_those_that_give_themselves_away(runs):
    known = {one.id for one in hidden(runs.model("gpt").blueprint)}
    drawn = [runs.get(FaultRequest("gpt", Text("a"), seed=seed)).fault for seed in range(120)]
    assert set(drawn) == known
    assert "padding" not in {one.id for one in hidden(runs.model("bert").blueprint)}


def test_the_ladder_of_bugs_has_every_fault_that_can_be_looked_for():
    assert sorted(LADDER) == sorted(one.id for one in FAULTS if not one.padded)


def test_of_a_fault_without_a_part_to_break_another_one_is_shown(runs):
    assert of(runs, "padding")[0].fault == possible(runs.model("gpt").blueprint)[0].id
    with pytest.raises(ParameterError):
        of(runs, "no such fault")


def test_the_table_tells_its_faults_apart():
    assert len(BY_ID) == len(FAULTS) >= 9
    for texts in zip(*((one.name, one.shows, one.wrong) for one in FAULTS), strict=True):
        assert len(set(texts)) == len(texts)
    assert all(one.right != one.wrong for one in FAULTS)
