"""Where somebody is in the picture of a run, as the link says it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.models.blueprint import Attention, Blueprint

PATTERN = r"[a-z0-9_.]{0,60}"
_PLACE = re.compile(
    r"(?:(?P<stream>[a-z_]+)\.)?layer(?P<layer>\d{1,3})"
    r"(?:\.(?P<direction>forward|backward))?"
    r"(?:\.(?:(?P<across>cross)\.)?head(?P<head>\d{1,3}))?"
)


@dataclass(frozen=True, slots=True)
class Place:
    """A place that is gone into.

    Attributes:
        stream: of its tower; empty where there is but one.
        layer: counted from 0.
        head: of the layer; None for the whole of it.
        across: the head attends to another stream.
    """

    stream: str
    layer: int
    head: int | None = None
    across: bool = False

    def attention(self, blueprint: Blueprint) -> Attention | None:
        """The kind of attention that its head is of; None where there is no such head."""
        stream = self.stream or blueprint.stream
        own = [one for one in blueprint.attentions if one.queries == stream]
        found = [one for one in own if one.square != self.across]
        # What looks at another stream by itself is no second kind.
        return next(iter(found or own), None) if self.head is not None else None


def read(text: str) -> Place | None:
    """The place that a text names, "layer3", "target.layer0.cross.head2"; None for the whole."""
    found = _PLACE.fullmatch(text)
    if found is None:
        return None
    head = found["head"]
    return Place(
        found["stream"] or "", int(found["layer"]), None if head is None else int(head),
        across=found["across"] is not None,
    )  # fmt: skip
