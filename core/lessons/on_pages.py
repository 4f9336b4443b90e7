"""Questions that a page asks beside its figures, as a lesson asks its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping

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


def of_amortising() -> Question:
    """What a task costs that shares its body with others."""
    return Question.model_validate({
        "id": "shared-cost",
        "kind": "number",
        "number": "whole",
        "unit": _("hours"),
        "ask": _("To pretrain a body takes {{body}} hours. To fine-tune it for a task takes "
                 "{{own}} more. It serves {{tasks}} tasks, which share its pretraining equally. "
                 "How many hours does each of them cost?"),
        "draw": {"body": "[200, 400, 1000]", "own": "[2, 3, 5]", "tasks": "[4, 8, 10, 20]"},
        "answer": "body / tasks + own",
        "wrong": {
            "body-for-each": {
                "answer": "body + own",
                "says": _("That is a task with a body of its own. Here the body is pretrained "
                          "once, for all of them."),
            },
            "share-alone": {
                "answer": "body / tasks",
                "says": _("That is the share of the pretraining. Each task is also fine-tuned, "
                          "and shares that with no other."),
            },
            "body-is-free": {
                "answer": "own",
                "says": _("That is the fine-tuning. The pretraining has to be paid for, too, and "
                          "all tasks share it."),
            },
        },
        "hints": [
            _("What is done once for all tasks, and what for each?"),
            _("Divide the pretraining among the tasks. Then add the fine-tuning of one."),
            _("{{body}} / {{tasks}} + {{own}} = …"),
        ],
        "solution": _("{{body}} / {{tasks}} + {{own}} = {{answer}}. Alone, a task would cost "
                      "{{body + own}}."),
    })  # fmt: skip


def of_both_sides() -> Question:
    """Among how many entries a decoder chooses; ``entries`` are those of its vocabulary."""
    return Question.model_validate({
        "id": "both-sides",
        "kind": "choice",
        "ask": _("How many probabilities does the decoder compute for its next token?"),
        "answer": _("One for each entry of the vocabulary"),
        "wrong": {
            "copies-source": {
                "answer": _("One for each token of the source"),
                "says": _("Those are weights of cross-attention: what the decoder reads. What it "
                          "may write is any entry of the vocabulary."),
            },
            "repeats-target": {
                "answer": _("One for each token of the target"),
                "says": _("These tokens are written already. The next one may be any entry of the "
                          "vocabulary."),
            },
            "writes-letters": {
                "answer": _("One for each letter of the alphabet"),
                "says": _("It does not write letter by letter. The target is cut into tokens, too, "
                          "before the model learns from it."),
            },
        },
        "hints": [
            _("Which texts are cut into tokens?"),
            _("Both are. So the decoder writes what it reads: entries of a vocabulary."),
            _("One for each entry of the …"),
        ],
        "solution": _("{{entries | whole}}: every entry of the vocabulary gets a probability, also "
                      "those that no translation would use here."),
    })  # fmt: skip


# By the page under which their answers are kept.
ON_PAGES: Mapping[str, Callable[[], Question]] = {
    "fine-tune": of_amortising, "training": of_smoothing, "translate": of_both_sides,
}  # fmt: skip
