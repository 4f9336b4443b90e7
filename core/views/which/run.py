"""The probes of the cells that are settled: what every view of the table is computed from."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.figures.text import percent
from core.figures.values import Along
from core.language import _, name_of
from core.locale import grouped
from core.models.needs import Needs
from core.runs.probes import WITHOUT_TEXT, Probed, ProbeRequest
from core.runs.requests import Request
from core.views.nearest import nearest
from core.views.view import View
from core.views.which.deciding import DECIDED, KINDS, Deciding, Kind

At = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Decision:
    """The table as far as it is settled.

    Attributes:
        params: what was asked for.
        found: of each settled cell, by row and column, what its probe has found.
    """

    params: Deciding
    found: Mapping[At, Probed]

    @property
    def machines(self) -> Mapping[int, str]:
        """The machine of each column."""
        return self.params.machines

    @property
    def cells(self) -> int:
        """How many there are."""
        return len(KINDS) * len(self.machines)

    @property
    def row(self) -> int:
        """The row that is looked at."""
        return nearest("probe", self.params.probe, len(KINDS) - 1)

    @property
    def column(self) -> int:
        """The column that is looked at: one that has a machine."""
        return min(self.machines, key=lambda one: abs(one - self.params.probed))

    @property
    def kind(self) -> Kind:
        """The row that is looked at."""
        return KINDS[self.row]

    def number(self, at: At) -> float:
        """What was measured for a cell; NaN while it is open."""
        return self.found[at].number if at in self.found else math.nan

    def can(self, at: At) -> bool | None:
        """What a cell says; None while it is open, or where the text is too short for the probe."""
        probed = self.found.get(at)
        if probed is None or (math.isnan(probed.number) and not probed.lacks):
            return None
        return not probed.lacks and probed.number >= KINDS[at[0]].least

    def right(self, at: At) -> bool | None:
        """Whether what was guessed of a settled cell is so; None where nothing was."""
        said, can = self.params.said.get(at, ""), self.can(at)
        return None if can is None or said not in tuple(DECIDED) else (said == DECIDED[0]) == can

    def able(self, row: int) -> list[str] | None:
        """The machines that can do what a row says, best first; None while one of it is open."""
        cells = [(row, column) for column in self.machines]
        if any(self.can(at) is None for at in cells):
            return None
        best = sorted(filter(self.can, cells), key=lambda at: -self.found[at].number)
        return [name_of(self.machines[column]) for _row, column in best]

    def next_open(self) -> At | None:
        """The first cell after the one that is looked at that is not settled; None if all are."""
        every = [(row, column) for row in range(len(KINDS)) for column in self.machines]
        at = every.index((self.row, self.column))
        return next((one for one in every[at:] + every[:at] if one not in self.found), None)

    @property
    def along_rows(self) -> Along:
        """What machines are wanted for, for the numbers."""
        return Along("use", _("use"), [_(kind.says) for kind in KINDS])

    @property
    def along_machines(self) -> Along:
        """The columns, for the numbers."""
        return Along("machine", _("machine"), [name_of(one) for one in self.machines.values()])

    def selection(self) -> dict[str, int | None]:
        """By the names of the parameters."""
        return {"probe": self.row, "probed": self.column}


def written(kind: Kind, number: float) -> str:
    """A number of a row as people read it."""
    if math.isnan(number):
        return "–"
    return percent(number) if kind.unit == "share" else grouped(round(number))


class OfDeciding(View[Deciding, Decision]):
    """A view of the table. What is not settled is not run, so that nothing of it is sent."""

    Params, needs = Deciding, Needs("words", ("tokens",))

    def requests(self, params: Deciding) -> tuple[Request, ...]:
        return tuple(request_of(params, at) for at in params.settled)

    def soon(self, params: Deciding) -> Sequence[Request]:
        """Of what is guessed, and of the row that is looked at.

        The probes that read sentences of their own take longest; they are the same for every text.
        """
        rows = [n for n, kind in enumerate(KINDS) if kind.probe in WITHOUT_TEXT]
        near = [(row, column) for row in (params.probe, *rows) for column in params.machines]
        open_ = [at for at in (*params.guessed, *near) if at not in params.settled]
        return [request_of(params, at) for at in dict.fromkeys(open_)]

    def compute(self, runs: Sequence[Probed], params: Deciding) -> Decision:
        return Decision(params, dict(zip(params.settled, runs, strict=True)))


def request_of(params: Deciding, at: At) -> ProbeRequest:
    """The probe that settles a cell."""
    probe = KINDS[at[0]].probe
    text = "" if probe in WITHOUT_TEXT else params.read
    return ProbeRequest(params.machines[at[1]], probe, text)
