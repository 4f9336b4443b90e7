"""A convolutional network: kernels over a picture, over their maps, and a linear classifier.

LeCun et al. 1998 ("Gradient-based learning applied to document recognition"), section II, with
the ReLU and the small kernels of Simonyan & Zisserman 2015 (VGG).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.encoders import Encoders
from core.errors import ConfigError
from core.inputs import Batch, Input, Picture
from core.language import N_
from core.models.abilities import Ability
from core.models.blueprint import ONE_STREAM, Blueprint
from core.models.limits import check_labels, check_sizes
from core.models.parts import Dense, Head
from core.models.picture_parts import ConvolutionalStem as ConvolutionPart
from core.models.prepared import Prepared, batched
from core.nn.convolution import POOLED, Convolution
from core.reading import rows_of
from core.tracing.sites import Site, declared, within
from core.tracing.tap import NO_TAP, Tap


@dataclass(frozen=True, slots=True)
class CNNConfig:
    """The sizes of a CNN.

    Attributes:
        height, width: of the pictures, in pixels.
        labels: what the pictures may show.
        filters: kernels of each convolution; the maps are halved after every second one.
        d_hidden: units of the layer between the last maps and the logits.
        kernel: rows and columns of a kernel; odd.
        channels: numbers of a pixel.
    """

    height: int
    width: int
    labels: tuple[str, ...]
    filters: tuple[int, ...]
    d_hidden: int
    kernel: int = 3
    channels: int = 1

    def __post_init__(self) -> None:
        check_sizes(self, "height", "width", "channels", "kernel", "d_hidden")
        if self.kernel % 2 == 0:
            raise ConfigError("kernel", N_("must be odd"))
        check_labels(self.labels)
        if not self.filters or min(self.filters) < 1:
            raise ConfigError("filters", N_("must name at least one kernel for each convolution"))
        if not self.n_features:
            raise ConfigError("filters", N_("must leave something of the picture"))

    def pooled(self, layer: int) -> bool:
        """Whether the maps of a convolution are halved."""
        return layer % 2 == 1

    @property
    def n_features(self) -> int:
        """Numbers in the last maps."""
        halved = POOLED ** sum(map(self.pooled, range(len(self.filters))))
        return self.filters[-1] * (self.height // halved) * (self.width // halved)


class CNN(nn.Module):
    """The model; ``forward`` gives logits ``(B, L)``, one for each label.

    Args:
        config: its sizes.
        generator: draws the initial weights; without one they come from the
            global state of torch.
    """

    def __init__(self, config: CNNConfig, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        channels = (config.channels, *config.filters[:-1])
        self.convolutions = nn.ModuleList(
            Convolution(n_in, n_out, config.kernel, pooled=config.pooled(layer))
            for layer, (n_in, n_out) in enumerate(zip(channels, config.filters, strict=True))
        )
        self.hidden = nn.Linear(config.n_features, config.d_hidden)
        self.classifier = nn.Linear(config.d_hidden, len(config.labels))
        if not self.hidden.weight.is_meta:
            self._init_weights(generator)

    @torch.no_grad()
    def _init_weights(self, generator: torch.Generator | None) -> None:
        """From N(0, 2 / inputs) (He et al. 2015, section 2.2): a ReLU keeps half of what comes."""
        for parameter in self.parameters():
            if parameter.ndim >= 2:
                std = math.sqrt(2 / parameter[0].numel())
                parameter.normal_(0.0, std, generator=generator)
            else:
                parameter.zero_()

    abilities: frozenset[Ability] = frozenset({"classify_image"})
    takes: frozenset[type[Input]] = frozenset({Picture, Batch})

    @property
    def blueprint(self) -> Blueprint:
        """The parts in order."""
        layers = range(len(self.config.filters))
        convolution = ConvolutionPart(
            prefix="convolutions",
            stream=ONE_STREAM,
            filters=self.config.filters,
            kernel=self.config.kernel,
            pooled=tuple(POOLED if self.config.pooled(layer) else 1 for layer in layers),
        )
        return Blueprint(
            (
                convolution,
                Dense("hidden", ONE_STREAM, reads=convolution.output),
                Head(
                    "classify_image",
                    "logits",
                    ONE_STREAM,
                    reads="hidden",
                    labels=self.config.labels,
                ),
            )
        )

    def prepare(self, given: Input, encoders: Encoders) -> Prepared:
        """What a run on pictures computes with.

        Raises:
            EmptyInputError: there is none.
            ParameterError: one has another size.
        """
        return batched(
            [{ONE_STREAM: row} for row in rows_of(given, encoders)],
            self.blueprint.attentions,
            pad_id=0,
            device=self.hidden.weight.device,
        )

    def observe(self, prepared: Prepared, tap: Tap) -> None:
        """One run through the whole model."""
        self(prepared.tensors[ONE_STREAM], tap=tap)

    def sites(self) -> Iterator[Site]:
        """Every value that a run shows, in the order of computation."""
        for layer, convolution in enumerate(self.convolutions):
            yield from within(f"convolutions.{layer}", convolution.sites())  # type: ignore[operator]
        yield from declared(
            type(self),
            Site("hidden", ("U",), r"h", N_("The hidden units that read all of the last maps at "
                                            "once, after the ReLU.")),
            Site("logits", ("L",), r"\ell", N_("The logits: one number for each label.")),
            letters={"U": N_("U hidden units"), "L": N_("L labels")},
        )  # fmt: skip

    def forward(self, pixels: Tensor, *, tap: Tap = NO_TAP) -> Tensor:
        """One logit for each label.

        Args:
            pixels: ``(B, channels, height, width)``, from 0 to 1; may lie on any device.

        Returns:
            ``(B, L)``.
        """
        maps = pixels.to(self.hidden.weight)
        for layer, convolution in enumerate(self.convolutions):
            maps = convolution(maps, tap.at("convolutions", layer))
        hidden = tap("hidden", F.relu(self.hidden(maps.flatten(1))))
        return tap("logits", self.classifier(hidden))
