"""What a learner may change of a figure: one of a few, a number, a text, on or off."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from core.language import _
from core.locale import spelt
from core.models.blueprint import Blueprint
from core.views.params import Declared, between, declared, written
from core.views.parts import main, names

Kind = Literal["choice", "switch", "range", "line", "buttons"]
BESIDE = {"text", "picture"}  # what is chosen for the whole page
NUMERAL = re.compile(r"\d{1,9}\.\d{1,9}")  # what a choice is called that says a number


@dataclass(frozen=True, slots=True)
class Press:
    """A button.

    Attributes:
        label: translated.
        sets: what a click sets, names and values as a link says them; None takes one back to its
            default.
        chosen: it says what holds now, or what to do next.
        able: it can be pressed.
        of: the name of what this belongs to, if no undo takes it back.
    """

    label: str
    sets: Mapping[str, str | None]
    chosen: bool = False
    able: bool = True
    of: str = ""

    def as_data(self) -> dict[str, Any]:
        return {"label": self.label, "sets": {**self.sets}, "chosen": self.chosen,
                "able": self.able, "of": self.of}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Control:
    """One parameter that a learner may change.

    Attributes:
        name: of the parameter.
        value: it has now, as a link says it.
        kind: how it is changed; a page may show a range as a field, or a line as several.
        options: of a choice, each as a link says it and as it is called.
        low, high: of a range.
        whole: it is a whole number.
        key: its own name, where a parameter has two controls.
        label: translated, where it is not the parameter's.
        writes: what becomes of its value in the parameter, in place of ``{}``; empty for the value
            itself.
        placeholder: of a text, while it is empty.
        buttons: that set what they say, in place of any one parameter.
    """

    name: str
    value: str
    kind: Kind = "choice"
    options: Sequence[tuple[str, str]] = ()
    low: float = 0
    high: float = 0
    whole: bool = True
    key: str = ""
    label: str = ""
    writes: str = ""
    placeholder: str = ""
    buttons: Sequence[Press] = ()

    @classmethod
    def numbered(cls, name: str, value: int, n: int) -> Control:
        """One of so many that are numbered from 0."""
        return cls(name, str(value), options=[(str(i), str(i)) for i in range(n)])

    @classmethod
    def none(cls, name: str) -> Control:
        """A parameter that means nothing here, so that it cannot be changed."""
        return cls(name, "")

    @property
    def offers(self) -> bool:
        """There is something to choose from."""
        if self.kind == "buttons":
            return bool(self.buttons)
        ranged = self.kind != "range" or self.low < self.high
        return ranged and (self.kind != "choice" or len(self.options) > 1)

    def as_data(self, params: Any) -> dict[str, Any]:
        """What the browser draws it from.

        Args:
            params: that have the parameter.
        """
        if self.kind == "buttons":
            return {"name": self.name, "kind": self.kind, "value": "", "label": self.label,
                    "buttons": [button.as_data() for button in self.buttons]}  # fmt: skip
        data: dict[str, Any] = {
            "name": self.key or self.name,
            "kind": self.kind,
            "value": self.value,
            "label": self.label or _(declared(params, self.name).label),
        }
        data |= {"sets": self.name} if self.key else {}
        data |= {"writes": self.writes} if self.writes else {}
        data |= {"placeholder": self.placeholder} if self.placeholder else {}
        if self.kind == "choice":
            data["options"] = [*self.options]
        if self.kind == "range":
            form = int if self.whole else float
            ends = {"low": form(self.low), "high": form(self.high)}
            hint = _("It must be {wanted}.").format(wanted=between(ends["low"], ends["high"]))
            data |= {**ends, "whole": self.whole, "wanted": hint}
        return data


def controls_of(
    params: Any, controls: Sequence[Control], blueprint: Blueprint | None
) -> list[dict[str, Any]]:
    """All that can be changed, as the browser draws it.

    Args:
        params: of a figure.
        controls: what its view says of them; else what was declared counts.
        blueprint: of the model that it shows; None if it shows none.
    """
    by_name = {control.key or control.name: control for control in controls}
    for field in dataclasses.fields(params):
        control = _declared(params, field.name, blueprint)
        if control is not None:
            by_name.setdefault(field.name, control)
    return [control.as_data(params) for control in by_name.values() if control.offers]


def _declared(params: Any, name: str, blueprint: Blueprint | None) -> Control | None:
    """A parameter as it was declared; None where that says nothing of how it is changed."""
    what: Declared = declared(params, name)
    value = getattr(params, name)
    if name in BESIDE or what.model or what.lives == "browser":
        return None
    if what.part is not None:
        if blueprint is None:
            return None
        called = names(params, blueprint, name)
        chosen = value if value in called else main(blueprint, what.part)
        return Control(name, chosen or next(iter(called), ""), options=[*called.items()])
    if what.choices is not None:
        return Control(name, value, options=[(option, _option_label(label)) for option, label in
                                             what.choices.items()])  # fmt: skip
    if isinstance(value, bool):
        return Control(name, written(value), "switch")
    if isinstance(value, int | float):
        if what.low is None or what.high is None:
            return None
        return Control(name, written(value), "range", low=what.low, high=what.high,
                       whole=isinstance(value, int))  # fmt: skip
    return Control(name, value, "line")


def _option_label(label: str) -> str:
    """What an option is called; a number is written as the learner does."""
    words = _(label)
    return spelt(words) if NUMERAL.fullmatch(words) else words
