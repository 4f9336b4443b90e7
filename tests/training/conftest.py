"""The made-up corpora, written once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from core.encoders import Encoders
from core.models.transformer import Transformer, TransformerConfig
from core.text.trained import train_joint_bpe
from core.zoo import LoadedModel
from tests.training import corpora


@pytest.fixture(scope="session")
def corpora_directory(tmp_path_factory) -> Path:
    return corpora.write(tmp_path_factory.mktemp("corpora"))


@pytest.fixture
def say_it_was_on_a_gpu(monkeypatch) -> Callable[[Path], None]:
    """Write a checkpoint again as one that a GPU's tensors went into."""

    def again(path: Path) -> None:
        state = torch.load(path)
        with monkeypatch.context() as patch:
            patch.setattr(torch.serialization, "location_tag", lambda storage: "cuda:0")
            torch.save(state, path)

    return again


@pytest.fixture(scope="session")
def translator() -> LoadedModel:
    """A tiny random Transformer with a joint vocabulary."""
    tokenizer = train_joint_bpe(["The cat sleeps. It rains.", "Le chat dort. Il pleut."] * 3, 300)
    config = TransformerConfig(vocab_size=300, n_ctx=24, d_model=16, encoder_n_layers=1,
                               decoder_n_layers=1, n_heads=2, d_ff=32, start_id=1,
                               end_id=2)  # fmt: skip
    model = Transformer(config, torch.Generator().manual_seed(0)).eval().requires_grad_(False)
    return LoadedModel("tiny-transformer", "transformer", model, Encoders(tokenizer), "", {},
                       torch.device("cpu"))  # fmt: skip
