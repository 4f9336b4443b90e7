"""A plot's figure for a page that shows it again and again."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go


class Finished(go.Figure):  # type: ignore[misc]
    """A figure that gives the same data each time it is asked.

    Streamlit asks with every run, and Plotly copies all of it then and looks through every value:
    6 ms for a thousand points with a text each on a busy machine.
    """

    def __init__(self, made: go.Figure) -> None:
        super().__init__(_validate=False)
        self._made = made.to_dict()

    def to_dict(self) -> dict[str, Any]:
        return self._made
