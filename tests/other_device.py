"""A make-believe GPU: tensors of PyTorch's "meta" device that carry numbers all the same.

As on Apple's GPUs there is no float64, and as on any GPU what lies there does not
mix with what lies on the CPU. So a test fails where it would on such a machine.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

OTHER = torch.device("meta")
_MAY_MIX = ("_to_copy", "copy_")


class There(Tensor):
    """A tensor of the other device; ``inner`` has its numbers, on the CPU."""

    inner: Tensor

    @staticmethod
    def __new__(cls, inner: Tensor) -> There:
        if inner.dtype == torch.float64:
            raise TypeError("the other device has no float64")
        self = Tensor._make_wrapper_subclass(
            cls, inner.shape, inner.stride(), inner.storage_offset(), dtype=inner.dtype,
            device=OTHER, requires_grad=inner.requires_grad,
        )  # fmt: skip
        self.inner = inner
        return self

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return _run(func, args, kwargs or {})


class _Moving(TorchDispatchMode):
    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return _run(func, args, kwargs or {})


class OtherDevice(TorchFunctionMode):
    """While it is entered, tensors can be made on the other device and moved to it."""

    def __init__(self) -> None:
        super().__init__()
        self.moving = _Moving()

    def __enter__(self) -> OtherDevice:
        self.moving.__enter__()
        return super().__enter__()

    def __exit__(self, *problem: Any) -> None:
        super().__exit__(*problem)
        self.moving.__exit__(*problem)

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = dict(kwargs or {})
        # These make on the CPU and then move, in one go that no dispatch sees.
        if func is Tensor.new_tensor:
            like, data = args
            return torch.tensor(data, dtype=like.dtype).to(like.device)
        device = kwargs.pop("device", None) if func is torch.tensor else None
        made = func(*args, **kwargs)
        return made if device is None else made.to(device)


def _run(func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Carry out an operation on the numbers; what comes out lies where its tensors did."""
    tensors = [one for one in tree_leaves((args, kwargs)) if isinstance(one, Tensor)]
    mine = [one for one in tensors if isinstance(one, There)]
    name = func.overloadpacket.__name__
    strays = [one for one in tensors if one.ndim and not isinstance(one, There)]
    if mine and strays and name not in _MAY_MIX:
        raise RuntimeError(f"{name}: tensors on two devices")
    there = bool(mine)
    if kwargs.get("device") is not None:
        there = torch.device(kwargs["device"]) == OTHER
        kwargs = kwargs | {"device": torch.device("cpu")}
    plain = tree_map(lambda one: one.inner if isinstance(one, There) else one, (args, kwargs))
    out = func(*plain[0], **plain[1])
    if not there:
        return out
    known = {id(one.inner): one for one in mine}

    def wrapped(one: Any) -> Any:
        if not isinstance(one, Tensor):
            return one
        return known[id(one)] if id(one) in known else There(one)

    # A view of a parameter that were an inference tensor would have no version to count.
    with torch.inference_mode(False):
        return tree_map(wrapped, out)
