"""What views of translating ask for, as frozen data (``core.runs.requests``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.inputs import Input
from core.runs.requests import OfModel

Method = Literal["greedy", "sample", "beam", "hand"]  # of a search


@dataclass(frozen=True, slots=True)
class SearchRequest(OfModel):
    """A target that is searched for, with the tokens that were not taken.

    Attributes:
        text: the source.
        method: "greedy", "sample", "beam", or "hand": nothing is searched for.
        beams: how many texts are kept.
        alpha: of the length penalty.
        temperature, seed: of the draws.
        length: tokens at most, the end mark included.
        shown: of the likeliest tokens at a place so many are in the tree.
        walked: what a learner opened by hand, each token by its rank.
    """

    lasts = "a while"
    text: str
    method: Method
    beams: int
    alpha: float
    temperature: float
    seed: int
    length: int
    shown: int
    walked: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class HideRequest(OfModel):
    """What hiding each token of the source costs each token of a target.

    Attributes:
        given: source and target; a target that is not given is written.
    """

    lasts = "a while"
    given: Input


@dataclass(frozen=True, slots=True)
class SecondTargetRequest(OfModel):
    """Two targets of one source, the second over what is kept of the source.

    Attributes:
        text: the source.
        first, second: targets.
    """

    lasts = "a while"
    text: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class PaceRequest(OfModel):
    """How long a source and a target take to be read, by how many tokens they have.

    Attributes:
        text: whose tokens are read, over and over.
    """

    lasts = "a while"
    text: str
