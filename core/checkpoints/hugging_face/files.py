"""Which file of a checkpoint holds which tensor: one file, or shards and an index of them."""

from __future__ import annotations

import os
import re
import reprlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from torch import Tensor

from core.checkpoints.files import read_json
from core.checkpoints.native import WEIGHTS_FILE
from core.checkpoints.weights import check_memory, read_names, read_weights
from core.errors import CheckpointError
from core.language import N_, Phrase

INDEX_FILE = f"{WEIGHTS_FILE}.index.json"
_PLAIN_NAME = re.compile(r"[\w.-]+\.safetensors")  # no way leads out of a directory through one
# Weights as torch, TensorFlow and JAX save them: the first is a pickle, which may hold any code.
_OTHER_FORMATS = (
    "pytorch_model.bin", "pytorch_model.bin.index.json", "tf_model.h5", "flax_model.msgpack",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class StoredTensors:
    """The tensors of a checkpoint, which are not read yet.

    Attributes:
        where: the file to name when something is wrong with them.
        names: of each file.
    """

    where: Path
    names: Mapping[Path, frozenset[str]]

    @property
    def all_names(self) -> list[str]:
        """Of all files; a name is twice in it that is in two."""
        return [name for names in self.names.values() for name in names]

    def read(self) -> dict[str, Tensor]:
        """All tensors by name.

        Raises:
            CheckpointError: they do not fit into memory, or a file is damaged.
        """
        check_memory(self.where, self.names)
        return {name: t for path in self.names for name, t in read_weights(path).items()}


def stored(directory: Path) -> StoredTensors:
    """The tensors of a checkpoint.

    Raises:
        CheckpointError: there are none that can be read safely, a file is missing or damaged, or
            the index is not right.
    """
    whole, index = directory / WEIGHTS_FILE, directory / INDEX_FILE
    if os.path.exists(whole):
        return StoredTensors(whole, {whole: read_names(whole)})
    if os.path.exists(index):
        return _sharded(directory, index)
    for name in _OTHER_FORMATS:
        if os.path.exists(directory / name):
            problem = N_(
                "only {format} holds the weights, and it is not opened: it may hold any code, "
                "which would run. Where you trust it, load it with the `transformers` class that "
                'config.json names under "architectures" and call '
                "save_pretrained(folder, safe_serialization=True), which writes {wanted}"
            )
            raise CheckpointError(directory, Phrase(problem, format=name, wanted=WEIGHTS_FILE))
    problem = N_("no such file, nor {index}; weights are read from safetensors files only")
    raise CheckpointError(whole, Phrase(problem, index=INDEX_FILE))


def _sharded(directory: Path, index: Path) -> StoredTensors:
    listed: dict[Path, set[str]] = {}
    whole = read_json(index).get("weight_map")
    if not isinstance(whole, dict):
        raise CheckpointError(index, N_('"weight_map" must say in which file each tensor is'))
    for tensor, name in whole.items():
        listed.setdefault(_shard(directory, name, index), set()).add(tensor)
    names = {path: read_names(path) for path in listed}
    for path, expected in listed.items():
        for tensor in sorted(expected - names[path]):
            problem = N_("tensor {name} should be in {file}, and is not")
            raise CheckpointError(index, Phrase(problem, name=repr(tensor), file=path.name))
        for tensor in sorted(names[path] - expected):
            problem = N_("does not say that tensor {name} is in {file}")
            raise CheckpointError(index, Phrase(problem, name=repr(tensor), file=path.name))
    return StoredTensors(index, {path: frozenset(tensors) for path, tensors in names.items()})


def _shard(directory: Path, name: object, index: Path) -> Path:
    """A shard by its name in the index, which leads nowhere else."""
    if not isinstance(name, str) or not _PLAIN_NAME.fullmatch(name):
        problem = N_("{name} is no safetensors file of this directory; get the index again")
        raise CheckpointError(index, Phrase(problem, name=reprlib.repr(name)))
    return directory / name
