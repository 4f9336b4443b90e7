"""A machine with an encoder and a decoder, as far as all of them are alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.decoding.greedy import greedy
from core.encoders import Encoders
from core.errors import InputTooLongError
from core.inputs import ONE_TEXT, Input, SourceTarget
from core.language import N_
from core.models.abilities import Ability
from core.models.blueprint import SOURCE, TARGET, Blueprint, Embedding, Head
from core.models.derived import norm_of, stack_of
from core.models.encoder_decoder.sides import Side
from core.models.encoder_decoder.target_decoder import TargetDecoder
from core.models.prepared import Prepared, batched
from core.nn.attention import KeysValues
from core.nn.kv_cache import KVCache
from core.nn.masks import causal_mask
from core.reading.source_target import read_both
from core.tracing.sites import Site, declared, within
from core.tracing.tap import NO_TAP, Tap


class EncoderDecoder(nn.Module):
    """Such a machine; ``forward`` gives logits ``(B, T, V)`` for the next target token.

    A machine sets ``encoder``, ``decoder``, ``table_name`` (of the parameter that ``table`` is)
    and ``config`` (with ``vocab_size``, ``n_ctx``, ``start_id`` and ``end_id``) and says how
    vectors begin and how logits are made.
    """

    abilities: frozenset[Ability]
    takes: frozenset[type[Input]] = ONE_TEXT | {SourceTarget}
    table_name: str
    config: Any
    encoder: Side
    decoder: Side

    # --- what each machine says ----------------------------------------------------------------

    @property
    def table(self) -> Tensor:
        """The rows of the tokens ``(V, D)``: logits are made with them, too."""
        raise NotImplementedError

    @property
    def bias(self) -> nn.Parameter | None:
        """What is added to the logits, ``(V,)``; None for nothing."""
        return None

    def embedded(self, side: str, ids: Tensor, start: int, tap: Tap = NO_TAP) -> Tensor:
        """What the "encoder" or the "decoder" is given: ``(B, T)`` ids to ``(B, T, D)``.

        Args:
            side: which.
            ids: of its tokens.
            start: the place of the first.
            tap: at its embedding.
        """
        raise NotImplementedError

    def first_row(self) -> Callable[[Tensor, int], Tensor]:
        """The same for one token of the decoder, from its id and place to ``(1, D)``."""
        raise NotImplementedError

    def embedding_sites(self, side: str) -> Iterator[Site]:
        """What it taps there."""
        raise NotImplementedError

    def embedding(self, side: str, stream: str) -> Embedding:
        """The part where a side's stream begins."""
        raise NotImplementedError

    # --- what follows from it ------------------------------------------------------------------

    @property
    def _sides(self) -> tuple[tuple[str, str, Side, str | None], ...]:
        """Name, stream, blocks, and the stream that is attended to besides."""
        return (("encoder", SOURCE, self.encoder, None), ("decoder", TARGET, self.decoder, SOURCE))

    @property
    def blueprint(self) -> Blueprint:
        """The parts in order: two towers, and an edge from the source to the decoder."""
        parts: list[Any] = []
        reads = ""
        for name, stream, side, cross in self._sides:
            stack = stack_of(
                side.blocks, name, stream, prefix=f"{name}.blocks", causal=side.causal, cross=cross,
                positions=None if side.relative is None else "relative",
            )  # fmt: skip
            parts += [self.embedding(name, stream), stack]
            reads = stack.output
            if side.final_norm is not None:
                norm = norm_of(side.final_norm, f"{name}.final_norm", stream, reads)
                parts.append(norm)
                reads = f"{norm.prefix}.out"
        heads = [
            Head(ability, "logits", TARGET, reads=reads, table=self.table_name)
            for ability in sorted(self.abilities)
        ]
        return Blueprint((*parts, *heads))

    def sites(self) -> Iterator[Site]:
        """Every value that a run shows, in the order of computation."""
        for name, stream, side, source in self._sides:
            yield from within(f"{name}.embed", self.embedding_sites(name), queries=stream)
            yield from within(name, side.sites(stream, source))
        meaning = N_(
            "The logits: one number for each vocabulary entry. The higher it is, the more "
            "likely the model finds this entry as the next token."
        )
        logits = Site("logits", ("T", "V"), r"\ell", meaning, queries=TARGET)
        yield from declared(type(self), logits)

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
            device=self.table.device,
        )

    def observe(self, prepared: Prepared, tap: Tap) -> None:
        """One run through both towers."""
        self(
            prepared.tensors[SOURCE],
            prepared.tensors[TARGET],
            encoder_mask=prepared.mask("encoder"),
            decoder_mask=prepared.mask("decoder"),
            cross_mask=prepared.mask("cross"),
            tap=tap,
        )

    def forward(
        self,
        source: Tensor,
        target: Tensor,
        *,
        encoder_mask: Tensor | None = None,
        decoder_mask: Tensor | None = None,
        cross_mask: Tensor | None = None,
        tap: Tap = NO_TAP,
    ) -> Tensor:
        """Logits for the token after each of the target's: teacher forcing, all at once.

        Args:
            source: ids ``(B, S)``, the end mark included.
            target: ids ``(B, T)``, the start mark first.
            encoder_mask, decoder_mask, cross_mask: bool, True = may attend; each broadcasts to
                ``(B, H, Tq, Tk)``. Without them the encoder sees what it always does of the
                source, the decoder what stands before, and all of the source.

        Returns:
            ``(B, T, V)``.
        """
        memory = self.encode(source, mask=encoder_mask, tap=tap)
        return self.decode(target, memory, mask=decoder_mask, source_mask=cross_mask, tap=tap)

    def encode(self, source: Tensor, *, mask: Tensor | None = None, tap: Tap = NO_TAP) -> Tensor:
        """What the decoder attends to, ``(B, S) -> (B, S, D)``.

        Args:
            source: ids.
            mask: in place of its own; one that is the same for all queries ``(B, 1, 1, S)`` says
                what is padding, and is in force besides its own.
            tap: of the run.

        Raises:
            InputTooLongError: more positions than the context holds.
        """
        n = source.shape[1]
        self._check_length(n)
        device, tap = self.table.device, tap.at("encoder")
        mask = _on(device, mask)
        if self.encoder.causal and mask is not None and mask.shape[-2] == 1:
            mask = mask & causal_mask(n, n, device)
        x = self.embedded("encoder", source.to(device), 0, tap.at("embed"))
        return self.encoder(x, mask=mask, tap=tap)

    def decode(
        self,
        ids: Tensor,
        memory: Tensor | Sequence[KeysValues],
        *,
        mask: Tensor | None = None,
        source_mask: Tensor | None = None,
        cache: KVCache | None = None,
        tap: Tap = NO_TAP,
    ) -> Tensor:
        """Logits ``(B, T, V)`` after each of the target's tokens ``(B, T)``.

        Args:
            ids: of the target, or of its newest tokens.
            memory: the encoder's output, or each block's keys and values of it.
            mask: in place of the causal mask.
            source_mask: which positions of the source may be attended to.
            cache: the target's keys and values so far; gets the new ones.
            tap: of the run.

        Raises:
            InputTooLongError: more positions than the context holds.
        """
        start = 0 if cache is None else cache.length
        self._check_length(start + ids.shape[1])
        if cache is not None:
            cache.check_room(ids.shape[1])
        device, tower = self.table.device, tap.at("decoder")
        x = self.decoder(
            self.embedded("decoder", ids.to(device), start, tower.at("embed")),
            memory,
            mask=_on(device, mask),
            source_mask=_on(device, source_mask),
            cache=cache,
            tap=tower,
        )
        return self.unembed(x, tap)

    def unembed(self, x: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """From what the decoder hands on to the logits: ``(..., D) -> (..., V)``."""
        return tap("logits", F.linear(x, self.table, self.bias))

    def begin(
        self, source: Tensor, room: int | None = None, *, source_mask: Tensor | None = None
    ) -> TargetDecoder:
        """The state of targets that are to be written, of rows of sources ``(B, S)``.

        Args:
            source: ids.
            room: tokens to take memory for; the whole context when None, and at most that.
            source_mask: which positions are no padding, ``(B, 1, 1, S)``.
        """
        config, table = self.config, self.table
        memory = self.encode(source, mask=source_mask)
        projected = self.decoder.project(memory)
        cache = KVCache.empty(
            len(self.decoder.blocks),
            projected[0].k.shape[1],
            projected[0].k.shape[3],
            config.n_ctx if room is None else min(room, config.n_ctx),
            batch=len(source),
            device=table.device,
            dtype=table.dtype,
        )
        return TargetDecoder(self, projected, _on(table.device, source_mask), cache)

    def _check_length(self, length: int) -> None:
        if length > self.config.n_ctx:
            raise InputTooLongError(self.config.n_ctx, length)


def _on(device: torch.device, mask: Tensor | None) -> Tensor | None:
    return None if mask is None else mask.to(device)
