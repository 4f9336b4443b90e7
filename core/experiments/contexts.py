"""The experiments of the page about words in context."""

from __future__ import annotations

from core.experiments.experiment import Experiment, Figures
from core.language import N_
from core.senses import in_groups

BANKS = (
    "The bank was muddy after the rain.\n"
    "The bank was covered with wild flowers.\n"
    "The bank of the river was steep.\n"
    "\n"
    "The bank was full of people with money.\n"
    "The bank opened at nine in the morning.\n"
    "The bank lent him the money."
)


def _least(values: Figures) -> float:
    """The smallest cosine of two of the vectors."""
    return float(values["cosine"].array.min())


def _best(values: Figures) -> float:
    """The largest share, over the layers, whose nearest is of the same group."""
    return float(values["same"].array.max())


CONTEXTS = (
    Experiment(
        id="contexts.layer",
        title=N_("From the table to a layer"),
        watch=N_("A row of a table is the same vector in every sentence. One layer that reads the "
                 "sentence is enough to pull the vectors apart."),
        view="contexts.distances",
        what=N_("Smallest cosine of two vectors of “left”"),
        measure=_least,
        unit="number",
        before={"model": "elmo", "sought": "left", "sentences": in_groups("left", 4), "layer": 0},
        changes={"layer": 2},
        sides=(N_("static"), N_("layer 0")),
        margin="points",
    ),
    Experiment(
        id="contexts.before",
        title=N_("Ask BERT, which reads both sides"),
        watch=N_("GPT has read nothing but “The bank” when it makes the vector: the clue comes "
                 "later, so all vectors are the same. BERT reads both sides, so its vectors "
                 "differ. The sentence below the figure says whether they tell the senses apart."),
        view="contexts.distances",
        what=N_("Smallest cosine of two vectors of “bank”"),
        measure=_least,
        unit="number",
        before={"model": "gpt", "sought": "bank", "sentences": BANKS, "layer": 7},
        changes={"model": "bert"},
        sides=(N_("GPT"), N_("BERT")),
        margin="points",
    ),
    Experiment(
        id="contexts.bank",
        title=N_("Ask for a harder word"),
        watch=N_("The two senses of “left” are different kinds of words, which their neighbours "
                 "give away. Both senses of “bank” are nouns: there the same model is right less "
                 "often."),
        view="contexts.layers",
        what=N_("Nearest of the same group, in the best layer"),
        measure=_best,
        unit="share",
        before={"model": "elmo", "sought": "left", "sentences": in_groups("left", 4), "layer": 2},
        changes={"sought": "bank", "sentences": in_groups("bank", 4)},
        sides=(N_("left"), N_("bank")),
        margin="points",
        section="layers",
    ),
)  # fmt: skip
