"""Which processor a model runs on."""

from __future__ import annotations

from typing import Literal, cast, get_args

import torch

from core.errors import DeviceUnavailableError

DeviceName = Literal["auto", "cuda", "mps", "cpu"]


def available_devices() -> tuple[DeviceName, ...]:
    """The devices of this machine, fastest first; "cpu" is always the last."""
    names: list[DeviceName] = []
    if torch.cuda.is_available():
        names.append("cuda")
    if torch.backends.mps.is_available():
        names.append("mps")
    return (*names, "cpu")


def resolve_device(name: str = "auto") -> torch.device:
    """Turn a device name into a ``torch.device``.

    Args:
        name: "auto" picks CUDA, then MPS, then CPU.

    Raises:
        DeviceUnavailableError: the name is unknown or this machine lacks the device.
    """
    available = available_devices()
    if name == "auto":
        return torch.device(available[0])
    if name not in get_args(DeviceName) or name not in available:
        raise DeviceUnavailableError(name, ("auto", *available))
    return torch.device(cast(str, name))


def usable(device: str) -> str:
    """A device that was asked for, if this machine has it."""
    return device if device in available_devices() else "auto"
