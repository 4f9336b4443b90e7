"""What is to be known to read a kind of checkpoint."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from core.checkpoints.hugging_face.settings import ConfigSettings
from core.checkpoints.hugging_face.tensors import Tensors


@dataclass(frozen=True, slots=True)
class CheckpointFamily:
    """The checkpoints of one ``model_type``.

    Attributes:
        title: as people call it.
        architecture: which of ours it is, by its name in the registry.
        plain: a tensor's name without what differs between files: a prefix, an old spelling.
        config: ours, from their settings and the plain names of the tensors that are there.
        tidy: sees that tensors which are one are equal, and leaves out those that hold nothing.
        weight: one of our parameters by its name, of their tensors.
    """

    title: str
    architecture: str
    plain: Callable[[str], str]
    config: Callable[[ConfigSettings, Collection[str]], Any]
    tidy: Callable[[Tensors, Any], None]
    weight: Callable[[str, Tensors], Tensor]
