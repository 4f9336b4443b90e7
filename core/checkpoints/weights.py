"""The tensors of safetensors files, and a model that is filled with them. Nothing is unpickled."""

from __future__ import annotations

import hashlib
import math
import operator
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import safetensors
import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from core.decoding import one_row
from core.errors import CheckpointError, ModelChangedError
from core.language import N_, Phrase
from core.locale import Numeral
from core.tracing.trace import Array

_GIGABYTE = 10**9
_VERSION = operator.attrgetter("_version")


class _NothingDrawn(TorchFunctionMode):
    """Leaves out the first numbers of tables, for which PyTorch would import its compiler."""

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        keywords = kwargs or {}
        return keywords["tensor"] if func is nn.init.normal_ else func(*args, **keywords)


@contextmanager
def without_weights() -> Iterator[None]:
    """A model that is made in here has tensors of the right shapes, and no memory for them."""
    with torch.device("meta"), _NothingDrawn():
        yield


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """A safetensors file.

    Raises:
        CheckpointError: it is missing, truncated or not safetensors.
    """
    if not os.path.isfile(path):
        raise CheckpointError(path, N_("no such file"))
    try:
        with safetensors.safe_open(path, framework="pt") as tensors:
            yield tensors
    except (safetensors.SafetensorError, OSError) as broken:
        raise CheckpointError(
            path, Phrase(N_("damaged or not safetensors ({reason})"), reason=str(broken))
        ) from broken


def read_names(path: Path) -> frozenset[str]:
    """The names of a safetensors file's tensors, which are not read.

    Raises:
        CheckpointError: the file is missing, truncated or not safetensors.
    """
    with _opened(path) as tensors:
        return frozenset(tensors.keys())


def read_weights(path: Path) -> dict[str, Tensor]:
    """The tensors of a safetensors file: those of floats as float32, others as they are.

    Raises:
        CheckpointError: the file is missing, truncated or not safetensors.
    """
    with _opened(path) as tensors:
        return {name: _as_read(tensors.get_tensor(name)) for name in tensors.keys()}  # noqa: SIM118


def _digest(tensors: Iterable[tuple[str, Tensor]]) -> bytes:
    digest = hashlib.blake2b(digest_size=8)
    for name, tensor in tensors:
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode())
        digest.update(tensor.cpu().flatten().view(torch.uint8).numpy().data)
    return digest.digest()


def fingerprint_of(path: Path) -> bytes:
    """That of a model with the weights of a file, of which one at a time is in memory.

    Raises:
        CheckpointError: the file is missing, truncated or not safetensors.
    """
    with _opened(path) as tensors:
        names = sorted(tensors.keys())
        return _digest((name, _as_read(tensors.get_tensor(name))) for name in names)


def _as_read(stored: Tensor) -> Tensor:
    return stored.float() if stored.is_floating_point() else stored


def check_memory(where: Path, paths: Iterable[Path]) -> None:
    """See that the machine can hold the tensors of some files as float32.

    Raises:
        CheckpointError: it cannot, or a file is missing, truncated or not safetensors.
    """
    numbers = 0
    for path in paths:
        with _opened(path) as tensors:
            numbers += sum(
                math.prod(tensors.get_slice(name).get_shape())
                for name in tensors.keys()  # noqa: SIM118
            )
    memory = machine_memory()
    if memory is not None and 4 * numbers > memory:
        needed, has = (Numeral(f"{size / _GIGABYTE:,.1f}") for size in (4 * numbers, memory))
        problem = N_(
            "needs {needed} GB of memory, this machine has {has} GB; choose a smaller model"
        )
        raise CheckpointError(where, Phrase(problem, needed=needed, has=has))


def machine_memory() -> int | None:
    """Bytes of main memory; None where the system does not say."""
    try:
        page, n_pages = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None
    return page * n_pages if min(page, n_pages) > 0 else None


def fill(model: nn.Module, weights: Mapping[str, Tensor], where: Path) -> None:
    """Put weights, named as on disk, into a model and make it ready to run.

    Raises:
        CheckpointError: a tensor is missing, superfluous, of a wrong shape or kind, or holds
            infinite or undefined numbers; names it.
    """
    parameters = model.state_dict()
    for name in sorted(parameters.keys() - weights.keys()):
        raise CheckpointError(where, Phrase(N_("tensor {name} is missing"), name=repr(name)))
    for name in sorted(weights.keys() - parameters.keys()):
        raise CheckpointError(
            where, Phrase(N_("tensor {name} does not belong to this model"), name=repr(name))
        )
    for name, tensor in weights.items():
        if tensor.shape != parameters[name].shape:
            raise CheckpointError(
                where,
                Phrase(
                    N_("tensor {name} has shape {shape}, the config asks for {wanted}"),
                    name=repr(name),
                    shape=tuple(tensor.shape),
                    wanted=tuple(parameters[name].shape),
                ),
            )
        if not tensor.is_floating_point():
            kind = str(tensor.dtype).removeprefix("torch.")
            raise CheckpointError(
                where,
                Phrase(N_("tensor {name} is of {kind}, not of floats"), name=repr(name), kind=kind),
            )
        # A sum is ten times as fast as a look at each number; it may also be too large itself.
        if not tensor.sum().isfinite() and not tensor.isfinite().all():
            raise CheckpointError(
                where,
                Phrase(N_("tensor {name} holds infinite or undefined numbers"), name=repr(name)),
            )
    model.load_state_dict(dict(weights), assign=True)
    one_row.lay_out(model)
    model.eval().requires_grad_(False)


class AsNumpy(Mapping[str, Array]):
    """A model's parameters under their names on disk, as read-only numpy, made when asked for.

    They are those of the moment in which this was made.

    Raises:
        ModelChangedError: when asked for after the model has learned.
    """

    def __init__(self, model: nn.Module) -> None:
        self._tensors = model.state_dict()
        # PyTorch counts what is written into a tensor; of those that never learn it does not.
        self._counted = [tensor for tensor in self._tensors.values() if not tensor.is_inference()]
        self._changes = self._changes_now()

    def _changes_now(self) -> int:
        return sum(map(_VERSION, self._counted))  # asked with every request

    @property
    def changed(self) -> bool:
        """Whether the model has learned since."""
        return self._changes_now() != self._changes

    @cached_property
    def fingerprint(self) -> bytes:
        """A hash of all numbers, their names, shapes and precision."""
        return _digest(sorted(self._tensors.items()))

    def __getitem__(self, name: str) -> Array:
        if self.changed:
            raise ModelChangedError
        view = self._tensors[name].detach().float().cpu().numpy().view()
        view.flags.writeable = False
        return view

    def __iter__(self) -> Iterator[str]:
        return iter(self._tensors)

    def __len__(self) -> int:
        return len(self._tensors)
