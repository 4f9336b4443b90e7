"""The experiments of the page about fine-tuning."""

from __future__ import annotations

from core.experiments.experiment import Experiment, at, selected
from core.language import N_

_LEARNED = {"pooled": "mean", "lines": "", "cut_layers": 6}

FINE_TUNE = (
    Experiment(
        id="fine-tune.negation",
        title=N_("Say it with two negatives"),
        watch=N_("“Not bad” is nearly “good”. To this small model it is what a bad review says."),
        view="tune.text",
        what=N_("Probability of “positive”"),
        measure=at("probability", 1),
        unit="share",
        before={"model": "bert_sentiment", "text": "It is a good film."},
        changes={"text": "It is not a bad film."},
        sides=(N_("a good film"), N_("not a bad film")),
        margin="points",
    ),
    Experiment(
        id="fine-tune.cut",
        title=N_("Cut after one layer"),
        watch=N_("One layer has put few of the words together. The layers above make the sentence "
                 "easier to label."),
        view="tune.layers",
        what=N_("Held-out sentences with the right label"),
        measure=selected("held"),
        unit="share",
        before=_LEARNED,
        changes={"cut_layers": 1},
        sides=(N_("six layers"), N_("one layer")),
        margin="points",
        section="layers",
    ),
    Experiment(
        id="fine-tune.first",
        title=N_("Read [CLS] after three layers"),
        watch=N_("After three layers a head on [CLS] does no better than chance. The mean of all "
                 "tokens knows more."),
        view="tune.layers",
        what=N_("Held-out sentences with the right label"),
        measure=selected("held"),
        unit="share",
        before={**_LEARNED, "cut_layers": 3},
        changes={"pooled": "first"},
        sides=(N_("mean of all tokens"), N_("[CLS] alone")),
        margin="points",
        section="layers",
    ),
)  # fmt: skip
