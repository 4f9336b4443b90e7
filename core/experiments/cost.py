"""The experiments of the page on costs."""

from __future__ import annotations

from core.experiments.experiment import Experiment, at
from core.language import N_

_OWN = {"cost_plan": "own", "cost_kind": "writer", "cost_layers": 6, "cost_width": 256,
        "cost.length": 4, "cost_ff": 1024, "cost_vocab": 8192, "cost_context": 512,
        "cost_length": 512}  # fmt: skip

COST = (
    Experiment(
        id="cost.width",
        title=N_("Double the width"),
        watch=N_(
            "The matrices of attention have width times width numbers, those of the feed-forward "
            "network width times hidden units. With both doubled, each layer has four times as "
            "many, but the token table only twice as many."
        ),
        view="cost.sizes",
        what=N_("Parameters"),
        measure=at("total"),
        unit="count",
        before=_OWN,
        changes={"cost_width": 512, "cost_ff": 2048},
        sides=(N_("width 256"), N_("width 512")),
        margin="factor",
    ),
    Experiment(
        id="cost.length",
        title=N_("Read a longer text"),
        watch=N_(
            "The learned matrices work on one position at a time. Scores compare every "
            "position with every other one, so their share grows with the length."
        ),
        view="cost.growth",
        what=N_("Share of scores and mixing"),
        measure=at("share"),
        unit="share",
        before=_OWN,
        changes={"cost_length": 8192},
        sides=(N_("512 positions"), N_("8,192 positions")),
        margin="points",
    ),
    Experiment(
        id="cost.vocabulary",
        title=N_("Take the vocabulary of GPT-2"),
        watch=N_("In a small machine the token table outgrows everything else."),
        view="cost.sizes",
        what=N_("Share of the embeddings"),
        measure=at("part_share", 0),
        unit="share",
        before=_OWN,
        changes={"cost_vocab": 50257},
        sides=(N_("8,192 entries"), N_("50,257 entries")),
        margin="points",
    ),
)
