"""Training on a device that is not the CPU and has no float64: the same weights, step by step."""

from __future__ import annotations

import pytest
import torch

from core.encoders import Encoders
from core.models.registry import ARCHITECTURES
from core.training.loop import Trainer
from core.training.progress import RunSettings
from core.training.tasks.task import Corpora
from tests.other_device import OTHER, OtherDevice
from tests.training.test_loop import NAMES, recipe_of


@pytest.mark.parametrize("name", NAMES)
def test_a_run_gives_the_weights_that_it_gives_on_the_cpu(name, corpora_directory, tmp_path):
    recipe = recipe_of(name)
    tokenizer = recipe.task.make_tokenizer(corpora_directory, 512)

    def trained(device: torch.device) -> dict[str, torch.Tensor]:
        generator = torch.Generator().manual_seed(7)
        out = tmp_path / device.type
        trainer = Trainer(
            recipe,
            ARCHITECTURES[recipe.architecture].model(recipe.network, generator),
            Corpora(corpora_directory, tmp_path / "cache", Encoders(tokenizer), 7),
            RunSettings(out=out, minutes=1.0, device=device, compile=False, bf16=False, steps=3),
            report=lambda line: None,
        )
        trainer.run()
        assert {w.device.type for w in trainer.model.state_dict().values()} == {device.type}
        return {name: weight.cpu() for name, weight in trainer.model.state_dict().items()}

    here = trained(torch.device("cpu"))
    with OtherDevice():
        there = trained(OTHER)
    for key, weight in here.items():
        # Its gradient is 0 but for rounding, as softmax does not care; Adam steps on its sign.
        if not key.endswith("w_k.bias"):
            largest = float(weight.abs().max())
            torch.testing.assert_close(there[key], weight, rtol=0, atol=5e-3 * largest, msg=key)
