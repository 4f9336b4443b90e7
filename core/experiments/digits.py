"""The experiment of the generator of digits."""

from __future__ import annotations

from core.experiments.experiment import Experiment, at
from core.language import N_

DIGITS = Experiment(
    id="beyond.guidance",
    title=N_("Let the text count"),
    watch=N_("With guidance 0 the text does not count: which digit is drawn depends on the noise "
             "alone. With guidance 3 nearly every picture shows the digit that the text names."),
    view="digits.reads",
    what=N_("Probability of “7” by the CNN, mean over the pictures"),
    measure=at("last", 7),
    unit="share",
    before={"draw_text": "draw a seven", "noise_seed": 0, "guidance": 0.0},
    changes={"guidance": 3.0},
    sides=(N_("guidance 0"), N_("guidance 3")),
    margin="points",
    section="pictured",
)  # fmt: skip
