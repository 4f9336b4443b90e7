"""The experiments of the training lab."""

from __future__ import annotations

from core.experiments.experiment import Experiment, at
from core.language import N_

TRAINING = (
    Experiment(
        id="training.sign",
        title=N_("Let the gradient change its sign"),
        watch=N_("The average of the gradients is near 0 then, but their usual size is as before. "
                 "So Adam takes small steps where it is not sure of the direction."),
        view="learning.moments",
        what=N_("Usual step in learning rates"),
        measure=at("usual"),
        unit="number",
        before={"gradient_kind": "steady", "beta1": 0.9, "beta2": 0.98, "adam_eps": "1e-9"},
        changes={"gradient_kind": "turning"},
        sides=(N_("the same sign"), N_("changing sign")),
        margin="factor",
        section="averages",
    ),
    Experiment(
        id="training.warm-up",
        title=N_("Take the warm-up away"),
        watch=N_("Then the very first step is the largest of all. The averages of Adam rest on a "
                 "single gradient at that moment."),
        view="learning.rate",
        what=N_("Learning rate of the first step"),
        measure=at("rate", 0),
        unit="number",
        before={"d_model": 512, "warmup": 4000, "rate_steps": 20_000, "rate_step": 1},
        changes={"warmup": 1},
        sides=(N_("4,000 steps of warm-up"), N_("no warm-up")),
        margin="factor",
        section="rate",
    ),
    Experiment(
        id="training.smoothing",
        title=N_("Smooth the target"),
        watch=N_("With a target of 1 the loss falls for ever as the logit grows. With a smoothed "
                 "target it is least at a logit that can be reached."),
        view="learning.certainty",
        what=N_("Logit with the least loss"),
        measure=at("best"),
        unit="number",
        before={"label_smoothing": 0.0, "spread_over": "all", "lead": 6.0},
        changes={"label_smoothing": 0.1},
        sides=(N_("target 1"), N_("ε = 0.1")),
        margin="factor",
        section="smoothing",
    ),
)  # fmt: skip
