"""Places of a model as a link says them: a layer, a head in it, its feed-forward network."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from core.models.blueprint import Attention, Blueprint, Stack

PATTERN = r"[a-z0-9_.]{0,60}"  # of one place
SEVERAL = r"[a-z0-9_.+]{0,400}"
_PLACE = re.compile(
    r"(?:(?P<stream>[a-z_]+)\.)?layer(?P<layer>\d{1,3})"
    r"(?:\.(?P<direction>forward|backward))?"
    r"(?:\.(?:(?:(?P<across>cross)\.)?head(?P<head>\d{1,3})|(?P<ffn>ffn)))?"
)


@dataclass(frozen=True, slots=True)
class Place:
    """A layer, or a part of it.

    Attributes:
        name: as the link says it.
        stream: of its tower; empty where there is but one.
        layer: counted from 0.
        head: of the layer; None for the whole of it, or its feed-forward network.
        across: the head attends to another stream.
        ffn: it is the feed-forward network.
    """

    name: str
    stream: str
    layer: int
    head: int | None = None
    across: bool = False
    ffn: bool = False

    def attention(self, blueprint: Blueprint) -> Attention | None:
        """The kind of attention that its head is of; None where there is no such head."""
        if self.head is None:
            return None
        stream = self.stream or blueprint.stream
        own = [one for one in blueprint.attentions if one.queries == stream]
        kinds = [one for one in own if one.square != self.across]
        # What looks at another stream by itself is no second kind.
        for one in kinds or own:
            if self.layer < one.n_layers and self.head < (one.n_heads or 1):
                return one
        return None

    def stack(self, blueprint: Blueprint) -> Stack | None:
        """The stack of its feed-forward network; None where there is no such network."""
        stream = self.stream or blueprint.stream
        for one in blueprint.stacks:
            if self.ffn and one.stream == stream and self.layer < one.n_layers:
                return one
        return None

    def output(self, blueprint: Blueprint) -> tuple[str, tuple[int, ...]] | None:
        """The site of what it gives to the stream, and its index there: of a head its mix.

        None where the model has no such place.
        """
        if (attention := self.attention(blueprint)) is not None:
            alone = attention.n_heads is None
            return f"{attention.prefix(self.layer)}.z", () if alone else (self.head or 0,)
        if (stack := self.stack(blueprint)) is not None:
            return f"{stack.block(self.layer)}.ffn.out", ()
        return None


def read(text: str) -> Place | None:
    """The place of a name, "layer3", "target.layer0.cross.head2", "layer1.ffn"; None for none."""
    found = _PLACE.fullmatch(text)
    if found is None:
        return None
    return Place(
        name=text,
        stream=found["stream"] or "",
        layer=int(found["layer"]),
        head=None if found["head"] is None else int(found["head"]),
        across=found["across"] is not None,
        ffn=found["ffn"] is not None,
    )


def read_several(text: str) -> tuple[Place, ...]:
    """The places of names that are joined by "+", each once, others left out."""
    return tuple(filter(None, map(read, dict.fromkeys(text.split("+")))))


def outputs(places: Iterable[Place], blueprint: Blueprint) -> list[Place]:
    """Those that a model has, and that give something to its stream."""
    return [one for one in places if one.output(blueprint) is not None]
