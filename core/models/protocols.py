"""What a model can do. A page names the protocol it needs, not a class."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from torch import Tensor

from core.models.topology import Topology
from core.nn.kv_cache import KVCache
from core.tracing.tap import NO_TAP, Tap


@runtime_checkable
class LanguageModel(Protocol):
    """Ids in, from any device; one distribution over the vocabulary a position out."""

    config: Any

    @property
    def topology(self) -> Topology: ...

    def __call__(self, ids: Tensor, *, mask: Tensor | None = None, tap: Tap = NO_TAP) -> Tensor: ...


@runtime_checkable
class CausalLM(LanguageModel, Protocol):
    """Predicts the next token from those before it, and can go on from a cache."""

    def make_cache(self, n_ctx: int | None = None, batch: int = 1) -> KVCache: ...


@runtime_checkable
class MaskedLM(LanguageModel, Protocol):
    """Predicts hidden tokens from both sides, and whether two segments follow each other."""

    def hidden(
        self,
        ids: Tensor,
        *,
        types: Tensor | None = None,
        mask: Tensor | None = None,
        tap: Tap = NO_TAP,
    ) -> Tensor: ...

    def masked_words(self, hidden: Tensor, tap: Tap = NO_TAP) -> Tensor: ...

    def next_sentence(self, hidden: Tensor, tap: Tap = NO_TAP) -> Tensor: ...
