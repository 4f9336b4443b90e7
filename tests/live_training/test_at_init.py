"""Signal and gradient of fresh stacks, beside differences and what the shapes are known for."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from core.errors import ParameterError
from core.live_training.at_init import D_HEAD, LENGTH, VOCABULARY, at_init
from core.shaped.gpt import SmallGPT, SmallGPTConfig
from core.shaped.shapes import SHAPES


@pytest.mark.parametrize("name", ["a", "d", "post"])
def test_the_gradient_is_that_of_the_loss_by_differences(name):
    """Along the gradient itself the loss falls by its squared length."""
    found = at_init(name, 2, 32, 5)
    config = SmallGPTConfig(VOCABULARY, LENGTH, 32, 2, 32 // D_HEAD, SHAPES[name])
    model = SmallGPT(config, torch.Generator().manual_seed(5)).double().requires_grad_(False)
    ids = torch.randint(VOCABULARY, (1, LENGTH + 1), generator=torch.Generator().manual_seed(6))
    x = model.embed(ids[:, :-1])
    assert found.size[0] == pytest.approx(x.square().mean().sqrt().item())

    def loss(x):
        for block in model.blocks:
            x = block(x)
        logits = F.linear(model.final_norm(x), model.embed.rows)
        return F.cross_entropy(logits[0], ids[0, 1:])

    assert found.loss == pytest.approx(loss(x).item())
    with torch.enable_grad():
        y = x.clone().requires_grad_(True)
        (gradient,) = torch.autograd.grad(loss(y), y)
    step = 1e-4
    slope = (loss(x + step * gradient) - loss(x - step * gradient)) / (2 * step)
    squared = found.gradient[0] ** 2 * x.numel()
    assert slope.item() == pytest.approx(squared, rel=1e-4)


def test_sums_let_the_stream_grow_and_a_norm_behind_them_does_not():
    pre, post = at_init("a", 12, 64), at_init("post", 12, 64)
    assert pre.size[-1] > 3 * pre.size[0]
    np.testing.assert_allclose(post.size[1:], 1, atol=1e-3)
    assert pre.gradient[0] > 2 * pre.gradient[-1]
    np.testing.assert_allclose(pre.parts["ln_1.out"], 1, atol=1e-2)
    np.testing.assert_array_equal(pre.parts["resid_post"], pre.size[1:])


def test_a_stream_whose_writers_are_scaled_by_depth_hardly_grows():
    """Radford et al. 2019, section 2.3: however many sums there are, they add less than one."""
    for depth in (6, 24):
        plain, scaled = (at_init("a", depth, 64, 0, spread) for spread in ("fan_in", "by_depth"))
        added, less = (one.size[-1] ** 2 - one.size[0] ** 2 for one in (plain, scaled))
        assert less < 0.5 < added / depth
        assert plain.parts["attn.q"][0] == scaled.parts["attn.q"][0]


def test_the_same_seed_says_the_same_and_another_one_does_not():
    one, again, other = (at_init("b", 2, 32, seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.gradient, again.gradient)
    assert one.loss != other.loss
    assert at_init("a", 2, 32, 1, "fixed").size[-1] < at_init("a", 2, 32, 1).size[-1]


@pytest.mark.parametrize(
    ("name", "changes"),
    [("shape", {"shape": "e"}), ("spread", {"spread": "wide"}), ("depth", {"depth": 0}),
     ("depth", {"depth": 25}), ("width", {"width": 40}), ("seed", {"seed": -1})],
)  # fmt: skip
def test_what_cannot_be_is_said(name, changes):
    with pytest.raises(ParameterError) as problem:
        at_init(**{"shape": "a", "depth": 2, "width": 32, **changes})
    assert problem.value.name == name
