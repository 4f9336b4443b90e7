"""The generator that ships, as a network."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import torch

from core.checkpoints.plain import from_plain
from core.checkpoints.weights import fill, read_weights, without_weights
from core.digits.index import FOLDER, DigitTrainings, check, read
from core.digits.network import Drawer, DrawerConfig


def load(folder: Path = FOLDER) -> tuple[DigitTrainings, Drawer]:
    """What is known of it, and the network, on the CPU; loaded once in a process.

    Raises:
        CheckpointError, ConfigError: it is missing or damaged; names the file.
    """
    generator = read(folder)
    path = check(generator, folder)
    return generator, _filled(
        tuple(sorted(generator.config.items())), path, path.stat().st_mtime_ns
    )


@lru_cache(maxsize=2)
def _filled(config: tuple[tuple[str, int], ...], path: Path, _changed: int) -> Drawer:
    with without_weights():
        drawer = Drawer(from_plain(DrawerConfig, dict(config)))
    fill(drawer, read_weights(path), path)
    # The channels of a place side by side: a seventh faster on a CPU.
    return drawer.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
