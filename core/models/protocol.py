"""What every machine has in common; what differs stands in its abilities and its blueprint."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, runtime_checkable

from core.encoders import Encoders
from core.inputs import Input
from core.models.abilities import Ability
from core.models.blueprint import Blueprint
from core.models.prepared import Prepared
from core.tracing.sites import Site
from core.tracing.tap import Tap


@runtime_checkable
class Model(Protocol):
    """A machine.

    Attributes:
        config: its sizes, frozen.
        abilities: what it can do, declared.
        takes: the kinds of input it reads.
        blueprint: its parts in the order of computation.
    """

    config: Any

    @property
    def abilities(self) -> frozenset[Ability]: ...

    @property
    def takes(self) -> frozenset[type[Input]]: ...

    @property
    def blueprint(self) -> Blueprint: ...

    def sites(self) -> Iterable[Site]: ...

    def prepare(self, given: Input, encoders: Encoders) -> Prepared: ...

    def observe(self, prepared: Prepared, tap: Tap) -> None: ...
