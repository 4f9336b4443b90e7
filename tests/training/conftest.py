"""The made-up corpora, written once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import torch

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
