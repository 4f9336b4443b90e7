"""Steps with the weights taken out of the model are the model's own, number by number."""

from __future__ import annotations

import pytest
import torch

from core.decoding.steps import stepper
from core.errors import InputTooLongError
from tests.conftest import tiny_gpt

IDS = [5, 17, 200, 3, 88, 41]


class Other:
    """A language model that is no GPT of ours, around one that is."""

    def __init__(self, model) -> None:
        self.forward, self.make_cache = model, model.make_cache

    def __call__(self, ids, *, cache):
        return self.forward(ids, cache=cache)


@pytest.mark.parametrize("wrap", [lambda model: model, Other], ids=["GPT", "any other"])
@pytest.mark.parametrize("activation", ["gelu_tanh", "relu"])
def test_a_step_gives_the_logits_of_a_full_run(wrap, activation):
    model = tiny_gpt(activation=activation).double()
    for name, parameter in model.named_parameters():
        if parameter.ndim == 1:  # fresh ones are 0 and 1, which would hide a mix-up
            torch.nn.init.normal_(parameter, mean=float("weight" in name), std=0.2)
    cache = model.make_cache()
    model(torch.tensor([IDS[:2]]), cache=cache)
    step = stepper(wrap(model), cache)
    for n in range(2, len(IDS)):
        expected = model(torch.tensor([IDS[: n + 1]]))[0, -1]
        torch.testing.assert_close(step(IDS[n]), expected, atol=1e-12, rtol=0)
        assert cache.length == n + 1


def test_a_step_for_which_there_is_no_room_is_an_error():
    model = tiny_gpt()
    cache = model.make_cache(2)
    step = stepper(model, cache)
    step(1)
    step(2)
    with pytest.raises(InputTooLongError):
        step(3)
