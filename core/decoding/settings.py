"""How the next token is chosen, as plain data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the next token is chosen.

    Attributes:
        temperature: 0 takes the likeliest token (greedy).
        top_k: how many tokens may be drawn; 0 = all.
        top_p: share of probability that may be drawn; 1 = all.
        repetition: penalty on tokens that already stand in the text; 1 = none.
        seed: the same seed draws the same tokens.
    """

    temperature: float = 0.8
    top_k: int = 50
    top_p: float = 0.95
    repetition: float = 1.0
    seed: int = 0


GREEDY = Sampling(temperature=0.0, top_k=0, top_p=1.0)
