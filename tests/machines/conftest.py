"""The toys on a shelf of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from core.zoo import LoadedModel
from tests.machines import shelf
from tests.machines.toys import TOYS, Tokenizers


@pytest.fixture(scope="module")
def made(byte_bpe, wordpiece) -> Mapping[str, LoadedModel]:
    """By name, as they were before they were put there."""
    return {name: toy.make(Tokenizers(byte_bpe, wordpiece)) for name, toy in TOYS.items()}


@pytest.fixture(scope="module")
def root(made, tmp_path_factory) -> Iterator[Path]:
    """The shelf, in the place of the one that ships."""
    with shelf.of_toys(tmp_path_factory.mktemp("shelf"), made) as directory:
        yield directory
