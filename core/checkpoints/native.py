"""A model as a directory: config, weights, tokenizer, card and measurements.

``config.json`` says the layout's version, the architecture and its sizes;
``model.safetensors`` holds the weights under stable names. Nothing is ever
unpickled.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import reprlib
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import nn

from core.checkpoints.encoders import TOKENIZER_FILE, read_encoders, write_encoders
from core.checkpoints.files import read_file, read_json
from core.checkpoints.plain import from_plain
from core.checkpoints.tokenizers import as_marked
from core.checkpoints.weights import fill, fingerprint_of, read_weights, without_weights
from core.encoders import Encoders
from core.errors import ConfigError, ParameterError
from core.language import N_, Phrase
from core.locale import Choice
from core.models.registry import ARCHITECTURES

SCHEMA = 1
CONFIG_FILE, WEIGHTS_FILE = "config.json", "model.safetensors"
CARD_FILE, METRICS_FILE = "card.md", "metrics.json"
_DTYPES = {"bfloat16": torch.bfloat16, "float32": torch.float32}


def directories(root: Path) -> tuple[str, ...]:
    """The names of the checkpoints in a directory, in order; of none that is not there.

    Looked up again when something was put there or taken away.
    """
    try:
        changed = os.stat(root).st_mtime_ns  # asked for with every part of a page
    except OSError:
        return ()
    return _directories(root, changed)


@lru_cache(maxsize=8)
def _directories(root: Path, _changed: int) -> tuple[str, ...]:
    return tuple(sorted(path.parent.name for path in root.glob("*/" + CONFIG_FILE)))


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What a model directory holds.

    Attributes:
        architecture: its name in the registry.
        model: with the weights, in evaluation mode, float32, on the CPU.
        encoders: what the model reads its input through.
        card: Markdown.
        metrics: measured figures, by name.
    """

    architecture: str
    model: nn.Module
    encoders: Encoders
    card: str
    metrics: Mapping[str, Any]


def save(
    directory: Path,
    architecture: str,
    model: nn.Module,
    encoders: Encoders,
    *,
    card: str = "",
    metrics: Mapping[str, Any] | None = None,
    dtype: torch.dtype = torch.bfloat16,
) -> None:
    """Write a model directory; an old one of that name is replaced as a whole or not at all.

    Raises:
        ParameterError: a dtype that ``load`` does not read.
    """
    if dtype not in _DTYPES.values():
        raise ParameterError(
            "dtype", dtype, Phrase(N_("one of {choices}"), choices=Choice(_DTYPES))
        )
    directory.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(prefix=f".{directory.name}-", dir=directory.parent))
    try:
        config = {
            "schema": SCHEMA,
            "architecture": architecture,
            "dtype": str(dtype).removeprefix("torch."),
            "config": dataclasses.asdict(model.config),  # type: ignore[call-overload]
        }
        (new / CONFIG_FILE).write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
        weights = model.state_dict()
        save_file(
            {name: tensor.to(dtype).contiguous().cpu() for name, tensor in weights.items()},
            new / WEIGHTS_FILE,
        )
        write_encoders(new, encoders)
        (new / CARD_FILE).write_text(card, encoding="utf-8")
        text = json.dumps(dict(metrics or {}), indent=2, sort_keys=True)
        (new / METRICS_FILE).write_text(text + "\n", encoding="utf-8")
        for path in (new, *new.iterdir()):
            path.chmod(0o755 if path.is_dir() else 0o644)
        _replace(directory, new)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise


def _replace(directory: Path, new: Path) -> None:
    """Put a finished directory in the place of an old one, which comes back if that fails."""
    if not directory.exists():
        new.rename(directory)
        return
    old = new.with_name(new.name + "-old")
    directory.rename(old)
    try:
        new.rename(directory)
    except BaseException:
        old.rename(directory)
        raise
    shutil.rmtree(old)


def load(directory: Path) -> Checkpoint:
    """Read a model directory.

    Raises:
        CheckpointError: a file is missing or damaged, or the tensors are not
            those of the architecture; names the file or the tensor.
        ConfigError: a field is unknown, missing or out of its range; names it.
    """
    architecture, model = outline(directory)
    encoders = read_encoders(directory, model)
    fill(model, read_weights(directory / WEIGHTS_FILE), directory / WEIGHTS_FILE)
    metrics = directory / METRICS_FILE
    return Checkpoint(
        architecture=architecture,
        model=model,
        encoders=encoders,
        card=read_card(directory),
        metrics=read_json(metrics) if os.path.exists(metrics) else {},
    )


def read_card(directory: Path) -> str:
    """A model's card; empty where it has none.

    Raises:
        CheckpointError: it is no text.
    """
    card = directory / CARD_FILE
    return read_file(card, str, N_("text")) if os.path.exists(card) else ""


def outline(directory: Path) -> tuple[str, Any]:
    """A model's architecture, and the model without memory for its weights; errors as below."""
    architecture, config = read_config(directory / CONFIG_FILE)
    config = as_marked(config, directory / TOKENIZER_FILE)
    with without_weights():
        return architecture, ARCHITECTURES[architecture].model(config)


def mark(architecture: str, config: Any, encoders: Encoders, weights: bytes) -> str:
    """A hash of all that decides what a model computes.

    The weights and their precision, the config (which heads share a matrix is in no weight) and
    the encoders.
    """
    around = f"{architecture} {config!r} {encoders.fingerprint}".encode()
    return hashlib.blake2b(weights + around, digest_size=8).hexdigest()


def fingerprint(directory: Path) -> str:
    """The mark of the model that ``load`` would read; one tensor at a time is in memory.

    Raises:
        CheckpointError, ConfigError: as ``load``.
    """
    stats = [path.stat() for path in sorted(directory.iterdir())]
    return _fingerprint(directory, tuple((stat.st_mtime_ns, stat.st_size) for stat in stats))


@lru_cache(maxsize=64)
def _fingerprint(directory: Path, _stamps: tuple[tuple[int, int], ...]) -> str:
    architecture, model = outline(directory)
    encoders = read_encoders(directory, model)
    return mark(architecture, model.config, encoders, fingerprint_of(directory / WEIGHTS_FILE))


def read_config(path: Path) -> tuple[str, Any]:
    """A model's architecture and sizes.

    Raises:
        CheckpointError: the file is missing or damaged.
        ConfigError: a field is unknown, missing or out of its range; names it.
    """
    whole = read_json(path)
    if whole.get("schema") != SCHEMA:
        raise ConfigError(
            "schema",
            Phrase(
                N_("is {value}, this program reads {schema}"),
                value=reprlib.repr(whole.get("schema")),
                schema=SCHEMA,
            ),
        )
    architecture = whole.get("architecture")
    if not isinstance(architecture, str) or architecture not in ARCHITECTURES:
        raise ConfigError(
            "architecture", Phrase(N_("must be one of {choices}"), choices=Choice(ARCHITECTURES))
        )
    if str(whole.get("dtype")) not in _DTYPES:
        raise ConfigError("dtype", Phrase(N_("must be one of {choices}"), choices=Choice(_DTYPES)))
    for name in sorted(whole.keys() - {"schema", "architecture", "dtype", "config"}):
        raise ConfigError(name, N_("unknown field"))
    sizes = whole.get("config")
    if not isinstance(sizes, dict):
        raise ConfigError("config", N_("must be an object of sizes"))
    return architecture, from_plain(ARCHITECTURES[architecture].config, sizes)
