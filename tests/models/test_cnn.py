"""CNN: what it makes of a picture, and how far each of its numbers sees."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from core.errors import AbilityError, ConfigError
from core.inputs import Batch, Picture, Shuffled
from core.models.cnn import CNN, CNNConfig
from core.predict import classify
from core.tracing import trace_run
from core.tracing.tap import Recorder
from tests.conftest import DRAWN, tiny_cnn


def test_its_maps_are_halved_after_every_second_convolution(cnn):
    trace = trace_run(cnn, DRAWN)
    shapes = {name: trace[name].shape for name in trace if name.endswith(("maps", "pooled"))}
    assert shapes == {
        "convolutions.0.maps": (2, 8, 12),
        "convolutions.1.maps": (3, 8, 12),
        "convolutions.1.pooled": (3, 4, 6),
        "convolutions.2.maps": (4, 4, 6),
    }
    assert trace["hidden"].shape == (5,)
    assert trace.units == ()
    assert [one.label for one in classify(cnn, DRAWN)] == [
        "abc"[n] for n in np.argsort(-trace["logits"], kind="stable")
    ]


@pytest.mark.parametrize("layer", range(4))
def test_a_number_depends_on_as_many_pixels_as_its_part_says(layer):
    model = tiny_cnn(height=32, width=32, filters=(2, 2, 2, 2)).double()
    with torch.no_grad():
        for convolution in model.convolutions:
            convolution.conv.weight.abs_()  # no ReLU hides what comes through
    part = model.blueprint.convolutions[0]
    pixels = torch.rand(1, 1, 32, 32, dtype=torch.float64, requires_grad=True)
    tap = Recorder()
    model(pixels, tap=tap)
    # Of what pooling keeps only the largest counts, so the reach is that of many pictures.
    seen = torch.zeros(32, 32)
    for _ in range(60):
        pixels = torch.rand(1, 1, 32, 32, dtype=torch.float64, requires_grad=True)
        tap = Recorder()
        model(pixels, tap=tap)
        maps = tap.values[part.maps(layer)]
        maps[0, 0, maps.shape[2] // 2, maps.shape[3] // 2].backward()
        seen += pixels.grad[0, 0].abs() > 0
    rows = torch.nonzero(seen.sum(dim=1)).flatten()
    assert int(rows.max() - rows.min()) + 1 == part.reach(layer)


def test_a_batch_is_its_rows(cnn):
    rows = (DRAWN, Picture(12, 8, bytes(96)))
    for row, one in zip(trace_run(cnn, Batch(rows)), rows, strict=True):
        alone = trace_run(cnn, one)
        for name in alone:
            np.testing.assert_allclose(alone[name], row[name], atol=1e-6, err_msg=name)


def test_it_has_no_patches_to_shuffle(cnn):
    with pytest.raises(AbilityError, match="cannot read its input in another order"):
        trace_run(cnn, Shuffled(DRAWN, 0))


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("kernel", 4, "'kernel': must be odd"),
        ("filters", (), "'filters': must name at least one"),
        ("filters", (4, 0), "'filters': must name at least one"),
        ("labels", ("a",), "'labels': must name at least two"),
        ("filters", (1,) * 8, "'filters': must leave something of the picture"),
    ],
)
def test_sizes_that_cannot_be_built_are_named(field, value, problem):
    sizes = {"height": 8, "width": 12, "labels": ("a", "b"), "filters": (2, 2), "d_hidden": 4}
    with pytest.raises(ConfigError, match=problem):
        CNN(CNNConfig(**{**sizes, field: value}))
