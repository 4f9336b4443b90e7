"""A tiny random model of the transformers package, saved, loaded by us, compared in float64."""

from __future__ import annotations

import json
from pathlib import Path

import torch
import transformers

from core import zoo
from core.text.tokenizer import Tokenizer


def saved(
    theirs: transformers.PreTrainedModel, directory: Path, tokenizer: Tokenizer, **how
) -> Path:
    """A directory as theirs are on the Hub."""
    theirs.save_pretrained(directory, **how)
    tokenizer.save(directory / "tokenizer.json")
    return directory


def load(directory: Path) -> zoo.LoadedModel:
    """What we make of it."""
    found = zoo.load(str(directory), device="cpu")
    found.model.double()
    return found


def change(directory: Path, **settings: object) -> None:
    """Write other settings into its config.json."""
    path = directory / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | settings))


def close(found: torch.Tensor, expected: torch.Tensor) -> None:
    torch.testing.assert_close(found, expected, atol=1e-10, rtol=0)


def some_ids(n: int, batch: int = 1, *, low: int = 0, high: int = 120) -> torch.Tensor:
    return torch.randint(low, high, (batch, n), generator=torch.Generator().manual_seed(n))
