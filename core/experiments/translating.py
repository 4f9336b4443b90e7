"""The experiments of the page that translates."""

from __future__ import annotations

from core.examples import FRENCH, FRENCH_IN_ENGLISH
from core.experiments.experiment import Experiment, Figures, at, named, selected
from core.language import N_

TEACHER = "Le professeur cherche ses lunettes depuis deux jours."


def _on_chat(values: Figures) -> float:
    """The weight of the selected target token on the source's second token."""
    place = values["weights"].selected
    assert place is not None
    return float(values["weights"].array[place[0], 1])


def _top(values: Figures) -> str:
    """The most likely word at the selected place."""
    place = values["probability"].selected
    assert place is not None
    return named(str(values["word"].array[place[0], 0]))


def _found(values: Figures) -> str:
    """The translation that a search found."""
    return named(str(values["text"].array[0]))


def _taught(values: Figures) -> float:
    """Loss per token of the reference, mean."""
    return float(values["forced"].array.mean())


ACROSS = {"model": "transformer", "text": FRENCH, "target": "", "attention": "cross", "layer": 0,
          "head": 0, "key": None}  # fmt: skip

TRANSLATE = (
    Experiment(
        id="translate.swap",
        title=N_("Watch two words swap places"),
        watch=N_("French says “chat noir”, English “black cat”. From “black” this head attends to "
                 "“noir”, and from “cat” it goes back to “chat”."),
        view="translate.source",
        what=N_("Weight on “chat”, layer 0, head 0 of the cross-attention"),
        measure=_on_chat,
        unit="share",
        before={**ACROSS, "token": 2},
        changes={"token": 3},
        sides=(N_("from “black”"), N_("from “cat”")),
        margin="points",
    ),
    Experiment(
        id="translate.forced",
        title=N_("Write the target yourself"),
        watch=N_("The decoder reads the target you give it, as in training. But the source says "
                 "“chat”, so “dog” gets almost nothing."),
        view="translate.target",
        what=N_("Probability of the word after “The black”"),
        measure=at("probability", 3),
        unit="share",
        before={**ACROSS, "target": "The black cat", "token": 3},
        changes={"target": "The black dog"},
        sides=(N_("The black cat"), N_("The black dog")),
        margin="points",
    ),
    Experiment(
        id="translate.source",
        title=N_("Change one word of the source"),
        watch=N_("The decoder itself reads no French. Only the cross-attention tells it that the "
                 "animal is now a dog."),
        view="translate.next",
        what=N_("Most likely word after “The black”"),
        measure=_top,
        unit="word",
        before={**ACROSS, "target": "The black", "token": 2},
        changes={"text": "Le chien noir dort sur la table."},
        sides=(N_("Le chat noir …"), N_("Le chien noir …")),
        margin="word",
    ),
)  # fmt: skip

WRITING = (
    Experiment(
        id="writing.beam",
        title=N_("Keep four beginnings"),
        watch=N_("After “The teacher”, greedy decoding takes “'s”, which is the most probable "
                 "token at that step. Beam search keeps “has”, too. One token later, the "
                 "beginning with “has” is the more probable one."),
        view="translate.tree",
        what=N_("Translation that the search finds"),
        measure=_found,
        unit="word",
        before={"model": "transformer", "text": TEACHER, "method": "greedy", "beams": 4,
                "alpha": 0.6, "candidates": 2, "length": 16, "walk": None, "branch": None},
        changes={"method": "beam"},
        sides=(N_("greedy"), N_("beam of width 4")),
        margin="word",
    ),
    Experiment(
        id="writing.row",
        title=N_("Look for the alignment higher up"),
        watch=N_("In layer 0 the row before a word cannot tell yet which word comes next. There, "
                 "the word's own row attends to its source. In the last layer, the row before "
                 "it does."),
        view="translate.alignment",
        what=N_("Written tokens whose source the row before finds"),
        measure=selected("traced_before"),
        unit="share",
        before={"model": "transformer", "text": FRENCH, "target": "", "cross_layer": 0,
                "reading": 0, "token": 2, "origin": None},
        changes={"cross_layer": 2},
        sides=(N_("layer 0"), N_("layer 2")),
        margin="points",
    ),
    Experiment(
        id="writing.taught",
        title=N_("Teach a network without attention"),
        watch=N_("Even while it reads the reference, the recurrent network without attention is "
                 "often surprised. When it reads its own words, it leaves the reference sooner."),
        view="translate.losses",
        what=N_("Loss with teacher forcing, nats per token"),
        measure=_taught,
        unit="number",
        before={"model": "transformer", "text": FRENCH, "target": "",
                "reference": FRENCH_IN_ENGLISH},
        changes={"model": "rnn"},
        sides=(N_("Transformer"), N_("RNN")),
        margin="factor",
    ),
)  # fmt: skip
