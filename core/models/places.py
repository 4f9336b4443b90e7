"""Places of a model as a link says them: a layer, a head in it, its feed-forward network.

And one thing more that can be taken away: a key, by its position, that a head may not attend to.
"""

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
    r"(?:\.(?:(?:(?P<across>cross)\.)?head(?P<head>\d{1,3})(?:\.key(?P<key>\d{1,4}))?|(?P<ffn>ffn)))?"
)
HIDDEN = -1e9  # a score whose weight is 0; of a row that sees nothing else it stays 1


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
        key: a position that its head is not to attend to; None for the head itself.
    """

    name: str
    stream: str
    layer: int
    head: int | None = None
    across: bool = False
    ffn: bool = False
    key: int | None = None

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

    @property
    def value(self) -> float:
        """What is put in its place when it is off."""
        return 0.0 if self.key is None else HIDDEN

    def output(self, blueprint: Blueprint) -> tuple[str, tuple[int | None, ...]] | None:
        """The site of what it gives to the stream, and its index there: of a head its mix.

        Of a key the scores of all queries. None where the model has no such place.
        """
        if (attention := self.attention(blueprint)) is not None:
            prefix = attention.prefix(self.layer)
            head = () if attention.n_heads is None else (self.head or 0,)
            if self.key is not None:
                return f"{prefix}.scores", (*head, None, self.key)
            return f"{prefix}.z", head
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
        key=None if found["key"] is None else int(found["key"]),
    )


def read_several(text: str) -> tuple[Place, ...]:
    """The places of names that are joined by "+", each once, others left out."""
    return tuple(filter(None, map(read, dict.fromkeys(text.split("+")))))


def outputs(places: Iterable[Place], blueprint: Blueprint) -> list[Place]:
    """Those that a model has, and that give something to its stream."""
    return [one for one in places if one.output(blueprint) is not None]
