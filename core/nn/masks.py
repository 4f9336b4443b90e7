"""Attention masks: bool tensors, True = this query may attend to this key.

Shapes broadcast against scores ``(B, H, Tq, Tk)``.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from core.errors import ParameterError
from core.language import N_, Phrase


def full_mask(n_queries: int, n_keys: int, device: torch.device | None = None) -> Tensor:
    """Everybody may attend to everybody: an encoder's self-attention. ``(Tq, Tk)``."""
    return torch.ones(n_queries, n_keys, dtype=torch.bool, device=device)


def causal_mask(n_queries: int, n_keys: int, device: torch.device | None = None) -> Tensor:
    """No query sees a later key: key j <= position of query i. ``(Tq, Tk)``.

    With fewer queries than keys (a KV cache), the queries are the last ones.
    """
    return full_mask(n_queries, n_keys, device).tril(n_keys - n_queries)


def prefix_mask(n: int, n_prefix: int, device: torch.device | None = None) -> Tensor:
    """The first ``n_prefix`` positions see each other both ways; the rest is causal. ``(T, T)``.

    Raffel et al. 2020 (T5), figure 4, "prefix LM".
    """
    if not 0 <= n_prefix <= n:
        raise ParameterError(
            "n_prefix", n_prefix, Phrase(N_("between {low} and {high}"), low=0, high=n)
        )
    mask = causal_mask(n, n, device)
    mask[:, :n_prefix] = True
    return mask


def sliding_window_mask(n: int, window: int, device: torch.device | None = None) -> Tensor:
    """Causal, and only the last ``window`` keys, the query's own among them. ``(T, T)``.

    Beltagy et al. 2020 (Longformer), section 3.1, in its left-to-right form.
    """
    if window < 1:
        raise ParameterError("window", window, N_("at least 1"))
    return causal_mask(n, n, device) & ~full_mask(n, n, device).tril(-window)


def padding_mask(lengths: Sequence[int], n_keys: int, device: torch.device | None = None) -> Tensor:
    """Nobody sees a row's padding: ``(B, 1, 1, Tk)``, True on the first ``lengths[b]`` keys."""
    positions = torch.arange(n_keys, device=device)
    ends = torch.tensor(list(lengths), device=device)
    return (positions < ends[:, None])[:, None, None, :]
