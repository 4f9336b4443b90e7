"""Places of a model as a link says them: where a stream begins, a layer, a part of it, the words.

And what stands in a part: a key of a head, by its position, which may be hidden from it; a unit of a
feed-forward network; a word, by its number in the vocabulary.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from core.models.blueprint import Attention, Blueprint, Recurrence, Stack

_PLACE = re.compile(
    r"(?:(?P<stream>[a-z_]+)\.)?(?:(?P<start>embeddings)|(?P<end>words)(?:\.word(?P<word>\d{1,7}))?"
    r"|layer(?P<layer>\d{1,3})(?:\.(?P<direction>forward|backward))?"
    r"(?:\.(?:(?:(?P<across>cross)\.)?head(?P<head>\d{1,3})(?:\.key(?P<key>\d{1,4}))?"
    r"|(?P<ffn>ffn)(?:\.unit(?P<unit>\d{1,6}))?|(?P<cell>cell)))?)"
)
PATTERN = rf"(?:{_PLACE.pattern})?"  # of one place, or of the whole
_NUMBERED = ("head", "key", "unit", "word")
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
        key: a position of what its head attends to; None for the head itself.
        unit: of the feed-forward network; None for the whole of it.
        cell: it is the cell of a recurrent layer.
        backward: the cell reads from the end.
        start: it is where a stream begins, its embeddings.
        end: it is where the words are said.
        word: one of them, by its number; None for all.
    """

    name: str
    stream: str
    layer: int
    head: int | None = None
    across: bool = False
    ffn: bool = False
    key: int | None = None
    unit: int | None = None
    cell: bool = False
    backward: bool = False
    start: bool = False
    end: bool = False
    word: int | None = None

    def attention(self, blueprint: Blueprint) -> Attention | None:
        """The kind of attention that its head is of; None where there is no such head."""
        if self.head is None:
            return None
        stream = self.stream or blueprint.stream
        attentions = [
            attention for attention in blueprint.attentions if attention.queries == stream
        ]
        kinds = [attention for attention in attentions if attention.square != self.across]
        # What looks at another stream by itself is no second kind.
        for attention in kinds or attentions:
            if self.layer < attention.n_layers and self.head < (attention.n_heads or 1):
                return attention
        return None

    def stack(self, blueprint: Blueprint) -> Stack | None:
        """The stack of its feed-forward network; None where there is no such network."""
        stream = self.stream or blueprint.stream
        for stack in blueprint.stacks:
            if self.ffn and stack.stream == stream and self.layer < stack.n_layers:
                return stack
        return None

    def recurrence(self, blueprint: Blueprint) -> Recurrence | None:
        """The recurrent layers of its cell; None where there is no such cell."""
        stream = self.stream or blueprint.stream
        for recurrence in blueprint.recurrences:
            if self.cell and recurrence.stream == stream and self.layer < recurrence.n_layers:
                return recurrence
        return None

    def is_in(self, blueprint: Blueprint) -> bool:
        """Whether a model has it; of a key, a unit or a word, what that stands in."""
        if (self.stream or blueprint.stream) not in blueprint.streams:
            return False
        if self.start or self.end:
            return True
        place = replace(self, head=0, ffn=True, cell=True) if self.whole else self
        return any(
            (place.attention(blueprint), place.stack(blueprint), place.recurrence(blueprint))
        )

    @property
    def whole(self) -> bool:
        """Whether it is the whole of a layer."""
        return not (self.start or self.end or self.ffn or self.cell) and self.head is None

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
        if (stack := self.stack(blueprint)) is not None and self.unit is None:
            return f"{stack.block(self.layer)}.ffn.out", ()
        return None


def read(text: str) -> Place | None:
    """The place of a name: "layer3", "target.layer0.cross.head2", "words"; None for none."""
    match = _PLACE.fullmatch(text)
    if match is None:
        return None
    return Place(
        name=text,
        stream=match["stream"] or "",
        layer=int(match["layer"] or 0),
        across=match["across"] is not None,
        backward=match["direction"] == "backward",
        ffn=match["ffn"] is not None,
        cell=match["cell"] is not None,
        start=match["start"] is not None,
        end=match["end"] is not None,
        **{name: int(match[name]) for name in _NUMBERED if match[name] is not None},
    )
