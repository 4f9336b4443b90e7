"""The experiments of the page about spans and noise."""

from __future__ import annotations

from core.experiments.experiment import Experiment, selected
from core.language import N_

PARK = ("The little girl wanted to play in the park. She took her red ball and ran to her mother. "
        "The sun was bright and the birds sang in the trees.")  # fmt: skip
CUT = {"model": "t5", "text": PARK, "span_seed": 5, "span_rate": 0.15}
ASKED = {"model": "t5", "task_text": "Je ne sais pas où il est.", "prefix": ""}
DULL = "The story is dull and far too long."
JUDGED = {"model": "t5", "task_text": "The film was wonderful.", "prefix": "sentiment: "}
DAMAGED = {"model": "bart", "text": PARK, "noise_seed": 3, "noise_rate": 0.3}

SPANS = (
    Experiment(
        id="spans.single",
        title=N_("Hide single tokens"),
        watch=N_("One hidden word has little room to be anything else. A span of several can be "
                 "filled in many ways, so the one that stood there gets next to nothing."),
        view="noise.fillings",
        what=N_("Probability of what stood in the first gap"),
        measure=selected("hidden_probability"),
        unit="share",
        before={**CUT, "span_mean": 3.0},
        changes={"span_mean": 1.0},
        sides=(N_("spans of 3 tokens"), N_("spans of 1 token")),
        margin="points",
    ),
    Experiment(
        id="spans.prefix",
        title=N_("Put a task before the sentence"),
        watch=N_("Without a prefix the model takes the sentence for the review of a film. The "
                 "prefix is nothing but more text, and the same weights translate."),
        view="noise.answer",
        what=N_("What the model writes"),
        measure=selected("answer"),
        unit="word",
        before=ASKED,
        changes={"prefix": "translate French to English: "},
        sides=(N_("no prefix"), N_("with the prefix")),
        margin="word",
        near="noise.own",
    ),
    Experiment(
        id="spans.label",
        title=N_("Ask for a label in words"),
        watch=N_("There is no head with two outputs. The model writes the name of the label, as it "
                 "writes everything else."),
        view="noise.answer",
        what=N_("What the model writes"),
        measure=selected("answer"),
        unit="word",
        before=JUDGED,
        changes={"task_text": DULL},
        sides=(N_("a wonderful film"), N_("a dull story")),
        margin="word",
        near="noise.own",
    ),
)  # fmt: skip

NOISE = (
    Experiment(
        id="noise.delete",
        title=N_("Delete instead of masking"),
        watch=N_("Visible tokens need only be copied. Masks disturb this model more than missing "
                 "tokens do. Behind a mark it may expect more than one token: in two of three "
                 "training texts with marks, each stood for a whole span."),
        view="noise.wanted",
        what=N_("Visible tokens that are the model's first choice"),
        measure=selected("copied"),
        unit="share",
        before={**DAMAGED, "noise": "mask"},
        changes={"noise": "delete"},
        sides=(N_("masked"), N_("deleted")),
        margin="points",
    ),
    Experiment(
        id="noise.more",
        title=N_("Delete half of the text"),
        watch=N_("What is gone is found from what is left. With half of it gone there is little "
                 "left to find it from."),
        view="noise.wanted",
        what=N_("Hidden tokens that are the model's first choice"),
        measure=selected("hidden_found"),
        unit="share",
        before={**DAMAGED, "noise": "delete", "noise_seed": 5, "noise_rate": 0.15},
        changes={"noise_rate": 0.5},
        sides=(N_("15 % hidden"), N_("50 % hidden")),
        margin="points",
    ),
    Experiment(
        id="noise.order",
        title=N_("Rotate instead of shuffling"),
        watch=N_("A rotated text has one wrong seam, a shuffled one has several. But beware: even "
                 "a plain copy of a rotated text has at least half of its tokens in order."),
        view="noise.rewritten",
        what=N_("Tokens that it writes in their order"),
        measure=selected("restored"),
        unit="share",
        before={**DAMAGED, "noise": "permute"},
        changes={"noise": "rotate"},
        sides=(N_("sentences shuffled"), N_("text rotated")),
        margin="points",
    ),
)  # fmt: skip
