"""ViT: what it makes of a picture, and of its patches in another order."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from core.errors import AbilityError, ConfigError, ParameterError
from core.inputs import Batch, Picture, Shuffled, Text
from core.models.vit import ViTConfig
from core.predict import classify
from core.tracing import Edit, trace_run
from tests.conftest import DRAWN, tiny_vit

NO_POSITIONS = (Edit("embed.positions"),)


def test_it_gives_a_number_for_each_label(vit):
    trace = trace_run(vit, DRAWN)
    assert trace["logits"].shape == (3,)
    assert [unit.label for unit in trace.units[:3]] == ["[CLS]", "1·1", "1·2"]
    assert trace["blocks.1.attn.weights"].shape == (2, 7, 7)
    found = classify(vit, DRAWN)
    assert [one.label for one in found] == [
        "abc"[n] for n in np.argsort(-trace["logits"], kind="stable")
    ]
    assert sum(one.prob for one in found) == pytest.approx(1)


def test_it_reads_the_pixels_as_they_are(vit):
    trace = trace_run(vit, DRAWN)
    assert trace["embed.pixels"][0, :5] == pytest.approx(np.array([0, 1, 2, 3, 12]) / 95, abs=0.003)


def test_without_positions_the_order_of_the_patches_is_nothing(vit):
    whole, mixed = (
        trace_run(vit, given, edits=NO_POSITIONS) for given in (DRAWN, Shuffled(DRAWN, 1))
    )
    np.testing.assert_allclose(whole["logits"], mixed["logits"], atol=1e-6)
    order = list(mixed.main.order)
    assert order != list(range(7))
    assert order[0] == 0  # [CLS] keeps its place
    last = "blocks.1.resid_post"
    np.testing.assert_allclose(whole[last][order], mixed[last], atol=1e-6)
    assert [mixed.units[at].label for at in range(7)] == [whole.units[at].label for at in order]


def test_with_positions_it_is_something(vit):
    whole, mixed = trace_run(vit, DRAWN), trace_run(vit, Shuffled(DRAWN, 1))
    assert np.abs(whole["logits"] - mixed["logits"]).max() > 1e-4
    np.testing.assert_allclose(
        whole["embed.pixels"][[at - 1 for at in mixed.main.order[1:]]], mixed["embed.pixels"]
    )


def test_a_batch_is_its_rows(vit):
    dark = Picture(12, 8, bytes(96))
    rows = (DRAWN, dark)
    alone = [trace_run(vit, row) for row in rows]
    together = trace_run(vit, Batch(rows))
    for one, row in zip(alone, together, strict=True):
        assert one.units == row.units
        for name in one:
            np.testing.assert_allclose(one[name], row[name], atol=1e-6, err_msg=name)


def test_a_picture_of_another_size_is_refused(vit):
    with pytest.raises(ParameterError, match="picture is '8x12'; it must be 12x8 pixels"):
        trace_run(vit, Picture(8, 12, bytes(96)))


def test_a_text_is_refused(vit):
    for given in (Text("a"), Shuffled(Text("a"), 0)):
        with pytest.raises(AbilityError, match="cannot read a text"):
            trace_run(vit, given)


def test_a_machine_of_words_refuses_patches(gpt):
    with pytest.raises(AbilityError, match="cannot read a picture"):
        trace_run(gpt, Shuffled(DRAWN, 0))
    with pytest.raises(AbilityError, match="cannot say what a picture shows"):
        classify(gpt, DRAWN)


def test_the_seed_draws_the_weights():
    def weights(seed: int) -> torch.Tensor:
        return type(tiny_vit())(CONFIG, torch.Generator().manual_seed(seed)).embed.w_p.weight

    assert weights(0).equal(weights(0))
    assert not weights(0).equal(weights(1))


CONFIG = ViTConfig(8, 12, 4, ("a", "b"), 16, 1, 2, 32)


def test_patches_fill_the_picture():
    with pytest.raises(ConfigError, match="'patch': must divide 8 and 12"):
        ViTConfig(8, 12, 3, ("a", "b"), 16, 1, 2, 32)
    with pytest.raises(ConfigError, match="'labels': must name at least two"):
        ViTConfig(8, 12, 4, ("a",), 16, 1, 2, 32)
