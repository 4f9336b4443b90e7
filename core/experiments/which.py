"""The experiments of the page on which machine is for what."""

from __future__ import annotations

from core.experiments.experiment import Experiment, selected
from core.language import N_
from core.views.which import joined

MACHINES = {"model": "gpt", "guesser": "bert", "reader": "elmo", "filler": "", "mender": ""}
DOG = {**MACHINES, "text": "The dog was hungry, so he ate all of his food."}
TOGETHER, WRITES, ANSWERS = 1, 4, 6  # rows of the table
GPT, BERT, ELMO = range(3)  # columns
JOINS = {"guesses": joined}  # what she has guessed and settled stays

WHICH = (
    Experiment(
        id="which.together",
        title=N_("Let the two sides meet"),
        watch=N_("ELMo sees later words, too. But one half of it reads forwards and the other "
                 "backwards, and the two never meet: swap a word on either side, and each change "
                 "is just added to the other. In BERT the same swaps act together."),
        view="which.probe",
        what=N_("Share of the change that neither swap explains"),
        measure=selected("number"),
        unit="share",
        before={**DOG, "guesses": "11S 12S", "probe": TOGETHER, "probed": ELMO},
        changes={"probed": BERT},
        sides=(N_("ELMo"), N_("BERT")),
        margin="points",
        joins=JOINS,
    ),
    Experiment(
        id="which.by_heart",
        title=N_("Give BERT a beginning it knows"),
        watch=N_("BERT cannot continue a text, says the probe. Then it gets the beginning of a "
                 "thousand tales. It has filled gaps in so many of them that it passes. A probe "
                 "settles what a machine does with one text, and no more."),
        view="which.probe",
        what=N_("Different tokens among ten that BERT writes"),
        measure=selected("number"),
        unit="count",
        before={**DOG, "guesses": "40S 41S", "probe": WRITES, "probed": BERT},
        changes={"text": "Once upon a time there was a"},
        sides=(N_("our text"), N_("a tale")),
        margin="factor",
        joins=JOINS,
    ),
    Experiment(
        id="which.answers",
        title=N_("Ask the machine that only continues"),
        watch=N_("BERT is the one for understanding, people say. Without a new head, it is GPT "
                 "that tells happy sentences from sad ones: to continue them it has to."),
        view="which.probe",
        what=N_("Right answers of 48"),
        measure=selected("number"),
        unit="share",
        before={**DOG, "guesses": "60S 61S", "probe": ANSWERS, "probed": BERT},
        changes={"probed": GPT},
        sides=(N_("BERT"), N_("GPT")),
        margin="points",
        joins=JOINS,
    ),
)  # fmt: skip
