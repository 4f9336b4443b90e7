"""Attention as recurrent machines have it: a small network says how well a state fits another."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from core.language import N_
from core.nn.masks import causal_mask
from core.tracing.sites import Site, declared, derived
from core.tracing.tap import NO_TAP, Tap


def shares(scores: Tensor, may_attend: Tensor | None) -> Tensor:
    """The softmax over the last axis; zeros where nothing may be attended to.

    Args:
        scores: ``(..., K)``.
        may_attend: bool, of the same shape; None for everything.
    """
    if may_attend is None:
        return scores.softmax(-1)
    nothing = ~may_attend.any(-1, keepdim=True)
    # The softmax of -inf alone is NaN, and so is every gradient that meets it.
    hidden = scores.masked_fill(~(may_attend | nothing), -torch.inf)
    return hidden.softmax(-1).masked_fill(nothing, 0.0)


class _Additive(nn.Module):
    """A small network says how well a query fits a key: w · tanh(W_q q + W_k k).

    Args:
        d_query: width of the state that looks.
        d_memory: width of what it looks at.
        d_model: hidden units of the network.
    """

    looks: str  # what a query is, in words (translate with ``_``)

    def __init__(self, d_query: int, d_memory: int, d_model: int) -> None:
        super().__init__()
        self.w_q = nn.Linear(d_query, d_model)
        self.w_k = nn.Linear(d_memory, d_model)
        self.w_s = nn.Linear(d_model, 1, bias=False)

    def _fit(self, q: Tensor, k: Tensor) -> Tensor:
        """Scores of queries and keys ``(..., D)`` that broadcast."""
        scores: Tensor = self.w_s(torch.tanh(q + k))[..., 0]
        return scores

    def sites(self) -> tuple[Site, ...]:
        """What it taps, and what follows from that."""
        pairs = ("Tq", "Tk")
        return declared(
            type(self),
            Site("k", ("Tk", "D"), r"k", N_("Keys: what each position can be found by.")),
            Site("q", ("Tq", "D"), r"q", self.looks),
            Site("scores", pairs, r"w \cdot \tanh(q + k)", N_("How well each query fits each key: "
                                                              "a number from a small network.")),
            derived("scores_masked", pairs, r"\tilde{s}", N_("The scores, with minus infinity "
                                                             "where the mask forbids attention.")),
            Site("weights", pairs, r"\alpha", N_("Attention weights: the softmax of each "
                                                 "query's scores. Each row adds up to 1.")),
            Site("z", ("Tq", "2D"), r"c", N_("The context: the weighted sum of what is "
                                             "attended to.")),
        )  # fmt: skip


class AdditiveAttention(_Additive):
    """A state looks at each position of another stream.

    Bahdanau et al. 2015, section 3.1 and appendix A.1.2: score = w · tanh(W_q s + W_k h).
    """

    looks = N_("Queries: what the state before each step looks for.")

    def keys(self, memory: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """What each position of the memory can be found by, once: ``(B, S, M) -> (B, S, D)``."""
        return tap("k", self.w_k(memory))

    def forward(
        self,
        h: Tensor,
        k: Tensor,
        memory: Tensor,
        may_attend: Tensor | None = None,
        step: int = 0,
        tap: Tap = NO_TAP,
    ) -> Tensor:
        """What a state ``(B, Q)`` takes from the memory, ``(B, M)``.

        Args:
            h: the state.
            k: the keys of the memory, ``(B, S, D)``.
            memory: ``(B, S, M)``.
            may_attend: bool ``(B, S)``; a state that may attend to nothing gets zeros.
            step: the position of the state.
        """
        q = tap("q", self.w_q(h), step)
        scores = tap("scores", self._fit(q[:, None], k), step)  # (B, S)
        weights = tap("weights", shares(scores, may_attend), step)
        return tap("z", (weights[:, None] @ memory)[:, 0], step)


class AdditiveSelfAttention(_Additive):
    """A recurrent layer's states look back at one another, compared as in additive attention.

    Cheng et al. 2016 ("Long short-term memory-networks for machine reading"), equations 5 to 7, on
    states that are not fed back.

    Args:
        d_state: width of a state.
        d_model: hidden units of the network that compares.
    """

    looks = N_("Queries: what the state after each step looks for.")

    def __init__(self, d_state: int, d_model: int) -> None:
        super().__init__(d_state, d_state, d_model)

    def forward(
        self, states: Tensor, past: Tensor, may_attend: Tensor | None = None, tap: Tap = NO_TAP
    ) -> Tensor:
        """What each state takes from those up to it, ``(B, T, M)``.

        Args:
            states: those that look, ``(B, T, M)``.
            past: all that there are, these the last of them, ``(B, K, M)``.
            may_attend: bool, broadcasts to ``(B, T, K)``; None for all up to each.
        """
        if may_attend is None:
            may_attend = causal_mask(states.shape[1], past.shape[1], states.device)
        k, q = tap("k", self.w_k(past)), tap("q", self.w_q(states))
        scores = tap("scores", self._fit(q[:, :, None], k[:, None]))
        weights = tap("weights", shares(scores, may_attend.expand_as(scores)))
        return tap("z", weights @ past)
