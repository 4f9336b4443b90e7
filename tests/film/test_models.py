"""The models of a film: like those of the shelf, and refused when a file is another one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.errors import CheckpointError, UnknownModelError
from core.film import models
from core.inputs import Text
from core.predict import generate
from core.runs.kinds.trace import TraceRequest
from core.runs.store import Runs
from core.tracing.run import trace_run
from tests.film.damage import drawn


@pytest.fixture
def folder(tmp_path, byte_bpe) -> Path:
    drawn(tmp_path, byte_bpe, 0, 7)
    return tmp_path


def test_each_frame_is_a_model_of_its_own(folder):
    assert models.names(folder) == ("film@0", "film@7")
    first, second = (models.load(name, "cpu", folder) for name in models.names(folder))
    assert (first.id, second.id) == ("film@0", "film@7")
    assert first.blueprint == second.blueprint
    assert first.tokenizer.fingerprint == second.tokenizer.fingerprint
    assert first.metrics == {"induction/0.0": 0.25}
    runs = [trace_run(one, "a b") for one in (first, second)]
    assert list(runs[0].arrays) == list(runs[1].arrays)
    assert not np.allclose(runs[0]["blocks.0.attn.q"], runs[1]["blocks.0.attn.q"])
    assert len(list(generate(first, "a", max_new=3))) == 3


def test_a_fingerprint_is_known_without_keeping_the_weights(folder):
    found = [models.fingerprint(name, folder) for name in models.names(folder)]
    assert found == [models.load(name, "cpu", folder).fingerprint for name in models.names(folder)]
    assert len(set(found)) == 2


def test_they_can_be_what_requests_are_asked_of(folder):
    runs = Runs(
        load=lambda name, device: models.load(name, device, folder),
        fingerprint=lambda name: models.fingerprint(name, folder),
    )
    first, second = (runs.get(TraceRequest(name, Text("a b"))) for name in models.names(folder))
    assert first.trace.ids == second.trace.ids
    assert first.trace != second.trace


def test_a_name_of_no_frame_says_which_there_are(folder):
    for ask in (models.load, models.fingerprint):
        with pytest.raises(UnknownModelError, match=r"film@8: no such model.*film@0.*film@7"):
            ask("film@8", folder=folder)


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "00007.safetensors"])
def test_a_changed_file_is_refused_before_it_is_used(folder, name):
    path = folder / name
    whole = bytearray(path.read_bytes())
    whole[-2] ^= 1
    path.write_bytes(whole)
    for ask in (models.load, models.fingerprint):
        with pytest.raises(CheckpointError, match=f"{name}: damaged: it is not the file"):
            ask("film@7", folder=folder)
