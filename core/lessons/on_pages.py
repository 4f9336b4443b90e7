"""Questions that a page asks beside its figures, as a lesson asks its own."""

from __future__ import annotations

from core.language import _
from core.lessons.question import Question

# Of five words, with a share ε of the target spread over all of them.
_RIGHT, _OTHER = "(1 - 0.8 * eps)", "(eps / 5)"


def of_smoothing() -> Question:
    """What is left of the loss when a model predicts its smoothed target exactly."""
    return Question.model_validate({
        "id": "smoothed-loss",
        "kind": "number",
        "number": "measured",
        "tolerance": 0.03,
        "unit": _("nats"),
        "ask": _("With ε = {{eps | .2}} over all five words, the target is {{right}} for “notes” "
                 "and {{other}} for each other. A model predicts exactly that. How large "
                 "is its loss?"),
        "draw": {"eps": "[0.05, 0.1, 0.2, 0.3]"},
        "let": {"right": _RIGHT, "other": _OTHER},
        "answer": "0 - right * log(right) - 4 * other * log(other)",
        "wrong": {
            "loss-is-divergence": {
                "answer": "0",
                "says": _("0 is the KL divergence: the prediction is the target. The loss is a "
                          "cross-entropy, and that is never below the entropy of the target."),
            },
            "right-word-alone": {
                "answer": "0 - log(right)",
                "says": _("That is minus the logarithm for “notes” alone. The target weighs all "
                          "five words: each counts with its own share."),
            },
            "in-bits": {
                "answer": "(0 - right * log(right) - 4 * other * log(other)) / log(2)",
                "says": _("That is in bits. With natural logarithms it is in nats."),
            },
        },
        "hints": [
            _("The loss is the mean of −ln of the probabilities, weighted by the target."),
            _("Prediction and target are the same here, so it is the entropy of the target."),
            _("−{{right}} · ln {{right}} − 4 · {{other}} · ln {{other}} = …"),
        ],
        "solution": _("−{{right}} · ln {{right}} − 4 · {{other}} · ln {{other}} = {{answer}}: the "
                      "entropy of the target. The KL divergence, loss − entropy, is 0."),
    })  # fmt: skip
