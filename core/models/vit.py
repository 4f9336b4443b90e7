"""The Vision Transformer: a picture cut into patches, read as a Transformer reads words.

Dosovitskiy et al. 2021 ("An image is worth 16x16 words"), section 3.1: patches projected to
vectors, [CLS] before them, learned positions, pre-norm blocks without a mask, a norm after the
last one, and a linear layer that reads the vector of [CLS].
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from core.encoders import Encoders
from core.errors import ConfigError
from core.inputs import Batch, Input, Picture, Shuffled
from core.language import N_, Phrase
from core.models.abilities import Ability
from core.models.blueprint import ONE_STREAM, Blueprint
from core.models.derived import norm_of, stack_of
from core.models.limits import check_blocks, check_labels, check_sizes
from core.models.parts import Head
from core.models.picture_parts import PatchStem as PatchesPart
from core.models.prepared import Prepared, batched
from core.nn.attention import MultiHeadAttention
from core.nn.blocks import PreNormBlock, stack_sites
from core.nn.feedforward import ActivationName, FeedForward
from core.nn.norms import LayerNorm
from core.nn.patches import Patches
from core.reading import BatchRow, rows_of
from core.reading.shuffled import shuffled
from core.text.marks import CLS
from core.tracing.sites import Site, declared, within
from core.tracing.tap import NO_TAP, Tap
from core.tracing.trace import Stream
from core.units import Marker, Patch, Unit


@dataclass(frozen=True, slots=True)
class ViTConfig:
    """The sizes of a ViT.

    Attributes:
        height, width: of the pictures, in pixels.
        patch: rows and columns of a patch; divides both.
        labels: what the pictures may show.
        d_model: D, width of the residual stream.
        n_layers: blocks.
        n_heads: H; divides d_model.
        d_ff: hidden units of the feed-forward network.
        channels: numbers of a pixel.
        activation: its non-linearity.
        eps: added to the variance in LayerNorm.
    """

    height: int
    width: int
    patch: int
    labels: tuple[str, ...]
    d_model: int
    n_layers: int
    n_heads: int
    d_ff: int
    channels: int = 1
    activation: ActivationName = "gelu"
    eps: float = 1e-6

    def __post_init__(self) -> None:
        check_sizes(self, "height", "width", "patch", "channels", "d_model", "n_layers", "n_heads",
                    "d_ff")  # fmt: skip
        check_blocks(self)
        check_labels(self.labels)
        if self.height % self.patch or self.width % self.patch:
            problem = N_("must divide {height} and {width}")
            raise ConfigError("patch", Phrase(problem, height=self.height, width=self.width))

    @property
    def n_patches(self) -> int:
        """Patches of a picture."""
        return (self.height // self.patch) * (self.width // self.patch)


class ViT(nn.Module):
    """The model; ``forward`` gives logits ``(B, C)``, one for each label.

    Args:
        config: its sizes.
        generator: draws the initial weights; without one they come from the
            global state of torch.
    """

    def __init__(self, config: ViTConfig, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.embed = Patches(config.patch, config.n_patches, config.channels, config.d_model)
        self.blocks = nn.ModuleList(
            PreNormBlock(
                attn=MultiHeadAttention(config.d_model, config.n_heads),
                ffn=FeedForward(config.d_model, config.d_ff, config.activation),
                ln_1=LayerNorm(config.d_model, config.eps),
                ln_2=LayerNorm(config.d_model, config.eps),
            )
            for _ in range(config.n_layers)
        )
        self.final_norm = LayerNorm(config.d_model, config.eps)
        self.classifier = nn.Linear(config.d_model, len(config.labels))
        if not self.final_norm.weight.is_meta:
            self._init_weights(generator)

    @torch.no_grad()
    def _init_weights(self, generator: torch.Generator | None) -> None:
        """Matrices from N(0, 1 / inputs), those that write into the stream over sqrt(2 L)."""
        for name, parameter in self.named_parameters():
            if name in ("embed.cls", "embed.positions.weight"):
                parameter.normal_(0.0, 0.02, generator=generator)
            elif parameter.ndim >= 2:
                std = parameter.shape[1] ** -0.5
                if name.endswith(("w_o.weight", "w_2.weight")):
                    std /= math.sqrt(2 * self.config.n_layers)
                parameter.normal_(0.0, std, generator=generator)
        for module in self.modules():
            if isinstance(module, nn.Linear):
                module.bias.zero_()

    abilities: frozenset[Ability] = frozenset({"classify_image"})
    takes: frozenset[type[Input]] = frozenset({Picture, Shuffled, Batch})

    @property
    def blueprint(self) -> Blueprint:
        """The parts in order."""
        config = self.config
        patches = PatchesPart(
            prefix="embed",
            stream=ONE_STREAM,
            size=config.patch,
            rows=config.height // config.patch,
            columns=config.width // config.patch,
            channels=config.channels,
            mark=CLS,
            positions="learned",
            learned_from="random",
        )
        stack = stack_of(self.blocks, "blocks", ONE_STREAM, causal=False)
        norm = norm_of(self.final_norm, "final_norm", ONE_STREAM, stack.output)
        read = "final_norm.out"
        head = Head("classify_image", "logits", ONE_STREAM, reads=read, labels=config.labels,
                    linear="classifier")  # fmt: skip
        return Blueprint((patches, stack, norm, head))

    def prepare(self, given: Input, encoders: Encoders) -> Prepared:
        """What a run on pictures computes with.

        Raises:
            EmptyInputError: there is none.
            ParameterError: one has another size.
        """
        return batched(
            [{ONE_STREAM: self._cut(row)} for row in rows_of(given, encoders)],
            self.blueprint.attentions,
            pad_id=0,
            device=self.embed.w_p.weight.device,
        )

    def _cut(self, row: BatchRow) -> BatchRow:
        """A picture as [CLS] and its patches, in the order in which they are to stand."""
        config, pixels = self.config, row.pixels
        assert pixels is not None
        n_columns = config.width // config.patch
        units: tuple[Unit, ...] = (
            Marker(CLS),
            *(Patch(*divmod(n, n_columns)) for n in range(config.n_patches)),
        )
        if row.shuffle is None:
            return replace(row, stream=Stream(units))
        order = shuffled(units, row.shuffle)
        moved = self.embed.moved(pixels, [place - 1 for place in order[1:]])
        return replace(
            row, stream=Stream(tuple(units[place] for place in order), order=order), pixels=moved
        )

    def observe(self, prepared: Prepared, tap: Tap) -> None:
        """One run through the whole model."""
        self(prepared.tensors[ONE_STREAM], mask=prepared.mask("self"), tap=tap)

    def sites(self) -> Iterator[Site]:
        """Every value that a run shows, in the order of computation."""
        yield from within("embed", self.embed.sites())
        yield from stack_sites(self.blocks, ONE_STREAM)
        yield from within("final_norm", self.final_norm.sites(r"\mathrm{LN}_f"))
        yield from declared(
            type(self),
            Site("logits", ("L",), r"\ell", N_("The logits: one number for each label, made from "
                                               "the vector of [CLS].")),
            letters={"L": N_("L labels")},
        )  # fmt: skip

    def forward(self, pixels: Tensor, *, mask: Tensor | None = None, tap: Tap = NO_TAP) -> Tensor:
        """One logit for each label. Pixels and mask may lie on any device.

        Args:
            pixels: ``(B, channels, height, width)``, from 0 to 1.
            mask: bool, True = may attend; broadcasts to ``(B, H, T, T)``.

        Returns:
            ``(B, L)``.
        """
        weight = self.embed.w_p.weight
        mask = None if mask is None else mask.to(weight.device)
        x = self.embed(pixels.to(weight), tap.at("embed"))
        for i, block in enumerate(self.blocks):
            x = block(x, mask=mask, tap=tap.at("blocks", i))
        x = self.final_norm(x, tap.at("final_norm"))
        return tap("logits", self.classifier(x[:, 0]))
