"""What Streamlit's page keeps of an element: where it belongs, and the value it sends of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from streamlit.proto.Element_pb2 import Element
from streamlit.proto.WidgetStates_pb2 import WidgetState

# The control's field in the protocol -> how it says its value.
CONTROLS = {
    "button_group": "string_array_value",
    "slider": "double_array_value",
    "number_input": "double_value",
    "text_input": "string_value",
    "text_area": "string_value",
    "checkbox": "bool_value",
}


@dataclass
class Answer:
    """What one message of the learner led to.

    Attributes:
        seconds: from sending it to the end of the last run that the server started for it.
        n_runs: of the script or of fragments, those that gave way to another included.
        frames: as they were received.
        elements: that were sent, those named by their hash alone not included.
        link: whether the server wrote one.
    """

    seconds: float = 0.0
    n_runs: int = 0
    frames: list[bytes] = field(default_factory=list)
    elements: list[Element] = field(default_factory=list)
    link: bool = False

    @property
    def n_bytes(self) -> int:
        return sum(map(len, self.frames))


@dataclass
class Shown:
    """An element on the page, the fragment and the script it is of, and the run it is from."""

    element: Element
    fragment: str
    script: str
    run: str

    @property
    def kind(self) -> str:
        return self.element.WhichOneof("type") or ""

    @property
    def ident(self) -> str:
        """The widget's id; empty when it is none."""
        kind = self.kind
        widget = kind in ("bidi_component", "button") or kind in CONTROLS
        return getattr(self.element, kind).id if widget else ""

    @property
    def key(self) -> str:
        """The name that the app gave the widget."""
        return self.ident.split("-", 2)[2] if self.ident.startswith("$$ID-") else ""


def state_of(shown: Shown, value: Any = None) -> WidgetState:
    """A control's value as the browser says it; the one that it shows when None is given."""
    control, how = getattr(shown.element, shown.kind), CONTROLS[shown.kind]
    if shown.kind == "button_group":
        options = [option.content for option in control.options]
        if value is not None:
            chosen = [options[value] if isinstance(value, int) and str(value) not in options
                      else str(value)]  # fmt: skip
        elif control.set_value:
            chosen = list(control.raw_values)
        else:
            chosen = [options[i] for i in control.default]
        state = WidgetState(id=shown.ident)
        state.string_array_value.data.extend(chosen)
        return state
    if shown.kind == "slider" and control.options:  # it says the words of its stop
        stops = list(control.raw_value if control.set_value else
                     [control.options[int(control.default[0])]])  # fmt: skip
        state = WidgetState(id=shown.ident)
        state.string_array_value.data.extend(stops if value is None else [str(value)])
        return state
    if value is None:
        value = control.value if control.set_value else control.default
    if shown.kind == "slider":
        state = WidgetState(id=shown.ident)
        state.double_array_value.data.extend(
            [value] if isinstance(value, int | float) else list(value)
        )
        return state
    return WidgetState(id=shown.ident, **{how: value})
