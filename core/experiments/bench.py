"""The experiments of the bench on which machines are broken."""

from __future__ import annotations

from core.examples import GAP
from core.experiments.experiment import Experiment, at, selected
from core.language import N_

_WHOLE = {"model": "gpt", "text": GAP.removesuffix(" [MASK]."), "attention": "", "layer": 5,
          "head": 3, "token": -1, "key": -1, "target": ""}  # fmt: skip

BENCH = (
    Experiment(
        id="bench.axis",
        title=N_("Take the softmax over the queries"),
        watch=N_("Watch the sums of the rows. With the right axis each query shares out 100 %. "
                 "With the wrong one each key does, and this query is left with another sum."),
        view="bench.weights",
        what=N_("Sum of the last token's attention weights"),
        measure=selected("sum"),
        unit="number",
        before={**_WHOLE, "fault": "unscaled"},
        changes={"fault": "wrong_axis"},
        sides=(N_("scores not scaled"), N_("wrong axis")),
        margin="factor",
    ),
    Experiment(
        id="bench.residual",
        title=N_("Take the residual sums away"),
        watch=N_("Layer 0 still makes the residual vectors longer, but after it they grow no "
                 "further. What the earlier layers wrote is lost."),
        view="bench.sizes",
        what=N_("Length of the residual vectors after the last layer"),
        measure=selected("broken"),
        unit="number",
        before={**_WHOLE, "fault": "no_positions"},
        changes={"fault": "no_residual"},
        sides=(N_("positions missing"), N_("residual sums missing")),
        margin="factor",
    ),
    Experiment(
        id="bench.joined",
        title=N_("Join the heads without a transpose"),
        watch=N_("In layer 0 every head attends as it should, and yet the predictions are gone. "
                 "No shape is wrong, so no error is raised."),
        view="bench.guesses",
        what=N_("Share of the probability that is elsewhere"),
        measure=at("moved"),
        unit="share",
        before={**_WHOLE, "fault": "one_ahead", "layer": 0, "head": 0},
        changes={"fault": "not_transposed"},
        sides=(N_("mask off by one"), N_("no transpose")),
        margin="points",
    ),
)  # fmt: skip
