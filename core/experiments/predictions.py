"""The experiments of the home page and of the pages that predict."""

from __future__ import annotations

from core.examples import GAP
from core.experiments.experiment import DOG, Experiment, Figures, later, selected
from core.language import N_

UNCHANGED = {"off": None, "swap": None, "aside": None}  # what somebody has changed in another run
TALE = "Once upon a time there was a little"
WRITING = {"model": "gpt", "text": DOG, "temperature": 0.8, "top_k": 50, "top_p": 0.95,
           "repetition": 1.0, "seed": 0, "new": 60, "made": 60, "token": None}  # fmt: skip
NEST = {"model": "bert", "partner": "gpt", "hide": "1", "token": None}


def _new(values: Figures) -> list[int]:
    """The places of the tokens that the model wrote."""
    made = values["from"].array
    return [place for place in range(len(made)) if made[place] != made[0]]


def _repeated(values: Figures) -> float:
    """The share of three tokens in a row that stood there before, of those that were written."""
    words = [str(values["token"].array[place]) for place in _new(values)]
    threes = [tuple(words[n : n + 3]) for n in range(len(words) - 2)]
    return 1 - len(set(threes)) / len(threes)


def _surprisal(values: Figures) -> float:
    """Bits per token of what was written, mean."""
    return float(values["bits"].array[_new(values)].mean())


HOME = (
    Experiment(
        id="home.tale",
        title=N_("Select “upon”"),
        watch=N_("After “Once upon” this model has hardly any doubt about the next word. After "
                 "“a little” it has a choice. Select the words from left to right."),
        view="map.flow",
        what=N_("Probability of the most likely next word"),
        measure=selected("probabilities"),
        unit="share",
        before={"model": "gpt", "text": TALE, "token": 8, "place": None, **UNCHANGED},
        changes={"token": 2},
        sides=(N_("after “a little”"), N_("after “upon”")),
        margin="points",
    ),
    Experiment(
        id="home.copy",
        title=N_("Say it once before"),
        watch=N_("With the first sentence in front, the model can copy what followed “silver”. "
                 "In layer 5 look for the head that attends there."),
        view="map.flow",
        what=N_("Most likely next word after “silver”"),
        measure=selected("words"),
        unit="word",
        before={"model": "gpt", "text": "Tom found a ring. Mira lost her silver", "token": None,
                "place": "layer5", **UNCHANGED},
        changes={"text": "Mira lost her silver comb. Tom found a ring. Mira lost her silver"},
        sides=(N_("not said before"), N_("“silver comb” said before")),
        margin="word",
    ),
    Experiment(
        id="home.machine",
        title=N_("Switch to BERT"),
        watch=N_("GPT reads from left to right, so a row takes only from rows above it. BERT reads "
                 "both ways: a row takes from rows below it, too. It does not continue the text: "
                 "it predicts the word that is hidden behind [MASK]."),
        view="map.flow",
        what=N_("Attention to later tokens, layer 2, head 2"),
        measure=later,
        unit="share",
        before={"model": "gpt", "text": DOG, "token": None, "place": "layer2.head2", **UNCHANGED},
        changes={"model": "bert", "text": GAP},
        sides=(N_("GPT"), N_("BERT")),
        margin="points",
    ),
)  # fmt: skip

NEXT_TOKEN = (
    Experiment(
        id="next_token.greedy",
        title=N_("Set the temperature to 0"),
        watch=N_("Now the model always takes the most likely token. The text soon repeats "
                 "itself, and another seed changes nothing."),
        view="predict.surprisal",
        what=N_("Runs of three written tokens that occurred before"),
        measure=_repeated,
        unit="share",
        before=WRITING,
        changes={"temperature": 0.0},
        sides=(N_("temperature 0.8"), N_("temperature 0")),
        margin="points",
    ),
    Experiment(
        id="next_token.loose",
        title=N_("Remove every cut, temperature 1.5"),
        watch=N_("The long tail of unlikely tokens gets a share, and the text falls apart."),
        view="predict.surprisal",
        what=N_("Surprisal of the written tokens, mean"),
        measure=_surprisal,
        unit="bits",
        before=WRITING,
        changes={"temperature": 1.5, "top_k": 0, "top_p": 1.0},
        sides=(N_("temperature 0.8, top-k 50, top-p 0.95"), N_("temperature 1.5, no cut")),
        margin="factor",
    ),
    Experiment(
        id="next_token.name",
        title=N_("Meet a made-up name again"),
        watch=N_("The first time nothing prepares the model for “Zorvik”. The second time it can "
                 "copy: after “Zor” it expects “v”."),
        view="predict.surprisal",
        what=N_("Surprisal of the “v” in “Zorvik”"),
        measure=selected("bits"),
        unit="bits",
        before={**WRITING, "text": "Zorvik the dragon met Mr. Plim. Mr. Plim gave Zorvik",
                "token": 3, "new": 1, "made": 0},
        changes={"token": 20},  # the second "v"
        sides=(N_("the first time"), N_("the second time")),
        margin="factor",
    ),
)  # fmt: skip

MASKED_WORD = (
    Experiment(
        id="masked_word.right",
        title=N_("Add the words after the gap"),
        watch=N_("“Flew” and “nest” point to a bird. BERT reads them. GPT reads only the left "
                 "side, so it still has nothing but “The”."),
        view="masked.beside",
        what=N_("Probability of “bird”, BERT"),
        measure=selected("both"),
        unit="share",
        before={**NEST, "text": "The bird"},
        changes={"text": "The bird flew back to its nest."},
        sides=(N_("The [MASK]"), N_("The [MASK] flew back to its nest.")),
        margin="points",
    ),
    Experiment(
        id="masked_word.two",
        title=N_("Hide a second word"),
        watch=N_("“Throne” was the best hint. Without it, BERT is less sure of the king."),
        view="masked.beside",
        what=N_("Probability of “king”, BERT"),
        measure=selected("both"),
        unit="share",
        before={**NEST, "text": "The king sat on his throne."},
        changes={"hide": "1,5", "token": 2},
        sides=(N_("“king” hidden"), N_("“king” and “throne” hidden")),
        margin="points",
    ),
    Experiment(
        id="masked_word.visible",
        title=N_("Show the word again"),
        watch=N_("When the word is visible, BERT only has to copy it. That is why words are "
                 "hidden in training: otherwise there would be nothing to learn."),
        view="masked.beside",
        what=N_("Probability of “bird”, BERT"),
        measure=selected("both"),
        unit="share",
        before={**NEST, "text": "The bird flew back to its nest."},
        changes={"hide": "none", "token": 2},
        sides=(N_("hidden"), N_("visible")),
        margin="points",
        near="masked.strip",
    ),
)  # fmt: skip
