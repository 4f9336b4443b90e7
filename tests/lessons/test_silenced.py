"""A lesson's numbers from a run in which one head is silent are those of an edited run."""

from __future__ import annotations

import numpy as np
import pytest

from core.lessons.schema import LessonStep, StepFigure
from core.lessons.world import world_of
from core.runs.store import Runs
from core.tracing.edits import Edit
from core.tracing.run import trace_run

TEXT = "The cat sat on the mat"


@pytest.fixture
def runs(gpt):
    return Runs(load=lambda name, device: gpt)


@pytest.mark.parametrize("view", ["attention.row", "attention.weights"])
@pytest.mark.parametrize("layer", [0, 1])
def test_each_head_of_the_shown_layer_is_set_to_zero(runs, gpt, view, layer):
    params = {"text": TEXT, "model": "gpt", "layer": layer, "head": 1}
    step = LessonStep(
        id="one", title="One", line=1, figures=(StepFigure(view=view, params=params),)
    )
    names = world_of(step, runs.get).names
    assert list(names["silenced"]) == list(range(gpt.config.n_heads))
    for head in names["silenced"]:
        edited = trace_run(gpt, TEXT, edits=[Edit(f"blocks.{layer}.attn.z", (head,))])
        np.testing.assert_array_equal(names["silenced"][head], edited["logits"])
        assert np.abs(names["silenced"][head] - names["trace"]["logits"]).max() > 1e-4


def test_a_figure_without_layers_has_no_head_to_silence(runs):
    figure = StepFigure(view="predict.layers", params={"text": TEXT, "model": "gpt"})
    step = LessonStep(id="one", title="One", line=1, figures=(figure,))
    assert "silenced" not in world_of(step, runs.get).names
