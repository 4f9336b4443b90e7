"""The toys as files on a shelf of their own, in the place of the one that ships."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
import torch

from core import show, zoo
from core.checkpoints import native
from core.models.registry import ARCHITECTURES
from core.zoo import LoadedModel
from tests.machines.toys import TOYS


def instead(patch: pytest.MonkeyPatch, root: Path) -> None:
    """Let everything in ``zoo`` that looks on the shelf unless told where find another one."""
    for function in filter(inspect.isfunction, vars(zoo).values()):
        before = function.__defaults__ or ()
        if any(isinstance(one, Path) for one in before):
            roots = tuple(root if isinstance(one, Path) else one for one in before)
            patch.setattr(function, "__defaults__", roots)


def register(patch: pytest.MonkeyPatch, toy: str) -> str:
    """The name of a toy's architecture; one that the house knows already has its own."""
    known = {one.config: name for name, one in ARCHITECTURES.items()}
    architecture = TOYS[toy].architecture
    if architecture.config in known:
        return known[architecture.config]
    patch.setitem(ARCHITECTURES, toy, architecture)
    return toy


@contextmanager
def of_toys(root: Path, made: Mapping[str, LoadedModel]) -> Iterator[Path]:
    """A shelf that holds the toys and nothing else, in float32."""
    with pytest.MonkeyPatch.context() as patch:
        for name, one in made.items():
            architecture, there = register(patch, name), root / name
            native.save(there, architecture, one.model, one.encoders, dtype=torch.float32)
        instead(patch, root)
        show._runs.cache_clear()
        yield root
    show._runs.cache_clear()
