"""A text as tokens: chips with a number under each, and the reading of the selected one."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from core.figures.components import strip_drawing
from core.figures.components.base import COVERED, Component, Follow, PickShape, Selection
from core.figures.payload import Payload, as_shares
from core.figures.text import Sentence, number, percent
from core.figures.theme import PALETTES, Mode
from core.language import _


@dataclass(frozen=True, slots=True)
class Chip:
    """One token.

    Attributes:
        label: as it is written.
        kind: how it looks: "word", "special", "unknown", "byte", "position", "... born".
        title: what pointing at it says.
        group: tokens of one word share a colour where chips are coloured; None for no colour.
        detail: a second line, in small.
        word: chips of one word stay on one line.
        fixed: it cannot be marked.
    """

    label: str
    kind: str
    title: str
    group: int | None = 0
    detail: str | None = None
    word: int | None = None
    fixed: bool | None = None

    def as_data(self) -> dict[str, Any]:
        """As the browser reads it; no group is told, too."""
        more = {"detail": self.detail, "word": self.word, "fixed": self.fixed}
        return {
            "label": self.label,
            "kind": self.kind,
            "title": self.title,
            "group": self.group,
            **{name: value for name, value in more.items() if value is not None},
        }


@dataclass(frozen=True, kw_only=True)
class Strip(Component):
    """Chips, and what stands around them.

    Attributes:
        tokens: the chips.
        field: of the selection, which names a chip by its place, or its group.
        default: the chip that is selected while the field is empty.
        cut: the end of the text that did not fit.
        heading: above the chips; None for none.
        headings: one for each row of ``heat`` in its place, where it names what the row is of.
        lines: sentences below.
        heat: a number for each chip ``(T,)``, or for each selected chip and chip ``(T, T)``;
            NaN for none.
        heat_role, heat_limit, heat_unit, heat_digits: how it is coloured and written; the unit
            "share" writes per cent.
        heat_field, heat_ids: another field of the selection that names the row of ``heat``, by one
            of these ids, or without them by its number, where one past the end is the last.
        notes: written under each chip, where there is no number.
        may: array ``(T, T)`` of 0 and 1: chips that the selected one may not attend to.
        life: array ``(T, 2)``: the steps between which a chip is there.
        readings: one for all, or one for each chip.
        marked: chips that are marked, and what is written on them then.
        toggles: a click marks a chip, or its "group".
        grouped: chips are selected a group at a time.
        coloured: the groups tell neighbours apart by their ground.
        still: chips cannot be selected.
        clears: fields that a selection lets go of.
        reveal: chips that later steps bring are not there yet.
        prose: with them, the text that each chip stands for, to be read as one below.
        follow: the field that counts the steps of ``life``.
        long: chips from which the strip is folded.
        compact: less room around each.
        name: of the list, for readers that cannot see it; the title when None.
        given: the chips of a covered figure, where ``tokens`` are a result; there may be none.
        width: of a line of chips in a file; the browser takes the room that there is.
    """

    folder: ClassVar[str] = "token_strip"

    tokens: Sequence[Chip]
    field: str = "token"
    default: int | None = None
    cut: str | None = None
    heading: Sentence | None = None
    headings: Sequence[Sentence] | None = None
    lines: Sequence[Sentence] | None = None
    heat: NDArray[np.floating[Any]] | None = None
    heat_role: str | None = None
    heat_limit: float | None = None
    heat_unit: str | None = None
    heat_digits: int | None = None
    heat_field: str | None = None
    heat_ids: Sequence[int] | None = None
    notes: Sequence[str] | None = None
    may: NDArray[np.bool_] | None = None
    life: NDArray[np.integer[Any]] | None = None
    readings: Sequence[Sentence] | None = None
    marked: Sequence[int] | None = None
    marked_label: str | None = None
    toggles: str | None = None
    grouped: bool | None = None
    coloured: bool | None = None
    still: bool | None = None
    clears: Sequence[str] | None = None
    reveal: Reveal | None = None
    prose: Sequence[str] | None = None
    follow: Follow | None = None
    long: int | None = None
    compact: bool | None = None
    name: str | None = None
    given: Sequence[Chip] | None = None
    width: float = 900.0

    def payload(self) -> Payload:
        arrays: dict[str, NDArray[Any]] = {}
        if self.heat is not None:
            arrays["heat"] = as_shares(self.heat)
        if self.may is not None:
            arrays["may"] = self.may.astype(np.uint8)
        if self.life is not None:
            arrays["life"] = self.life.astype(np.int32)
        plain = {
            name: getattr(self, name)
            for name in (
                "field", "default", "cut", "heading", "headings", "lines", "heat_role",
                "heat_limit",
                "heat_unit", "heat_digits", "heat_field", "heat_ids", "notes", "readings",
                "marked", "marked_label", "toggles", "grouped", "coloured", "still", "clears",
                "reveal", "prose", "follow", "long", "compact",
            )
        }  # fmt: skip
        if self.headings is not None:  # the row that is shown has its own
            plain["heading"] = None
        labels = {
            "strip": self.name or _("Tokens"),
            "masked": _("masked"),
            "cut": strip_drawing.cut_off(),
            "more": _("Show all tokens"),
            "less": _("Show fewer"),
        }
        tokens = [chip.as_data() for chip in self.tokens]
        return Payload(self.header(tokens=tokens, labels=labels, **plain), arrays)

    def so_far(self) -> str:
        """What has been written, as prose; empty before the first step."""
        if self.prose is None or self.reveal is None or self.n_shown() <= self.reveal.base:
            return ""
        return "".join(self.prose[: self.n_shown()]).strip()

    # --- what is selected, as the browser works it out -------------------------------------

    def n_shown(self) -> int:
        """Chips that are there already."""
        return len(self.tokens) if self.reveal is None else self.reveal.n(self.selection, self)

    def chosen(self) -> int | None:
        """The selected chip, or group."""
        index = self.selection.get(self.field)
        if self.grouped:
            return self.default if index is None else int(index)
        if index is None:
            return self.n_shown() - 1 if self.reveal is not None else self.default
        return max(0, min(int(index), self.n_shown() - 1))

    def numbers(self) -> NDArray[np.floating[Any]] | None:
        """The numbers under the chips."""
        if self.heat is None or self.heat.ndim == 1:
            return self.heat
        row = self.chosen()
        if self.heat_ids is not None:
            chosen = self.selection.get(self.heat_field or "")
            ids = list(self.heat_ids)
            row = ids.index(chosen) if isinstance(chosen, int) and chosen in ids else None
        elif self.heat_field is not None:
            chosen = self.selection.get(self.heat_field)
            row = min(chosen, len(self.heat) - 1) if isinstance(chosen, int) else None
        return None if row is None else self.heat[row]

    def is_there(self, index: int) -> bool:
        """Whether a chip is shown at this step."""
        if index >= self.n_shown():
            return False
        if self.life is None or self.follow is None:
            return True
        born, gone = self.life[index]
        return bool(born <= self._now(self.follow) < gone)

    def _now(self, follow: Follow) -> int:
        """The step of the lives of chips."""
        now = self.selection.get(follow.field)
        return (follow.first or 0) if now is None else int(now)

    def may_attend(self, index: int) -> bool:
        """Whether the selected chip may attend to this one."""
        row = self.chosen()
        return self.may is None or row is None or bool(self.may[row, index])

    def note(self, index: int) -> str:
        """What stands under a chip."""
        if not self.may_attend(index):
            return _("masked")
        if self.marked_label and index in (self.marked or ()):
            return self.tokens[index].label
        numbers = self.numbers()
        if numbers is not None and not math.isnan(float(numbers[index])):
            value = float(numbers[index])
            if self.heat_unit == "share":
                return percent(value)
            return number(value, self.heat_digits or 2) + (self.heat_unit or "")
        return self.notes[index] if self.notes is not None else ""

    def turns(self, index: int) -> tuple[bool, bool]:
        """Whether a chip came with this step, and whether the next one takes it."""
        if self.life is None or self.follow is None:
            return False, False
        now = self._now(self.follow)
        born, gone = self.life[index]
        return bool(born == now > 0), bool(gone == now + 1)

    def is_selected(self, index: int) -> bool:
        """Whether a chip is the selected one, or of the selected group."""
        chosen = self.chosen()
        return (
            chosen is not None and (self.tokens[index].group if self.grouped else index) == chosen
        )

    def covered(self, rows: Sequence[int] | None, chosen: Mapping[str, Any]) -> Strip | None:
        """The chips alone, those that are there; what pointing at one says may be what is asked.

        Where they are coloured, how a text is cut is what the chips show.
        """
        if self.coloured:
            return None
        n = len(self.tokens) if self.reveal is None else self.reveal.n(self.selection, self)
        chips = self.tokens[:n] if self.given is None else self.given
        return Strip(
            title=self.title, alt=_(COVERED), selection=chosen, field=self.field, still=True,
            name=self.name, cut=self.cut,
            tokens=[Chip(chip.label, chip.kind, title="", word=chip.word) for chip in chips],
        )  # fmt: skip

    def pick_shape(self) -> PickShape:
        return PickShape("tokens", 1, len(self.tokens))

    def narrow(self, width: float) -> Self:
        return dataclasses.replace(self, width=width)

    def drawing(self, mode: Mode) -> str:
        return strip_drawing.draw(self, PALETTES[mode])


@dataclass(frozen=True, slots=True)
class Reveal:
    """Chips that come with the steps of another field.

    Attributes:
        field: that counts the steps.
        base: chips that are there from the start.
        first: the count while the field is empty.
    """

    field: str
    base: int
    first: int = 0

    def n(self, selection: Selection, strip: Strip) -> int:
        """How many chips are there at the step that is selected."""
        step = selection.get(self.field)
        return min(len(strip.tokens), self.base + (self.first if step is None else int(step)))
