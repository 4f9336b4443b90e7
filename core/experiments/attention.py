"""The experiments of the pages on attention, heads and masks."""

from __future__ import annotations

import numpy as np

from core.experiments.experiment import DOG, Experiment, Figures, at, later, most, named, selected
from core.language import N_

GOLD = "The gold ring was lost. Nobody saw the gold"
ONE_HEAD = {"model": "gpt", "layer": 5, "head": 1, "token": None, "key": None, "step": 6}


def _ahead(values: Figures) -> float:
    """The share of the selected query's attention that goes to later tokens."""
    place = values["weights"].selected
    assert place is not None
    return float(values["weights"].array[place[0], place[0] + 1 :].sum())


def _best_under(values: Figures) -> str:
    """The most likely token under the mask, at the selected position."""
    under = values["under"]
    assert under.selected is not None
    position = values["position"].array
    here = np.flatnonzero(position == position[under.selected])
    return named(under.axes[0].labels[here[under.array[here].argmax()]])


ATTENTION = (
    Experiment(
        id="attention.repeat",
        title=N_("Repeat a word"),
        watch=N_("This head finds the last place where the same word stood, and attends to what "
                 "came after it. Such a head is called an **induction head**."),
        view="attention.weights",
        what=N_("Weight that the last token gives to “fox”, layer 5, head 1"),
        measure=at("weights", -1, 3),
        unit="share",
        before={**ONE_HEAD, "text": "The old fox met a hare. The wolf saw the big"},
        changes={"text": "The old fox met a hare. The wolf saw the old"},
        sides=(N_("… saw the big"), N_("… saw the old")),
        margin="points",
        near="attention.steps",
    ),
    Experiment(
        id="attention.first",
        title=N_("Select the first token"),
        watch=N_("In GPT the first token may attend only to itself. A softmax over one score gives "
                 "it all the weight, whatever the score is."),
        view="attention.weights",
        what=N_("Largest weight of the selected token, layer 0, head 0"),
        measure=selected("weights"),
        unit="share",
        before={"model": "gpt", "text": DOG, "layer": 0, "head": 0, "token": 11, "key": None,
                "step": 6},
        changes={"token": 0},
        sides=(N_("the last token"), N_("the first token")),
        margin="points",
        near="attention.steps",
    ),
    Experiment(
        id="attention.previous",
        title=N_("Switch to another head"),
        watch=N_("Each head compares the same tokens in its own way. Layer 2, head 1 mostly "
                 "attends to the token just before."),
        view="attention.weights",
        what=N_("Weight that “hungry” gives to the token before it, “was”"),
        measure=at("weights", 4, 3),
        unit="share",
        before={"model": "gpt", "text": DOG, "layer": 5, "head": 3, "token": 4, "key": None,
                "step": 6},
        changes={"layer": 2, "head": 1},
        sides=(N_("layer 5, head 3"), N_("layer 2, head 1")),
        margin="points",
        near="attention.steps",
    ),
)  # fmt: skip

HEADS = (
    Experiment(
        id="heads.repeat",
        title=N_("Repeat a phrase"),
        watch=N_("Some heads light up on the induction tab: from a repeated token they attend to "
                 "what followed it the first time. On a text without repetition no head can."),
        view="attention.heads",
        what=N_("Strongest induction score of the 24 heads"),
        measure=most("induction"),
        unit="share",
        before={"model": "gpt", "text": DOG, "layer": 5, "head": 1, "token": None, "key": None,
                "score": "induction"},
        changes={"text": GOLD},
        sides=(N_("nothing repeated"), N_("“gold” repeated")),
        margin="points",
    ),
    Experiment(
        id="heads.rest",
        title=N_("Find a head at rest"),
        watch=N_("A row of weights must add up to 1, even when a head has found nothing. Then it "
                 "often puts its weight on the first token. Layer 4, head 3 does so here."),
        view="attention.heads",
        what=N_("Mean weight on the first token"),
        measure=selected("first"),
        unit="share",
        before={"model": "gpt", "text": DOG, "layer": 2, "head": 1, "token": None, "key": None,
                "score": "first"},
        changes={"layer": 4, "head": 3},
        sides=(N_("layer 2, head 1"), N_("layer 4, head 3")),
        margin="points",
    ),
    Experiment(
        id="heads.machine",
        title=N_("Switch to BERT"),
        watch=N_("GPT has a causal mask, so its maps are triangles. BERT has none: its maps fill "
                 "the square, and its heads attend to later tokens too."),
        view="attention.weights",
        what=N_("Attention to later tokens, layer 2, head 2"),
        measure=later,
        unit="share",
        before={"model": "gpt", "text": DOG, "layer": 2, "head": 2, "token": None, "key": None,
                "score": "maps"},
        changes={"model": "bert"},
        sides=(N_("GPT"), N_("BERT")),
        margin="points",
        near="attention.heads",
    ),
)  # fmt: skip

LILY = "Once upon a time there was a little girl named Lily. She liked to"
DOOR = "He opened the [MASK] and walked into the room."

MASKS = (
    Experiment(
        id="masks.lift",
        title=N_("Take the causal mask away"),
        watch=N_("Now each token attends to later ones, too. This GPT was trained with the mask, "
                 "so it never learned to use what it now sees. Compare the two bars of each "
                 "word."),
        view="masks.grid",
        what=N_("Attention of “dog” to later tokens, layer 2, head 0"),
        measure=_ahead,
        unit="share",
        before={"model": "gpt", "text": DOG, "mask": "own", "sheet": 0, "layer": 2, "head": 0,
                "token": 2, "key": None},
        changes={"mask": "none"},
        sides=(N_("with the mask"), N_("without it")),
        margin="points",
    ),
    Experiment(
        id="masks.window",
        title=N_("Let each token see only two"),
        watch=N_("Each token now attends only to itself and to the one before. What “Lily” says "
                 "moves on by one token per layer, so it needs several layers to arrive. The "
                 "prediction changes."),
        view="masks.prediction",
        what=N_("Most likely word after “She liked to”"),
        measure=_best_under,
        unit="word",
        before={"model": "gpt", "text": LILY, "mask": "own", "sheet": 0, "layer": 5, "head": 3,
                "token": 15, "key": None},
        changes={"mask": "window:2"},
        sides=(N_("all earlier tokens"), N_("two tokens")),
        margin="word",
    ),
    Experiment(
        id="masks.one_way",
        title=N_("Let BERT read one way only"),
        watch=N_("BERT was trained to read both sides. A causal mask takes away the words after "
                 "the gap, and its best guess changes."),
        view="masks.prediction",
        what=N_("BERT's best guess behind [MASK]"),
        measure=_best_under,
        unit="word",
        before={"model": "bert", "text": DOOR, "mask": "own", "sheet": 0, "layer": 5, "head": 3,
                "token": 4, "key": None},
        changes={"mask": "causal"},
        sides=(N_("both sides"), N_("left side only")),
        margin="word",
    ),
)  # fmt: skip
