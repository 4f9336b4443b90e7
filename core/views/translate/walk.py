"""A search for a target, and what a learner opened in its tree by hand: what a link says of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import cast

from core.language import N_
from core.runs.translations import Method, SearchRequest
from core.views.params import MAX_SEED, OnText, param

DEEPEST, MOST_WALKS = 24, 8
PATH = rf"[0-9]{{1,4}}(\.[0-9]{{1,4}}){{0,{DEEPEST - 1}}}"
Ranks = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Searching(OnText):
    """How a target is searched for, and what of the tree is shown.

    Attributes:
        method: of the search.
        beams: texts that beam search keeps.
        alpha: of the length penalty; 0 for none.
        temperature: of sampling.
        seed: of the draws.
        candidates: of the likeliest tokens at a place so many are drawn.
        length: tokens at most, the end mark included.
        walk: what was opened by hand: ways of ranks, "0.1.0,2".
        branch: the token that is selected, by its way of ranks; empty for the end of the best.
    """

    method: str = param(
        "beam",
        choices={
            "greedy": N_("Greedy"),
            "sample": N_("Sampling"),
            "beam": N_("Beam search"),
            "hand": N_("By hand"),
        },
        label=N_("Search"),
    )
    beams: int = param(3, low=1, high=6, label=N_("Beam width"))
    alpha: float = param(0.6, low=0.0, high=2.0, label=N_("Length penalty α"))
    temperature: float = param(0.8, low=0.0, high=2.0, label=N_("Temperature"))
    seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed"))
    candidates: int = param(2, low=1, high=6, label=N_("Candidates shown"))
    length: int = param(16, low=1, high=DEEPEST, label=N_("Tokens at most"))
    walk: str = param("", pattern=rf"({PATH}(,{PATH}){{0,{MOST_WALKS - 1}}})?",
                      form=N_("paths through the tree"), high=1000,
                      label=N_("Opened by hand"))  # fmt: skip
    branch: str = param("", pattern=rf"({PATH})?", form=N_("a path through the tree"),
                        high=120, lives="browser", label=N_("Branch"))  # fmt: skip

    def request(self) -> SearchRequest:
        """The search; what it does not depend on is left out, so that it is found again."""
        beam, sample = self.method == "beam", self.method == "sample"
        return SearchRequest(
            model=self.model,
            text=self.text,
            method=cast(Method, self.method),
            beams=self.beams if beam else 1,
            alpha=self.alpha if beam else 0.0,
            temperature=self.temperature if sample else 0.0,
            seed=self.seed if sample else 0,
            length=self.length,
            shown=self.candidates,
            walked=ways(self.walk),
        )


def named(ranks: Ranks) -> str:
    """A way as the link says it."""
    return ".".join(map(str, ranks))


def ways(walk: str) -> tuple[Ranks, ...]:
    """What was opened by hand."""
    return tuple(tuple(map(int, way.split("."))) for way in walk.split(",") if way)


def walked(walk: str, node: str) -> str:
    """What is opened by hand after a click on a token: opens it, or closes it and what follows it.

    Args:
        walk: before.
        node: the way to the token, as a browser says it: nothing changes where it is none, or
            where eight ways are open already.
    """
    if not re.fullmatch(PATH, node):
        return walk
    before, (clicked,) = ways(walk), ways(node)
    behind = [way for way in before if way[: len(clicked)] == clicked]
    if behind:
        left = [way for way in before if way not in behind]
        parent = clicked[:-1]
        if parent and not any(way[: len(parent)] == parent for way in left):
            left.append(parent)
    else:
        left = [way for way in before if way != clicked[: len(way)]]
        left.append(clicked)
    return walk if len(left) > MOST_WALKS else ",".join(map(named, left))
