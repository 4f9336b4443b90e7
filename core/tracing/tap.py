"""The tap: how a forward pass lets its intermediate values be seen.

Model code passes each value it wants to be visible through a tap:
``weights = tap("weights", scores.softmax(-1))``. The null object ``NO_TAP``
hands it straight back (71 ns a site, measured); a ``Recorder`` keeps it under
its dotted name. The tap is an explicit argument, so one model object can serve
many threads at once, some recording, some not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from core.errors import EditError
from core.language import N_

if TYPE_CHECKING:
    from torch import Tensor

    Replace = Callable[[Tensor, int | None], Tensor]


class Tap:
    """The null object: lets every value through and keeps nothing."""

    active = False

    def __call__(self, site: str, value: Tensor, step: int | None = None) -> Tensor:
        """Show a value; what comes back is what the model computes on with.

        Args:
            site: its name within the layer.
            value: the tensor.
            step: the position, where a recurrent layer computes one after the other: the
                values of all steps become one site, positions on axis 1.
        """
        return value

    def at(self, *scope: str | int) -> Tap:
        """A tap for a part of the model: its sites get ``scope`` as a prefix."""
        return self


NO_TAP = Tap()


class Recorder(Tap):
    """Keeps every value under its dotted name, in the order of computation.

    Values are kept by reference: the model promises not to change a tensor in
    place after it went through a tap.

    Args:
        wanted: says which names to keep; all when None. Others pass through.
        edits: name -> function of the value (and of the step, in a recurrent layer) that
            returns the value to compute on with (ablation, patching). The replaced value is
            what is recorded.
    """

    active = True

    def __init__(
        self,
        wanted: Callable[[str], bool] | None = None,
        edits: Mapping[str, Replace] | None = None,
    ) -> None:
        self._kept: dict[str, Tensor | dict[int, Tensor]] = {}
        self._wanted = wanted
        self._edits = dict(edits or {})
        self._used_edits: set[str] = set()
        self._prefix = ""

    def at(self, *scope: str | int) -> Recorder:
        part = object.__new__(Recorder)
        part._kept, part._wanted = self._kept, self._wanted  # shared by all parts of a run
        part._edits, part._used_edits = self._edits, self._used_edits
        part._prefix = f"{self._prefix}{'.'.join(map(str, scope))}."
        return part

    def __call__(self, site: str, value: Tensor, step: int | None = None) -> Tensor:
        name = self._prefix + site
        if self._edits and name in self._edits:
            value = self._edits[name](value, step)
            self._used_edits.add(name)
        if self._wanted is not None and not self._wanted(name):
            return value
        if step is None:
            if name in self._kept:
                # A bug in the model code, not something a user can do.
                raise RuntimeError(f"site {name!r} was recorded twice in one run")
            self._kept[name] = value
        else:
            steps = self._kept.setdefault(name, {})
            if not isinstance(steps, dict) or step in steps:
                raise RuntimeError(f"step {step} of site {name!r} was recorded twice in one run")
            steps[step] = value
        return value

    @property
    def values(self) -> dict[str, Tensor]:
        """Every recorded value by name; the steps of a recurrent layer as ``(B, T, ...)``."""
        import torch  # the tap itself needs none of it

        return {
            name: torch.stack([values[step] for step in sorted(values)], dim=1)
            if isinstance(values, dict)
            else values
            for name, values in self._kept.items()
        }

    def check_edits(self) -> None:
        """Raise if an edit named a site that the run did not pass.

        Raises:
            EditError: names the first such site.
        """
        for name in sorted(self._edits.keys() - self._used_edits):
            raise EditError(name, N_("this model has no such site"))
