"""The index of a film: read back as it was written, and no damage goes unnoticed."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import CheckpointError
from core.film import index
from core.film.index import Film
from tests.film.damage import EMPTY, drawn


@pytest.fixture
def folder(tmp_path, byte_bpe) -> Path:
    drawn(tmp_path, byte_bpe, 0, 7)
    return tmp_path


def test_it_is_read_back_as_it_was_written(tmp_path, byte_bpe):
    written: Film = drawn(tmp_path, byte_bpe, 0, 7)
    found = index.read(tmp_path)
    assert found == written
    assert found.curve == ((1, 4.5), (20, 3.5))
    assert [one.name for one in found.frames] == ["film@0", "film@7"]
    assert found.frame("film@7") == found.frames[1]
    assert found.frame("film@8") is None
    assert not list(tmp_path.glob("*.partial"))


def test_it_is_read_once_until_it_changes(folder):
    assert index.read(folder) is index.read(folder)
    index.write(replace(index.read(folder), commit="def"), folder)
    assert index.read(folder).commit == "def"


def test_a_folder_without_one_is_no_film(tmp_path):
    with pytest.raises(CheckpointError, match=r"film\.json: no such file"):
        index.read(tmp_path)


def test_a_missing_or_shorter_file_is_named(folder):
    path = folder / "00007.safetensors"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(CheckpointError, match=r"00007\.safetensors: holds \d+ bytes, the film's"):
        index.read(folder)
    path.unlink()
    with pytest.raises(CheckpointError, match=r"00007\.safetensors: no such file"):
        index.read(folder)


def test_weights_that_no_frame_names_are_found(folder):
    shutil.copy(folder / "00007.safetensors", folder / "00008.safetensors")
    with pytest.raises(CheckpointError, match=r"00008\.safetensors: the film's index does not"):
        index.read(folder)


def test_another_file_of_the_same_length_is_found(folder):
    film = index.read(folder)
    index.check(film, "00007.safetensors", folder)
    whole = bytearray((folder / "00007.safetensors").read_bytes())
    whole[-1] ^= 1
    (folder / "00007.safetensors").write_bytes(whole)
    assert index.read(folder) is film  # its length says nothing
    with pytest.raises(CheckpointError, match=r"00007\.safetensors: damaged: it is not the file"):
        index.check(film, "00007.safetensors", folder)
    with pytest.raises(CheckpointError, match=r"00009\.safetensors: no such file"):
        index.check(film, "00009.safetensors", folder)


def _rewritten(folder: Path, change) -> None:
    path = folder / index.INDEX
    whole = json.loads(path.read_text())
    change(whole)
    path.write_text(json.dumps(whole))


@pytest.mark.parametrize(
    "change",
    [
        lambda whole: whole.pop("frames"),
        lambda whole: whole.pop("seed"),
        lambda whole: whole.update(more=1),
        lambda whole: whole.update(files=[]),
        lambda whole: whole.update(curve=[["one", 2]]),
        lambda whole: whole["frames"][0].pop("held"),
        lambda whole: whole["frames"][1].update(loss=1.0),
    ],
)
def test_an_index_of_another_kind_is_refused(folder, change):
    _rewritten(folder, change)
    with pytest.raises(CheckpointError, match=r"film\.json: not the index of a film"):
        index.read(folder)


@pytest.mark.parametrize(
    "change",
    [
        lambda whole: whole["frames"].reverse(),
        lambda whole: whole["frames"][1].update(step=0),
        lambda whole: whole["files"].pop("00007.safetensors"),
    ],
)
def test_frames_out_of_order_or_without_a_file_are_refused(folder, change):
    _rewritten(folder, change)
    with pytest.raises(CheckpointError, match="its frames must be in order, each with a file"):
        index.read(folder)


def test_a_film_without_frames_is_one_that_has_just_begun(tmp_path):
    index.write(EMPTY, tmp_path)
    assert index.read(tmp_path) == EMPTY
