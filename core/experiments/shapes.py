"""The experiments of the page on block shapes."""

from __future__ import annotations

from core.experiments.experiment import Experiment, selected
from core.language import N_

_FRESH = {"shape": "a", "shape_depth": 12, "shape_width": "64", "shape_spread": "fan_in",
          "shape_seed": 0, "shape_layer": 0}  # fmt: skip

SHAPES = (
    Experiment(
        id="shapes.post",
        title=N_("Move the norm behind the sum"),
        watch=N_("A norm in the branch leaves the stream alone, so that every sum makes it grow. A "
                 "norm behind the sum brings it back to size 1 in every layer."),
        view="shapes.signal",
        what=N_("Size of the residual stream after the last layer"),
        measure=selected("chosen"),
        unit="number",
        before=_FRESH,
        changes={"shape": "post"},
        sides=(N_("A, norm in the branch"), N_("post-norm")),
        margin="factor",
    ),
    Experiment(
        id="shapes.gradient",
        title=N_("Compare the gradients at the top"),
        watch=N_("A's final norm divides by the size of its grown stream, and the gradient with "
                 "it. Post-norm's gradient at the last layer is larger. That is one reason why "
                 "post-norm needs warm-up."),
        view="shapes.gradient",
        what=N_("Gradient at the last layer's output"),
        measure=selected("chosen"),
        unit="number",
        before=_FRESH,
        changes={"shape": "post"},
        sides=(N_("A, norm in the branch"), N_("post-norm")),
        margin="factor",
    ),
    Experiment(
        id="shapes.small",
        title=N_("Begin with smaller weights"),
        watch=N_("With a spread of 0.02, as in GPT-2, each part writes little at this width. The "
                 "stream hardly grows, and before training all shapes look alike."),
        view="shapes.signal",
        what=N_("Size of the residual stream after the last layer"),
        measure=selected("chosen"),
        unit="number",
        before=_FRESH,
        changes={"shape_spread": "fixed"},
        sides=(N_("1/√n"), N_("0.02")),
        margin="factor",
    ),
)  # fmt: skip
