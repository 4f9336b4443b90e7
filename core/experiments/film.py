"""The experiments of the film of learning."""

from __future__ import annotations

from core.examples import RED
from core.experiments.experiment import Experiment, at, selected
from core.language import N_

_BEGINS = {"text": RED, "frame": 0, "layer": 3, "head": 2, "token": -1, "key": -1}

FILM = (
    Experiment(
        id="film.words",
        title=N_("Train for 100 steps"),
        watch=N_("Words of one kind begin to have similar embeddings. At this moment the model "
                 "still writes hardly a sentence."),
        view="film.words",
        what=N_("Words whose nearest word is of their group"),
        measure=selected("near"),
        unit="share",
        before=_BEGINS,
        changes={"frame": 5},
        sides=(N_("before training"), N_("after 100 steps")),
        margin="points",
    ),
    Experiment(
        id="film.head",
        title=N_("Watch a head find its work"),
        watch=N_("Now “red” attends to “ball”. But the “a” before it attends to “ball”, too, and "
                 "the second “The” to “cat”: the head looks for nouns. It does not copy yet: its "
                 "induction score rises only later."),
        view="film.weights",
        what=N_("Attention of the last token to “ball”"),
        measure=at("weights", 12, 6),
        unit="share",
        before={**_BEGINS, "frame": 6},
        changes={"frame": 9},
        sides=(N_("after 200 steps"), N_("after 1,000 steps")),
        margin="points",
    ),
    Experiment(
        id="film.guess",
        title=N_("Let it learn to the end"),
        watch=N_("Before training all tokens are about equally probable. At the end the model "
                 "expects the word that it has read before."),
        view="film.guesses",
        what=N_("Probability of the first guess"),
        measure=selected("probability"),
        unit="share",
        before=_BEGINS,
        changes={"frame": 13},
        sides=(N_("before training"), N_("after training")),
        margin="points",
    ),
)  # fmt: skip
