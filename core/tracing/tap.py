"""The tap: how a forward pass lets its intermediate values be seen.

Model code passes each value it wants to be visible through a tap:
``weights = tap("weights", scores.softmax(-1))``. The null object ``NO_TAP``
hands it straight back (71 ns a site, measured); a ``Recorder`` keeps it under
its dotted name. The tap is an explicit argument, so one model object can serve
many threads at once, some recording, some not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from torch import Tensor

from core.errors import EditError
from core.language import N_

Replace = Callable[[Tensor], Tensor]


class Tap:
    """The null object: lets every value through and keeps nothing."""

    active = False

    def __call__(self, site: str, value: Tensor) -> Tensor:
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
        edits: name -> function that returns the value to go on with instead
            (ablation, patching). The replaced value is what is recorded.
    """

    active = True

    def __init__(
        self,
        wanted: Callable[[str], bool] | None = None,
        edits: Mapping[str, Replace] | None = None,
    ) -> None:
        self.values: dict[str, Tensor] = {}
        self._wanted = wanted
        self._edits = dict(edits or {})
        self._used_edits: set[str] = set()
        self._prefix = ""

    def at(self, *scope: str | int) -> Recorder:
        part = object.__new__(Recorder)
        part.values, part._wanted = self.values, self._wanted  # shared by all parts of a run
        part._edits, part._used_edits = self._edits, self._used_edits
        part._prefix = f"{self._prefix}{'.'.join(map(str, scope))}."
        return part

    def __call__(self, site: str, value: Tensor) -> Tensor:
        name = self._prefix + site
        if name in self.values:
            # A bug in the model code, not something a user can do.
            raise RuntimeError(f"site {name!r} was recorded twice in one run")
        if self._edits and name in self._edits:
            value = self._edits[name](value)
            self._used_edits.add(name)
        if self._wanted is None or self._wanted(name):
            self.values[name] = value
        return value

    def check_edits(self) -> None:
        """Raise if an edit named a site that the run did not pass.

        Raises:
            EditError: names the first such site.
        """
        for name in sorted(self._edits.keys() - self._used_edits):
            raise EditError(name, N_("this model has no such site"))
