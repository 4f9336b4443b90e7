"""The made-up corpora, written once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.training import corpora


@pytest.fixture(scope="session")
def corpora_directory(tmp_path_factory) -> Path:
    return corpora.write(tmp_path_factory.mktemp("corpora"))
