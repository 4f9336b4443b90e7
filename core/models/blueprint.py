"""What a model is made of, as plain data: map, strip, pages and lessons are drawn from it.

The parts stand in the order of computation. Every part works on a stream: a row
of positions with a vector each, "tokens" in a model that has one. A model with
an encoder and a decoder has two, and an edge between them: the decoder's stack
names the stream it also attends to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from core.errors import NoPartError, NoWordsError
from core.language import N_
from core.models.abilities import IN_WORDS
from core.models.named import by_name
from core.models.parts import (
    Attention,
    Dense,
    Direction,
    Embedding,
    Head,
    Norm,
    NormKind,
    Recurrence,
    Stack,
)
from core.models.picture_parts import ConvolutionalStem, PatchStem
from core.models.roles import sites_of
from core.tracing.sites import ONE_STREAM, SOURCE, TARGET

Part = (
    Embedding | PatchStem | ConvolutionalStem | Stack | Recurrence | Attention | Norm | Dense | Head
)
Tower = Stack | Recurrence  # layers, one on top of the other, that work on a stream
# What encoder and decoder are called (translate with ``_`` where they are shown).
ENCODER, DECODER = N_("encoder"), N_("decoder")


@dataclass(frozen=True)
class Blueprint:
    """The parts of a model, in the order of computation."""

    parts: tuple[Part, ...]

    @property
    def embeddings(self) -> tuple[Embedding, ...]:
        return tuple(part for part in self.parts if isinstance(part, Embedding))

    @property
    def patches(self) -> tuple[PatchStem, ...]:
        return tuple(part for part in self.parts if isinstance(part, PatchStem))

    @property
    def convolutions(self) -> tuple[ConvolutionalStem, ...]:
        return tuple(part for part in self.parts if isinstance(part, ConvolutionalStem))

    @cached_property
    def stacks(self) -> tuple[Stack, ...]:
        return tuple(part for part in self.parts if isinstance(part, Stack))

    @property
    def recurrences(self) -> tuple[Recurrence, ...]:
        return tuple(part for part in self.parts if isinstance(part, Recurrence))

    @property
    def towers(self) -> tuple[Tower, ...]:
        """Whatever works on a stream layer by layer, in the order of computation."""
        return tuple(part for part in self.parts if isinstance(part, Stack | Recurrence))

    @property
    def norms(self) -> tuple[Norm, ...]:
        return tuple(part for part in self.parts if isinstance(part, Norm))

    @property
    def dense(self) -> tuple[Dense, ...]:
        return tuple(part for part in self.parts if isinstance(part, Dense))

    @property
    def heads(self) -> tuple[Head, ...]:
        return tuple(part for part in self.parts if isinstance(part, Head))

    @property
    def main(self) -> Stack:
        """The stack that the model's answer is read from: the one that predicts.

        Raises:
            NoPartError: it is not read from blocks, but from recurrent layers, say.
        """
        for stack in self.stacks:
            if stack.stream == self.stream:
                return stack
        raise NoPartError(N_("layers of attention and feed-forward"))

    @property
    def head(self) -> Head:
        """The model's first head that predicts words: a number for each vocabulary entry.

        Raises:
            NoWordsError: it has none.
        """
        for head in self.heads:
            if head.ability in IN_WORDS:
                return head
        raise NoWordsError

    @property
    def predicts_words(self) -> bool:
        """Whether it has such a head."""
        return any(head.ability in IN_WORDS for head in self.heads)

    @property
    def classifier(self) -> Head:
        """The model's first head that chooses among labels.

        Raises:
            NoPartError: it has none.
        """
        for head in self.heads:
            if head.labels:
                return head
        raise NoPartError(N_("head that chooses among labels"))

    @property
    def reads_text(self) -> bool:
        """Whether a stream of it begins in the tables of a text."""
        return bool(self.embeddings)

    @property
    def stream(self) -> str:
        """The stream that the model's answer is read from; without a head the last one."""
        return self.heads[0].stream if self.heads else self.streams[-1]

    @property
    def streams(self) -> tuple[str, ...]:
        """The streams in the order in which they begin."""
        begins = (Embedding, PatchStem, ConvolutionalStem)
        return tuple(dict.fromkeys(part.stream for part in self.parts if isinstance(part, begins)))

    @property
    def reader(self) -> Stack:
        """The last stack on the first stream: the one that reads what the model is given.

        Raises:
            NoPartError: it is not read by blocks, but by recurrent layers, say.
        """
        for stack in reversed(self.stacks):
            if stack.stream == self.streams[0]:
                return stack
        raise NoPartError(N_("layers of attention and feed-forward"))

    @property
    def encoded(self) -> str:
        """The site of what the reader hands on; of a norm after it, if there is one."""
        return self.handed_on(self.reader)

    def handed_on(self, stack: Stack) -> str:
        """The site of what others get of a stack; of a norm after it, if there is one."""
        norm = self.final_norm(stack)
        return stack.output if norm is None else f"{norm.prefix}.out"

    def site(self, role: str) -> str:
        """The site of a role: "@logits", a number for each word; "@labels", one for each label.

        "@output" is what heads read; "@encoded" what is made of the first stream, the one that
        a text becomes. Any other name or pattern is its own.

        Raises:
            NoWordsError: it predicts no words.
            NoPartError: it chooses among no labels.
        """
        if role == "@labels":
            return self.classifier.site
        if role == "@encoded":
            return self.encoded
        if role == "@logits":
            return self.head.site
        if role == "@output":
            return self.heads[0].reads if self.heads else self.main.output
        return role

    def sites(self, role: str) -> tuple[str, ...]:
        """The sites and patterns of a role; of most, the one site.

        "@attention" is all of it, what it is made from, and the logits, if there are any;
        "@embeddings" everything where streams begin; "@positions" what tells places apart;
        "@layers" the vectors of what is read, first without context, then layer by layer.

        Raises:
            NoWordsError: see ``site``.
            NoPartError: nothing of it tells places apart, or has such layers.
        """
        return sites_of(self, role)

    def stack(self, name: str = "") -> Stack:
        """The stack of that name; without a name the main one.

        Raises:
            ParameterError: there is none of that name.
            NoPartError: there is none at all.
        """
        return by_name("stack", name, self.stacks) if name and self.stacks else self.main

    def recurrence(self, name: str = "") -> Recurrence:
        """The recurrent layers of that name; without a name those that are answered from.

        Raises:
            ParameterError: there are none of that name.
            NoPartError: there are none at all.
        """
        if name and self.recurrences:
            return by_name("recurrence", name, self.recurrences)
        for candidate in reversed(self.recurrences):
            if candidate.stream == self.stream:
                return candidate
        raise NoPartError(N_("recurrent layers"))

    def embedding(self, stream: str) -> Embedding:
        """The tables where a stream begins.

        Raises:
            NoPartError: it does not begin in tables.
        """
        for part in self.embeddings:
            if part.stream == stream:
                return part
        raise NoPartError(N_("token table"))

    def final_norm(self, stack: Stack) -> Norm | None:
        """The norm after a stack, if there is one."""
        return next((norm for norm in self.norms if norm.reads == stack.output), None)

    @cached_property
    def attentions(self) -> tuple[Attention, ...]:
        """Every kind of attention, in the order of computation."""
        return tuple(self._attentions())

    def _attentions(self) -> Iterator[Attention]:
        alone = len(self.stacks) == 1
        for part in self.parts:
            if isinstance(part, Attention):
                yield part
            elif isinstance(part, Stack):
                yield part.attention("self" if alone else part.name, "attn")
                if part.cross is not None:
                    yield part.attention("cross", "cross_attn")

    def attention(self, name: str = "") -> Attention:
        """The attention of that name; without a name that of the main stream.

        That is its attention to itself, or, where it has none, to another stream.

        Raises:
            ParameterError: there is none of that name.
            NoPartError: nothing in the model attends to anything.
        """
        if name and self.attentions:
            return by_name("attention", name, self.attentions)
        main = [attention for attention in self.attentions if attention.queries == self.stream]
        for attention in (*(attention for attention in main if attention.square), *main):
            return attention
        raise NoPartError(N_("attention"))

    def across(self) -> Attention | None:
        """The attention from the stream that is answered from to another one, if there is one."""
        return next(
            (
                attention
                for attention in self.attentions
                if attention.queries == self.stream and not attention.square
            ),
            None,
        )

    def attention_at(self, site: str) -> Attention:
        """The attention that a site of its belongs to, by the site's name or prefix.

        Raises:
            LookupError: it belongs to none. The caller names a site of an attention, so this is a
                bug.
        """
        for attention in self.attentions:
            if any(f"{site}.".startswith(f"{prefix}.") for prefix in attention.prefixes):
                return attention
        raise LookupError(f"no attention has a site {site!r}")


__all__ = [
    "DECODER",
    "ENCODER",
    "ONE_STREAM",
    "SOURCE",
    "TARGET",
    "Attention",
    "Blueprint",
    "Direction",
    "Embedding",
    "Head",
    "Norm",
    "NormKind",
    "Recurrence",
    "Stack",
    "Tower",
]
