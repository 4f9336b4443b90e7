"""A machine that no file of the house knows: recurrent layers and additive attention.

Bahdanau et al. 2015 ("Neural machine translation by jointly learning to align
and translate"): a bidirectional GRU reads the source, a GRU writes the target
and looks, at each step, at all of the source. Random weights; it is here to see
that tracing, edits, writing and runs ask nothing of a machine but what the
protocols say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from core.decoding.greedy import greedy
from core.encoders import Encoders
from core.errors import InputTooLongError
from core.inputs import Batch, Ids, Input, SourceTarget, Text
from core.language import N_
from core.models.abilities import Ability
from core.models.blueprint import (
    SOURCE,
    TARGET,
    Attention,
    Blueprint,
    Embedding,
    Head,
    Recurrence,
)
from core.models.prepared import Prepared, batched
from core.reading.source_target import read_both
from core.tracing.sites import Site, declared, derived, within
from core.tracing.tap import NO_TAP, Tap


@dataclass(frozen=True, slots=True)
class RNNConfig:
    """The sizes: D is the width of a word's vector and of a hidden state."""

    vocab_size: int
    n_ctx: int
    d_model: int
    n_layers: int
    start_id: int
    end_id: int


class Words(nn.Embedding):
    """A row a token; nothing says where it stands."""

    def forward(self, ids: Tensor, tap: Tap = NO_TAP) -> Tensor:
        return tap("tokens", super().forward(ids.to(self.weight.device)))

    def sites(self) -> tuple[Site, ...]:
        return declared(
            type(self),
            Site(
                "tokens",
                ("T", "D"),
                r"E_{x_t}",
                N_("The row of a table that belongs to each token."),
            ),
        )


class GRU(nn.Module):
    """One layer that reads in one direction: Cho et al. 2014, the reset where PyTorch has it."""

    def __init__(self, d_input: int, d_model: int) -> None:
        super().__init__()
        self.w_x = nn.Linear(d_input, 3 * d_model)
        self.w_h = nn.Linear(d_model, 3 * d_model)

    def forward(self, x: Tensor, h: Tensor, step: int, tap: Tap = NO_TAP) -> Tensor:
        """From an input ``(B, E)`` and a state ``(B, D)`` to the next state."""
        (x_r, x_z, x_n), (h_r, h_z, h_n) = self.w_x(x).chunk(3, -1), self.w_h(h).chunk(3, -1)
        reset = tap("reset", torch.sigmoid(x_r + h_r), step)
        update = tap("update", torch.sigmoid(x_z + h_z), step)
        candidate = tap("candidate", torch.tanh(x_n + reset * h_n), step)
        return tap("hidden", (1 - update) * candidate + update * h, step)

    def sites(self) -> tuple[Site, ...]:
        axes = ("T", "D")
        return declared(
            type(self),
            Site("reset", axes, "r_t", N_("How much of the old state is heard.")),
            Site("update", axes, "u_t", N_("How much of the old state stays.")),
            Site("candidate", axes, r"\tilde{h}_t", N_("What the new state might be.")),
            Site("hidden", axes, "h_t", N_("The state after each position.")),
        )


def directions(d_input: int, d_model: int, *names: str) -> nn.ModuleDict:
    """A layer for each direction; "forward" is a name that add_module keeps for itself."""
    layers = nn.ModuleDict()
    layers._modules.update({name: GRU(d_input, d_model) for name in names})
    return layers


class Encoder(nn.Module):
    """Every layer reads the source in both directions."""

    def __init__(self, config: RNNConfig) -> None:
        super().__init__()
        d = config.d_model
        self.embed = Words(config.vocab_size, d)
        self.rnn = nn.ModuleList(
            directions(2 * d if n else d, d, "forward", "backward") for n in range(config.n_layers)
        )

    def forward(self, ids: Tensor, lengths: Sequence[int], tap: Tap = NO_TAP) -> Tensor:
        """``(B, S) -> (B, S, 2 D)``; a row's padding leaves every state as it is."""
        x = self.embed(ids, tap.at("embed"))
        n = ids.shape[1]
        real = torch.arange(n, device=x.device) < torch.tensor(lengths, device=x.device)[:, None]
        for i, layer in enumerate(self.rnn):
            sides = []
            for way, gru in layer.items():
                h, states = x.new_zeros(len(x), gru.w_h.in_features), {}
                for at in range(n) if way == "forward" else reversed(range(n)):
                    new = gru(x[:, at], h, at, tap.at("rnn", i, way))
                    h = states[at] = torch.where(real[:, at, None], new, h)
                sides.append(torch.stack([states[at] for at in range(n)], dim=1))
            x = torch.cat(sides, dim=-1)
        return x

    def sites(self) -> Iterator[Site]:
        yield from within("embed", self.embed.sites())
        for i, layer in enumerate(self.rnn):
            for way, gru in layer.items():
                yield from within(f"rnn.{i}.{way}", gru.sites())


class Additive(nn.Module):
    """Bahdanau et al. 2015, appendix A.1.2: a small network compares state and source."""

    def __init__(self, d_model: int) -> None:
        super().__init__()
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(2 * d_model, d_model)
        self.w_s = nn.Linear(d_model, 1, bias=False)

    def keys(self, memory: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Of the source, once: ``(B, S, 2 D) -> (B, S, D)``."""
        return tap("k", self.w_k(memory))

    def forward(
        self,
        h: Tensor,
        k: Tensor,
        memory: Tensor,
        may_attend: Tensor | None,
        step: int,
        tap: Tap = NO_TAP,
    ) -> Tensor:
        """What a state ``(B, D)`` takes from the source: ``(B, 2 D)``."""
        q = tap("q", self.w_q(h), step)
        scores = tap("scores", self.w_s(torch.tanh(q[:, None] + k))[..., 0], step)  # (B, S)
        if may_attend is None:
            weights = scores.softmax(-1)
        else:
            nothing = ~may_attend.any(-1, keepdim=True)
            hidden = scores.masked_fill(~(may_attend | nothing), -torch.inf)
            weights = hidden.softmax(-1).masked_fill(nothing, 0.0)
        weights = tap("weights", weights, step)
        return tap("z", (weights[:, None] @ memory)[:, 0], step)

    def sites(self) -> tuple[Site, ...]:
        pairs = ("Tq", "Tk")
        return declared(
            type(self),
            Site("k", ("Tk", "D"), "k", N_("What each position offers to be found by.")),
            Site("q", ("Tq", "D"), "q", N_("What the state looks for.")),
            Site("scores", pairs, "s", N_("How well the two fit.")),
            derived("scores_masked", pairs, r"\tilde{s}", N_("The scores under the mask.")),
            Site("weights", pairs, r"\alpha", N_("The softmax of each step's scores.")),
            Site("z", ("Tq", "2D"), "z", N_("The source, mixed by the weights.")),
        )


class Decoder(nn.Module):
    """Looks at the source, then reads its last token, and so takes one step."""

    def __init__(self, config: RNNConfig) -> None:
        super().__init__()
        d = config.d_model
        self.embed = Words(config.vocab_size, d)
        self.attn = Additive(d)
        self.rnn = nn.ModuleList([directions(3 * d, d, "forward")])

    def forward(
        self,
        ids: Tensor,
        h: Tensor,
        memory: Tensor,
        k: Tensor | None = None,
        *,
        mask: Tensor | None = None,
        start: int = 0,
        tap: Tap = NO_TAP,
    ) -> Tensor:
        """The states ``(B, T, D)`` after each of the tokens ``(B, T)``, from the state before."""
        x = self.embed(ids, tap.at("embed"))
        k = self.attn.keys(memory, tap.at("attn")) if k is None else k
        states = []
        for at in range(ids.shape[1]):
            may_attend = None if mask is None else mask[..., at, :].reshape(-1, mask.shape[-1])
            z = self.attn(h, k, memory, may_attend, start + at, tap.at("attn"))
            both = torch.cat([x[:, at], z], dim=-1)
            h = self.rnn[0]["forward"](both, h, start + at, tap.at("rnn", 0, "forward"))
            states.append(h)
        return torch.stack(states, dim=1)

    def sites(self) -> Iterator[Site]:
        yield from within("embed", self.embed.sites())
        yield from within("attn", self.attn.sites(), keys=SOURCE)
        yield from within("rnn.0.forward", self.rnn[0]["forward"].sites())


class RNN(nn.Module):
    """Encoder and decoder; ``forward`` gives logits ``(B, T, V)`` for the next target token."""

    abilities: frozenset[Ability] = frozenset({"translate"})
    takes: frozenset[type[Input]] = frozenset({Text, Ids, Batch, SourceTarget})

    def __init__(self, config: RNNConfig, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.encoder, self.decoder = Encoder(config), Decoder(config)
        self.unembed = nn.Linear(config.d_model, config.vocab_size)
        for parameter in self.parameters() if generator is not None else ():
            nn.init.normal_(parameter, 0.0, 0.3, generator=generator)

    @property
    def blueprint(self) -> Blueprint:
        def words(name: str, stream: str) -> Embedding:
            return Embedding(
                f"{name}.embed",
                stream,
                ("tokens",),
                None,
                None,
                norm=None,
                scaled=False,
                table=f"{name}.embed.weight",
            )

        both, d = ("forward", "backward"), self.config.d_model
        writer = Recurrence(
            "decoder", "decoder.rnn", TARGET, "gru", 1, ("forward",), d, told=SOURCE
        )
        (state,) = writer.outputs
        return Blueprint(
            (
                words("encoder", SOURCE),
                Recurrence("encoder", "encoder.rnn", SOURCE, "gru", self.config.n_layers, both, d),
                words("decoder", TARGET),
                Attention(
                    "cross", TARGET, SOURCE, False, ("decoder.attn",), (state,), score="additive"
                ),
                writer,
                Head("translate", "logits", TARGET, reads=state),
            )
        )

    def sites(self) -> Iterator[Site]:
        yield from within("encoder", self.encoder.sites(), queries=SOURCE)
        yield from within("decoder", self.decoder.sites(), queries=TARGET)
        meaning = N_("One number for each vocabulary entry.")
        yield from declared(
            type(self), Site("logits", ("T", "V"), r"\ell", meaning, queries=TARGET)
        )

    def prepare(self, given: Input, encoders: Encoders) -> Prepared:
        config = self.config
        rows = read_both(
            given, encoders, config.n_ctx, config.vocab_size, start_id=config.start_id,
            write=lambda source: greedy(
                self.begin(source), config.start_id, config.end_id, config.n_ctx
            ),
        )  # fmt: skip
        device = self.unembed.weight.device
        attentions = self.blueprint.attentions
        return batched(rows, attentions, pad_id=encoders.tokenizer.pad_id, device=device)

    def observe(self, prepared: Prepared, tap: Tap) -> None:
        source = prepared.tensors[SOURCE]
        lengths = torch.tensor([len(row[SOURCE].units) for row in prepared.streams])
        real = torch.arange(source.shape[1]) < lengths[:, None]
        self(
            source,
            prepared.tensors[TARGET],
            encoder_mask=real[:, None, None],
            cross_mask=prepared.mask("cross"),
            tap=tap,
        )

    def forward(
        self,
        source: Tensor,
        target: Tensor,
        *,
        encoder_mask: Tensor | None = None,
        cross_mask: Tensor | None = None,
        tap: Tap = NO_TAP,
    ) -> Tensor:
        """Teacher forcing; the masks as ``Translates`` has them."""
        lengths = [source.shape[1]] * len(source)
        if encoder_mask is not None:
            lengths = encoder_mask[:, 0, 0].sum(dim=-1).tolist()
        if cross_mask is not None:
            cross_mask = cross_mask.expand(*cross_mask.shape[:-2], target.shape[1], -1)
        memory = self.encoder(source, lengths, tap.at("encoder"))
        first = self.first(memory)
        states = self.decoder(target, first, memory, mask=cross_mask, tap=tap.at("decoder"))
        return tap("logits", self.unembed(states))

    def first(self, memory: Tensor) -> Tensor:
        """The decoder's state before its first step: what was read backwards, at the beginning."""
        return memory[:, 0, self.config.d_model :]

    def begin(self, source: Tensor, room: int | None = None) -> RNNDecoder:
        """Targets that are to be written, of sources ``(B, S)``."""
        n_ctx = self.config.n_ctx
        with torch.inference_mode():
            memory = self.encoder(source, [source.shape[1]] * len(source))
            k = self.decoder.attn.keys(memory)
        return RNNDecoder(
            self, memory, k, self.first(memory), 0, n_ctx if room is None else min(room, n_ctx)
        )


@dataclass
class RNNDecoder:
    """Targets that are being written: a state each, however long they are."""

    model: RNN
    memory: Tensor
    k: Tensor
    h: Tensor
    length: int
    n_ctx: int

    @property
    def room(self) -> int:
        return self.n_ctx - self.length

    @property
    def nbytes(self) -> int:
        return self.memory.nbytes + self.k.nbytes + self.h.nbytes

    def push(self, ids: Tensor, tap: Tap = NO_TAP) -> Tensor:
        if ids.shape[1] > self.room:
            raise InputTooLongError(self.n_ctx, self.length + ids.shape[1])
        states = self.model.decoder(
            ids, self.h, self.memory, self.k, start=self.length, tap=tap.at("decoder")
        )
        self.h, self.length = states[:, -1], self.length + ids.shape[1]
        return tap("logits", self.model.unembed(states))

    def fork(self, rows: Sequence[int], room: int) -> RNNDecoder:
        rows = list(rows)
        n_ctx = min(self.length + room, self.model.config.n_ctx)
        memory, k, h = self.memory[rows], self.k[rows], self.h[rows]
        return RNNDecoder(self.model, memory, k, h, self.length, n_ctx)


def gru_of_torch(layer: nn.ModuleDict, d_input: int) -> nn.GRU:
    """PyTorch's own layer with the same weights."""
    d_model = next(iter(layer.values())).w_h.in_features
    theirs = nn.GRU(d_input, d_model, batch_first=True, bidirectional=len(layer) == 2).double()
    weights: Mapping[str, Tensor] = {
        f"{kind}_{letter}h_l0{suffix}": getattr(module, kind)
        for gru, suffix in zip(layer.values(), ("", "_reverse"), strict=False)
        for letter, module in (("i", gru.w_x), ("h", gru.w_h))
        for kind in ("weight", "bias")
    }
    theirs.load_state_dict(weights)
    return theirs
