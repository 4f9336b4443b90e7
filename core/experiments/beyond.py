"""The experiments of the page about what comes after pretraining."""

from __future__ import annotations

from core.experiments.digits import DIGITS
from core.experiments.experiment import Experiment, at
from core.language import N_
from core.views.beyond import OPENING

_WEIGHED = {"liked_text": OPENING, "preference": "animals", "best_beta": "1", "best_seed": 0}

BEYOND = (
    Experiment(
        id="beyond.leash",
        title=N_("Let the model drift further"),
        watch=N_("With a smaller β the best model goes further from the start. It gains points, "
                 "and a few continuations get nearly all of the probability."),
        view="beyond.best",
        what=N_("KL divergence of the best model, nats per continuation"),
        measure=at("kl"),
        unit="number",
        before=_WEIGHED,
        changes={"best_beta": "0.1"},
        sides=(N_("β = 1"), N_("β = 0.1")),
        margin="factor",
        section="best",
    ),
    Experiment(
        id="beyond.marks",
        title=N_("Set the marks further apart"),
        watch=N_("With equal marks the judge expects each answer to be preferred half of the "
                 "time. A difference of 3 makes it nearly sure."),
        view="beyond.judged",
        what=N_("Probability that A is preferred"),
        measure=at("probability"),
        unit="share",
        before={"mark_a": 0.5, "mark_b": 0.5},
        changes={"mark_a": 3.5},
        sides=(N_("equal marks"), N_("3 apart")),
        margin="points",
        section="judged",
    ),
    DIGITS,
)  # fmt: skip
