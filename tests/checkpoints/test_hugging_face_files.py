"""Where the tensors of a Hugging Face checkpoint stand: one file, shards, or none we open."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import safetensors.torch
import torch

from core.checkpoints import hugging_face, weights
from core.errors import CheckpointError
from tests.checkpoints.test_hugging_face import GPT2, gpt2_weights, write

INDEX = "model.safetensors.index.json"


@pytest.fixture
def whole(tmp_path, byte_bpe) -> dict[str, torch.Tensor]:
    """A checkpoint in one file, and what it holds."""
    tensors = gpt2_weights()
    write(tmp_path, GPT2, tensors, byte_bpe)
    return tensors


def shard(directory: Path, tensors: dict[str, torch.Tensor]) -> dict[str, str]:
    """Put the tensors into two files; gives the index's map, which is written too."""
    (directory / "model.safetensors").unlink()
    names = sorted(tensors)
    files = {
        "model-00001-of-00002.safetensors": names[:7],
        "model-00002-of-00002.safetensors": names[7:],
    }
    for file, held in files.items():
        safetensors.torch.save_file({name: tensors[name] for name in held}, directory / file)
    placed = {name: file for file, held in files.items() for name in held}
    index(directory, placed)
    return placed


def index(directory: Path, placed: object) -> None:
    text = json.dumps({"metadata": {"total_size": 1}, "weight_map": placed})
    (directory / INDEX).write_text(text)


def test_shards_hold_what_one_file_does(tmp_path, whole):
    expected = hugging_face.load(tmp_path).model.state_dict()
    shard(tmp_path, whole)
    found = hugging_face.load(tmp_path).model.state_dict()
    assert found.keys() == expected.keys()
    for name, tensor in expected.items():
        assert found[name].equal(tensor)


def test_shards_that_are_links_are_read(tmp_path, whole):
    """As in the cache of the Hub, and where people keep large files on another disk."""
    placed = shard(tmp_path, whole)
    elsewhere = tmp_path.parent / f"{tmp_path.name}-blobs"
    elsewhere.mkdir()
    for file in set(placed.values()):
        (tmp_path / file).rename(elsewhere / file)
        (tmp_path / file).symlink_to(elsewhere / file)
    assert hugging_face.load(tmp_path)


def test_a_shard_that_is_not_there_is_named(tmp_path, whole):
    placed = shard(tmp_path, whole)
    gone = tmp_path / placed["wte.weight"]
    gone.unlink()
    with pytest.raises(CheckpointError, match="no such file") as caught:
        hugging_face.load(tmp_path)
    assert caught.value.where == str(gone)


def test_a_damaged_shard_is_named(tmp_path, whole):
    placed = shard(tmp_path, whole)
    broken = tmp_path / placed["wte.weight"]
    broken.write_bytes(broken.read_bytes()[:-40])
    with pytest.raises(CheckpointError, match="damaged or not safetensors") as caught:
        hugging_face.load(tmp_path)
    assert caught.value.where == str(broken)


def test_an_index_and_its_shards_must_agree(tmp_path, whole):
    placed = shard(tmp_path, whole)
    first, second = sorted(set(placed.values()))
    index(tmp_path, placed | {"wte.weight": first})
    with pytest.raises(CheckpointError, match=f"tensor 'wte.weight' should be in {first}, and is"):
        hugging_face.load(tmp_path)
    index(tmp_path, {name: file for name, file in placed.items() if name != "wte.weight"})
    with pytest.raises(CheckpointError, match=f"does not say .* 'wte.weight' is in {second}"):
        hugging_face.load(tmp_path)
    held = safetensors.torch.load_file(tmp_path / first) | {"wte.weight": torch.zeros(300, 8)}
    safetensors.torch.save_file(held, tmp_path / first)
    index(tmp_path, placed)
    with pytest.raises(CheckpointError, match=f"does not say .* 'wte.weight' is in {first}"):
        hugging_face.load(tmp_path)


@pytest.mark.parametrize(
    "file", ["../model.safetensors", "/etc/model.safetensors", "a/b.safetensors", "x.bin", 3, None]
)
def test_an_index_leads_nowhere_else(file, tmp_path, whole):
    placed: dict[str, object] = dict(shard(tmp_path, whole))
    index(tmp_path, placed | {"wte.weight": file})
    with pytest.raises(CheckpointError, match="is no safetensors file of this directory"):
        hugging_face.load(tmp_path)


@pytest.mark.parametrize("placed", [None, [], "all"])
def test_an_index_without_a_map_is_refused(placed, tmp_path, whole):
    shard(tmp_path, whole)
    index(tmp_path, placed)
    with pytest.raises(CheckpointError, match='"weight_map" must say in which file each tensor is'):
        hugging_face.load(tmp_path)


@pytest.mark.parametrize("name", ["pytorch_model.bin", "tf_model.h5", "flax_model.msgpack"])
def test_a_file_that_may_hold_code_is_not_opened(name, tmp_path, whole):
    (tmp_path / "model.safetensors").unlink()
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(CheckpointError, match=f"only {name} holds .* save_pretrained"):
        hugging_face.load(tmp_path)


def test_no_weights_at_all_is_an_error(tmp_path, whole):
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(CheckpointError, match=f"no such file, nor {INDEX}"):
        hugging_face.load(tmp_path)


def test_no_tokenizer_is_an_error_that_says_where_to_get_one(tmp_path, whole):
    (tmp_path / "tokenizer.json").unlink()
    with pytest.raises(CheckpointError, match=r"AutoTokenizer.from_pretrained\(folder\)") as caught:
        hugging_face.load(tmp_path)
    assert caught.value.where == str(tmp_path / "tokenizer.json")


def test_what_is_larger_than_the_machine_is_refused_before_it_is_read(tmp_path, whole, monkeypatch):
    numbers = sum(tensor.numel() for tensor in whole.values())
    for spare in (True, False):
        monkeypatch.setattr(weights, "machine_memory", lambda n=spare: 4 * numbers - 1 + n)
        if spare:
            assert hugging_face.load(tmp_path)
            continue
        with pytest.raises(CheckpointError, match="of memory, this machine has"):
            hugging_face.load(tmp_path)
