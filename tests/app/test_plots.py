"""Plots on a page, which are kept for all learners: each for what it shows."""

from __future__ import annotations

import base64
import json

import numpy as np
from streamlit.testing.v1 import AppTest

CURVES = ([1.0, 2.0], [2.0, 1.0], [1.0, 2.0])


def page(curves: list[list[float]]) -> None:  # a script of its own
    import numpy as np

    from core import views
    from core.figures.components import Plot
    from core.figures.components.plot.parts import Curve, PlotAxis
    from pages.parts import address
    from pages.parts.figure import put

    address.begin("")
    view = views.get("positions.curves")
    x, y = PlotAxis(title="place"), PlotAxis(title="height")
    for n, heights in enumerate(curves):
        line = Curve(y=np.array(heights), name="height", role="position")
        plot = Plot(title="Heights", alt="A curve", x=x, y=y, series=[line])
        put(view, plot, view.Params(), f"plot-{n}", save=False)


def test_two_plots_with_the_same_text_alternative_are_two():
    app = AppTest.from_function(page, args=(CURVES,)).run()
    assert not app.exception, [one.stack_trace for one in app.exception]
    specs = [json.loads(one.proto.spec) for one in app.get("plotly_chart")]
    drawn = [np.frombuffer(base64.b64decode(one["data"][0]["y"]["bdata"])) for one in specs]
    assert [[*one] for one in drawn] == [*CURVES]
