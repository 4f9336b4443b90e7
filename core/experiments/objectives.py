"""The experiments of the page on ways of learning."""

from __future__ import annotations

from core.experiments.experiment import Experiment, selected
from core.language import N_

MODELS = {"model": "gpt", "reader": "elmo", "guesser": "bert", "judge": "bert"}
FOOD = {**MODELS, "text": "The dog was hungry. He ate all of his food."}
PARK = "The little girl wanted to play in the park. Her mother said yes."
# The same words and signs from the last to the first.
KRAP = "yes said mother Her . park the in play to wanted girl little The"

OBJECTIVES = (
    Experiment(
        id="objectives.dice",
        title=N_("Let the dice spare the word"),
        watch=N_("“All” is chosen both times, so BERT must predict it both times. The second time "
                 "the dice leave it visible, and the answer stands in the input. One token in ten "
                 "of those chosen is such a gift."),
        view="objectives.table",
        what=N_("Loss of BERT on “all”, in nats"),
        measure=selected("loss"),
        unit="number",
        before={**FOOD, "dice_seed": 8, "lane": 3, "text_word": 8},
        changes={"dice_seed": 9},
        sides=(N_("hidden behind [MASK]"), N_("chosen, but visible")),
        margin="factor",
    ),
    Experiment(
        id="objectives.backwards",
        title=N_("Write the text backwards"),
        watch=N_("Half of ELMo predicts each word from the words after it. Does that make it good "
                 "at backward text? No: it learned what stands before a word in ordinary text, so "
                 "it is as lost as GPT."),
        view="objectives.table",
        what=N_("Mean loss of ELMo on the word before, in nats"),
        measure=selected("mean"),
        unit="number",
        before={**MODELS, "text": PARK, "dice_seed": 0, "lane": 2, "text_word": None},
        changes={"text": KRAP},
        sides=(N_("as people write it"), N_("last word first")),
        margin="factor",
    ),
    Experiment(
        id="objectives.coin",
        title=N_("Toss the coin again"),
        watch=N_("Half of the time the second sentence is one from elsewhere. "
                 "BERT learned to tell the two apart, but on texts as short as this it says that "
                 "almost everything follows."),
        view="objectives.table",
        what=N_("Loss of BERT on the sentence pair, in nats"),
        measure=selected("mean"),
        unit="number",
        before={**FOOD, "dice_seed": 2, "lane": 4, "text_word": None},
        changes={"dice_seed": 1},
        sides=(N_("the second sentence follows"), N_("it comes from elsewhere")),
        margin="factor",
    ),
)  # fmt: skip
