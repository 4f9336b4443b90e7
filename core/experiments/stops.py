"""The experiments of the walk from the RNN to the Transformer."""

from __future__ import annotations

from core.examples import WALK
from core.experiments.experiment import Experiment, later, selected
from core.language import N_

CHAT, NOIR = 15, 16  # the tokens of "chat" and "noir" in the sentence of the walk
LOOKS = {"model": "encoder_causal", "text": WALK, "target": "", "attention": "encoder",
         "layer": 1, "head": 1, "token": CHAT, "key": NOIR}  # fmt: skip

STOPS = (
    Experiment(
        id="stops.summary",
        title=N_("Take the attention away"),
        watch=N_("With cross-attention the translation costs little. Another "
                 "decoder of its kind, which learned with a summary alone, guesses words that fit "
                 "English and not this sentence."),
        view="stops.sentence",
        what=N_("Loss per token of the reference, in nats"),
        measure=selected("mean"),
        unit="number",
        before={"text": WALK, "reference": "", "model": "rnn_attention"},
        changes={"model": "rnn"},
        sides=(N_("with attention"), N_("a fixed state")),
        margin="factor",
    ),
    Experiment(
        id="stops.short",
        title=N_("Give the fixed state less to hold"),
        watch=N_("The same RNN, without attention, on the first words of the sentence. They fit "
                 "into its state."),
        view="stops.sentence",
        what=N_("Loss per token of the reference, in nats"),
        measure=selected("mean"),
        unit="number",
        before={"text": WALK, "reference": "", "model": "rnn"},
        changes={"text": "Le vieil homme est rentré hier soir.",
                 "reference": "The old man came home last night."},
        sides=(N_("the long sentence"), N_("its first words")),
        margin="factor",
    ),
    Experiment(
        id="stops.mask",
        title=N_("Let the encoder see what comes next"),
        watch=N_("In French “noir” comes after “chat”. In the causal encoder “chat” gives "
                 "no attention to what comes after it. In the Transformer it attends to “noir” and "
                 "to the tokens after it. The number is the mean over all tokens."),
        view="stops.new",
        what=N_("Share of attention that goes to later tokens, mean over all tokens, layer 1, "
                "head 1 of the encoder"),
        measure=later,
        unit="share",
        before=LOOKS,
        changes={"model": "transformer"},
        sides=(N_("causal encoder"), N_("Transformer")),
        margin="points",
    ),
)  # fmt: skip
