"""The processes of a run: one, or those that ``torchrun`` started."""

from __future__ import annotations

import os
from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import Tensor

from core.errors import DeviceUnavailableError


def own_device(device: torch.device) -> torch.device:
    """The device of this process: each that ``torchrun`` started has a GPU of its own.

    Raises:
        DeviceUnavailableError: more processes than GPUs.
    """
    if device.type != "cuda" or "LOCAL_RANK" not in os.environ:
        return device
    local = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    there = [f"cuda:{n}" for n in range(torch.cuda.device_count())]
    if str(local) not in there:
        raise DeviceUnavailableError(str(local), there)
    torch.cuda.set_device(local)  # NCCL and the compiler go by it
    return local


@dataclass(frozen=True, slots=True)
class Team:
    """This process and how many there are.

    Attributes:
        rank: of this process, from 0.
        size: how many processes.
    """

    rank: int
    size: int

    @classmethod
    def join(cls, device: torch.device) -> Team:
        """Meet the other processes, if the environment names any."""
        size = int(os.environ.get("WORLD_SIZE", "1"))
        if size > 1 and not dist.is_initialized():
            dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
        return cls(int(os.environ.get("RANK", "0")), size)

    def leave(self) -> None:
        """End together: a process that just exits breaks the connection under the others."""
        if self.size > 1:
            dist.barrier()
            dist.destroy_process_group()

    @property
    def leads(self) -> bool:
        return self.rank == 0

    def agree(self, value: float) -> float:
        """The first process's value, on all of them."""
        if self.size == 1:
            return value
        shared = [value]
        dist.broadcast_object_list(shared, src=0)
        return shared[0]

    def mean(self, value: Tensor) -> Tensor:
        """The mean over the processes."""
        if self.size > 1:
            dist.all_reduce(value)
            value = value / self.size
        return value
