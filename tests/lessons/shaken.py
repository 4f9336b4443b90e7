"""The same lesson on other data: what stays the same of a covered figure gives nothing away."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import tokenizers
import torch

from core import zoo
from core.encoders import Encoders
from core.runs.kinds.tokens import LearnRequest
from core.runs.request import Request
from core.runs.store import Runs
from core.text.tokenizer import Tokenizer

LOUD, QUIET = 0.5, 0.002  # noise, as a share of a parameter's own spread
OTHER_TEXT = "aab bab abba cab bacca abacus"


def noisy(name: str, device: str, noise: float) -> zoo.LoadedModel:
    """A shipped model with noise on all of its parameters; its tokens stay as they are."""
    found = zoo.load(name, device)
    draw = torch.Generator().manual_seed(7)
    with torch.no_grad():
        for one in found.model.parameters():
            spread = float(one.std()) if one.numel() > 1 else 0.0
            one += noise * (spread or 0.1) * torch.randn(one.shape, generator=draw)
    return found


def recut(name: str, device: str) -> zoo.LoadedModel:
    """A shipped model whose tokenizer knows fewer pieces, so that it cuts finer."""
    found = zoo.load(name, device)
    said = json.loads(found.tokenizer._backend.to_str())  # our own class gives no way to change it
    said["model"].pop("ignore_merges", None)
    if "merges" in said["model"]:
        said["model"]["merges"] = said["model"]["merges"][:20]
    else:
        said["model"]["max_input_chars_per_word"] = 3
    backend = tokenizers.Tokenizer.from_str(json.dumps(said))
    return dataclasses.replace(found, encoders=Encoders(Tokenizer(backend)))


class OtherText(Runs):
    """Runs in which byte-pair encoding is learned from another text than was asked for."""

    def get(self, request: Request, device: str = "auto") -> Any:
        if isinstance(request, LearnRequest):
            request = dataclasses.replace(request, corpus=OTHER_TEXT)
        return super().get(request, device)


@cache
def loud() -> Runs:
    """Weights that have nothing in common with the shipped ones."""
    return Runs(load=lambda name, device: noisy(name, device, LOUD))


@cache
def quiet() -> Runs:
    """Weights so near to the shipped ones that the model writes the same, with other numbers."""
    return Runs(load=lambda name, device: noisy(name, device, QUIET))


@cache
def recutting() -> Runs:
    """Other tokens."""
    return OtherText(load=recut)


def shaken(value: Any) -> Any:
    """The same data with other numbers; words, names and sizes as they are."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "f":
            draw = np.random.default_rng(3).normal(size=value.shape)
            return (value + draw * (0.5 + np.nanstd(value))).astype(value.dtype)
        return np.roll(value, 1, axis=0) if value.ndim and value.dtype.kind in "iub" else value
    if isinstance(value, float):
        return 1.3 * value + 0.1
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [one.name for one in dataclasses.fields(value) if one.init]
        kept = {"params"}  # what was asked for
        return dataclasses.replace(
            value, **{name: shaken(getattr(value, name)) for name in names if name not in kept}
        )
    if isinstance(value, Mapping):
        return {name: shaken(one) for name, one in value.items()}
    if isinstance(value, list | tuple) and type(value) in (list, tuple):
        return type(value)(shaken(one) for one in value)
    return value


class Shaking:
    """A view whose records are shaken before they are shown."""

    def __init__(self, view: Any) -> None:
        self.view = view

    def requests(self, params: Any) -> Any:
        return self.view.requests(params)

    def compute(self, runs: Any, params: Any) -> Any:
        return self.view.compute(runs, params)

    def show(self, record: Any) -> Any:
        return self.view.show(shaken(record))
