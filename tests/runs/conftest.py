"""A store of runs over the tiny models."""

from __future__ import annotations

import pytest

from core.errors import UnknownModelError
from core.runs.store import Runs


@pytest.fixture
def loads() -> list[tuple[str, str]]:
    """Every load that was asked for."""
    return []


@pytest.fixture
def make(gpt, bert, transformer, rnn, relative, loads):
    """A store of runs over the tiny models."""
    shelf = {"gpt": gpt, "bert": bert, "transformer": transformer, "rnn": rnn, "relative": relative}

    def load(name: str, device: str):
        loads.append((name, device))
        if name not in shelf:
            raise UnknownModelError(name, tuple(shelf))
        return shelf[name]

    return lambda **limits: Runs(load=load, **limits)


@pytest.fixture
def runs(make) -> Runs:
    return make()
