"""The models of a process: those that were loaded, and copies of models that are learning."""

from __future__ import annotations

import copy
import dataclasses
import itertools
from collections.abc import Callable

from core.device import resolve_device
from core.errors import SnapshotError
from core.runs.request import ModelRef, Snapshot
from core.runs.single_flight import SingleFlightCache
from core.zoo import LoadedModel

COPIED_BYTES = 128 * 1024 * 1024


class Models:
    """Models kept within a number of bytes; what was used longest ago makes room.

    Args:
        load: name and device to a model.
        fingerprint: of a name, so that a model which is not in memory need not be loaded to be
            told from others; without it, it is.
        max_bytes: of weights that were loaded; a model that takes more is kept alone.
        max_copied_bytes: of those that were copied.
    """

    def __init__(
        self,
        load: Callable[[str, str], LoadedModel],
        fingerprint: Callable[[str], str] | None,
        max_bytes: int,
        max_copied_bytes: int = COPIED_BYTES,
    ) -> None:
        self._load, self._fingerprint_of = load, fingerprint
        self._loaded = SingleFlightCache(max_bytes, lambda _, model: min(model.nbytes, max_bytes))
        self._copies = SingleFlightCache(max_copied_bytes, lambda _, model: model.nbytes)
        self._numbers = itertools.count()

    def get(self, ref: ModelRef, device: str = "auto") -> LoadedModel:
        """A model, loaded once.

        Raises:
            CoreError: it cannot be loaded, or the copy is gone.
        """
        if isinstance(ref, Snapshot):
            found: LoadedModel = self._copies.get(ref, lambda: _gone(ref))
            return found
        key = (ref, str(resolve_device(device)))
        model: LoadedModel = self._loaded.get(key, lambda: self._load(*key))
        return model

    def has(self, ref: ModelRef, device: str = "auto") -> bool:
        """Whether a model is in memory, so that a run need not wait for it."""
        if isinstance(ref, Snapshot):
            return ref in self._copies
        return (ref, str(resolve_device(device))) in self._loaded

    def is_known(self, ref: ModelRef, device: str = "auto") -> bool:
        """Whether ``known`` has nothing to load."""
        on_file = self._fingerprint_of is not None and isinstance(ref, str)
        return on_file or self.has(ref, device)

    def known(self, ref: ModelRef, device: str = "auto") -> tuple[str, str]:
        """A model's fingerprint and where it runs; errors as above."""
        fingerprint = self._fingerprint_of
        if fingerprint is not None and isinstance(ref, str) and not self.has(ref, device):
            return fingerprint(ref), str(resolve_device(device))
        model = self.get(ref, device)
        return model.fingerprint, str(model.device)

    def take(self, model: LoadedModel, step: int) -> Snapshot:
        """Copy a model as it is now, however it learns on.

        Raises:
            SnapshotError: there is no room for it.
        """
        copied = copy.deepcopy(model.model).eval().requires_grad_(False)
        kept = dataclasses.replace(model, model=copied)
        snapshot = Snapshot(model.id, step, next(self._numbers))
        self._copies.get(snapshot, lambda: kept)
        if snapshot not in self._copies:
            raise SnapshotError(str(snapshot))
        return snapshot

    def drop(self, *snapshots: Snapshot) -> None:
        """Keep copies no longer."""
        for snapshot in snapshots:
            self._copies.drop(snapshot)


def _gone(snapshot: Snapshot) -> LoadedModel:
    raise SnapshotError(str(snapshot))
