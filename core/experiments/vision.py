"""The experiments of the page about pictures."""

from __future__ import annotations

from core.experiments.experiment import Experiment, Figures, at, named
from core.language import N_


def _seen(values: Figures) -> str:
    """What the picture most likely shows."""
    place = values["probability"].selected
    assert place is not None
    return named(str(values["probability"].axes[0].labels[place[0]]))


VISION = (
    Experiment(
        id="vision.turn",
        title=N_("Turn the 6 upside down"),
        watch=N_("Every pixel is still there, in another place. The model sees another digit."),
        view="vision.answer",
        what=N_("Most likely label"),
        measure=_seen,
        unit="word",
        before={"model": "vit", "picture": "ours-6"},
        changes={"picture": "ours-6-turned"},
        sides=(N_("as it was drawn"), N_("upside down")),
        margin="word",
    ),
    Experiment(
        id="vision.mix",
        title=N_("Shuffle the patches"),
        watch=N_("The same patches in another order are no longer a 7."),
        view="vision.answer",
        what=N_("Probability of “7”"),
        measure=at("probability", 7),
        unit="share",
        before={"model": "vit", "picture": "ours-7"},
        changes={"picture": "ours-7-mixed"},
        sides=(N_("in order"), N_("shuffled")),
        margin="points",
    ),
    Experiment(
        id="vision.open",
        title=N_("Rub out the top of the 9"),
        watch=N_("Without a few pixels the loop is open, and the model sees another digit."),
        view="vision.answer",
        what=N_("Most likely label"),
        measure=_seen,
        unit="word",
        before={"model": "vit", "picture": "ours-9"},
        changes={"picture": "ours-9-open"},
        sides=(N_("as it was drawn"), N_("without its top")),
        margin="word",
    ),
)
