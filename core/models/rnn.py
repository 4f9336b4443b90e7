"""A recurrent encoder and decoder: the translators before the Transformer, with and without looking.

With attention: Bahdanau et al. 2015 ("Neural machine translation by jointly
learning to align and translate"). A bidirectional GRU reads the source, a GRU
writes the target, and before each step its state looks at all of the source.
Without: Cho et al. 2014. The source is summed up once, in the last states of
both directions, and every step is told that summary and nothing else. With
self-attention the decoder looks back at its own states, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.decoding.greedy import greedy
from core.encoders import Encoders
from core.errors import InputTooLongError
from core.inputs import ONE_TEXT, Input, SourceTarget
from core.language import N_
from core.models.abilities import Ability
from core.models.blueprint import (
    DECODER,
    ENCODER,
    SOURCE,
    TARGET,
    Attention,
    Blueprint,
    Direction,
    Embedding,
    Head,
    Part,
    Recurrence,
)
from core.models.limits import check_ends, check_sizes
from core.models.prepared import Prepared, batched
from core.nn.additive import AdditiveAttention, AdditiveSelfAttention
from core.nn.embeddings import WordVectors
from core.nn.kv_cache import HiddenState
from core.nn.recurrent import GRU, Bidirectional
from core.reading.source_target import read_both
from core.tracing.sites import Site, declared, within
from core.tracing.tap import NO_TAP, Tap


@dataclass(frozen=True, slots=True)
class RNNConfig:
    """The sizes of a recurrent encoder and decoder.

    Attributes:
        vocab_size: V, entries of the token table that both sides and the output share.
        n_ctx: the longest sentence it takes on either side; its layers know no limit.
        d_model: D, width of a token's row and of the encoder's state in each direction; the
            decoder's state is as wide as both together.
        start_id: the token that every target begins with.
        end_id: the token that ends source and target.
        attention: each step looks at all of the source; else it is told a summary.
        self_attention: the state after each step looks at all of the decoder's states up to it.
    """

    vocab_size: int
    n_ctx: int
    d_model: int
    start_id: int
    end_id: int
    attention: bool = True
    self_attention: bool = False

    def __post_init__(self) -> None:
        check_sizes(self, "vocab_size", "n_ctx", "d_model")
        check_ends(self)


class Encoder(nn.Module):
    """Reads the source in both directions.

    Args:
        embed: the token table.
        d_model: width of a row and of each state.
    """

    def __init__(self, d_model: int) -> None:
        super().__init__()
        self.rnn = nn.ModuleList([Bidirectional(d_model, d_model)])

    def forward(self, x: Tensor, real: Tensor | None = None, tap: Tap = NO_TAP) -> Tensor:
        """``(B, S, D) -> (B, S, 2 D)``; ``real`` is False on padding, ``(B, S)``."""
        for i, layer in enumerate(self.rnn):
            assert isinstance(layer, Bidirectional)
            x = layer.read(x, real, tap.at("rnn", i))
        return x

    def sites(self) -> Iterator[Site]:
        """What it taps, in the order of computation."""
        for i, layer in enumerate(self.rnn):
            assert isinstance(layer, Bidirectional)
            yield from within(f"rnn.{i}", layer.sites())


class Readout(nn.Module):
    """From a step of the decoder to what the token table is compared with.

    Bahdanau et al. 2015, appendix A.2.2, with a tanh in place of their maxout.
    """

    def __init__(self, d_model: int, n_contexts: int) -> None:
        super().__init__()
        self.w = nn.Linear((2 + 2 * n_contexts + 1) * d_model, d_model)

    def forward(self, parts: Sequence[Tensor], tap: Tap = NO_TAP) -> Tensor:
        """State, contexts ``(B, T, 2 D)`` and the token read ``(B, T, D)`` to ``(B, T, D)``."""
        return tap("out", torch.tanh(self.w(torch.cat([*parts], dim=-1))))

    def sites(self) -> tuple[Site, ...]:
        """What it taps."""
        meaning = N_("State, context and the token that was read last, mixed into one vector of "
                     "the token table's width.")  # fmt: skip
        symbol = r"\tanh(W\,[h_t; c_t; E_{x_t}])"
        return declared(type(self), Site("out", ("T", "D"), symbol, meaning))


class RecurrentDecoder(nn.Module):
    """Takes one step a token: looks at the source, or is told its summary, then reads the token."""

    def __init__(self, config: RNNConfig) -> None:
        super().__init__()
        d = config.d_model
        self.w_first = nn.Linear(2 * d, 2 * d)
        self.attn = AdditiveAttention(2 * d, 2 * d, d) if config.attention else None
        gru = nn.ModuleDict()
        gru._modules["forward"] = GRU(3 * d, 2 * d)  # a name that add_module keeps for the method
        self.rnn = nn.ModuleList([gru])
        self.self_attn = AdditiveSelfAttention(2 * d, d) if config.self_attention else None
        self.readout = Readout(d, 1 + config.self_attention)

    def first(self, summary: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """The state before the first step, from the summary of the source; both ``(B, 2 D)``."""
        return tap("first", torch.tanh(self.w_first(summary))[:, None])[:, 0]

    def forward(
        self, x: Tensor, memory: Memory, before: HiddenState, *,
        may_attend: Tensor | None = None, self_mask: Tensor | None = None, tap: Tap = NO_TAP,
    ) -> tuple[Tensor, Tensor]:  # fmt: skip
        """What the head reads ``(B, T, D)`` after each of the tokens, and the states then.

        Args:
            x: the tokens' rows, ``(B, T, D)``.
            memory: of the source.
            before: the state, and what is kept of earlier ones; it stays as it is.
            may_attend: bool ``(B, T, S)``, to the source.
            self_mask: bool, broadcasts to ``(B, T, K)``, to the states up to each.
        """
        h, start = before.h, before.length
        gru = self.rnn[0]["forward"]  # type: ignore[index]
        states, contexts = [], []
        for step in range(x.shape[1]):
            context = memory.summary
            if self.attn is not None and memory.keys is not None:
                mask = None if may_attend is None else may_attend[:, step]
                context = self.attn(
                    h, memory.keys, memory.states, mask, start + step, tap.at("attn")
                )
            both = torch.cat([x[:, step], context], dim=-1)
            h = gru(gru.w_x(both), h, start + step, tap.at("rnn", 0, "forward"))
            states.append(h)
            contexts.append(context)
        outputs = torch.stack(states, dim=1)
        parts = [outputs, torch.stack(contexts, dim=1)]
        if self.self_attn is not None:
            past = outputs if before.past is None else torch.cat([before.past, outputs], dim=1)
            parts.append(self.self_attn(outputs, past, self_mask, tap.at("self_attn")))
        return self.readout([*parts, x], tap.at("readout")), outputs

    def sites(self) -> Iterator[Site]:
        """What it taps, in the order of computation."""
        meaning = N_("The decoder's state before its first step, made from the summary.")
        yield from declared(type(self), Site("first", ("1", "2D"), r"h_0 = \tanh(W\,s)", meaning))
        if self.attn is not None:
            yield from within("attn", self.attn.sites(), keys=SOURCE)
        yield from within("rnn.0.forward", self.rnn[0]["forward"].sites("2D"))  # type: ignore[index]
        if self.self_attn is not None:
            yield from within("self_attn", self.self_attn.sites(), keys=TARGET)
        yield from within("readout", self.readout.sites())


@dataclass(frozen=True, slots=True)
class Memory:
    """What a decoder knows of sources, made once however much it writes.

    Attributes:
        states: of the encoder at each position, ``(B, S, 2 D)``.
        summary: its last states in both directions, ``(B, 2 D)``.
        keys: what attention finds the positions by, ``(B, S, D)``; None without attention.
    """

    states: Tensor
    summary: Tensor
    keys: Tensor | None

    def rows(self, rows: Sequence[int]) -> Memory:
        """The memory of some of the sources, by their rows."""
        which = list(rows)
        keys = None if self.keys is None else self.keys[which]
        return Memory(self.states[which], self.summary[which], keys)

    @property
    def nbytes(self) -> int:
        """Bytes that the states, the summary and the keys take."""
        keys = 0 if self.keys is None else self.keys.nbytes
        return self.states.nbytes + self.summary.nbytes + keys


class RNN(nn.Module):
    """Encoder and decoder; ``forward`` gives logits ``(B, T, V)`` for the next target token.

    Args:
        config: its sizes.
        generator: draws the initial weights; without one they come from the
            global state of torch.
    """

    abilities: frozenset[Ability] = frozenset({"translate"})
    takes = ONE_TEXT | {SourceTarget}

    def __init__(self, config: RNNConfig, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.embed = WordVectors(config.vocab_size, config.d_model)
        self.encoder, self.decoder = Encoder(config.d_model), RecurrentDecoder(config)
        if not self.embed.weight.is_meta:
            self._init_weights(generator)

    @torch.no_grad()
    def _init_weights(self, generator: torch.Generator | None) -> None:
        """Rows of the table from N(0, 1 / D); matrices by Glorot & Bengio, of states orthogonal."""
        self.embed.weight.normal_(0.0, self.config.d_model**-0.5, generator=generator)
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.xavier_uniform_(module.weight, generator=generator)
                if module.bias is not None:
                    module.bias.zero_()
        for module in self.modules():
            if isinstance(module, GRU):
                for part in module.w_h.weight.chunk(3):
                    nn.init.orthogonal_(part, generator=generator)

    @property
    def blueprint(self) -> Blueprint:
        """The parts in order."""
        cross: tuple[Part, ...] = ()
        self_attention: tuple[Part, ...] = ()
        d = self.config.d_model
        writer = Recurrence(
            DECODER, "decoder.rnn", TARGET, "gru", 1, ("forward",), 2 * d, told=SOURCE,
            told_at="first" if self.config.attention else "every", first="decoder.first",
        )  # fmt: skip
        if self.config.attention:
            states = writer.outputs
            cross = (
                Attention(
                    "cross", TARGET, SOURCE, False, ("decoder.attn",), states, score="additive"
                ),
            )
        if self.config.self_attention:
            states, prefixes = writer.outputs, ("decoder.self_attn",)
            self_attention = (
                Attention(DECODER, TARGET, TARGET, True, prefixes, states, score="additive"),
            )
        both: tuple[Direction, ...] = ("forward", "backward")
        return Blueprint(
            (
                self._words("encoder", SOURCE),
                Recurrence(ENCODER, "encoder.rnn", SOURCE, "gru", 1, both, d),
                self._words("decoder", TARGET),
                *cross,
                writer,
                *self_attention,
                Head("translate", "logits", TARGET, reads="decoder.readout.out",
                     table="embed.weight"),
            )
        )  # fmt: skip

    @staticmethod
    def _words(name: str, stream: str) -> Embedding:
        return Embedding(
            prefix=f"{name}.embed", stream=stream, tables=("tokens",), positions=None,
            learned_from=None, norm=None, scaled=False, table="embed.weight",
        )  # fmt: skip

    def sites(self) -> Iterator[Site]:
        """Every value that a run shows, in the order of computation."""
        yield from within("encoder.embed", self.embed.sites(), queries=SOURCE)
        yield from within("encoder", self.encoder.sites(), queries=SOURCE)
        yield from within("decoder.embed", self.embed.sites(), queries=TARGET)
        yield from within("decoder", self.decoder.sites(), queries=TARGET)
        meaning = N_(
            "The logits: one number for each vocabulary entry. The higher it is, the more "
            "likely the model finds this entry as the next token."
        )
        yield from declared(
            type(self), Site("logits", ("T", "V"), r"\ell", meaning, queries=TARGET)
        )

    def prepare(self, given: Input, encoders: Encoders) -> Prepared:
        """What a run on an input computes with. A target that is not given is written greedily.

        Raises:
            EmptyInputError, NoRoomError, InputTooLongError, ParameterError: see ``Row.check``.
        """
        config = self.config
        rows = read_both(
            given,
            encoders,
            config.n_ctx,
            config.vocab_size,
            start_id=config.start_id,
            write=lambda source: greedy(
                self.begin(source), config.start_id, config.end_id, config.n_ctx
            ),
        )
        return batched(
            rows,
            self.blueprint.attentions,
            pad_id=encoders.tokenizer.pad_id,
            device=self.embed.weight.device,
        )

    def observe(self, prepared: Prepared, tap: Tap) -> None:
        """One run through both sides."""
        source = prepared.tensors[SOURCE]
        real = None
        if len(prepared.streams) > 1:
            lengths = [len(row[SOURCE].units) for row in prepared.streams]
            places = torch.arange(source.shape[1], device=source.device)
            real = places < torch.tensor(lengths, device=source.device)[:, None]
        self(
            source,
            prepared.tensors[TARGET],
            encoder_mask=None if real is None else real[:, None, None],
            cross_mask=prepared.mask("cross") if self.config.attention else None,
            self_mask=prepared.mask(DECODER) if self.config.self_attention else None,
            tap=tap,
        )

    def forward(
        self,
        source: Tensor,
        target: Tensor,
        *,
        encoder_mask: Tensor | None = None,
        cross_mask: Tensor | None = None,
        self_mask: Tensor | None = None,
        tap: Tap = NO_TAP,
    ) -> Tensor:
        """Logits for the token after each of the target's: teacher forcing.

        Args:
            source: ids ``(B, S)``, the end mark included.
            target: ids ``(B, T)``, the start mark first.
            encoder_mask: bool ``(B, 1, 1, S)``, False on padding.
            cross_mask: bool, True = may attend; broadcasts to ``(B, 1, T, S)``.
            self_mask: the same of the decoder's own states, to ``(B, 1, T, T)``.

        Returns:
            ``(B, T, V)``.
        """
        memory = self.encode(source, mask=encoder_mask, tap=tap)
        may_attend = None
        if cross_mask is not None:
            shape = (len(target), 1, target.shape[1], source.shape[1])
            may_attend = cross_mask.expand(shape)[:, 0]
        self._check_length(target.shape[1])
        x = self.embed(target, tap.at("decoder", "embed"))
        before = HiddenState(self.decoder.first(memory.summary, tap.at("decoder")))
        if self_mask is not None and self_mask.ndim == 4:
            self_mask = self_mask[:, 0]
        read, _ = self.decoder(
            x, memory, before, may_attend=may_attend, self_mask=self_mask, tap=tap.at("decoder")
        )
        return tap("logits", F.linear(read, self.embed.weight))

    def encode(self, source: Tensor, *, mask: Tensor | None = None, tap: Tap = NO_TAP) -> Memory:
        """What a decoder knows of sources ``(B, S)``.

        Raises:
            InputTooLongError: more positions than the context holds.
        """
        self._check_length(source.shape[1])
        x = self.embed(source, tap.at("encoder", "embed"))
        real = None if mask is None else mask[:, 0, 0].to(x.device)
        states = self.encoder(x, real, tap.at("encoder"))
        d = self.config.d_model
        summary = torch.cat([states[:, -1, :d], states[:, 0, d:]], dim=-1)
        attn = self.decoder.attn
        return Memory(
            states, summary, None if attn is None else attn.keys(states, tap.at("decoder", "attn"))
        )

    def begin(
        self, source: Tensor, room: int | None = None, source_mask: Tensor | None = None
    ) -> RNNDecoder:
        """Translations that are to be written, of rows of sources ``(B, S)``.

        Args:
            source: ids.
            room: tokens that will be pushed; the whole context when None, and at most that.
            source_mask: which positions are no padding, ``(B, 1, 1, S)``.
        """
        n_ctx = self.config.n_ctx
        memory = self.encode(source, mask=source_mask)
        mask = None if source_mask is None else source_mask[:, 0].to(memory.states.device)
        first = self.decoder.first(memory.summary)
        past = first[:, None][:, :0] if self.config.self_attention else None
        state = HiddenState(first, past=past)
        return RNNDecoder(self, memory, mask, state, n_ctx if room is None else min(room, n_ctx))

    def _check_length(self, length: int) -> None:
        if length > self.config.n_ctx:
            raise InputTooLongError(self.config.n_ctx, length)


@dataclass(frozen=True, slots=True)
class RNNDecoder:
    """Translations that are being written.

    Attributes:
        model: the machine.
        memory: of the sources.
        may_attend: which positions of the sources are no padding, ``(B, 1, S)``.
        state: the states now.
        n_ctx: tokens that each can get.
    """

    model: RNN
    memory: Memory
    may_attend: Tensor | None
    state: HiddenState
    n_ctx: int

    @property
    def length(self) -> int:
        """Tokens of each target so far."""
        return self.state.length

    @property
    def room(self) -> int:
        """Tokens that can still be pushed."""
        return self.n_ctx - self.length

    @property
    def nbytes(self) -> int:
        """What is kept: of the source once, and a state."""
        return self.memory.nbytes + self.state.nbytes

    def push(self, ids: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Logits ``(B, n, V)`` after each of the tokens ``(B, n)`` that are added.

        Raises:
            InputTooLongError: there is no room for them.
        """
        n = ids.shape[1]
        if n > self.room:
            raise InputTooLongError(self.n_ctx, self.length + n)
        model, mask = self.model, self.may_attend
        read, states = model.decoder(
            model.embed(ids, tap.at("decoder", "embed")),
            self.memory,
            self.state,
            may_attend=None if mask is None else mask.expand(-1, n, -1),
            tap=tap.at("decoder"),
        )
        self.state.carry(states)
        return tap("logits", F.linear(read, model.embed.weight))

    def fork(self, rows: Sequence[int], room: int) -> RNNDecoder:
        """Targets that go on from rows of this one, each for itself; this one stays as it is.

        Args:
            rows: of this one.
            room: tokens that will be pushed; at most what the context has left.
        """
        which = list(rows)
        mask = None if self.may_attend is None else self.may_attend[which]
        n_ctx = min(self.length + room, self.model.config.n_ctx)
        return RNNDecoder(self.model, self.memory.rows(which), mask, self.state.fork(which), n_ctx)
