"""The feature maps of a convolutional network: what each kernel finds at each place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.figures.components import Tile, Tiles
from core.figures.payload import as_bytes
from core.figures.text import Mark, Sentence, join, number, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.models.needs import Needs
from core.models.picture_parts import Convolution
from core.runs.requests import Request
from core.runs.results import Run
from core.tracing.trace import Array
from core.views.controls import Control
from core.views.nearest import nearest
from core.views.params import param
from core.views.view import View
from core.views.vision.seen import OnPicture, Seen, picture_requests, seen


@dataclass(frozen=True, slots=True)
class OfMaps(OnPicture):
    """The maps of one convolution.

    Attributes:
        convolution: counted from 0.
        kernel: the map that is selected.
    """

    convolution: int = param(0, low=0, high=255, label=N_("Convolution"))
    kernel: int = param(0, low=0, high=100_000, lives="browser", label=N_("Kernel"))


@dataclass(frozen=True)
class Maps:
    """The maps of one convolution, in a run.

    Attributes:
        seen: the run.
        params: what was asked for.
    """

    seen: Seen
    params: OfMaps

    @property
    def part(self) -> Convolution:
        return self.seen.trace.blueprint.convolutions[0]

    @property
    def layer(self) -> int:
        return nearest("convolution", self.params.convolution, self.part.n_layers - 1)

    @property
    def array(self) -> Array:
        """``(kernels, rows, columns)``."""
        return self.seen.trace[self.part.maps(self.layer)]

    @property
    def kernel(self) -> int:
        return nearest("kernel", self.params.kernel, len(self.array) - 1)


class FeatureMaps(View[OfMaps, Maps]):
    """A tile for each kernel."""

    name, Params = "vision.maps", OfMaps
    needs = Needs("classify_image", ("convolution",))

    def requests(self, params: OfMaps) -> tuple[Request, ...]:
        return picture_requests(params, "*.maps")

    def compute(self, runs: Sequence[Run], params: OfMaps) -> Maps:
        return Maps(seen(runs, params), params)

    def values(self, record: Maps) -> Mapping[str, Values]:
        n_kernels, height, width = record.array.shape
        axes = (
            Along("kernel", _("kernel"), [str(n) for n in range(n_kernels)]),
            Along("row", _("row"), [str(n) for n in range(height)]),
            Along("column", _("column"), [str(n) for n in range(width)]),
        )
        of_kernel = record.array[record.kernel]
        row, column = np.unravel_index(int(of_kernel.argmax()), of_kernel.shape)
        return {
            "maps": Values(
                _("feature map"), record.array, axes, site=self.site(record),
                selected=(record.kernel, int(row), int(column)),
            )
        }  # fmt: skip

    def describe(self, record: Maps) -> Sentence:
        seen_by_one = record.part.reach(record.layer)
        n_kernels, height, width = record.array.shape
        maps = sentence(
            _("Convolution {layer} has {n} kernels, and each gives a map of {height} × {width} "
              "numbers."),
            layer=str(record.layer), n=Mark(str(n_kernels), "accent"),
            height=str(height), width=str(width),
        )  # fmt: skip
        reach = sentence(
            _("One of these numbers depends on {n} × {n} pixels of the picture. The largest is "
              "{most}."),
            n=Mark(str(seen_by_one), "accent"), most=number(float(record.array.max())),
        )  # fmt: skip
        return join([maps, reach])

    def site(self, record: Maps) -> str:
        return record.part.maps(record.layer)

    def controls(self, record: Maps) -> Sequence[Control]:
        """As many convolutions as the model has."""
        last = record.part.n_layers - 1
        return [Control("convolution", str(record.layer), "range", low=0, high=last)]

    def draw(self, record: Maps) -> Tiles:
        most = float(record.array.max()) or 1.0
        n_kernels = len(record.array)
        return Tiles(
            title=_("Feature maps of convolution {n}").format(n=record.layer),
            selection={"kernel": record.kernel},
            tiles=[
                Tile(_("kernel {n}: at most {value}").format(n=n, value=number(float(one.max()))))
                for n, one in enumerate(record.array)
            ],
            pictures=as_bytes(record.array, 0.0, most),
            columns=16,
            fields=("kernel",),
            shape=(n_kernels,),
            note=_("White is the largest number of all these maps, black is 0."),
        )
