"""A machine that no file of the house knows: LSTMs that read characters and sort texts.

A bidirectional LSTM (Graves & Schmidhuber 2005) over the letters of a text, and
labels from the mean of its states. It has no tokenizer, no attention, no words
to predict and nothing that it writes. Random weights; it is here to see that a
text may be read in other units than tokens.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from core.encoders import Encoders
from core.inputs import Batch, Input, Shuffled, Text
from core.language import N_
from core.models.abilities import Ability
from core.models.blueprint import ONE_STREAM, Blueprint, Embedding, Head, Recurrence
from core.models.prepared import Prepared, batched, read
from core.nn.embeddings import WordVectors
from core.nn.recurrent import LSTM, Bidirectional
from core.tracing.sites import Site, declared, within
from core.tracing.tap import NO_TAP, Tap

STATE = {"S": N_("S numbers of a state")}


@dataclass(frozen=True, slots=True)
class CharactersConfig:
    """The sizes, under names of its own; ``state`` is the width of a state in each direction."""

    n_letters: int
    n_ctx: int
    width: int
    state: int
    depth: int
    labels: tuple[str, ...]


class CharacterLSTM(nn.Module):
    """``forward`` gives logits ``(B, labels)``."""

    abilities: frozenset[Ability] = frozenset({"classify_text"})
    takes: frozenset[type[Input]] = frozenset({Text, Batch, Shuffled})

    def __init__(self, config: CharactersConfig, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.letters = WordVectors(config.n_letters, config.width)
        self.rnn = nn.ModuleList(
            Bidirectional(2 * config.state if n else config.width, config.state, LSTM)
            for n in range(config.depth)
        )
        self.says = nn.Linear(2 * config.state, len(config.labels))
        if not self.says.weight.is_meta:
            for parameter in self.parameters():
                nn.init.normal_(parameter, 0.0, 0.3, generator=generator)

    @property
    def blueprint(self) -> Blueprint:
        letters = Embedding("letters", ONE_STREAM, ("tokens",), None, None, norm=None,
                            scaled=False, table="letters.weight", units="characters")  # fmt: skip
        both = ("forward", "backward")
        reader = Recurrence(
            "reader", "rnn", ONE_STREAM, "lstm", self.config.depth, both, self.config.state
        )
        head = Head("classify_text", "said", ONE_STREAM, reads="mean", labels=self.config.labels)
        return Blueprint((letters, reader, head))

    def sites(self) -> Iterator[Site]:
        yield from within("letters", self.letters.sites())
        for i, layer in enumerate(self.rnn):
            yield from within(f"rnn.{i}", layer.sites("S"), letters=STATE)
        yield from declared(
            type(self),
            Site("mean", ("2S",), r"\bar{h}", N_("The mean of all states.")),
            Site("said", ("L",), r"\ell", N_("One number for each label.")),
            letters={"2S": N_("2S numbers of two states side by side"), "L": N_("L labels")},
        )

    def prepare(self, given: Input, encoders: Encoders) -> Prepared:
        rows = read(given, encoders, self.config.n_ctx, self.config.n_letters)
        return batched([{ONE_STREAM: row} for row in rows], (), pad_id=0,
                       device=self.says.weight.device)  # fmt: skip

    def observe(self, prepared: Prepared, tap: Tap) -> None:
        lengths = torch.tensor([len(row[ONE_STREAM].units) for row in prepared.streams])
        self(prepared.tensors[ONE_STREAM], lengths, tap=tap)

    def forward(self, ids: Tensor, lengths: Tensor | None = None, tap: Tap = NO_TAP) -> Tensor:
        """From ids ``(B, T)``; ``lengths`` of the rows without their padding."""
        x = self.letters(ids, tap.at("letters"))
        real = None
        if lengths is not None:
            places = torch.arange(ids.shape[1], device=x.device)
            real = places < lengths.to(x.device)[:, None]
        for i, layer in enumerate(self.rnn):
            x = layer.read(x, real, tap.at("rnn", i))
        if real is None:
            mean = x.mean(dim=1)
        else:
            mean = (x * real[..., None]).sum(dim=1) / real.sum(dim=1, keepdim=True)
        return tap("said", self.says(tap("mean", mean)))
