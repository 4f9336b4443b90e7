"""Dropout by row: what the masks are, where they act, what they leave alone."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from core.models.bert import BERT
from core.models.gpt import GPT
from core.training.dropout import RowDropout
from core.training.recipes import RECIPES

CPU = torch.device("cpu")
RATES = [0.0, 0.5, 0.25]


def network(name: str = "gpt"):
    config = RECIPES[name, "tiny"].config
    generator = torch.Generator().manual_seed(0)
    return (GPT if name == "gpt" else BERT)(config, generator)


@pytest.fixture
def ids() -> torch.Tensor:
    rng = np.random.default_rng(0)
    return torch.from_numpy(rng.integers(5, 500, (3, 12)))


def test_only_rows_with_a_rate_change(ids):
    model = network()
    plain = model(ids)
    RowDropout(model, 3, 32, CPU).draw(RATES, 1)
    dropped = model.train()(ids)
    torch.testing.assert_close(dropped[0], plain[0])
    assert not torch.allclose(dropped[1], plain[1])
    assert not torch.allclose(dropped[2], plain[2])


def test_outside_training_nothing_changes(ids):
    model = network().eval()
    plain = model(ids)
    RowDropout(model, 3, 32, CPU).draw(RATES, 1)
    assert torch.equal(model(ids), plain)


@pytest.mark.parametrize(("name", "places"), [("gpt", 5), ("bert", 5)])
def test_all_that_writes_into_the_stream_is_masked(name, places, ids):
    """Two blocks of two sub-layers, and the embeddings."""
    model = network(name).train()
    RowDropout(model, 3, 32, CPU).draw([0.5] * 3, 1)
    seen: list[torch.Tensor] = []
    for part in (model.embed, *(m for b in model.blocks for m in (b.attn.w_o, b.ffn.w_2))):
        part.register_forward_hook(lambda _m, _i, out: seen.append(out))
    model(ids)
    assert len(seen) == places
    for out in seen:
        never = (out == 0).all(dim=1)  # a mask holds for every position of its row
        assert 0.2 < never.float().mean() < 0.8
        assert ((out == 0) == never[:, None]).all()


def test_the_mean_is_kept_and_the_seed_decides():
    """Inverted dropout: 1 / (1 - rate) where kept, so the expectation is the plain output."""
    module = torch.nn.ModuleDict({"w_o": torch.nn.Identity()}).train()
    dropout = RowDropout(module, 2, 100_000, CPU)
    one = torch.ones(2, 1, 100_000)

    def drawn(*seed: int) -> torch.Tensor:
        dropout.draw([0.15, 0.4], *seed)
        return module["w_o"](one).clone()

    first = drawn(0, 7)
    assert first[0].unique().tolist() == pytest.approx([0.0, 1 / 0.85])
    torch.testing.assert_close(first.mean(dim=(1, 2)), torch.ones(2), atol=0.02, rtol=0)
    torch.testing.assert_close((first == 0).float().mean(dim=(1, 2)), torch.tensor([0.15, 0.4]),
                               atol=0.01, rtol=0)  # fmt: skip
    assert torch.equal(first, drawn(0, 7))
    assert not torch.equal(first, drawn(0, 8))
