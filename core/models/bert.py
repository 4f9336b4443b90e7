"""BERT: an encoder that predicts hidden words from both sides.

Devlin et al. 2019, sections 3 and A.2: the encoder of Vaswani et al. 2017 (norm
after each residual sum), learned positions, an embedding that says which of two
segments a token belongs to, a head for masked words and one for "does the
second sentence follow the first?". Fine-tuned (section 3.2, figure 4), it has in their
place one that chooses a label, from what it made of [CLS].
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.encoders import Encoders
from core.errors import ConfigError, InputTooLongError
from core.inputs import ONE_TEXT, Input, Pair
from core.language import N_
from core.models.abilities import Ability, lacking
from core.models.blueprint import ONE_STREAM, Blueprint, Head
from core.models.derived import embedding_of, stack_of
from core.models.limits import check_blocks, check_labels, check_sizes
from core.models.prepared import Prepared, batched, read
from core.nn.attention import MultiHeadAttention
from core.nn.blocks import PostNormBlock, stack_sites
from core.nn.embeddings import Embeddings
from core.nn.feedforward import ACTIVATIONS, ActivationName, FeedForward
from core.nn.norms import LayerNorm
from core.nn.positions import sinusoidal_positions
from core.tracing.sites import Site, declared, within
from core.tracing.tap import NO_TAP, Tap


@dataclass(frozen=True, slots=True)
class BERTConfig:
    """The sizes of a BERT.

    Attributes:
        vocab_size: V, entries of the token table.
        n_ctx: rows of the position table: the longest input it takes.
        d_model: D, width of the residual stream.
        n_layers: blocks.
        n_heads: H; divides d_model.
        d_ff: hidden units of the feed-forward network.
        n_types: segments it can tell apart.
        activation: the non-linearity of the feed-forward network and the masked-word head.
        eps: added to the variance in LayerNorm.
        masked_words: it has the head that fills in hidden words.
        sentence_pairs: it has the head that judges whether one sentence follows another.
        labels: among which its last head chooses; none where it has no such head. Then it has
            neither of the two above.
        of_pairs: they say how two texts go together, not what kind of text one is.
    """

    vocab_size: int
    n_ctx: int
    d_model: int
    n_layers: int
    n_heads: int
    d_ff: int
    n_types: int = 2
    activation: ActivationName = "gelu"
    eps: float = 1e-12
    masked_words: bool = True
    sentence_pairs: bool = True
    labels: tuple[str, ...] = ()
    of_pairs: bool = False

    def __post_init__(self) -> None:
        check_sizes(
            self, "vocab_size", "n_ctx", "d_model", "n_layers", "n_heads", "d_ff", "n_types"
        )
        check_blocks(self)
        if self.labels:
            check_labels(self.labels)
            if self.masked_words or self.sentence_pairs:
                raise ConfigError("labels", N_("leave no room for another head"))
        if self.of_pairs and (not self.labels or self.n_types < 2):
            raise ConfigError("of_pairs", N_("asks for labels and for two segments"))


class MaskedWordHead(nn.Module):
    """From a position's vector to a word: linear, non-linearity, norm, tied output matrix."""

    def __init__(self, config: BERTConfig) -> None:
        super().__init__()
        self.activation = ACTIVATIONS[config.activation]
        self.transform = nn.Linear(config.d_model, config.d_model)
        self.ln = LayerNorm(config.d_model, config.eps)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))

    def forward(self, x: Tensor, table: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """``(..., D) -> (..., V)``; ``table`` is the token embedding ``(V, D)``."""
        x = tap("transform", self.activation(self.transform(x)))
        return tap("logits", F.linear(self.ln(x, tap.at("ln")), table, self.bias))

    def sites(self) -> Iterator[Site]:
        """What it taps, in the order of computation."""
        transform, logits = declared(
            type(self),
            Site("transform", ("T", "D"), r"t", N_("The token's vector, prepared for the head "
                                                   "that predicts hidden words.")),
            Site("logits", ("T", "V"), r"\ell", N_("The logits: one number for each "
                                                   "vocabulary entry. The higher it is, the "
                                                   "more likely the model finds this entry here.")),
        )  # fmt: skip
        yield transform
        yield from within("ln", self.ln.sites(r"\mathrm{LN}(t)"))
        yield logits


class Pooler(nn.Linear):
    """The first position's vector, made ready for questions about the whole input."""

    def forward(self, hidden: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """``(B, T, D) -> (B, D)``."""
        return tap("out", torch.tanh(super().forward(hidden[:, 0])))

    def sites(self) -> tuple[Site, ...]:
        """What it taps."""
        meaning = N_("The vector of [CLS], prepared for questions about the whole input.")
        return declared(type(self), Site("out", ("D",), r"c", meaning))


class SentencePairHead(nn.Linear):
    """Does the second sentence follow the first? Index 0 is "follows", 1 "does not"."""

    def forward(self, pooled: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """``(B, D) -> (B, 2)``."""
        return tap("logits", super().forward(pooled))

    def sites(self) -> tuple[Site, ...]:
        """What it taps."""
        meaning = N_(
            "Two numbers: one for “the second segment follows the first”, one for “it does not”."
        )
        return declared(type(self), Site("logits", ("2",), r"n", meaning))


class LabelHead(nn.Linear):
    """Which label fits: a number for each."""

    def forward(self, pooled: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """``(B, D) -> (B, L)``."""
        return tap("logits", super().forward(pooled))

    def sites(self) -> tuple[Site, ...]:
        """What it taps."""
        meaning = N_("The logits: one number for each label, made from the vector of [CLS].")
        return declared(
            type(self), Site("logits", ("L",), r"\ell", meaning), letters={"L": N_("L labels")}
        )


class BERT(nn.Module):
    """The encoder with its heads.

    ``forward`` gives logits of the hidden words ``(B, T, V)``, or those of the labels ``(B, L)``.

    Args:
        config: its sizes.
        generator: draws the initial weights; without one they come from the
            global state of torch.
    """

    def __init__(self, config: BERTConfig, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.embed = Embeddings(
            config.vocab_size,
            config.n_ctx,
            config.d_model,
            n_types=config.n_types,
            norm_eps=config.eps,
        )
        self.blocks = nn.ModuleList(
            PostNormBlock(
                attn=MultiHeadAttention(config.d_model, config.n_heads),
                ffn=FeedForward(config.d_model, config.d_ff, config.activation),
                ln_1=LayerNorm(config.d_model, config.eps),
                ln_2=LayerNorm(config.d_model, config.eps),
            )
            for _ in range(config.n_layers)
        )
        self.mlm = MaskedWordHead(config) if config.masked_words else None
        is_whole = config.sentence_pairs or config.labels  # about the whole input
        self.pooler = Pooler(config.d_model, config.d_model) if is_whole else None
        n_labels = len(config.labels)
        self.classifier = LabelHead(config.d_model, n_labels) if n_labels else None
        self.nsp = SentencePairHead(config.d_model, 2) if config.sentence_pairs else None
        if not self.embed.rows.is_meta:
            self._init_weights(generator)

    @torch.no_grad()
    def _init_weights(self, generator: torch.Generator | None) -> None:
        """Matrices and tables from N(0, 0.02) as Devlin et al. draw them, and a sense of place.

        Under that draw alone a head starts as an average over the whole row and stays
        one for long: a small model learns which words keep company but not their order.
        So positions start as sinusoids (Vaswani et al. 2017, section 3.5), whose dot
        product falls with distance, and each key's matrix as its query's, of full size
        (Trockman & Kolter 2023, "Mimetic initialization"): a head starts as an average
        over the neighbourhood.
        """
        for module in self.modules():
            if isinstance(module, nn.Embedding | nn.Linear):
                module.weight.normal_(0.0, 0.02, generator=generator)
            if isinstance(module, nn.Linear):
                module.bias.zero_()
        table = self.embed.positions.weight
        if self._starts_from_sinusoids:
            table.copy_(0.1 * sinusoidal_positions(*table.shape).to(table))
        for block in self.blocks:
            assert isinstance(block, PostNormBlock)
            w_q, w_k = block.attn.w_q.weight, block.attn.w_k.weight
            w_k.copy_(w_q.normal_(0.0, self.config.d_model**-0.5, generator=generator))

    @property
    def _starts_from_sinusoids(self) -> bool:
        return self.config.d_model % 2 == 0  # sines and cosines come in pairs

    @property
    def abilities(self) -> frozenset[Ability]:
        """What its heads can do."""
        has: dict[Ability, bool] = {
            "masked_words": self.config.masked_words,
            "sentence_pairs": self.config.sentence_pairs,
            self._sorts: bool(self.config.labels),
        }
        return frozenset(ability for ability, can in has.items() if can)

    @property
    def _sorts(self) -> Ability:
        return "classify_pair" if self.config.of_pairs else "classify_text"

    @property
    def takes(self) -> frozenset[type[Input]]:
        """The kinds of input it reads."""
        return ONE_TEXT | {Pair} if self.config.n_types > 1 else ONE_TEXT

    @property
    def blueprint(self) -> Blueprint:
        """The parts in order."""
        config = self.config
        stack = stack_of(self.blocks, "blocks", ONE_STREAM, causal=False)
        embedding = embedding_of(
            self.embed, "embed", ONE_STREAM, from_sinusoids=self._starts_from_sinusoids
        )
        heads = (
            Head("masked_words", "mlm.logits", ONE_STREAM, reads=stack.output),
            Head("sentence_pairs", "nsp.logits", ONE_STREAM, reads=stack.output),
            Head(self._sorts, "classifier.logits", ONE_STREAM, stack.output, labels=config.labels),
        )
        kept_heads = (head for head in heads if head.ability in self.abilities)
        return Blueprint((embedding, stack, *kept_heads))

    def sites(self) -> Iterator[Site]:
        """Every value that a run shows, in the order of computation."""
        yield from within("embed", self.embed.sites())
        yield from stack_sites(self.blocks, ONE_STREAM)
        for name in ("mlm", "pooler", "nsp", "classifier"):
            head = getattr(self, name)
            if head is not None:
                yield from within(name, head.sites())

    def prepare(self, given: Input, encoders: Encoders) -> Prepared:
        """What a run on an input computes with.

        Raises:
            EmptyInputError, NoRoomError, InputTooLongError, ParameterError: see ``Row.check``.
        """
        rows = read(given, encoders, self.config.n_ctx, self.config.vocab_size)
        return batched(
            [{ONE_STREAM: row} for row in rows],
            self.blueprint.attentions,
            pad_id=encoders.tokenizer.pad_id,
            device=self.embed.rows.device,
        )

    def observe(self, prepared: Prepared, tap: Tap) -> None:
        """One run through the whole model, every head."""
        hidden = self.hidden(
            prepared.tensors[ONE_STREAM], types=prepared.types, mask=prepared.mask("self"), tap=tap
        )
        if self.mlm is not None:
            self.masked_words(hidden, tap)
        if self.nsp is not None:
            self.next_sentence(hidden, tap)
        if self.classifier is not None:
            self.label(hidden, tap)

    def forward(
        self,
        ids: Tensor,
        *,
        types: Tensor | None = None,
        mask: Tensor | None = None,
        tap: Tap = NO_TAP,
    ) -> Tensor:
        """Logits for the word at each position (meaningful where ``ids`` hides one), or for labels.

        Args:
            ids: ``(B, T)``.
            types: segment of each token ``(B, T)``; all 0 when None.
            mask: bool, broadcasts to ``(B, H, T, T)``; everybody sees everybody when None.

        Returns:
            ``(B, T, V)``; of a model with labels ``(B, L)``.
        """
        hidden = self.hidden(ids, types=types, mask=mask, tap=tap)
        return self.label(hidden, tap) if self.config.labels else self.masked_words(hidden, tap)

    def hidden(
        self,
        ids: Tensor,
        *,
        types: Tensor | None = None,
        mask: Tensor | None = None,
        tap: Tap = NO_TAP,
    ) -> Tensor:
        """The encoder's output ``(B, T, D)``; arguments as in ``forward``, on any device.

        Raises:
            InputTooLongError: more positions than the context holds.
        """
        length = ids.shape[1]
        if length > self.config.n_ctx:
            raise InputTooLongError(self.config.n_ctx, length)
        device = self.embed.rows.device
        ids = ids.to(device)
        types = None if types is None else types.to(device)
        mask = None if mask is None else mask.to(device)
        x = self.embed(ids, types=types, tap=tap.at("embed"))
        for i, block in enumerate(self.blocks):
            x = block(x, mask=mask, tap=tap.at("blocks", i))
        return x

    def pooled(
        self, ids: Tensor, *, types: Tensor | None = None, mask: Tensor | None = None
    ) -> Tensor:
        """The vector of [CLS], prepared for questions about the whole input, ``(B, D)``.

        Raises:
            AbilityError: it was never asked such a question.
        """
        if self.pooler is None:
            raise lacking("bert", "sentence_pairs")
        out: Tensor = self.pooler(self.hidden(ids, types=types, mask=mask))
        return out

    def unembed(self, x: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """From what the last block hands on to the first head's logits: ``(..., D) -> (..., V)``."""
        return self.masked_words(x, tap)

    def masked_words(self, hidden: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Logits over the vocabulary: ``(..., D) -> (..., V)``.

        Raises:
            AbilityError: it has no such head.
        """
        if self.mlm is None:
            raise lacking("bert", "masked_words")
        return self.mlm(hidden, self.embed.rows, tap.at("mlm"))

    def next_sentence(self, hidden: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """From the [CLS] position, ``(B, T, D) -> (B, 2)``: index 0 is "follows", 1 "does not".

        Raises:
            AbilityError: it has no such head.
        """
        if self.pooler is None or self.nsp is None:
            raise lacking("bert", "sentence_pairs")
        return self.nsp(self.pooler(hidden, tap.at("pooler")), tap.at("nsp"))

    def label(self, hidden: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """From the [CLS] position, ``(B, T, D) -> (B, L)``.

        Raises:
            AbilityError: it has no such head.
        """
        if self.pooler is None or self.classifier is None:
            raise lacking("bert", self._sorts)
        return self.classifier(self.pooler(hidden, tap.at("pooler")), tap.at("classifier"))
